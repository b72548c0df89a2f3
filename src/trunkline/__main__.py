"""`python -m trunkline` is the same as `trunkline`."""

from trunkline.cli import main

main()

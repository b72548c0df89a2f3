.PHONY: test bench docs
test:
	./test
bench: # beside pyNTM and NetworkX, each in a venv of its own under .bench/; about two minutes after the first time
	.venv/bin/python benchmarks/run.py
docs: # the documentation as a site, in build/docs/index.html
	.venv/bin/sphinx-build -q -W --keep-going -b html docs build/docs

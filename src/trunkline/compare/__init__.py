"""iBGP designs measured against each other on one network."""

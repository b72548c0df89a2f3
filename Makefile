.PHONY: test bench
test:
	./test
bench: # beside pyNTM and NetworkX, each in a venv of its own under .bench/; about two minutes after the first time
	.venv/bin/python benchmarks/run.py

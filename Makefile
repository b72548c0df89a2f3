.PHONY: test bench
test:
	./test
bench:
	.venv/bin/python benchmarks/run.py

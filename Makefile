.PHONY: test bench
test:
	./test

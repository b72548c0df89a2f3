"""The walk through every router's FIB: load per circuit and class, latency, loss, loops."""

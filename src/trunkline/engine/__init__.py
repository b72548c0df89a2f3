"""Arrays and kernels; it knows no networks, only graphs.  `reference` defines, the kernel repeats it fast."""

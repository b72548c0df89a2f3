"""Arrays and kernels; it knows no networks, only graphs.  `reference` defines, the kernel repeats it fast."""

from trunkline.engine.choice import backend, describe

__all__ = ["backend", "describe"]

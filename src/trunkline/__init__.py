"""Trunkline: an AI cloud from one file, its backbone designed, proven, rendered, run, and broken on purpose."""

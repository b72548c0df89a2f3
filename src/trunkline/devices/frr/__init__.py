"""FRRouting 8.4 and newer: `render.py` and the templates beside it."""

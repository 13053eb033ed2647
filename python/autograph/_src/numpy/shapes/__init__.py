"""Functions that rearrange, join, select and sort. Start with ``shapes.py``."""

"""Functions that make arrays: from numbers, ranges and random draws. Start with ``creation.py``."""

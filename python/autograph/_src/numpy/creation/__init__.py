"""Functions that make arrays: of numbers, ranges and random draws. Start with ``creation.py``."""

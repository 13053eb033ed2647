"""Element-wise functions: NumPy's ufuncs and functions composed of them. Start with ``ufuncs.py``."""

"""Element-wise functions: NumPy's ufuncs and what is written with them. Start with ``ufuncs.py``."""

"""Complex values in NumPy's functions: applied to both parts, or computed by a version of their own.

Start with ``complex_dispatch.py``.
"""

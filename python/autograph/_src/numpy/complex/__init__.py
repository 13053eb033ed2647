"""How NumPy's functions take complex values: over both parts, or by a version of their own.

Start with ``complex_dispatch.py``.
"""

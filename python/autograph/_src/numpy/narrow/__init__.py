"""NumPy's functions over values of dtypes that the graph does not have: which take them, and how.

Start with ``narrow_ufuncs.py`` and ``narrow_dispatch.py``.
"""

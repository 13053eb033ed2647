"""How a call of NumPy's is staged: the table of functions, what NumPy is asked, what is refused.

Start with ``registry.py``, then ``calls.py``.
"""

"""Staging calls of NumPy functions: the table of functions, their options and errors, and refusals.

Start with ``registry.py``, then ``calls.py``.
"""

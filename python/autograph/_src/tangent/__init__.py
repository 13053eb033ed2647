"""The derivative of a function as Python source: rules, and what generated code calls.

Start with ``registry.py``.
"""

"""Operators of staged values, whatever stands beside them.

``recorded_operators.py`` decides which rules hold: NumPy's, Python's, or those of what stands there:
``none_operands.py`` and ``optional_operators.py`` (what may be ``None``), ``object_operands.py`` (objects),
``union_operators.py`` (values of several types), ``truth_only.py`` (``and`` and ``or``), ``identity.py``
(``is``).

It may import the rooms before it. Start with ``recorded_operators.py``.
"""

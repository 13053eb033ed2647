"""Operators of staged values, for every kind of other operand.

``recorded_operators.py`` chooses the rules by the operands: NumPy's, Python's, or those of a special operand.
These are in ``none_operands.py`` and ``optional_operators.py`` (``None`` and optionals),
``object_operands.py`` (objects) and ``union_operators.py`` (values of several types). ``truth_only.py`` has
``and`` and ``or``, ``identity.py`` has ``is``.

This room imports the rooms before it. Start with ``recorded_operators.py``.
"""

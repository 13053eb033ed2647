"""Python's builtins, and the functions of ``math`` and ``cmath``, over staged values.

``staged_builtins.py`` is the table; ``staged_iteration_builtins.py`` has those that walk an iterable;
``complex_math.py`` has ``cmath``.

It may import the rooms before it. Start with ``staged_builtins.py``.
"""

"""Python's builtins, and the functions of ``math`` and ``cmath``, over staged values.

``staged_builtins.py`` has the table and most entries, ``staged_iteration_builtins.py`` those that iterate,
``complex_math.py`` those of ``cmath``.

This room imports the rooms before it. Start with ``staged_builtins.py``.
"""

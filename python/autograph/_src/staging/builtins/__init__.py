"""Python's builtins, and the functions of ``math`` and ``cmath``, over staged values.

``staged_builtins.py`` has the table. ``number_builtins.py`` has what makes numbers of numbers;
``real_math.py`` has ``math``; ``complex_math.py`` has ``cmath``; ``class_builtins.py`` has what asks for
classes and attributes; ``staged_iteration_builtins.py`` has what iterates; ``array_walks.py`` has NumPy's
classes that do; ``heaps.py`` has ``heapq`` and ``bisect``; ``integer_math.py``, ``sums_and_products.py``
and ``decimal_rounding.py`` have algorithms on numbers.

This room imports the rooms before it. Start with ``staged_builtins.py``.
"""

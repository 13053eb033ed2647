"""Arrays and numbers of a graph: what stands for them in a program, and what is recorded for their use.

``tensor.py`` is the class; ``arithmetic.py`` its operators; ``python_scalars.py`` and ``number_tensor.py``
the numbers of Python; ``indexing.py``, ``positions.py``, ``item_writes.py``, ``item_conversions.py`` and
``overlaps.py`` items and slices; ``memory.py`` and ``layouts.py`` which arrays share memory; ``sizes.py``
sizes that only the run knows.

It may import the room `trace`. Start with ``tensor.py``.
"""

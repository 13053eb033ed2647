"""Staged arrays and numbers: the values that the program sees, and the ops that their use records.

``tensor.py`` is the class; ``arithmetic.py`` has its operators, ``array_attributes.py`` its attributes,
``needs_elements.py`` what needs elements, ``patterns.py`` which classes match sequence patterns.
``lifting.py`` makes tensors of plain values.
``python_scalars.py`` and ``number_tensor.py`` are Python's numbers. ``indexing.py``, ``index_parts.py``,
``positions.py``, ``item_writes.py``, ``item_conversions.py`` and ``overlaps.py`` are items and slices.
``memory.py`` and ``layouts.py`` track which arrays share memory. ``sizes.py`` is for sizes that only the run
knows.

This room imports the room `trace`. Start with ``tensor.py``.
"""

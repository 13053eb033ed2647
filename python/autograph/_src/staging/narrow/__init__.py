"""Element types that the graph does not have: ``int16``, ``uint32``, ``float16`` and their like.

``carriers.py`` says which dtype of the graph holds such a dtype; ``narrow_tensor.py`` is a value of one;
``fitting.py`` brings results back into the range; ``narrow_casts.py`` converts between all dtypes.

This room imports `trace`, `tensors` and `complex`. Start with ``narrow_tensor.py``.
"""

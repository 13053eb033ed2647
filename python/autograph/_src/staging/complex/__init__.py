"""Complex values: pairs of real tensors, since graphs have real values only.

``complex_tensor.py`` is the pair; ``complex_numbers.py`` is the arithmetic of Python's own complex numbers.

This room imports `trace` and `tensors`. Start with ``complex_tensor.py``.
"""

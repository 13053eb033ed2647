"""Complex values: pairs of real tensors, since a graph has real ones only.

``complex_tensor.py`` is the pair; ``complex_numbers.py`` the arithmetic of Python's own complex numbers.

It may import `trace` and `tensors`. Start with ``complex_tensor.py``.
"""

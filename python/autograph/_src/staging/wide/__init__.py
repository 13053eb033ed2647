"""Python ints of 64 bits without a sign: hashes, and the generators of random numbers that people write.

``wide_int.py`` is such an int; ``wide_arithmetic.py`` has its operators.

This room imports `trace`, `tensors` and `narrow`. Start with ``wide_int.py``.
"""

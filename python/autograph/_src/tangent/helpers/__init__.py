"""What generated code calls, by idea; `runtime` names them all.

The text of a helper is printed into files that need NumPy and nothing else: a helper uses NumPy and other
helpers, and has no annotations.
"""

"""Loops that run again in segments."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import math


def segments(steps, every=None):
    """Split a range into parts of `every` iterations; by default of the square root of its length."""
    length = math.isqrt(max(len(steps) - 1, 0)) + 1 if every is None else every
    if length < 1:
        raise ValueError(f"`every` is a number of iterations, at least 1, and not {every!r}")
    return [steps[start : start + length] for start in range(0, len(steps), length)]

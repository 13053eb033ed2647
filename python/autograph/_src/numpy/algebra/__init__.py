"""Products of arrays, decompositions, transforms and polynomials. Start with ``linear_algebra.py``."""

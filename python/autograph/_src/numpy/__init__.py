"""NumPy's functions over staged values, by family: one table entry each.

    calls        finding the staged version of a function, checks of arguments, refusals
    elementwise  ufuncs
    reductions   sums, extremes, statistics
    shapes       reshaping, joining, selecting, sorting
    creation     new arrays; random numbers
    algebra      products, decompositions, transforms, polynomials
    complex      how all of these take complex values

Start with ``calls/registry.py``, the table.
"""

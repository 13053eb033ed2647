"""NumPy's functions over staged values, by family: one table entry each.

    calls        which function is called, what NumPy says of its arguments, what is refused
    elementwise  ufuncs
    reductions   sums, extremes, statistics
    shapes       reshaping, joining, selecting, sorting
    creation     arrays from nothing; random numbers
    algebra      products, decompositions, transforms, polynomials
    complex      how all of these take complex values

Start with ``calls/registry.py``, the table.
"""

"""NumPy's functions over staged values: one table entry each, one file a family."""

"""Recording NumPy programs into graphs: tensors, the trace, staged control flow."""

"""Recording NumPy programs into graphs: what a staged value is, and what is done with it.

    trace      one recording: where it is in the program, what it read, what it learned
    tensors    arrays and numbers of the graph: operators, indices, writes, memory
    complex    complex values, which are pairs of tensors
    kinds      what a variable may be on every path: numbers of several types, `None`, tuples
    lists      lists that the program makes, whose length only a run may know
    objects    objects and lists that are rows of tables; trees of arguments
    control    branches and loops: what is written, joined and carried
    operators  operators beside what is no number: `None`, objects, values of several types
    builtins   Python's builtins over all of these
    calls      functions of the graph: recursion, and functions that are not converted

A room may import those above it, and none below; `tests/test_architecture.py` holds this. What an upper
room records for a lower one (a choice, a loop, an operator) the lower one asks
:mod:`autograph._src.staging.trace.statements` for.

Start with ``trace/trace.py``, then ``tensors/tensor.py``.
"""

"""Records NumPy programs into graphs: the staged values, and what a program can do with them.

    trace      one recording: where it is in the program, what it read, what it learned
    tensors    arrays and numbers of the graph: operators, indices, writes, memory
    complex    complex values, which are pairs of tensors
    narrow     values of dtypes that the graph does not have, held in ones that it has
    wide       Python ints of 64 bits without a sign, held in an int64
    kinds      the types of variables that differ between paths: several dtypes, `None`, tuples
    lists      lists that the program makes; their length may depend on data
    objects    objects and lists that are rows of tables; trees of arguments
    control    branches and loops: what they write, join and carry
    operators  operators with an operand that is no number: `None`, an object, a value of several types
    builtins   Python's builtins over all of these
    calls      functions of the graph: recursion, and functions that are not converted

Each line is a room (a subpackage). A room imports only rooms listed before it;
`tests/test_architecture.py` checks this. An earlier room that needs something a later one records (a
choice, a loop, an operator) calls it through :mod:`autograph._src.staging.trace.statements`.

Start with ``trace/trace.py``, then ``tensors/tensor.py``.
"""

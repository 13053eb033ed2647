"""The kinds of staged variables: what a variable is on every path, or in every iteration.

    if x > 0:           # staged
        best = 0        # an int in one branch
    else:
        best = x        # a float64 scalar in the other: after the `if` a `UnionOf` of both

A kind is a class, and what can be done with its values stands in its file: how it is found, joined with
others, put into a graph and taken out of one, and what messages call it. Who has a variable's value asks
:func:`~autograph._src.staging.kinds.leaf_kind.kind_of` for its kind, and
:func:`~autograph._src.staging.kinds.leaf_kind.join` for the kind that holds what two paths give.

Start with ``leaf_kind.py``, which says what may be asked of each; then read ``leaf_type.py`` (numbers and
arrays) and ``control/kind_order.py``, the list of all. The kinds of lists are in the room `lists`, those of
rows of tables in `objects`.

How a kind is added: a file with a subclass of ``LeafKind``, which has ``in_words``, ``graph_types``, ``pack``
and ``unpack`` and what else is not as the base class has it, and a place in the list. What is not said is
refused where it is asked for.

It may import `trace`, `tensors` and `complex`.
"""

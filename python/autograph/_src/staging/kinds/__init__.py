"""Kinds: the types of variables whose value depends on a staged branch or changes in a staged loop.

    if x > 0:           # staged
        best = 0        # an int in one branch
    else:
        best = x        # a float64 scalar in the other: after the `if` a `UnionOf` of both

A kind is a class in a file of its own. It recognises its values, joins with other kinds, turns a value into
graph values and back, and names itself in messages.
:func:`~autograph._src.staging.kinds.value_kind.kind_of` gives the kind of a value;
:func:`~autograph._src.staging.kinds.value_kind.join` gives the kind that holds the values of two paths.

Start with ``value_kind.py``, the interface; then read ``tensor_of.py`` (numbers and arrays) and
``control/kind_order.py``, the list of all kinds. The kinds of lists are in the room `lists`, those of table
rows in `objects`.

To add a kind, write a file with a subclass of ``ValueKind`` that defines ``in_words``, ``graph_types``,
``pack`` and ``unpack`` and overrides what differs from the base class, and add it to the list. Methods that
it does not define raise an error for the user.

This room imports `trace`, `tensors`, `complex`, `narrow` and `wide`.
"""

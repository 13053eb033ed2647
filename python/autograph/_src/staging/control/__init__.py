"""Records branches and loops: what they write, how branches join, what loops carry.

``branches.py`` and ``loops.py`` record. ``journal.py`` undoes the writes of a block and lists them.
``carries.py`` infers what a loop carries, to a fixed point. ``python_loops.py`` decides which loops of the
program are staged and which unrolled; ``iteration.py`` has the iterables. ``comprehensions.py`` and
``progress.py`` are further loops. ``effects.py``, ``raised.py`` and ``run_templates.py`` record what a run
prints and raises. ``kind_order.py`` is the list of all kinds.

It imports the rooms before it. Start with ``branches.py``.
"""

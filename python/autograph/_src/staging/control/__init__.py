"""Branches and loops of a graph: what is recorded, what it writes, what is joined and carried.

``branches.py`` and ``loops.py`` record; ``journal.py`` undoes what a block wrote and says what that was;
``carries.py`` is what a loop carries, found to a fixed point; ``python_loops.py`` says which loops of the
program are staged and which unrolled; ``iteration.py`` what they iterate; ``comprehensions.py`` and
``progress.py`` are loops too; ``effects.py``, ``raised.py`` and ``run_templates.py`` are what a run prints
and raises; ``kind_order.py`` is the list of all kinds.

It may import the rooms before it. Start with ``branches.py``.
"""

"""One recording of one function: the graph so far, the place in the program, what was read and learned.

``trace.py`` is the trace; ``callers.py`` and ``frames.py`` say where in the user's program it is;
``surroundings.py``, ``watch.py``, ``outside.py`` and ``array_contents.py`` note what it read around the
function and find what changed; ``facts.py`` and ``object_sites.py`` hold what recordings find out, and
``restarts.py`` begins one again; ``signals.py`` is what stops one; ``statements.py`` is what rooms above
record for rooms below.

It may import the converted code's operators and the back-ends' protocol, and no other room of `staging`.
Start with ``trace.py``.
"""

"""One recording of one function: the graph so far, the place in the program, what it read and learned.

``trace.py`` is the trace; ``recorder.py`` is what it writes ops, branches and loops down with, and
``graph_recorder.py`` that of the native graph. ``callers.py`` and ``frames.py`` find the user's source line
that is running. ``surroundings.py``, ``watch.py``, ``outside.py`` and ``array_contents.py`` note what the
trace read around the function and detect changes to it; ``plain_objects.py`` says what plain objects mean
while recording. ``facts.py`` and ``object_sites.py`` hold what recordings find out; ``restarts.py`` starts a
recording over. ``signals.py`` has the exceptions that stop a recording. ``statements.py`` lets this room call
what later rooms implement.

It imports the converted code's operators and the back-ends' protocol, and no other room of `staging`.
Start with ``trace.py``.
"""

"""Lists that a program makes while it is traced: plain until a staged statement decides their contents.

``traced_list.py`` is the list. ``list_contents.py`` and ``list_lengths.py`` are the contents and length of a
staged one. ``list_changes.py``, ``list_searches.py``, ``list_sorting.py`` and ``list_order.py`` are its
methods, as loops of the graph. ``list_joins.py`` and ``list_identity.py`` track which lists a variable may
be bound to. ``list_of.py`` is the kind.

This room imports `trace`, `tensors`, `complex` and `kinds`. Start with ``traced_list.py``.
"""

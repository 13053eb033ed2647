"""Lists that a program makes while it is traced: plain until a staged statement decides what they hold.

``traced_list.py`` is the list; ``list_contents.py`` and ``list_lengths.py`` what a staged one holds;
``list_changes.py``, ``list_searches.py``, ``list_sorting.py`` and ``list_order.py`` its methods, as loops
of the graph; ``list_joins.py`` and ``list_identity.py`` which list a variable may be bound to;
``list_of.py`` the kind.

It may import `trace`, `tensors`, `complex` and `kinds`. Start with ``traced_list.py``.
"""

"""Dicts and sets whose keys only the run knows: hash tables in staged lists, and their methods as Python.

``keyed.py`` has what stands for such a dict or set; ``made.py`` decides which displays and calls make one.
``hashing.py`` has the hash of a key, ``entries.py`` the table. ``dicts.py`` has the methods of dicts,
``counters.py`` those of ``Counter``, ``sets.py`` those of sets, ``walks.py`` the walks over them.

This room imports the rooms before it. Start with ``keyed.py``.
"""

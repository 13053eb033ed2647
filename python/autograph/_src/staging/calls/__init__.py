"""Calls that a graph makes: functions that call themselves, and functions that run as they are.

``recursion.py`` finds that a function calls itself and makes it a function of the graph;
``call_arguments.py``, ``call_results.py`` and ``call_effects.py`` are what goes in, comes out and is written;
``unconverted.py`` runs what is not converted and looks at what it changed.

It may import the rooms before it. Start with ``recursion.py``.
"""

"""Calls: recursive functions, which become functions of the graph, and unconverted functions.

``recursion.py`` detects that a function calls itself and makes it a function of the graph.
``call_arguments.py``, ``call_results.py`` and ``call_effects.py`` handle its parameters, results and writes.
``unconverted.py`` runs functions that are not converted and checks what they changed.

This room imports the rooms before it. Start with ``recursion.py``.
"""

"""Trees, templates and analyses for people who write transformations: ``autograph.transformations``.

Imports the syntax crate's bindings only. Start with ``parsing.py``.
"""

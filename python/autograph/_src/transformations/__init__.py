"""Trees, templates and analyses for people who write transformations: ``autograph.transformations``.

Of the Rust core it uses the bindings of the syntax crate only. Start with ``parsing.py``.
"""

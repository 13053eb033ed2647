"""The back-ends' protocol, whose public names are in ``autograph.backends``, and the native back-end.

Start with ``protocol.py``.
"""

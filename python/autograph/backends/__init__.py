"""Back-ends: what a statement means for the values of one library, see :mod:`autograph.backends.protocol`."""

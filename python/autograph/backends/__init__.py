"""Back-ends: what a statement means for the values of one library, see ``docs/backends.md``.

Example:
    >>> from autograph.backends import Backend, activated
    >>> backend = Backend()
    >>> with activated(backend):
    ...     backend.is_active()
    True
"""

from autograph.backends.protocol import Backend, activated, register

__all__ = ["Backend", "activated", "register"]

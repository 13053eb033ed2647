"""For authors of back-ends, which say what statements mean for a library's staged values.

``docs/backends.md`` explains the protocol.

Example:
    >>> from autograph.backends import Backend, activated
    >>> backend = Backend()
    >>> with activated(backend):
    ...     backend.is_active()
    True
"""

from autograph._src.backends.protocol import Backend, activated, register
from autograph._src.backends.recorded_call import RecordedCall, active_recorder, record_call, recorded_value
from autograph._src.backends.recording_backend import RecordingBackend
from autograph._src.operators.bindings import bound_by
from autograph._src.operators.undefined import Undefined
from autograph._src.public_names import show_as_of
from autograph._src.staging.trace.recorder import Block, Recorder

__all__ = [
    "Backend",
    "Block",
    "RecordedCall",
    "Recorder",
    "RecordingBackend",
    "Undefined",
    "activated",
    "active_recorder",
    "bound_by",
    "record_call",
    "recorded_value",
    "register",
]

show_as_of(__name__, [globals()[name] for name in __all__])

"""What code that is not converted prints while it is traced: every run prints it.

::

    class Table:
        def __len__(self):
            print("counting")       # Python itself calls this, and every run prints it
            return 3
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph._src.staging.control.effects import record_print
from autograph._src.staging.trace.active import current_trace


class RecordedOutput:
    """Stands for ``sys.stdout`` while functions are traced.

    There is one for all traces: CPython's `print` does not keep alive what it writes to (up to 3.13), so
    an object that another thread takes out of ``sys.stdout`` must not end.

    Attributes:
        before: What stood there before, for each trace that is under way, in a list of its own.
    """

    def __init__(self) -> None:
        self.before: list[list[Any]] = []

    def write(self, text: str) -> int:
        """Records that every run prints the text, or prints it where this thread does not trace."""
        if current_trace() is None:
            written: int = self._stream().write(text)
            return written
        if text:
            record_print((text,), {"end": ""})
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream(), name)

    def _stream(self) -> Any:
        streams = [one for (one,) in self.before if one is not self]
        return streams[-1] if streams else sys.__stdout__


_output = RecordedOutput()
_lock = threading.Lock()


@contextmanager
def recorded_output() -> Iterator[None]:
    """Puts a `RecordedOutput` in the place of ``sys.stdout``."""
    with _lock:
        before = [sys.stdout]
        _output.before.append(before)
        sys.stdout = _output
    try:
        yield
    finally:
        with _lock:
            _output.before = [one for one in _output.before if one is not before]
            if sys.stdout is _output and before[0] is not _output:
                # Another thread that traces, and found it here, takes it away.
                waiting = next((one for one in _output.before if one[0] is _output), None)
                if waiting is None:
                    sys.stdout = before[0]
                else:
                    waiting[0] = before[0]

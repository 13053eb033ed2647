"""Managers of a ``with`` whose code is not converted: a library's, of C, or of code without a source.

    with manager:           Python enters and leaves it while the graph is recorded
        y = xs[i]           fails when the graph runs: `__exit__` does not see it

Those that pass each exception on as it is may do so. A body that may fail in the run is refused under others.
"""

from __future__ import annotations

import dis
import functools
import io
import threading
from contextlib import AbstractContextManager
from types import CodeType, FunctionType, TracebackType
from typing import Any

import numpy as np

from autograph._src.backends.protocol import Backend
from autograph._src.staging.trace.plain_handlers import only_tidies_up
from autograph.errors import StagingError


@functools.cache
def _of_c() -> tuple[type, ...]:
    """Classes that pass each exception on, which their code does not show: of C, or they ask one of C.

    Two modules are imported here, as few programs need them.
    """
    from decimal import localcontext
    from tempfile import _TemporaryFileWrapper

    locks = type(threading.Lock()), type(threading.RLock()), threading.Condition
    return *locks, io.IOBase, _TemporaryFileWrapper, memoryview, type(localcontext()), np.nditer


_ASKS = frozenset(("exc_info", "exception", "locals", "vars", "eval", "exec", "_getframe", "currentframe"))
"""Names by which code may come to the exception in flight without its parameters."""


def passes_on(manager: object) -> bool:
    """Whether a manager's ``__exit__`` lets each exception go on, and does not ask which one it is.

    >>> from contextlib import nullcontext, suppress
    >>> passes_on(nullcontext()), passes_on(threading.Lock()), passes_on(suppress(KeyError))
    (True, True, False)
    """
    leave = type(manager).__exit__  # type: ignore[attr-defined]
    if any(leave is getattr(one, "__exit__", None) for one in _of_c()):
        return True
    return type(leave) is FunctionType and _passes_on(leave.__code__)


@functools.lru_cache(256)
def _passes_on(code: CodeType) -> bool:
    """Whether a method reads none of its parameters but the first, and gives nothing that is true.

    def __exit__(self, kind, error, traceback):
        self.release()
    """
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARIABLE_ARGUMENTS) + bool(code.co_flags & _VARIABLE_KEYWORDS)
    given = set(code.co_varnames[min(1, code.co_argcount) : count])
    if code.co_flags & _SUSPENDS or given & set(code.co_cellvars) or _ASKS & set(code.co_names):
        return False
    before: Any = None
    for step in dis.get_instructions(code):
        names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
        if "FAST" in step.opname and step.opname.startswith("LOAD") and given.intersection(names):
            return False
        if (step.opname == "RAISE_VARARGS" and not step.argval) or (
            step.opname == "RETURN_CONST" and step.argval
        ):
            return False
        if step.opname == "RETURN_VALUE" and (before.opname != "LOAD_CONST" or before.argval):
            return False
        before = step
    return True


_VARIABLE_ARGUMENTS, _VARIABLE_KEYWORDS = 4, 8
_SUSPENDS = 0x20 | 0x80 | 0x200
"""CPython's flags of generators, coroutines and asynchronous generators."""


class OfLibrary:
    """Wraps a manager that may take, replace or see an exception, which one of the run would not reach."""

    def __init__(self, backend: Backend, manager: Any) -> None:
        self._backend = backend
        self._manager = manager
        self._attempt: AbstractContextManager[None] | None = None

    def attempt(self) -> AbstractContextManager[None] | None:
        """What is around the body, of a manager that was entered; ``None`` if it passes all exceptions on."""
        generator = vars(self._manager).get("gen") if hasattr(self._manager, "__dict__") else None
        frame = getattr(generator, "gi_frame", None)
        if frame is not None and only_tidies_up(frame):
            return None
        code = getattr(generator, "gi_code", None)
        return self._backend.attempt(f"with {type(self._manager).__name__ if code is None else code.co_name}")

    def __enter__(self) -> Any:
        value = type(self._manager).__enter__(self._manager)
        self._attempt = self.attempt()
        if self._attempt is not None:
            self._attempt.__enter__()
        return value

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> Any:
        leave = type(self._manager).__exit__
        if self._attempt is not None:
            try:
                self._attempt.__exit__(kind, error, traceback)
            except BaseException as refusal:  # The manager tidies up, as it would in Python.
                leave(self._manager, type(refusal), refusal, refusal.__traceback__)
                raise
        takes = leave(self._manager, kind, error, traceback)
        return takes and not isinstance(error, StagingError)

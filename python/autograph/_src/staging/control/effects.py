"""Effects of a running graph: ``print``, ``assert``, ``raise`` and warnings.

The graph hands the values to Python, which formats them as it would have formatted the originals:
every digit that a staged ``print`` shows is CPython's own.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from autograph._src.staging.control.run_templates import Template, Values
from autograph._src.staging.tensors.python_scalars import truth
from autograph._src.staging.tensors.tensor import Tensor
from autograph._src.staging.trace import statements
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.frames import here
from autograph._src.staging.trace.sites import Site, words_of_call
from autograph._src.staging.trace.statements import records
from autograph.errors import GraphRuntimeError


def record_print(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Records ``print(*args, **options)``: every run prints, even if all arguments are plain."""
    record_call(print, *args, **options)


def record_call(function: Callable[..., Any], *args: object, **options: object) -> None:
    """Records a call that every run makes, for instance of ``print`` or ``logging.info``."""
    if (function is not print or options.get("file")) and function.__name__ != "warn":
        require_trace().callers_objects.refuse_callback(function.__name__)
    template = Template()
    readers, words = template.readers(args)

    def call(arrays: Values) -> None:
        function(*[read(arrays) for read in readers], **options)

    name = getattr(function, "__name__", type(function).__name__)
    site = _new_site(call, words_of_call(name, words, options))
    require_trace().locate().print(site, template.operands)


def record_warning(message: object, category: type[Warning] | None) -> None:
    """Records ``warnings.warn(message, category)``; the warning names the user's line."""
    where = here()
    file, line = (where.file, where.line) if where is not None else ("<graph>", 1)
    kind = type(message) if isinstance(message, Warning) else category or UserWarning

    def warn(text: Any) -> None:
        warnings.warn_explicit(text, kind, file, line)

    record_call(warn, message)


def _new_site(action: Callable[[Values], Any], words: str) -> int:
    trace = require_trace()
    trace.sites.append(Site(action, words))
    return len(trace.sites) - 1


def record_assert(test: object, message: Callable[[], Any] | None) -> None:
    """Records ``assert test, message()``."""
    trace = require_trace()
    holds = truth(test)
    template = Template(gives_values=True)
    said = () if message is None else (message(),)
    readers, words = template.readers(said)

    def error(arrays: Values) -> Exception:
        return AssertionError(*[read(arrays) for read in readers])

    site = _new_site(error, words_of_call("AssertionError", words))
    trace.check(holds.read(), AssertionError, "", site, template.operands, raised=AssertionError(*said))


@records(statements.record_error_unless)
def record_error_unless(ok: Tensor, error: type[Exception], *args: object, **said: str) -> None:
    """Records that the run raises ``error(*args, **said)`` unless ``ok``.

    The arguments may be staged. ``said`` has the keyword arguments of this package's own exceptions, such as
    ``code``.
    """
    trace = require_trace()
    template = Template(gives_values=True)
    readers, words = template.readers(args)
    site = _new_site(
        lambda arrays: error(*[read(arrays) for read in readers], **said),
        words_of_call(error.__name__, words, said),
    )
    raised = None if said else error(*args)
    trace.check(ok.read(), error, "", site, template.operands, raised=raised)


@records(statements.record_failure_of)
def record_failure_of(ok: Tensor, error: type[Exception], call: Callable[..., Any], value: object) -> None:
    """Records that the run raises, unless ``ok``, the exception that CPython raises in ``call(value)``."""
    trace = require_trace()
    template = Template()
    (read,), words = template.readers((value,))

    def raised(arrays: Values) -> Exception:
        try:
            call(read(arrays))
        except error as found:
            return found.with_traceback(None)
        return error()

    name = getattr(call, "__name__", type(call).__name__)
    site = _new_site(raised, f"the {error.__name__} of {words_of_call(name, words)}")
    trace.check(ok.read(), error, "", site, template.operands)


def record_limit(ok: Tensor, maximum: object) -> None:
    """Records that the run raises if a loop exceeds its ``maximum_iterations``."""
    template = Template()
    (limit,), (words,) = template.readers((maximum,))

    def error(arrays: Values) -> Exception:
        return GraphRuntimeError(
            f"this loop went on after {limit(arrays)} iterations, its `maximum_iterations`", code="AG206"
        )

    site = _new_site(error, f"this loop went on after {words} iterations, its `maximum_iterations`")
    require_trace().locate().check(ok.read(), "RuntimeError", "", site, template.operands)

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
from autograph._src.staging.trace.statements import records
from autograph.errors import GraphRuntimeError


def record_print(args: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Records ``print(*args, **options)``: it prints whenever the graph runs, also plain values."""
    record_call(print, *args, **options)


def record_call(function: Callable[..., Any], *args: object, **options: object) -> None:
    """Records a call that is made whenever the graph runs: of ``print``, of ``logging.info``."""
    template = Template()
    readers = [template.reader(argument) for argument in args]

    def call(arrays: Values) -> None:
        function(*[read(arrays) for read in readers], **options)

    require_trace().locate().print(_new_site(call), template.operands)


def record_warning(message: object, category: type[Warning] | None) -> None:
    """Records ``warnings.warn(message, category)``, which names the user's line."""
    where = here()
    file, line = (where.file, where.line) if where is not None else ("<graph>", 1)
    kind = type(message) if isinstance(message, Warning) else category or UserWarning
    record_call(lambda text: warnings.warn_explicit(text, kind, file, line), message)


def _new_site(action: Callable[[Values], Any]) -> int:
    trace = require_trace()
    trace.sites.append(action)
    return len(trace.sites) - 1


def record_assert(test: object, message: Callable[[], Any] | None) -> None:
    """Records ``assert test, message()``."""
    trace = require_trace()
    trace.may_raise("AssertionError")
    holds = truth(test)
    template = Template(gives_values=True)
    readers = [] if message is None else [template.reader(message())]

    def error(arrays: Values) -> Exception:
        return AssertionError(*[read(arrays) for read in readers])

    trace.locate().check(holds.read(), "AssertionError", "", _new_site(error), template.operands)


@records(statements.record_error_unless)
def record_error_unless(ok: Tensor, error: type[Exception], *args: object, **said: str) -> None:
    """Records that the run fails, unless ``ok``, with an exception of any class with these arguments.

    The arguments may be staged. An exception of ours is to say its code too.
    """
    trace = require_trace()
    trace.may_raise(error.__name__)
    template = Template(gives_values=True)
    readers = [template.reader(value) for value in args]
    site = _new_site(lambda arrays: error(*[read(arrays) for read in readers], **said))
    trace.locate().check(ok.read(), error.__name__, "", site, template.operands)


@records(statements.record_failure_of)
def record_failure_of(ok: Tensor, error: type[Exception], call: Callable[..., Any], value: object) -> None:
    """Records that the run fails, unless ``ok``, with what CPython raises in a call with this value."""
    trace = require_trace()
    trace.may_raise(error.__name__)
    template = Template()
    read = template.reader(value)

    def raised(arrays: Values) -> Exception:
        try:
            call(read(arrays))
        except error as found:
            return found.with_traceback(None)
        return error()

    trace.locate().check(ok.read(), error.__name__, "", _new_site(raised), template.operands)


def record_limit(ok: Tensor, maximum: object) -> None:
    """Records that the run fails where a loop goes on beyond its ``maximum_iterations``."""
    template = Template()
    limit = template.reader(maximum)

    def error(arrays: Values) -> Exception:
        return GraphRuntimeError(
            f"this loop went on after {limit(arrays)} iterations, its `maximum_iterations`", code="AG206"
        )

    require_trace().locate().check(ok.read(), "RuntimeError", "", _new_site(error), template.operands)

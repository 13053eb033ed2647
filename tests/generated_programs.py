"""Programs that a test writes: their module, and what comes of a call, in plain Python and staged."""

from __future__ import annotations

import copy
import importlib.util
import io
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import autograph as ag

Outcome = tuple[Any, ...]


def module_of(text: str, folder: Path, name: str) -> ModuleType:
    """The module of a program's text."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    # Not by the loader, which takes bytecode that it has kept for that of each text of its length and second.
    exec(compile(text, str(path), "exec"), vars(module))
    return module


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Outcome:
    """Type, dtype and text of a result, or the exception; which argument it is; the arguments afterwards."""
    return outcome_or_refusal(function, arguments)[0]


def outcome_or_refusal(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Outcome, bool]:
    """The same of a staged function, and what `is_refused` says of it, of one call."""
    given = copy.deepcopy(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = function(*given)
        except Exception as error:
            after = repr(given)
            is_ours = isinstance(error, ag.AutographError)
            is_located = is_ours and error.code != "AG208" and error.location is not None
            is_refusal = is_located and after == repr(arguments)
            return (type(error).__name__, str(error).splitlines()[:1], after), is_refusal
    which = [one is result for one in given if isinstance(one, (list, dict))]
    return (type(result), str(getattr(result, "dtype", "")), repr(result), which, repr(given)), False


def is_refused(function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
    """Whether the staged function refuses a call, at a place in the program, and has changed nothing."""
    given = copy.deepcopy(arguments)
    try:
        function(*given)
    except ag.AutographError as error:
        assert error.code != "AG208" and error.location is not None
        return repr(given) == repr(arguments)
    except Exception:
        return False
    return False


def _seen(call: Callable[..., Any], function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    printed = io.StringIO()
    with redirect_stdout(printed):
        found = call(function, arguments)
    return found, printed.getvalue()


def compared(module: Any, names: dict[str, tuple[Any, ...]]) -> tuple[int, list[Any], list[str]]:
    """How many calls are as CPython's, those that are not, and the programs that are refused."""
    same, different, refused = 0, [], []
    for name, calls in names.items():
        function = getattr(module, name)
        staged = ag.function(function)
        for arguments in calls:
            want, printed = _seen(outcome, function, arguments)
            (got, is_refusal), shown = _seen(outcome_or_refusal, staged, arguments)
            if is_refusal and got != want:
                refused.append(f"{name}: {got[1]}")
            elif (want, printed) == (got, shown):
                same += 1
            else:
                different.append((name, arguments, want, printed, got, shown))
    return same, different, refused

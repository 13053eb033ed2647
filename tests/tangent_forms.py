"""Derivatives with texts for known forms, held against their general texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
from autograph import tangent
from autograph._src.tangent.forms.hot_path import Choice
from tangent_case import Program
from tangent_checks import call, is_same


class Held(np.ndarray):
    """An array of a subclass: it has no known form."""


def made_of(program: Program) -> Iterator[Callable[..., Any]]:
    """The derivatives of a program."""
    yield tangent.grad(program.function, program.wrt)
    yield tangent.value_and_grad(program.function, program.wrt)
    yield tangent.autodiff(program.function, program.wrt, motion="split", check_dims=False)
    if program.wanted is None:
        yield tangent.jvp(program.function, program.wrt)


def changed(tree: Any, change: Callable[[Any], Any]) -> Any:
    """A tree of lists, tuples and dicts with other leaves."""
    if isinstance(tree, (list, tuple)) and not hasattr(tree, "_fields"):
        return type(tree)(changed(one, change) for one in tree)
    if isinstance(tree, dict):
        return {key: changed(one, change) for key, one in tree.items()}
    return change(tree)


def narrow(leaf: Any) -> Any:
    """Arrays and scalars of `float32`."""
    return leaf.astype(np.float32) if getattr(leaf, "dtype", None) == np.float64 else leaf


def whole(leaf: Any) -> Any:
    """Arrays of whole numbers."""
    return np.rint(leaf * 3).astype(int) if isinstance(leaf, np.ndarray) and leaf.dtype.kind == "f" else leaf


def of_numpy(leaf: Any) -> Any:
    """Scalars for Python's floats, and the other way round."""
    if type(leaf) is float:
        return np.float64(leaf)
    return float(leaf) if type(leaf) is np.float64 else leaf


def without_axes(leaf: Any) -> Any:
    """Arrays without axes for floats."""
    return np.array(leaf) if type(leaf) is float else leaf


def held(leaf: Any) -> Any:
    """Arrays of a subclass."""
    return leaf.view(Held) if type(leaf) is np.ndarray else leaf


def turned(leaf: Any) -> Any:
    """Arrays whose memory is in the order of Fortran."""
    return np.asfortranarray(leaf) if type(leaf) is np.ndarray else leaf


CHANGES = [lambda leaf: leaf, of_numpy, without_axes, narrow, turned, held, whole]


def forms_of(program: Program) -> list[tuple[Any, ...]]:
    """The inputs of a program, and those in other forms, in turns."""
    found = []
    for change in CHANGES:
        found += [tuple(changed(one, change) for one in args) for args in program.inputs]
    return [*found[:6], *found, *reversed(found)]


def general_of(derivative: Any) -> FunctionType:
    """The function with the general text alone."""
    found = derivative.__tangent__.functions[derivative.__name__]
    assert isinstance(found, FunctionType)
    return found


def texts_of(derivative: Any) -> list[FunctionType]:
    """The functions for known forms that a derivative has."""
    constants = derivative.__code__.co_consts
    return [one for one in constants if isinstance(one, FunctionType)]


def is_open(derivative: Any) -> bool:
    """Whether a derivative waits for more forms."""
    return any(isinstance(one, Choice) for one in derivative.__code__.co_consts)


def faults_of(derivative: Any, calls: list[tuple[Any, ...]]) -> list[str]:
    """Where a derivative does not do what its general text does."""
    general = general_of(derivative)
    faults = []
    for args in calls:
        wanted, found = call(general, args), call(derivative, args)
        is_one = is_same(found.result, wanted.result) and is_same(found.arguments, wanted.arguments)
        is_one = is_one and (found.printed, len(found.logged)) == (wanted.printed, len(wanted.logged))
        errors = [(type(one.error), str(one.error)) for one in (found, wanted)]
        if not is_one or errors[0] != errors[1]:
            faults.append(f"{args}: {found.result!r} {errors[0]}, and not {wanted.result!r} {errors[1]}")
    return faults

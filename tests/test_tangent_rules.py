"""Each rule of Tangent against differences, the other mode and `ag.grad`; the registry and the helpers."""

from __future__ import annotations

import inspect
import math
import operator
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.tangent import registry
from autograph._src.tangent import runtime as tangent
from tangent_helper_cases import HELPERS, WRITES
from tangent_rule_cases import CALLS, TIES
from tangent_rules import (
    Call,
    Constant,
    active_in,
    bound,
    functions_of_the_package,
    is_active,
    leaves,
    quiet,
    rules_of,
    run_adjoint,
    run_tangent,
    unwrapped,
    value_of,
)

WIDTH = 1e-6


def name_of(call: Call) -> str:
    module = getattr(call.function, "__module__", None) or getattr(call.function, "__objclass__", np).__name__
    shapes = ",".join(str(np.shape(one)) for one in leaves([*call.args]) if not isinstance(one, Constant))
    return f"{module}.{call.function.__name__}-{shapes}-{'-'.join(call.options)}".replace(" ", "")


def moved(value: Any, direction: Any, distance: float) -> Any:
    """A value, a step along a direction."""
    if isinstance(value, (list, tuple)):
        steps = zip(value, direction, strict=True)
        return type(value)(moved(one, step, distance) for one, step in steps)
    return value if direction is None else value + distance * direction


def direction_of(value: Any, draws: np.random.Generator) -> Any:
    """A direction in the form of a value; ``None`` where it holds no float."""
    if isinstance(value, (list, tuple)):
        return [direction_of(one, draws) for one in value]
    if (
        not isinstance(value, (float, complex, np.ndarray, np.inexact))
        or np.asarray(value).dtype.kind not in "fc"
    ):
        return None
    step = draws.normal(size=np.shape(value))
    if np.iscomplexobj(value):
        step = step + 1j * draws.normal(size=np.shape(value))
    return tangent.in_form(np.where(np.isfinite(value), step, 0.0), value)


def paired(left: Any, right: Any) -> float:
    """The real part of the sum of products, over all leaves that are floats."""
    pairs = zip(leaves(left), leaves(right), strict=True)
    return float(sum(np.real(np.sum(np.asarray(one) * np.asarray(other))) for one, other in pairs))


def floats_of(result: Any) -> list[Any]:
    return [one for one in leaves(result) if np.asarray(one).dtype.kind in "fc"]


MOVES_NO_ZEROS = {np.trim_zeros}
"""What has another derivative, or none, where an element that is 0 gets another value."""

SIGNS_ARE_FREE = {np.linalg.eigh, np.linalg.svd}
"""Whose results are vectors that have either sign: with `ag.grad` their squares are compared."""

NOT_AS_GRAD: dict[Any, str] = {
    np.partition: "`ag.grad` sorts; NumPy leaves the elements of both parts in an order of its own",
}
"""What has other results when it is staged."""

OF_A_STAGED_FLOAT = [
    *(math.acos, math.acosh, math.asin, math.asinh, math.atan2, math.atanh, math.cbrt, math.copysign),
    *(
        math.degrees,
        math.dist,
        math.exp2,
        math.fmod,
        math.frexp,
        math.fsum,
        math.gamma,
        math.hypot,
        math.ldexp,
    ),
    *(math.lgamma, math.modf, math.nextafter, math.pow, math.radians, math.remainder, np.polyint, np.kaiser),
]

REFUSED_BY_GRAD: dict[Any, str] = {
    np.ndarray.compress: "AG107",
    np.logspace: "AG107",
    np.geomspace: "AG107",
    np.nanquantile: "AG108",
    np.nanpercentile: "AG108",
    np.histogram: "AG108",
    **dict.fromkeys(OF_A_STAGED_FLOAT, "AG101"),
}
"""What `ag.grad` refuses, in some of the calls, and these rules have."""


class Tried:
    """A call with a direction of its active arguments and weights of its results."""

    def __init__(self, call: Call) -> None:
        self.call = call
        adjoint, tangent_rule = rules_of(call.function)
        assert adjoint is not None and tangent_rule is not None, f"no rule of {call.function}"
        self.adjoint, self.tangent = adjoint, tangent_rule
        self.z = quiet(value_of, call.function, call.args, call.options)
        draws = np.random.default_rng(5)
        self.arguments = bound(adjoint.template, call)
        self.active = active_in(self.arguments, call)
        values = {name: unwrapped(one) for name, one in self.arguments.arguments.items()}
        self.values = values
        if call.function in MOVES_NO_ZEROS:
            values = {
                name: np.where(one == 0, np.nan, one) if name in self.active else one
                for name, one in values.items()
            }
        self.directions = {name: direction_of(values[name], draws) for name in sorted(self.active)}
        self.weights = self.weigh(self.z, draws)
        self.is_single = any(
            np.asarray(one).dtype.name in ("float32", "complex64")
            for one in [*floats_of([values[name] for name in self.active]), *floats_of(self.z)]
        )

    def weigh(self, z: Any, draws: np.random.Generator) -> Any:
        if isinstance(z, (list, tuple)):
            return [self.weigh(one, draws) for one in z]
        found = direction_of(z, draws)
        return tangent.zeros_like(z) if found is None else found


def places_of(call: Call, template: Any) -> dict[str, Any]:
    """Which argument of a call a parameter of a rule gets: a number, a name, or several of `*args`."""
    signature = inspect.signature(template)
    rest = signature.replace(parameters=list(signature.parameters.values())[1:])
    return dict(rest.bind(*range(len(call.args)), **{name: name for name in call.options}).arguments)


def by_place(tried: Tried, values: dict[str, Any]) -> dict[Any, Any]:
    """Values of parameters as values of the arguments of the call."""
    found = {}
    for name, place in places_of(tried.call, tried.adjoint.template).items():
        if name in values:
            found.update(
                zip(place, values[name], strict=True) if isinstance(place, tuple) else [(place, values[name])]
            )
    return {place: value for place, value in found.items() if value is not None}


def with_arguments(call: Call, values: dict[Any, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments and options of a call, some of them others."""
    args = tuple(values.get(place, unwrapped(one)) for place, one in enumerate(call.args))
    return args, {name: values.get(name, unwrapped(one)) for name, one in call.options.items()}


def slopes(tried: Tried) -> list[Any]:
    """Central differences of the float results, along the direction."""
    ends = []
    for sign in (1, -1):
        at = {name: moved(tried.values[name], step, sign * WIDTH) for name, step in tried.directions.items()}
        args, options = with_arguments(tried.call, by_place(tried, at))
        ends.append(floats_of(quiet(value_of, tried.call.function, args, options)))
    return [
        (np.asarray(after) - np.asarray(before)) / (2 * WIDTH) for after, before in zip(*ends, strict=True)
    ]


def assert_close(what: str, found: Any, wanted: Any, tolerance: float) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: shape {found.shape}, and not {wanted.shape}"
    scale = max(1.0, float(np.max(np.abs(wanted), initial=0.0, where=np.isfinite(wanted))))
    np.testing.assert_allclose(found / scale, wanted / scale, rtol=tolerance, atol=tolerance, err_msg=what)


def same_forms(found: Any, value: Any) -> None:
    """A gradient has the class, shape and dtype of what it is by."""
    if isinstance(value, (list, tuple)):
        assert type(found) is type(value) and len(found) == len(value)
        for one, other in zip(found, value, strict=True):
            same_forms(one, other)
    elif direction_of(value, np.random.default_rng(0)) is not None:
        assert type(found) is type(value) and np.shape(found) == np.shape(value)
        assert np.asarray(found).dtype == np.asarray(value).dtype


@pytest.mark.parametrize("call", [*CALLS, *HELPERS, *WRITES], ids=name_of)
def test_rules_against_differences(call: Call) -> None:
    tried = Tried(call)
    dz = quiet(run_tangent, tried.tangent, call, tried.z, tried.directions)
    bx = quiet(run_adjoint, tried.adjoint, call, tried.z, tried.weights)
    same_forms(bx, {}) if not bx else [same_forms(bx[name], tried.values[name]) for name in bx]
    left = paired([tried.weights], [dz])
    right = sum(
        paired(without_none(bx[name], tried.values[name]), only_floats(step))
        for name, step in tried.directions.items()
    )
    tolerance = 1e-5 if tried.is_single else 1e-10
    assert abs(left - right) <= tolerance * max(1.0, abs(left)), (left, right)
    if not tried.is_single:
        tangents = [
            one
            for one, z in zip(leaves(dz), leaves(tried.z), strict=True)
            if np.asarray(z).dtype.kind in "fc"
        ]
        for found, wanted in zip(tangents, slopes(tried), strict=True):
            assert_close("tangent", found, wanted, 1e-6)


def only_floats(direction: Any) -> list[Any]:
    return leaves(direction)


def without_none(gradient: Any, value: Any) -> list[Any]:
    """The leaves of a gradient that are by floats."""
    if isinstance(value, (list, tuple)):
        return [leaf for one, part in zip(gradient, value, strict=True) for leaf in without_none(one, part)]
    return [] if direction_of(value, np.random.default_rng(0)) is None else [gradient]


def test_every_rule_is_tried() -> None:
    tried = {id(call.function) for call in [*CALLS, *HELPERS, *WRITES]}
    left_out = {
        function for function in functions_of_the_package(registry.ADJOINTS) if id(function) not in tried
    }
    # Items of dicts have no places, and `|` of dicts is refused: programs of containers and keys try these.
    left_out -= {dict, tangent.dict_items, operator.or_}
    # Copies of dicts and objects: those of functions that write to what they are given.
    left_out -= {tangent.copy_containers, tangent.own_containers}
    # What takes items out of containers, or puts them back or in order: test_tangent_container_methods.py.
    left_out -= {tangent.before_clear, tangent.cleared, tangent.restored, tangent.without}
    left_out -= {tangent.in_places, tangent.reordered}
    assert {one for one in left_out if getattr(one, "__name__", "") != "<lambda>"} == set()


def is_of_numpy(call: Call) -> bool:
    """Whether `ag.grad` takes a call and gives that result: no helper, no draw, and by real numbers."""
    where = str(getattr(call.function, "__module__", ""))
    draws = where.startswith("numpy.random") or call.function in vars(np.random.Generator).values()
    return (
        not where.startswith("autograph.")
        and not draws
        and not any(np.iscomplexobj(one) for one in leaves([*call.args]))
    )


@pytest.mark.parametrize("call", [*filter(is_of_numpy, CALLS), *TIES], ids=name_of)
def test_rules_against_grad(call: Call) -> None:
    tried = Tried(call)
    values = by_place(tried, {name: tried.values[name] for name in sorted(tried.active)})
    values = {place: value for place, value in values.items() if is_active(value)}
    kinds = [np.asarray(one).dtype.kind for one in leaves(tried.z)]
    loss = loss_of(call, list(values), leaves(tried.weights), kinds)
    seed = times(2.0, tried.weights, tried.z) if call.function in SIGNS_ARE_FREE else tried.weights
    bx = by_place(tried, quiet(run_adjoint, tried.adjoint, call, tried.z, seed))
    try:
        wanted = quiet(ag.grad(loss, tuple(range(len(values)))), *values.values())
    except ag.AutographError as error:
        assert error.code == REFUSED_BY_GRAD.get(call.function), error
        return
    if call.function in NOT_AS_GRAD:
        return
    for place, one in zip(values, wanted, strict=True):
        for found, right in zip(leaves(bx[place]), leaves(one), strict=True):
            assert_close(f"argument {place}", found, right, 1e-4 if tried.is_single else 1e-9)


def in_single(value: Any) -> Any:
    """Floats of 64 bits as floats of 32 bits."""
    if isinstance(value, Constant):
        return Constant(in_single(value.value))
    if isinstance(value, (list, tuple)):
        return type(value)(in_single(one) for one in value)
    is_double = isinstance(value, np.ndarray) and value.dtype == np.float64
    return value.astype(np.float32) if is_double else value


def has_double(call: Call) -> bool:
    """Whether a call is of arrays that may be of 32 bits."""
    return any(isinstance(one, np.ndarray) and one.dtype == np.float64 for one in leaves([*call.args]))


MIXES = {
    *(
        "dot",
        "matmul",
        "inner",
        "outer",
        "bincount",
        "polyval",
        "polyder",
        "polyint",
        "poly",
        "vander",
        "polyfit",
    ),
    *(start + end for start in ("cheb", "herm", "herme", "lag", "leg") for end in ("val", "vander", "der")),
    "polyvander",
    *("interp", "histogram", "histogram2d", "histogramdd", "histogram_bin_edges"),
}
"""Functions of which a contribution may be of 64 bits: the result is, or a list or a table is."""


@pytest.mark.parametrize("call", [call for call in CALLS if has_double(call)], ids=name_of)
def test_rules_in_single_precision(call: Call) -> None:
    """The gradient is of 32 bits, and what goes into it, too; both modes agree as far as those say."""
    options = {name: in_single(one) for name, one in call.options.items()}
    tried = Tried(Call(call.function, tuple(map(in_single, call.args)), options))
    raw = quiet(lambda: run_adjoint(tried.adjoint, tried.call, tried.z, tried.weights, is_raw=True))
    dz = quiet(run_tangent, tried.tangent, tried.call, tried.z, tried.directions)
    for name, found in raw.items():
        x = tried.values[name]
        if isinstance(x, np.ndarray) and isinstance(found, np.ndarray):
            assert found.dtype == x.dtype or call.function.__name__ in MIXES, found.dtype
    bx = {name: tangent.as_gradient(found, tried.values[name]) for name, found in raw.items()}
    left = paired([tried.weights], [dz])
    right = sum(
        paired(without_none(bx[name], tried.values[name]), leaves(step))
        for name, step in tried.directions.items()
    )
    size = sum(float(np.sum(np.abs(one))) for one in leaves(list(bx.values())))
    assert abs(left - right) <= 3e-4 * max(1.0, size), (left, right)


def is_complex(call: Call) -> bool:
    return any(np.iscomplexobj(one) for one in leaves([*call.args]))


@pytest.mark.parametrize("call", [call for call in CALLS if is_complex(call)], ids=name_of)
def test_rules_of_complex_numbers_against_vjp(call: Call) -> None:
    """Cotangents are not conjugated, as those of `ag.vjp` are not."""
    tried = Tried(call)
    values = by_place(tried, {name: tried.values[name] for name in sorted(tried.active)})
    assert all(isinstance(place, int) for place in values)
    function, places, args = called(call), list(values), with_arguments(call, {})

    def of_actives(*given: Any) -> Any:
        others = list(args[0])
        for place, value in zip(places, given, strict=True):
            others[place] = value
        return function(*others, **args[1])

    bx = by_place(tried, quiet(run_adjoint, tried.adjoint, call, tried.z, tried.weights))
    _, pull = ag.vjp(of_actives, *values.values())
    for place, right in zip(places, pull(tried.weights), strict=True):
        assert_close(f"argument {place}", bx[place], right, 1e-9)


def called(call: Call) -> Any:
    """The function of a call, also of a method."""
    function = call.function
    if not hasattr(function, "__objclass__"):
        return function
    attribute = function.__name__
    return lambda x, *others, **options: getattr(x, attribute)(*others, **options)


def times(number: float, weights: Any, z: Any) -> Any:
    """Weights times a number and results."""
    if isinstance(z, (list, tuple)):
        return [times(number, one, part) for one, part in zip(weights, z, strict=True)]
    return number * weights * z


def loss_of(call: Call, places: list[Any], weights: list[Any], kinds: list[str]) -> Any:
    """The real part of a sum of results times weights, as a function of the active arguments."""
    args, options = with_arguments(call, {})
    function = call.function
    attribute = function.__name__ if hasattr(function, "__objclass__") else ""
    is_data = inspect.isdatadescriptor(function)
    is_squared = function in SIGNS_ARE_FREE
    numbers = [place for place in places if isinstance(place, int)]
    names = [place for place in places if isinstance(place, str)]

    def loss(*given: Any) -> Any:
        others, chosen = list(args), dict(options)
        for number, value in zip(numbers, given[: len(numbers)], strict=True):
            others[number] = value
        for name, value in zip(names, given[len(numbers) :], strict=True):
            chosen[name] = value
        if is_data:
            result = getattr(others[0], attribute)
        elif attribute:
            result = getattr(others[0], attribute)(*others[1:], **chosen)
        else:
            result = function(*others, **chosen)
        total = 0.0
        for leaf, weight, kind in zip(leaves(result), weights, kinds, strict=True):
            if kind == "c":
                total = total + np.sum(np.real(leaf) * weight.real - np.imag(leaf) * weight.imag)
            elif kind == "f" and is_squared:
                total = total + np.sum(leaf * leaf * weight)
            elif kind == "f":
                total = total + np.sum(leaf * weight)
        return total

    return loss

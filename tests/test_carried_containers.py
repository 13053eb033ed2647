"""Containers that loops carry: as CPython, or refused with a remedy; no trace grows with the rounds.

The programs are crossed: a container, where it comes from, what the loop does with it, the loop.
"""

from __future__ import annotations

import itertools
from types import ModuleType
from typing import Any

import autograph as ag
import numpy as np
import pytest
from carried_programs import CONTAINERS, LEAVES, USES, case_of, cases
from crossing.judge import judged, module_of
from crossing.program import Case

OUTSIDE = ("argument", "global")
"""Where a container comes from that the function has not made."""

SEQUENCES = ("list", "list of lists", "list of tuples", "list of dicts", "list of dataclasses")

REFUSED = {
    "written": ("AG122", "the container, or one in it, is the caller's"),
    "inner written": ("AG122", "the container, or one in it, is the caller's"),
    "grown": ("AG122 AG120", "the list is the caller's"),
    "at": ("AG120", "the list is the caller's"),
    "written after": ("AG113", "the container may be the caller's"),
    "carried and appended": ("AG131", "a row of a table is none of the caller's containers"),
    "returned": ("AG131", "a list in it has two names: in the result and in the variable"),
    "swapped": ("AG120 AG133", "which of two lists is which depends on the run"),
    "swapped anew": ("AG120 AG121 AG131 AG133", "which of two lists is which depends on the run"),
    "chosen": ("AG120", "which of two lists is which depends on the run"),
    "kept": ("AG121 AG131 AG133", "in a loop in a loop both names may be one object"),
    "compared": ("AG120 AG131", "the caller may give one object twice"),
}
"""Uses of a container from outside that may be refused, with the codes, and why."""


def is_refused(case: Case, code: str) -> bool:
    """Whether a case is one that the table refuses with this code."""
    container, entry, use, _ = case.name
    if use == "compared" and container in ("tuple", "named"):
        return code == "AG120"  # `is` of tuples.
    return entry in OUTSIDE and use in REFUSED and code in REFUSED[use][0]


@pytest.mark.parametrize("part", range(6))
def test_loops_carry_containers_as_cpython_does(part: int) -> None:
    faults, agreed = [], 0
    for number, case in enumerate(itertools.islice(cases(), part, None, 6 * 23)):
        verdict = judged(case, f"carried {part} {number}")
        agreed += verdict.agreed
        faults += [(case.name, *one) for one in verdict.differences]
        faults += [(case.name, code) for code in verdict.refusals if not is_refused(case, code)]
    assert not faults
    assert agreed > 60


COPIED = [
    (container, use)
    for container in CONTAINERS
    for use in ("written", "inner written", "grown", "at", "written after", "carried and appended")
    if case_of(container, "argument", use, "for", "float") is not None
]


def test_a_deep_copy_is_a_remedy() -> None:
    """Uses that are refused of the caller's container are right of its copy."""
    faults = []
    for number, (container, use) in enumerate(COPIED[::2]):
        case = case_of(container, "argument", use, "for", list(LEAVES)[number % 3])
        assert case is not None
        source = case.source.replace("p, q = given, other", "p, q = copy.deepcopy(given), other")
        copied = Case(case.name, source, case.inputs)
        verdict = judged(copied, f"copied {number}")
        faults += [(case.name, *one) for one in verdict.differences]
        faults += [(case.name, code) for code in verdict.refusals]
    assert not faults


def nodes_of(case: Case, rounds: int) -> int:
    """How many nodes the graph has whose loop has so many rounds, known while tracing."""
    source = case.source.replace("range(n)", f"range({rounds})")
    module = module_of(Case(case.name, source, case.inputs), f"{case.name} {rounds}")
    concrete = ag.function(module["f"]).concrete_function(*eval(case.inputs[0], module))
    return sum(len(one.nodes) for one in concrete.graph.functions)


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_trace_does_not_grow_with_the_rounds(container: str) -> None:
    for entry, use in itertools.product(("made before", "argument"), ("rebound", "written", "appended")):
        case = case_of(container, entry, use, "for", "array")
        if case is not None and not (entry == "argument" and use == "written"):
            assert nodes_of(case, 7) == nodes_of(case, 300), (entry, use)
    case = case_of(container, "made before", "carried and appended", "for", "float")
    assert case is not None and nodes_of(case, 7) == nodes_of(case, 300)


GRADIENT = """

def leaf(p):
    return np.sum({first})


def loss(x, given, other, a, b, n):
    return leaf(f(given, other, a, b, x, n))
"""


@pytest.mark.parametrize("container", CONTAINERS)
def test_gradients_of_what_loops_carry(container: str) -> None:
    for entry, use in itertools.product(("argument", "callee"), ("rebound", "chosen", "an attribute")):
        case = case_of(container, entry, use, "while", "array")
        assert case is not None
        source = case.source + GRADIENT.format(first=CONTAINERS[container].first)
        module = module_of(Case(case.name, source, case.inputs), f"gradient {case.name}")
        given, other, a, b, _, n = eval(case.inputs[0], module)
        loss, step = module["loss"], 1e-6
        rest = (given, other, a, b, n)
        found = ag.function(ag.grad(loss))(0.25, *rest)
        above, below = (loss(np.float64(x), *rest) for x in (0.25 + step, 0.25 - step))
        assert np.isclose(found, (above - below) / (2 * step), rtol=1e-6), (entry, use)


def test_every_use_and_container_is_met() -> None:
    names = [case.name for case in cases()]
    assert {name[0] for name in names} == set(CONTAINERS)
    assert {name[2] for name in names} == set(USES)
    assert all(case_of(one, "argument", "at", "for", "int") is not None for one in SEQUENCES)


PROGRAMS = """
from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import autograph as ag
import numpy as np


@dataclass
class State:
    v: object
    w: object

    def moved(self, x):
        return State(self.v + x, self.w)

    def shift(self, x):
        self.v = self.v + x


@dataclass
class Named:
    v: object
    w: object
    name: str = "a"
    parts: list = dataclasses.field(default_factory=list)


@dataclass(eq=False)
class Same:
    v: object


@dataclass
class Counted:
    v: object

    def __post_init__(self):
        self.count = 1


def by_a_method(state, x, n):
    for i in range(n):
        state = state.moved(x)
    return state


def a_constant_field(state, x, n):
    state = Named(state.v, 1.0, "b", [x])
    for i in range(n):
        state = dataclasses.replace(state, v=state.v + x)
    return state


def by_a_writing_method(state, x, n):
    for i in range(n):
        state = State(state.v, x)
        state.shift(x)
    return state


def written_at_last(state, x, n):
    for i in range(n):
        state = State(state.v + x, x)
    state = dataclasses.replace(state)
    state.v = x
    return state


def two_names(state, x, n):
    other = state = State(state.v, x)
    for i in range(n):
        state = State(state.v + x, x)
    return state, other, state is other


def the_same_at_last(state, x, n):
    best = state = State(state.v, x)
    for i in range(n):
        state = State(state.v + x, x)
        best = state
    best.w = 7.0
    return state, best, state is best


def compared_by_identity(state, x, n):
    one = Same(state.v)
    first = one
    for i in range(n):
        one = Same(one.v + x)
    return one == first, one is first


def with_more_attributes(state, x, n):
    one = Counted(state.v)
    for i in range(n):
        one = Counted(one.v + x)
    return one, one.count


def ordered_rows(state, x, n):
    out = []
    for i in range(n):
        out.append(OrderedDict(b=x * i, a=i))
    for one in out:
        one["a"] += 1
    last = out[-1] if n > 0 else OrderedDict(b=x, a=0)
    return out, [*last], last | {"c": x}, list(reversed(last)), isinstance(last, OrderedDict)


def defaulting_rows(state, x, n):
    out = []
    for i in range(n + 1):
        out.append(defaultdict(float, a=x * i))
    return out, out[0].default_factory is float, out[-1].get("b"), out[-1].copy()
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    from generated_programs import module_of as written

    return written(PROGRAMS, tmp_path_factory.mktemp("carried"), "carried_records")


NAMES = [
    "by_a_method", "a_constant_field", "by_a_writing_method", "written_at_last", "two_names",
    "the_same_at_last", "compared_by_identity", "with_more_attributes", "ordered_rows", "defaulting_rows",
]  # fmt: skip


def described(value: Any) -> Any:
    """Classes, attributes and numbers of a result."""
    if isinstance(value, dict):
        return type(value), [(key, described(one)) for key, one in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [described(one) for one in value]
    if hasattr(value, "__dict__"):
        return type(value), described(vars(value))
    return type(value), repr(value)


@pytest.mark.parametrize("name", NAMES)
def test_programs_with_records(programs: ModuleType, name: str) -> None:
    function = getattr(programs, name)
    staged = ag.function(function)
    for n in (3, 0, 1, 4):
        given = programs.State(0.5, 2.5)
        want = described(function(given, np.float64(0.25), n))
        assert described(staged(given, np.float64(0.25), np.int64(n))) == want, n
        assert given == programs.State(0.5, 2.5)


def test_a_global_record_that_changes_is_read_again(programs: ModuleType) -> None:
    case = case_of("dataclass", "global", "rebound", "for", "float")
    assert case is not None
    module = module_of(case, "changing")
    staged = ag.function(module["f"])
    arguments = eval(case.inputs[0], module)
    before = staged(*arguments)
    module["AROUND"].v = 40.0
    after = staged(*arguments)
    assert before.v != after.v and after == module["f"](*arguments)

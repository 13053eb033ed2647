"""Dicts, sets, counters and deques keyed by data give CPython's results, in its order."""

from __future__ import annotations

import random
import re
from collections import OrderedDict, defaultdict, deque
from itertools import product
from types import SimpleNamespace
from typing import Any

import autograph as ag
import numpy as np
import pytest
from autograph._src.staging.keyed import set_slots
from autograph._src.staging.keyed.keyed import FREE, LEAST
from generated_programs import module_of, outcome, outcome_or_refusal
from keyed_programs import FAILING, PROGRAMS, REFUSED


def assert_same(got: Any, want: Any) -> None:
    """Equal types, values, order and factories."""
    assert type(got) is type(want), (got, want)
    if isinstance(want, (list, tuple, deque)):
        assert len(got) == len(want), (got, want)
        for one, other in zip(got, want, strict=True):
            assert_same(one, other)
        assert getattr(got, "maxlen", None) == getattr(want, "maxlen", None)
    elif isinstance(want, dict):
        assert_same(list(got.items()), list(want.items()))
        assert getattr(got, "default_factory", None) is getattr(want, "default_factory", None)
    elif isinstance(want, set):
        assert_same(sorted(got), sorted(want))
    else:
        assert got == want, (got, want)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_programs(program: Any) -> None:
    given = PROGRAMS[program]
    staged = ag.function(program)
    assert_same(staged(*given), program(*given))
    others = [one[3:11] if isinstance(one, np.ndarray) else one - one // 4 for one in given]
    assert_same(staged(*others), program(*others))


@pytest.mark.parametrize("program", FAILING, ids=lambda one: one.__name__)
def test_failures_are_those_of_cpython(program: Any) -> None:
    with pytest.raises(Exception) as want:
        program(np.int64(6))
    with pytest.raises(want.type) as got:
        ag.function(program)(np.int64(6))
    assert str(got.value) == str(want.value) and not isinstance(got.value, ag.AutographError)
    place = ag.errors.place_of(got.value)
    assert place is not None and place.file.endswith("keyed_programs.py")


@pytest.mark.parametrize("program", REFUSED, ids=lambda one: one.__name__)
def test_refused(program: Any) -> None:
    with pytest.raises(ag.AutographError) as caught:
        ag.function(program)(*REFUSED[program])
    assert caught.value.location is not None


# Generated: each kind of key with each place that fills the dict

KEYS = {
    "int": "v - 3",
    "float": "v / 2.0",
    "bool": "v > 4",
    "pair": "(v % 3, v % 2)",
    "mixed": "(v, v * 0.5)",
    "number": "v % 4 if v > 3 else v * 1.0",
}
VALUES = {"int": "v", "float": "v * 0.5", "array": "w * v", "list": "[v]", "pair": "(v, 1)", "none": "None"}
PLACES = {
    "for": "for v in x:\n        d[KEY] = VALUE",
    "if": "for v in x:\n        if v % 2 == 1:\n            d[KEY] = VALUE",
    "while": "i = 0\n    while i < len(x):\n        v = x[i]\n        d[KEY] = VALUE\n        i += 1",
    "callee": "for v in x:\n        put(d, KEY, VALUE)",
    "nested": "for v in x:\n        for k in range(v % 3):\n            d[KEY] = VALUE",
    "comprehension": "d = {KEY: VALUE for v in x}",
    "update": "for v in x:\n        d.update({KEY: VALUE})",
    "deletes": "for v in x:\n        d[KEY] = VALUE\n        d[KEY] = VALUE\n        if v % 3 == 0:\n"
    "            del d[KEY]",
}
READS = (
    "len(d), list(d), list(d.items()), bool(d)",
    "d, [v for v in d.values()], [k for k in d]",
    "sorted(d), d.copy(), (x[0] - 3) in d",
    "max(d), min(d), d.get(-99), d",
    "d | {}, list(reversed(d)), list(zip(d, range(50)))",
)


def filled(keys: str, values: str, place: str, reads: str) -> str:
    body = PLACES[place].replace("KEY", KEYS[keys]).replace("VALUE", VALUES[values])
    return (
        f"def put(d, k, v):\n    d[k] = v\n\n\ndef f(x, w):\n    d = {{}}\n    {body}\n    return {reads}\n"
    )


CROSSED = [
    (keys, values, place, READS[number % len(READS)])
    for number, ((keys, place), values) in enumerate(
        zip(product(KEYS, PLACES), [*VALUES, *list(VALUES)[::-1]] * 4, strict=True)
    )
][::5]


@pytest.mark.parametrize("case", CROSSED, ids="-".join)
def test_filled(case: tuple[str, str, str, str], tmp_path: Any) -> None:
    program = module_of(filled(*case), tmp_path, "filled_dict").f
    staged, w = ag.function(program), np.array([1.0, 2.0])
    for x in (np.array([3, 1, 4, 1, 5, 9, 2, 6]), np.array([7, 7, 0])):
        got, is_refused = outcome_or_refusal(staged, (x, w))
        may_be_refused = case[0] == "number"
        assert got == outcome(program, (x, w)) or (is_refused and may_be_refused), got


# Generated: sequences of methods

STARTS = {
    "dict": "{}",
    "defaultdict": "defaultdict(int)",
    "Counter": "Counter()",
    "OrderedDict": "OrderedDict()",
    "set": "set()",
    "deque": "deque()",
}
OF_DICTS = (
    *("d[K] = t % 100", "d[K] = d.get(K, 0) + 1", "t += d.setdefault(K, i)", "t += d.pop(K, 3)", "d[K] = -i"),
    *("if K in d:\n            del d[K]", "if d:\n            t += d.popitem()[1]", "t += sum(d.values())"),
    *("if len(d) > 6:\n            d.clear()", "for k in range(i % 3):\n            d[K + k] = k"),
)
STEPS = {
    **dict.fromkeys(("dict", "defaultdict", "Counter", "OrderedDict"), OF_DICTS),
    "set": (
        *(
            "d.add(K)",
            "d.add(K)",
            "d.add(i)",
            "d.discard(K)",
            "if d:\n            t += d.pop()",
            "t += len(d)",
        ),
        *("d.update([i, i + 2])", "d |= {K, 3}", "d -= {K}", "if K in d:\n            d.remove(K)"),
    ),
    "deque": (
        *("d.append(i)", "d.appendleft(K)", "if d:\n            t += d.pop()", "t += sum(d)", "d.append(K)"),
        *("if len(d) > 1:\n            t += d.popleft()", "if 3 in d:\n            d.rotate(1)"),
    ),
}
ENDS = {"set": "list(d), list(d | e), list(d & e), list(d - e), list(d ^ e), list(d.copy())"}


def sequence(kind: str, seed: int) -> str:
    chosen = random.Random(seed)
    lines = ["from collections import *", "", "", "def f(n):", "    t = 0"]
    lines += [f"    d, e = {STARTS[kind]}, {STARTS[kind]}"]
    for name in ("d", "e"):
        lines.append("    for i in range(n):")
        for step in chosen.choices(STEPS[kind], k=2 if kind == "set" else 3):
            factor, most, less = (chosen.choice(one) for one in ((1, 3, 7), (3, 5, 40), (0, 2)))
            key = f"((i * {factor} + t) % {most} - {less})"
            lines.append("        " + re.sub(r"\bd\b", name, step.replace("K", key)))
    return "\n".join([*lines, f"    return t, d, e, {ENDS.get(kind, 'list(d)')}", ""])


CASES = [(kind, seed) for kind in STARTS for seed in range(1 if kind == "set" else 2)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_sequences(case: tuple[str, int], tmp_path: Any) -> None:
    program = module_of(sequence(*case), tmp_path, "sequence_of_methods").f
    staged = ag.function(program)
    for n in (np.int64(30), np.int64(1)):
        if case[0] == "set":
            assert_same(staged(n), program(n))  # The text of a set tells its history.
        else:
            assert outcome(staged, (n,)) == outcome(program, (n,))


def test_slots_of_sets_are_those_of_cpython() -> None:
    for seed in range(60):
        chosen = random.Random(seed)
        ours = SimpleNamespace(ag_keys=[], ag_marks=[], ag_index=[FREE] * LEAST, ag_counts=[0, 0, 0])
        table: Any = ours
        theirs: set[int] = set()
        most = chosen.choice((20, 100, 1000, 2**62))
        for _ in range(chosen.choice((5, 20, 200))):
            key = chosen.randrange(-most // 4, most)
            if chosen.random() < 0.7:
                theirs.add(key)
                set_slots.added_to_set(table, key)
            elif key in theirs:
                theirs.discard(key)
                set_slots.removed_from_set(table, *set_slots.found_in_set(table, key)[:2])
            elif theirs and chosen.random() < 0.3:
                assert set_slots.popped(table) == theirs.pop()
            assert set_slots.keys_in_order(table) == list(theirs)


# Keys that are one


def one_key_of_several_types(n):
    d = {}
    for i in range(n):
        d[i] = i
        d[i + 0.0] = i + 100
        d[(i - 2) * 0.0] = d.get(-0.0, 5)
    d[True] = -1
    return d, 2.0 in d, d.get(2.5, -1), True in d, d.get(np.float64(3.0))


def large_keys(n):
    d = {}
    for i in range(n):
        d[(1 << 62) - i % 3] = i
        d[-(1 << 62) - i % 3] = -i
        d[i * 1024] = i
    return d, d[4096]


def large_floats(n):
    d = {}
    for i in range(n):
        d[1e19 * (i % 3)] = i
        d[-1e300 * (i % 2)] = i
        d[float("inf") * (1 if i % 2 else -1)] = i
        d[1e-310 * i] = i
    return d


@pytest.mark.parametrize("program", [one_key_of_several_types, large_keys, large_floats])
def test_equal_numbers_are_one_key(program: Any) -> None:
    assert_same(ag.function(program)(np.int64(9)), program(np.int64(9)))
    assert str(ag.function(program)(np.int64(9))) == str(program(np.int64(9)))


def test_aliases_of_plain_sets_see_what_is_added() -> None:
    def program(n: Any) -> Any:
        plain = {1}
        other = plain
        plain |= {n, 3}
        return sorted(other), len(plain)

    assert ag.function(program)(np.int64(5)) == program(np.int64(5))


# Gradients


def of_sums(w, x):
    d = {}
    for v in x:
        d[v] = d.get(v, 0.0) + w * v
    total = 0.0
    for v in d.values():
        total += v * v
    return total


def of_a_largest(w, x):
    d = defaultdict(float)
    for v in x:
        d[v % 3] += w**2 * v
    return max(d.values()) + sum(d.values())


def of_a_memo(w, x):
    memo = {0: w, 1: w * w}
    for i in range(2, len(x)):
        memo[i] = memo[i - 1] * 0.5 + memo[i - 2]
    return memo[len(x) - 1]


def of_a_queue(w, x):
    queue = deque()
    for v in x:
        queue.append(w * v)
        if len(queue) > 3:
            queue.popleft()
    return sum(queue)


@pytest.mark.parametrize("program", [of_sums, of_a_largest, of_a_memo, of_a_queue])
def test_gradients(program: Any) -> None:
    x = np.array([1, 2, 3, 1, 2, 5])
    slope = (program(1.5 + 1e-6, x) - program(1.5 - 1e-6, x)) / 2e-6
    assert ag.function(ag.grad(program))(1.5, x) == pytest.approx(slope, rel=1e-6)


# What the program sees


def test_a_table_is_a_dict_for_the_program(capsys: Any) -> None:
    def program(n: Any) -> Any:
        d: Any = {}
        for i in range(n):
            d[i] = i
        print(d, len(d))
        assert d and n not in d
        return isinstance(d, dict), isinstance(d, tuple), type(d) is dict, bool(d), not d, d is d, d is None

    staged = ag.function(program)(np.int64(3))
    assert capsys.readouterr().out == "{0: 0, 1: 1, 2: 2} 3\n"
    assert staged == (True, False, True, True, False, True, False)


def test_attributes_are_those_of_a_dict() -> None:
    def program(n: Any) -> Any:
        d: Any = {}
        for i in range(n):
            d[i] = i
        return d.index

    with pytest.raises(AttributeError, match="'dict' object has no attribute 'index'"):
        ag.function(program)(np.int64(3))


def test_a_plain_dict_stays_what_it_was() -> None:
    def program(x: Any) -> Any:
        d = {"a": x}
        if x > 1.0:
            d["a"] = x * 2
        return d, OrderedDict(b=x)

    assert_same(ag.function(program)(2.0), program(2.0))

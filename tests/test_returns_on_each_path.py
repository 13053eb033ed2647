"""Functions that return on each path: what they return is never unbound, and no `None` (`ag_convert`)."""

from __future__ import annotations

import itertools

import autograph as ag
import numpy as np
import pytest
from autograph import tangent
from generated_programs import compared, module_of

BODIES = {
    "inner": "if a > 0:\n        if b > 0:\n            return {one}\n    return {two}",
    "in both": (
        "if a > 0:\n        if b > 0:\n            return {one}\n        print(b)\n    elif b > 1:\n"
        "        if b > 2:\n            return {two}\n    return {two}"
    ),
    "a statement before": (
        "if a > 0:\n        if b > 0:\n            return {one}\n    b += 1\n    return {two}"
    ),
    "a raise": (
        "if a > 0:\n        if b > 2:\n            return {one}\n        raise ValueError(b)\n"
        "    elif b > 5:\n        return {one}\n    c = b\n    if b > 1:\n        c = a\n    return {two}"
    ),
    "in a loop": (
        "for i in range(3):\n        if a > i:\n            if b > i:\n                return {one}\n"
        "    return {two}"
    ),
    "much": "if a > 0:\n        if b > 0:\n            return {one}\n    return [x for x in [{two}]][0]",
    "in a try": (
        "try:\n        if a > 0:\n            return {one}\n    except ValueError:\n        pass\n"
        "    return {two}"
    ),
}
RESULTS = {
    "numbers": ("a", "b"),
    "types": ("a", "1"),
    "texts": ("'one'", "'two'"),
    "lists": ("[a]", "[b]"),
    "lists of two lengths": ("[a]", "[b, a]"),
    "tuples": ("(a, 1)", "(b, 2)"),
    "dicts": ("{{'a': a}}", "{{'a': b}}"),
    "sets": ("{{1, 2}}", "{{3}}"),
    "arrays": ("np.ones(2) * a", "np.zeros(2)"),
    "None": ("None", "b"),
    "functions": ("abs", "min"),
    "classes": ("int", "float"),
}
CALLS = [(np.float64(a), np.float64(b)) for a, b in itertools.product((1.5, -1.0), (0.0, 1.5, 3.0, 6.0))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", BODIES)
def test_what_is_returned(body, tmp_path):
    text, calls = "import numpy as np\n\n\n", {}
    uses = ("r", "type(r).__name__", "r is None", "[r, r]", "(r, 1)", "str(r)")
    for number, ((one, two), use) in enumerate(itertools.product(RESULTS.values(), uses)):
        text += f"def g{number}(a, b):\n    {BODIES[body]}\n\n\n".format(one=one, two=two)
        text += f"def f{number}(a, b):\n    r = g{number}(a, b)\n    return {use}\n\n\n"
        calls[f"f{number}"] = CALLS
    same, different, _ = compared(module_of(text, tmp_path, "returns_on_each_path"), calls)
    assert different == []
    assert same > 100


def test_the_class_of_a_result_is_known():
    def scaled(x, y):
        if isinstance(x, np.ndarray):
            if x.shape == y.shape:
                return y
        return x * 1.0

    @ag.function
    def f(x, limit):
        return type(scaled(x[x > limit], x[x <= limit])).__name__

    assert f(np.arange(3.0), 0.5) == "ndarray"


def test_a_choice_of_classes_has_their_module():
    @ag.function
    def f(x):
        kind = int if x > 0 else float
        return kind.__module__, kind.__doc__ is None

    assert f(np.float64(1.0)) == ("builtins", False)


def test_a_guard_of_a_staged_derivative_is_one_of_the_run():
    @ag.function
    def f(xs, limit):
        return tangent.unbroadcast([x * 2.0 for x in xs if x > limit], [x * 2.0 for x in xs])

    xs = np.arange(3.0)
    assert f(xs, np.float64(-1.0)) == [0.0, 2.0, 4.0]
    with pytest.raises(TypeError, match="a slice of a list that is written") as refused:
        f(xs, np.float64(1.0))
    assert isinstance(refused.value, ag.AutographError) and refused.value.location is not None

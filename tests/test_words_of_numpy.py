"""What NumPy's functions say of what they do not take: lists, bools, dtypes, sizes, empty arrays.

Each call is judged with each operand as an argument: what it gives and what it raises are the same, or it is
refused.
"""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from crossing.judge import judged
from crossing.program import Case

NO_ARRAYS = ("(0.5, -3)", "[1.5, 2.5]", "((1.0, 2), 3)", "[[1, 2], [3, 4]]", "{'a': 1.5}", "2", "2.5", "1j")
PLACES = (
    *("np.array([True, False, True])", "np.array([0, 2, -1])", "np.array([0, 3])", "np.array([-4, 0])"),
    *(
        "np.array([0.0, 1.0])",
        "np.array([1], np.uint8)",
        "np.bool_(True)",
        "True",
        "1",
        "[True, False, True]",
    ),
    *("np.zeros(0)", "np.zeros(0, bool)", "[]", "np.array([[0, -1, 2]])", "np.array([[0], [-4]])"),
)
SCALARS = (
    "np.float64(2.5)",
    "np.array(2.0)",
    "np.int32(-5)",
    "np.bool_(True)",
    "3",
    "1 - 2j",
    "np.complex64(2)",
)
SIZES = ("0", "-1", "-2", "3", "np.int32(-5)", "np.uint8(3)", "True", "2.0", "np.array(3)", "np.int64(4)")
EMPTY = ("np.zeros(0)", "np.zeros(0, np.int32)", "np.zeros(0, bool)", "[]", "()", "np.zeros((0, 2))")
ANGLES = ("np.linspace(-9, 9, 64).astype(np.float32)", "np.float32(-2.25)", "np.linspace(-9, 9, 64)", "2")
OF_ONE_VALUE = ("2**53", "-(2.0**62)", "np.array([2.0**62, 2.0**62])", "np.float32(2.0**30)", "7", "0.5")

OPTIONS = (
    "True",
    "np.bool_(False)",
    "(0, True)",
    "1.0",
    "'ab'",
    "{'a': 1}",
    "range(1)",
    "[0]",
    "None",
    "1",
)

CALLS = {
    "options": (
        """np.sum(m, v)|np.any(m, axis=v)|m.max(v)|np.argmin(m, v)|np.cumsum(m, v)|np.sort(m, v)
np.fft.fft(m, None, v)|np.median(m, v)|np.flip(m, v)|np.concatenate([m, m], v)|np.stack([m, m], v)
np.sum(m, keepdims=v)|np.around(m, v)|np.diag(m, v)|np.diagonal(m, v)|np.eye(3, k=v)|np.trace(m, v)
np.copy(m, v)|m.ravel(v)|np.argpartition(m, v)|np.array_split(m, v)|np.split(m, v)|np.clip(m, v)|m.clip(v)
np.take(x, [1], mode=v)|np.array_equal(m, [[1], [2, 3]])|np.array_equiv(m, [[1], v])""",
        OPTIONS,
    ),
    "no arrays": (
        """np.tril(v)|np.triu(v)|np.full_like(v, 2)|np.full_like(v, v)|np.ones_like(v)|np.zeros_like(v)
np.can_cast(v, v)|np.can_cast(v, np.float64)|np.can_cast(np.int64, v)|np.result_type(v)
np.fromiter(v, v)|np.fromiter(v, 2)|np.zeros(2, v)|np.arange(3, dtype=v)|np.array([1, 2], v)
np.common_type(v)|np.unstack(v)|np.take_along_axis(v, np.array([0]), 0)|np.einsum(v)|np.append(v, v)
np.tril_indices_from(v)|np.diag_indices_from(v)|np.lexsort(v)|np.atleast_2d(v)|np.real_if_close(v)""",
        NO_ARRAYS,
    ),
    "places": (
        """np.take(x, v)|x.take(v)|np.take(m, v, axis=1)|np.take(x, v, mode='clip')|np.take(x, v, mode='wrap')
np.take_along_axis(x, v, 0)|np.take_along_axis(m, v, 1)|np.take_along_axis(m, v, 0)
np.take_along_axis(x, v, None)|np.put(x, v, 7)|np.put(x, v, [7, 8, 9])|np.ediff1d(v)|np.ediff1d(v, 2)""",
        PLACES,
    ),
    "scalars": (
        "np.linalg.tensorinv(v)|np.linalg.inv(v)|v.reshape()|np.unstack(v)",
        SCALARS,
    ),
    "sizes": ("np.fft.fftfreq(v)|np.fft.rfftfreq(v)|np.fft.fftfreq(v, 0)|np.fft.fftfreq(v, 0.5)", SIZES),
    "empty": ("np.lexsort(v)|np.ix_(v)|np.ix_(v, [1, 2])|np.lexsort([v, v])|np.ediff1d(v)", EMPTY),
    "angles": ("np.degrees(v)|np.rad2deg(v)|np.radians(v)|np.deg2rad(v)", ANGLES),
    "one value": (
        """np.histogram(v)|np.histogram_bin_edges(v)|np.histogram(v, 3)|np.histogram(v, n)
np.histogram_bin_edges(v, 1)""",
        OF_ONE_VALUE,
    ),
}

LEAST_THAT_AGREE = {
    "options": 0.2,
    "no arrays": 0.25,
    "places": 0.5,
    "scalars": 0.15,
    "sizes": 0.3,
    "empty": 0.3,
}


def is_there(name: str) -> bool:
    """Whether the installed NumPy has a function; a method is."""
    return not name.startswith("np.") or hasattr(np, name[3:]) or "." in name[3:]


def case_of(call: str, operand: str) -> Case:
    """A program that calls the function with an argument."""
    source = f"import numpy as np\n\n\ndef f(v, x, m, n):\n    r = {call}\n    return r, x\n"
    return Case((operand, "", "", call), source, (f"({operand}, np.arange(3), np.ones((2, 3)), 5)",))


@pytest.mark.parametrize("group", CALLS)
def test_words(group: str) -> None:
    calls, operands = CALLS[group]
    found = [call for call in calls.replace("\n", "|").split("|") if is_there(call.partition("(")[0])]
    verdicts = [judged(case_of(call, operand), -1) for call in found for operand in operands]
    assert not [(one.case.name, one.differences[0][1:]) for one in verdicts if one.differences]
    agreed = sum(one.agreed for one in verdicts)
    assert agreed >= len(verdicts) * LEAST_THAT_AGREE.get(group, 0.9), agreed / len(verdicts)


def test_angles_of_float32_are_the_same_to_the_bit() -> None:
    x = np.linspace(-99, 99, 4096).astype(np.float32)
    for function in (np.degrees, np.rad2deg, np.radians, np.deg2rad):
        assert ag.function(lambda x, of=function: of(x))(x).tobytes() == function(x).tobytes()


WRITES = """np.copyto(v, 1.0)|np.copyto(dst=v, src=1.0)|np.put(v, [0], 5.0)|np.put(a=v, ind=[0], v=5.0)
np.putmask(v, v, 5.0)|np.place(v, v, [5.0])|np.fill_diagonal(v, 5.0)|np.add.at(v, [0], 5.0)
np.put_along_axis(v, np.array([0]), 5.0, 0)|np.add(1.0, 2.0, out=v)|np.add(v, v, v)|np.sum(x, out=v)
np.cumsum(v, out=v)|np.take(v, [0], out=v)|np.clip(v, 0, 1, v)|np.negative.at(v, [0])
np.take_along_axis(arr=v, indices=np.array([0]), axis=0)"""
LISTS = ("v = [0.0, x[0]]", "v = [0.0]\n    for i in range(n):\n        v.append(x[i])", "v = [0.0, 1.0]")


@pytest.mark.parametrize("made", LISTS)
def test_lists_are_not_written_by_numpy(made: str) -> None:
    """A list is refused where NumPy writes, and no copy of it is written in its place."""
    for call in WRITES.replace("\n", "|").split("|"):
        source = f"import numpy as np\n\n\ndef f(x, n):\n    {made}\n    r = {call}\n    return r, v\n"
        verdict = judged(Case((made, "", "", call), source, ("(np.arange(3.0), np.int64(2))",)), -1)
        assert not verdict.differences, (call, verdict.differences[0][1:])

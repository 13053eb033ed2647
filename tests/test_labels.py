"""Items of arrays of texts and dates by a staged index, and such constants chosen by data."""

from __future__ import annotations

import itertools

import autograph as ag
import numpy as np
import pytest
from generated_programs import compared, module_of
from whole import in_turn

ARRAYS = {
    "texts": 'np.array(["cat", "dog", "ox"])',
    "bytes": 'np.array([b"cat", b"dog", b""])',
    "dates": 'np.array(["2026-11-27", "NaT", "1969-01-01"], "M8[D]")',
    "spans": 'np.array([1, -2, 0], "m8[s]")',
    "equal texts": 'np.array(["a", "b", "a"])',
    "one text": 'np.array(["a"])',
    "none": 'np.array([], "U3")',
    "rows": 'np.array([["a", "b", "c"], ["d", "e", "a"]])',
}
INDICES = {
    "an index": "k",
    "from the end": "-k - 1",
    "an argmax": "np.argmax(x)",
    "a pair": "k % 2, k",
    "a row": "k, 1",
    "a slice": "slice(0, k)",
    "a mask": "x > 1",
    "indices": "np.argsort(x, stable=True)",
}


def is_no_item(array: str, index: str) -> bool:
    """Whether an index gives a part of an array, or is refused by NumPy."""
    return index in ("a slice", "a mask", "indices") or (array == "rows") != (index in ("a pair", "a row"))


USES = {
    "given": "w",
    "in a tuple, a dict": '(w, 1), {"a": w}',
    "compared": "w == w2, w != w2, w == 'cat', w == 'a', w == b'dog', w == LABELS.flat[0]",
    "ordered": "w < w2, w <= w2, max(w, w2), sorted([w, w2])",
    "printed": "print(w, repr(w), f'{w}')",
    "a text": "str(w), repr(w), f'<{w}>', '%s' % w",
    "a key": "{'cat': 1, 'a': 2, b'dog': 3}.get(w, 0)",
    "an element": "w in ('cat', 'a', b'dog'), w in {'cat', 'a'}",
    "appended": "[w, w2] + [LABELS.flat[0]]",
    "its methods": "w.upper(), w.startswith('c'), len(w)",
    "its attributes": "w.dtype, w.shape, w.ndim, w.item()",
    "added": "w + w2",
    "a difference": "w - w2",
    "a truth": "1 if w else 2",
    "an array": "np.array([w, w2])",
    "its class": "type(w), isinstance(w, str), isinstance(w, np.generic)",
    "another path": "w if k > 1 else 'none'",
    "or none": "w if k > 1 else None",
    "or a number": "w if k > 1 else 1.5",
    "the same object": "w is w2",
    "converted": "int(w)",
}
PLACES = {
    "as it is": """
    w, w2 = LABELS[INDEX], LABELS[0]
    return USE
""",
    "in a loop": """
    w = w2 = LABELS[INDEX]
    for j in range(len(x)):
        if x[j] > 1:
            w2 = w
            w = LABELS[j]
    return USE
""",
    "of a callee": """
    def named(k, x):
        if k > 1:
            return LABELS[k]
        return LABELS[INDEX]
    w, w2 = named(k, x), LABELS[k]
    return USE
""",
    "of an object": """
    class Seen:
        def __init__(self):
            self.label = LABELS[k]
    seen = Seen()
    w2 = seen.label
    if x[0] > 1:
        seen.label = LABELS[INDEX]
    w = seen.label
    return USE
""",
    "in a list": """
    found = []
    for j in range(len(x)):
        if x[j] > 0:
            found.append(LABELS[INDEX])
    w, w2 = found[-1], found[0]
    return USE
""",
}
CALLS = (
    (np.int64(0), np.array([3.0, 0.5, 2.0])),
    (np.int64(2), np.array([0.0, 1.5, 0.5])),
    (np.int64(1), np.array([0.5, 0.0, 7.0])),
    (np.int64(3), np.array([1.0, 2.0, 3.0])),
    (np.int64(-3), np.array([2.0, 2.0, 0.0])),
)
PROGRAMS = [
    pytest.param(array, place, index, id=f"{array}, {index}, {place}")
    for (a, array), (p, place), (i, index) in itertools.product(
        enumerate(ARRAYS), enumerate(PLACES), enumerate(INDICES)
    )
    if in_turn(a, p, i, among=5)
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("array", "place", "index"), PROGRAMS)
def test_every_use(array, place, index, tmp_path):
    program = f"import numpy as np\n\nLABELS = {ARRAYS[array]}\n"
    for number, text in enumerate(USES.values()):
        body = PLACES[place].replace("INDEX", INDICES[index]).replace("USE", text)
        program += f"\n\ndef f{number}(k, x):{body}"
    module = module_of(program, tmp_path, "label_programs")
    same, different, _ = compared(module, {f"f{number}": CALLS for number in range(len(USES))})
    assert different == []
    assert same > 0 or is_no_item(array, index)


def test_what_the_program_changes_is_seen():
    labels = np.array(["cat", "dog"])

    def f(k):
        return labels[k]

    staged = ag.function(f)
    assert staged(np.int64(1)) == "dog"
    labels[1] = "cow"
    assert staged(np.int64(1)) == "cow"


def test_an_estimator_with_names_of_classes():
    class Nearest:
        def fit(self, rows, names):
            self.classes_, codes = np.unique(names, return_inverse=True)
            self.centres_ = np.array([rows[codes == code].mean(axis=0) for code in range(self.classes_.size)])
            return self

        @ag.function
        def predict_one(self, row):
            return self.classes_[np.argmin(((self.centres_ - row) ** 2).sum(axis=1))]

    rows = np.array([[0.0, 0.0], [5.0, 5.0], [0.5, 0.0], [6.0, 5.0]])
    model = Nearest().fit(rows, np.array(["low", "high", "low", "high"]))
    found = [model.predict_one(row) for row in rows]
    assert found == ["low", "high", "low", "high"]
    assert {type(one) for one in found} == {np.str_}

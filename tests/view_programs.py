"""Programs of views: ways to make one, to write it or its array, and to read either, in many places."""

from __future__ import annotations

import itertools
import random

VIEWS = (
    *(
        "a[1]",
        "a[i]",
        "a[-1]",
        "a[1:]",
        "a[:, 1]",
        "a[:, i]",
        "a[::-1]",
        "a[::2, 1:]",
        "a[None]",
        "a[..., 0]",
    ),
    *("a[1, ...]", "a.T", "a.transpose(1, 0)", "np.swapaxes(a, 0, 1)", "a.reshape(3, 2, 2)", "a[1:][0]"),
    *("a.T[1:]", "a[i:i + 2]", "a[:n]", "a[1:, i]", "a[i][1:]", "np.squeeze(a[None])", "a.ravel()"),
    *("a.reshape(2, -1)", "a[1:].T[::-1]", "a[:, None, 2:]", "a[i:, ::-1].T", "np.split(a, 3)[1]", "a[:0]"),
    *("a[1:].ravel()", "a[:, 1].ravel()", "a[1].ravel()", "(a * 2).ravel()", "np.ravel(a[0])", "a.T.ravel()"),
    *("a[1].reshape(2, 2).T", "np.flip(a, 0)", "a[1:, 1:][i]", "a[::2][1:, 1]", "a[:]"),
)
"""Views of an array of 3 x 4, with staged numbers ``i`` (1) and ``n`` (2)."""

WRITES = (
    *("{v} += 1", "{v} *= s", "{v}[0] = s", "{v}[...] = s", "{v}[-1] += s", "{v}.fill(s)", "{v}.sort()"),
    *(
        "np.add({v}, s, out={v})",
        "np.copyto({v}, s)",
        "np.add.at({v}, 0, s)",
        "np.copyto({v}, s, where={v} > 2)",
    ),
    *("{v}[{v} > 2] = s", "a[...] = a + 1", "a[0] = s", "a += {v}.sum()", "w = {v}[:1]\nw += 1"),
    *("{v}[::2] -= s", "{v} -= {v}.max()", "{v}[0], {v}[-1] = s, s + 1", "u = a[1]\nu += s", "{v}[i:] = s"),
    *("for row in {v}:\n    row *= 2", "for row in {v}:\n    row -= row.max()", "{v}[i] = {v}[0]"),
    *("a[1, 1] = 9\n{v} *= 2\na[1, 2] = 7", "np.multiply(a, 2, out=a)", "{v} += {v}[::-1]", "a.sort(0)"),
)
"""Writes to a view ``{v}``, to its array ``a``, and to other views."""

READS = ("{v}.sum()", "{v} * 2", "a.sum(0)", "{v}[0]", "[one for one in {v}]", "u.sum()", "a[1:] + 1")
"""What is read after the writes."""

HOLDERS = {
    "v = {view}": "v",
    "box = [{view}]": "box[0]",
    "pair = (s, {view})": "pair[1]",
    "o = Holder()\no.v = {view}": "o.v",
    "d = {{'v': {view}}}": "d['v']",
    "v = view_of(a, i, n)": "v",
}
"""Statements that make the view, and what it is called after them."""

PLACES = (
    "{view}\n{write}",
    "{view}\nif n > 1:\n    {write}",
    "{view}\nif n > 1:\n    {write}\nelse:\n    {other}",
    "if n > 1:\n    {view}\n    {write}\n{view}",
    "{view}\nfor k in range(n):\n    {write}\n    {other}",
    "{view}\nk = 0\nwhile k < n:\n    k += 1\n    {write}",
    "for k in range(n):\n    {view}\n    {write}\n{view}",
    "for j in range(n):\n    for i in range(n):\n        {view}\n        {write}\n    {other}\n{view}",
    "{view}\nfor k in range(n):\n    if k > 0:\n        {write}\n    {view}\n    {other}",
    "{view}\nwrite({name}, a, s, i, n)",
    "{view}\nfor k in range(n):\n    write({name}, a, s, i, n)",
    "{view}\nfor k in range(n):\n    if k > 0:\n        break\n    {write}\n{other}",
    "{view}\nfor k in range(n):\n    {write}\n    if k > 0:\n        return {reads}, {name}, a\n    {other}",
    "a = a * 1\n{view}\n{write}",
    "b = a.copy()\na, b = b, a\n{view}\n{write}\n{other}\nb[0] = 5",
    "{view}\n{write}\nif n > 2:\n    return {reads}, {name}, a\n{other}",
)
"""Where the writes stand."""

FORM = """
def view_of(a, i, n):
    return {view}


def write(v, a, s, i, n):
    {write}


def f(a, s, i, n):
    u = a[1:]
    {body}
    return {reads}, {name}, a
"""
HEAD = "import numpy as np\n\n\nclass Holder:\n    pass\n\n"


def indented(text: str, by: str = "    ") -> str:
    """A text whose lines after the first stand deeper."""
    return text.replace("\n", "\n" + by)


def placed(place: str, parts: dict[str, str]) -> str:
    """A place with its parts, each indented as its field is."""
    lines = []
    for line in place.split("\n"):
        deep = line[: len(line) - len(line.lstrip())]
        lines.append(indented(line.format(**{key: indented(part, deep) for key, part in parts.items()}), ""))
    return "\n".join(lines)


def program(random: random.Random) -> str:
    """The text of one drawn program."""
    view, place = random.choice(VIEWS), random.choice(PLACES)
    holder, name = random.choice(list(HOLDERS.items()))
    write, other = (random.choice(WRITES) for _ in range(2))
    reads = ", ".join(random.choice(READS).format(v=name) for _ in range(2))
    parts = {
        "reads": reads,
        "view": holder.format(view=view),
        "write": write.format(v=name),
        "other": other.format(v=name),
        "name": name,
    }
    body = indented(placed(place, parts))
    inside = indented(write.format(v="v"))
    return FORM.format(view=view, write=inside, body=body, reads=reads, name=name)


def texts(seed: int, count: int) -> list[str]:
    """Drawn programs, always the same for a seed."""
    source = random.Random(seed)
    return [program(source) for _ in itertools.repeat(None, count)]

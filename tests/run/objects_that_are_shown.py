# run: printed(1.5)
# run: printed(np.float64(2.5))
# run: made_and_printed(1.5)
# raises: raised_with_what_it_made(1.5, np.bool_(True)) ValueError
# run: caught(2.0)
# raises: asserted(2.0, np.bool_(False)) AssertionError
"""Objects that hold staged values, printed and raised: the run shows what is in them then."""

from dataclasses import dataclass


@dataclass
class Box:
    value: object


class Plain:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Plain({self.value})"


def printed(x):
    box = Box(x)
    print(box)
    print([box], {"a": (box, 1)}, box.value)


def made_and_printed(x):
    inner = Plain(x * 2)
    print(inner, [inner, Box(inner)])


def raised_with_what_it_made(x, c):
    twice = Box(x * 2)
    if c:
        raise ValueError(twice, [twice, Plain(x)], "no")
    return twice.value


def caught(x):
    try:
        raise KeyError(Box(x + 1.0))
    except KeyError as error:
        return error.args[0].value


def asserted(x, c):
    assert c, Plain(x)
    return x

# group: Expressions
# plain: f(3, [1, 2], {"a": 1})
# staged: f(np.int64(3), [1, 2], {"a": 1})
# plain: order(3)
"""Lists, tuples, sets, dicts, with `*` and `**`"""


def f(x, values, table):
    made = [x, *values, *range(2)], (*values, x), {**table, "b": x, **{"a": 2}}, (x,), ()
    return *made, sorted({*values, 5})


def order(x):
    seen = []

    def note(value):
        seen.append(value)
        return value

    made = {note("a"): note(1), **{note("b"): note(x)}}
    return made, seen


# group: Expressions
# since: 3.14
# plain: f(3)
# staged: g(np.int64(3))
# plain: g(3)
"""Template strings"""


def f(x):
    template = t"x is {x!r:>5} and {x + 1}"
    return template.strings, [(one.value, one.expression, one.conversion) for one in template.interpolations]


def g(x):
    return t"{x}".interpolations[0].value + 1

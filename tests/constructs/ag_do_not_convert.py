# group: Directives
# plain: f(3)
# staged: f(np.int64(3))
# plain: tests(3)
# refused: tests(np.int64(3)) AG101 where such a function has a test that depends on data
"""`ag.do_not_convert`"""
import autograph as ag


@ag.do_not_convert
def straight(x):
    return x * 2


@ag.do_not_convert
def branches(x):
    if x > 0:
        return 1
    return 2


def f(x):
    return straight(x) + 1


def tests(x):
    return branches(x)

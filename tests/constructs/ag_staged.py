# group: Directives
# plain: f(3)
# staged: f(np.int64(3))
# staged: words(np.int64(3))
# refused: objects(np.int64(3)) AG121 where the loop cannot be staged
# staged: lists(np.int64(3))
# plain: lists(3)
"""`ag.staged`"""
import autograph as ag


def f(x):
    for i in ag.staged(range(3)):
        x = x * 2 + i
    return x


def lists(x):
    values = []
    for i in ag.staged(range(3)):
        values.append(x)
    return values


def words(x):
    names = []
    for i in ag.staged(range(3)):
        names.append("x")
        x = x + i
    return names, x


def objects(x):
    values = []
    for i in ag.staged(range(3)):
        values.append(memoryview(b"abc"))
        x = x + i
    return len(values), x

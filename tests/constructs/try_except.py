# group: Exceptions and contexts
# plain: f([1, 2], 1)
# plain: f([1, 2], 5)
# plain: f({}, "a")
# plain: f(None, 1)
# plain: bare(0)
# plain: bare(2)
# plain: name_is_gone(0)
# staged: arithmetic(np.float64(2.0))
# plain: arithmetic(2.0)
# staged: bare(np.int64(2))
# staged: chosen(np.arange(3.0), np.int64(1))
# staged: chosen(np.arange(3.0), np.int64(7))
# staged: f(np.ones(2), np.int64(5))
"""`try` … `except`: classes, tuples, names, bare"""


def f(values, index):
    try:
        found = values[index]
    except IndexError:
        found = "no index"
    except (KeyError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
    return found


def bare(x):
    try:
        return 10 // x
    except:
        return -1


def name_is_gone(x):
    error = 5
    try:
        1 // x
    except ZeroDivisionError as error:
        x = str(error)
    return x, error


def arithmetic(x):
    try:
        y = x * 2.0
        z = int("not a number")
    except ValueError:
        z = 1
    return y + z


def chosen(values, index):
    try:
        found = values[index]
    except (KeyError, IndexError) as error:
        print(error)
        found = -1.0
    else:
        found += 1.0
    return found

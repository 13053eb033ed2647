# group: Exceptions and contexts
# plain: f(2)
# plain: f(0)
# plain: f("a")
# plain: loop(4)
# plain: replaced(0)
# staged: g(np.float64(2.0))
# plain: g(2.0)
# staged: g(np.float64(-2.0))
"""`try` … `else` … `finally`"""


def f(x):
    seen = []
    try:
        try:
            seen.append(10 // x)
        except ZeroDivisionError:
            seen.append("zero")
        else:
            seen.append("else")
        finally:
            seen.append("finally")
    except TypeError as error:
        return seen, str(error)
    return seen


def loop(n):
    seen = []
    for i in range(n):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            seen.append(i)
        finally:
            seen.append("end")
    return seen


def replaced(x):
    try:
        return 1 // x
    finally:
        return "finally"


def g(x):
    total = 0.0
    try:
        if x > 0:
            total = x * 2
        else:
            total = x - 1
    finally:
        total = total + 100.0
    return total

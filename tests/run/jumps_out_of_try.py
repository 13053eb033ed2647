"""A `return`, `break` or `continue` in a `try` or `match` may depend on data."""

# run: early(np.float64(1.0)) == 1
# run: early(np.float64(-1.0)) == 0
# run: filtered(np.array([1.0, -1.0, 2.0, 9.0, 1.0]), 5) == 5.0
# run: filtered(np.array([1.0, -1.0, 2.0, 4.0, 1.0]), 5) == 10.5
# run: chosen(np.float64(3.0), "up")
# run: chosen(np.float64(3.0), "down")
# run: both_ways(np.float64(3.0), "try")
# run: both_ways(np.float64(-3.0), "try")
# run: both_ways(np.float64(3.0), "match")
# run: both_ways(np.float64(-3.0), "match")


def both_ways(x, kind):
    if kind == "try":
        try:
            if x > 0:
                return x * 2
            return -x
        except ValueError:
            return x
    else:
        match kind:
            case "match":
                if x > 0:
                    return x + 1
                else:
                    return x - 1
            case _:
                return x


def early(x):
    try:
        if x > 0:
            return 1
    finally:
        y = 0
    return y


def filtered(x, n):
    total = 0.0
    for i in range(n):
        try:
            if x[i] < 0:
                continue
            if x[i] > 5:
                break
            total += x[i]
        except ValueError:
            total = -1.0
        finally:
            total += 0.5
    return total


def chosen(x, kind):
    for i in range(10):
        match kind:
            case "up":
                if x > i:
                    return x
            case _:
                if x < i:
                    break
    return x - i

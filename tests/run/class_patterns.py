# run: of_number(np.float64(2.5))
# run: of_number(np.int64(2))
# run: of_python_numbers(np.int64(2))
# run: of_results(np.int64(2), np.array([1.0, 2.0]))
import numpy as np


def of_number(x):
    match x:
        case np.int64():
            return 1
        case np.float64():
            return 2
    return 3


def of_python_numbers(n):
    whole, share, flag = int(n), float(n), bool(n)
    found = []
    for value in (whole, share, flag):
        match value:
            case bool():
                found.append(1)
            case int(number):
                found.append(number + 1)
            case complex():
                found.append(7)
            case float() | str():
                found.append(3)
    return found


def of_results(n, x):
    kinds = []
    for value in (n > 1, x, x.sum(), n / 2):
        match value:
            case np.bool_():
                kinds.append("flag")
            case np.ndarray():
                kinds.append("array")
            case float():
                kinds.append("float")
    return kinds

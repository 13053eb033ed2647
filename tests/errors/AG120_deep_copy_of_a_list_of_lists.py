# call: f(np.int64(3))
import copy


def f(n):
    rows = []
    for i in range(n):
        rows.append([i])
    return copy.deepcopy(rows)

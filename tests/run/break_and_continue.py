# run: first_negative(np.array([3.0, 1.0, -2.0, -7.0]))
# run: first_negative(np.array([3.0, 1.0]))
# run: sum_of_odd_before(np.array([1, 2, 3, 4, 100, 5, 7]))
# run: nested(np.array([[1.0, 5.0, 2.0], [9.0, 1.0, 1.0], [0.0, 0.0, 4.0]]))
# run: while_true(np.float64(100.0))
# run: found(np.array([1, 2, 3]), 3)
# run: found(np.array([1, 2, 3]), 9)


def first_negative(values):
    place = -1
    for i in range(len(values)):
        if values[i] < 0:
            place = i
            break
    return place


def sum_of_odd_before(values):
    total = 0
    for v in values:
        if v > 50:
            break
        if v % 2 == 0:
            continue
        total += v
    return total


def nested(matrix):
    count = 0
    for row in matrix:
        for v in row:
            if v > 4.0:
                break
            if v == 0.0:
                continue
            count += 1
    return count


def while_true(x):
    n = 0
    while True:
        x = x / 3.0
        n += 1
        if x < 1.0:
            break
    return n, x


def found(values, wanted):
    for v in values:
        if v == wanted:
            where = v * 10
            break
    else:
        where = -1
    return where

# run: sign(np.float64(2.0)) == 1
# run: sign(np.float64(-2.0)) == -1
# run: sign(np.float64(0.0)) == 0
# run: index_of(np.array([4, 5, 6]), 6)
# run: index_of(np.array([4, 5, 6]), 7)
# run: clamp(np.float64(7.0), 0.0, 1.0)


def sign(x):
    if x > 0:
        return 1
    if x < 0:
        return -1
    return 0


def index_of(values, wanted):
    for i in range(len(values)):
        if values[i] == wanted:
            return i
    return -1


def clamp(x, low, high):
    if x < low:
        return low
    elif x > high:
        return high
    return x

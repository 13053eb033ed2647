# group: Functions
# plain: read(3)
# staged: read(np.int64(3))
# plain: written(3)
# staged: written(np.int64(3))
# staged: branch(np.int64(3))
# staged: deleted(np.int64(3))
# plain: missing(3)
# plain: branch(3)
# plain: deleted(3)
"""`global`: read and written"""

factor = 10
count = 0


def read(x):
    global factor
    if x > 0:
        return x * factor
    return x


def written(x):
    global count
    count = count + x
    return count


def branch(x):
    global count
    if x > 2:
        count = 5
    for i in range(x):
        count += i
    return count


def missing(x):
    return x + not_defined_anywhere


def deleted(x):
    global count
    del count
    return count

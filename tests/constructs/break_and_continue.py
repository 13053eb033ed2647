# group: Statements
# plain: f(20)
# plain: f(2)
# plain: nested(6)
# staged: f(np.int64(20))
# staged: f(np.int64(2))
# staged: nested(np.int64(6))
"""`break` and `continue`, in nested loops"""


def f(n):
    total = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        if i > 11:
            break
        total += i
    return total


def nested(n):
    count = 0
    i = 0
    while i < n:
        i += 1
        if i == 2:
            continue
        for j in range(n):
            if j == 1:
                continue
            if j > i:
                break
            count = count * 3 + j
            count = count % 1000
        if count % 7 == 6:
            break
    return count, i

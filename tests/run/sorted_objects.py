# run: pairs(np.array([3.0, 1.0, 2.0, 0.5]))
# run: pairs_by_key(np.array([3.0, 1.0, 2.0, 0.5]))
# run: rows(np.array([[1, 3], [8, 10], [2, 6], [9, 12]]))
# run: objects(np.array([3.0, 1.0, 2.0]))
# run: known_keys(np.array([3.0, 1.0]))
# run: few(np.array([3.0, 1.0]))
# run: merged_intervals(np.array([[1, 3], [8, 10], [2, 6], [9, 12]]))
"""`sorted` and `list.sort` of tuples, lists and objects that are known one by one."""


def pairs(x):
    found = [(x[i], i) for i in range(4)]
    found.sort()
    return found


def pairs_by_key(x):
    found = [(x[i], i) for i in range(4)]
    return sorted(found, key=lambda pair: -pair[0]), sorted(found, reverse=True)[0]


def rows(x):
    found = [[a, b] for a, b in x]
    return sorted(found, key=lambda row: row[0])


class Item:
    def __init__(self, value):
        self.value = value


def objects(x):
    items = [Item(x[i]) for i in range(3)]
    items.sort(key=lambda item: item.value)
    return [item.value for item in items]


def known_keys(x):
    return sorted([(2, x[0]), (1, x[1])], key=lambda pair: pair[0])


def few(x):
    return sorted([], key=lambda pair: pair), sorted([(x[0], 1)])


def merged_intervals(x):
    intervals = []
    for low, high in x:
        intervals.append([low, high])
    intervals.sort(key=lambda interval: interval[0])
    merged = []
    for interval in intervals:
        if merged and interval[0] <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], interval[1])
        else:
            merged.append(interval)
    return merged

# call: f(np.int64(3))


class Item:
    def __init__(self, value):
        self.value = value


def f(n):
    items = []
    for i in range(n):
        items.append(Item(i))
    seen = {items[0]}
    return items[1] in seen

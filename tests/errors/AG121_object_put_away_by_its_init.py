# call: f(np.int64(3))


class Item:
    def __init__(self, value, shelf):
        self.value = value
        shelf.append(self)


def f(n):
    shelf = []
    items = []
    for i in range(n):
        items.append(Item(i, shelf))
    return items

# group: Classes
# plain: f(3)
# staged: f(np.int64(4))
# staged: f(np.int64(0))
"""Objects and dicts in lists of a length that depends on data"""
import dataclasses


@dataclasses.dataclass
class Item:
    weight: object
    count: object = 0


def f(n):
    items = []
    totals = []
    for i in range(n):
        items.append(Item(0.5 * i))
        totals.append({"of": i, "sum": 0.0})
    for item in items:
        item.count += 1
    for i in range(n):
        totals[i]["sum"] += items[i].weight * items[i].count
    return [(item.weight, item.count) for item in items], [row["sum"] for row in totals]

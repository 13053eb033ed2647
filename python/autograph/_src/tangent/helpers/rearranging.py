"""Items of lists and dicts that are taken out, put in order, or chosen by a key."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.containers import add_grad, zeros_at, zeros_like

__all__ = [
    "before_clear",
    "cleared",
    "in_places",
    "insertion_places",
    "largest_place",
    "last_key",
    "place_of",
    "reordered",
    "require_dict",
    "require_item",
    "require_kind",
    "restored",
    "reversed_places",
    "smallest_place",
    "sorted_places",
    "untold_at",
    "without",
]


def require_kind(x, kinds, what):
    """Raise `TypeError` for what is neither a list nor a dict, whose methods have other meanings."""
    if type(x) not in kinds:
        names = " or a ".join(f"`{kind.__name__}`" for kind in kinds)
        remedy = (
            "compute a new array, `x = np.sort(x)`" if isinstance(x, np.ndarray) else f"make it a {names}"
        )
        raise refused(
            "AG021",
            f"the derivative is that of {what} of a {names}, and this is a `{type(x).__name__}`",
            remedy,
        )


def without(x, index):
    """Give a copy of a list or a dict without an item, or without those of a slice."""
    require_kind(x, (list, dict), "`del`")
    rest = x.copy()
    del rest[index]
    return rest


def require_dict(x):
    """Raise `TypeError` for what has an `update` that is not that of a dict, as a `Counter` has."""
    # By its name: what is saved as a file imports NumPy and nothing else.
    name = f"{type(x).__module__}.{type(x).__name__}"
    if name not in ("collections.OrderedDict", "collections.defaultdict"):
        require_kind(x, (dict,), "`update`")


def cleared(x):
    """Give a list or a dict without items, as `clear` leaves it."""
    require_kind(x, (list, dict), "`clear`")
    return type(x)()


def before_clear(bz, x):
    """Give the adjoint of a list or a dict that `clear` has emptied: zeros, whatever is put into it later."""
    return zeros_like(x)


def require_item(x, index):
    """Raise what `pop` raises where a list or a dict has no such item."""
    require_kind(x, (list, dict), "`pop`")
    try:
        x[index]
    except (IndexError, KeyError, TypeError):
        x.copy().pop(index)


def restored(bz, x, index):
    """Give the adjoint of a list or a dict, of which that without an item is known: zeros for the item."""
    if isinstance(x, dict):
        found = dict(bz)
        found[index] = zeros_at(x, index)
        return found
    places = range(len(x))[index]
    found = list(bz)
    for place in sorted([places] if isinstance(places, int) else places):
        found.insert(place, zeros_at(x, place))
    return found


def sorted_places(items, key=None, reverse=False):
    """Give the places of items in the order in which `sorted` gives them."""
    keys = items if key is None else [key(item) for item in items]
    return sorted(range(len(items)), key=keys.__getitem__, reverse=reverse)


def reversed_places(items):
    """Give the places of items from the last to the first."""
    return list(range(len(items)))[::-1]


def insertion_places(items, index):
    """Give the places of items, the last of which is put before the one that `index` has among the others."""
    places = list(range(len(items) - 1))
    places.insert(index, len(items) - 1)
    return places


def last_key(x):
    """Give the key that `popitem` takes out of a dict."""
    require_kind(x, (dict,), "`popitem`")
    if not x:
        raise KeyError("popitem(): dictionary is empty")
    return next(reversed(x))


def place_of(x, value):
    """Give the place of the item that `remove` takes out of a list."""
    require_kind(x, (list,), "`remove`")
    for place, item in enumerate(x):
        if item is value or item == value:
            return place
    raise ValueError("list.remove(x): x not in list")


def largest_place(items, key=None):
    """Give the place of the first of the items whose key is the largest, as `max` finds it."""
    keys = items if key is None else [key(item) for item in items]
    return keys.index(max(keys)) if not keys else max(range(len(keys)), key=keys.__getitem__)


def smallest_place(items, key=None):
    """Give the place of the first of the items whose key is the smallest, as `min` finds it."""
    keys = items if key is None else [key(item) for item in items]
    return keys.index(min(keys)) if not keys else min(range(len(keys)), key=keys.__getitem__)


def reordered(items, places):
    """Give a list of the items at these places."""
    require_kind(items, (list,), "the order")
    return [items[place] for place in places]


def in_places(bz, items, places):
    """Give the adjoint of a list, of which that of the items at some places is known."""
    found = zeros_like(items)
    for one, place in zip(bz, places, strict=True):
        found[place] = add_grad(found[place], one)
    return found


def untold_at(x, index):
    """Give what an adjoint has at `index` before it is told of the item: `None` for a container, or zeros."""
    found = zeros_at(x, index)
    return None if isinstance(found, (list, dict)) else found

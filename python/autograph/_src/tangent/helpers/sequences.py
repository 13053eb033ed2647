"""Lists that are joined and repeated, and dicts."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from autograph._src.tangent.guard_errors import refused
from autograph._src.tangent.helpers.containers import add_grad, zeros_like


def keys(p):
    """Give the keys of a dict, as they are now."""
    if not isinstance(p, dict):
        raise refused(
            "AG021",
            f"the derivative is that of a loop over a dict, and this is a `{type(p).__name__}`",
            "make a dict of it, `dict(...)`",
        )
    return list(p)


def concat(*parts):
    """Join two lists, or two tuples, as `+` does."""
    left, right = parts
    kind = type(left)
    if kind is not type(right) or kind not in (list, tuple):
        raise refused(
            "AG021",
            f"the derivative is that of `+` of two lists, and these are a `{kind.__name__}` and a"
            f" `{type(right).__name__}`",
            "join them by `np.concatenate`, or make both arrays",
        )
    return left + right


def concat_adjoint(bz, parts):
    """Give each of two lists the adjoints of its items."""
    size = len(parts[0])
    return [list(bz[:size]), list(bz[size:])]


def concat_tangent(tangents, parts):
    """Join the tangents of two lists."""
    left = zeros_like(parts[0]) if tangents[0] is None else tangents[0]
    right = zeros_like(parts[1]) if tangents[1] is None else tangents[1]
    return concat(list(left), list(right))


def repeated(items, count):
    """Repeat a list, as `*` does."""
    if not isinstance(items, (list, tuple)):
        raise refused(
            "AG021",
            f"the derivative is that of `*` of a list, and this is a `{type(items).__name__}`",
            "make a list of it, or write a comprehension",
        )
    return items * count


def repeated_adjoint(bz, items):
    """Add up the adjoints of the repetitions of each item."""
    found = list(bz[: len(items)])
    for place, one in enumerate(bz[len(items) :]):
        found[place % len(items)] = add_grad(found[place % len(items)], one)
    return found if bz else [None] * len(items)


def dict_items(bz, x):
    """Give the adjoint, or the tangent, of a copy that `dict` made of a dict."""
    if not isinstance(x, dict):
        raise refused(
            "AG022",
            f"the derivative of `dict` is that of a copy of a dict, and not of a `{type(x).__name__}`",
            "write a comprehension, `{key: value for key, value in ...}`",
        )
    return dict(bz)

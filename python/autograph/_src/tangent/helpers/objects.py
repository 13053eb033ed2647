"""Objects of classes: their attributes, whose adjoints are the items of a dict."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.guard_errors import refused


def fields(x):
    """Give the attributes of an object by name; `None` for what is no object with attributes."""
    kind = type(x)
    if kind in (list, tuple, dict, set, str, type(None)):
        return None
    module = str(kind.__module__).split(".")[0]
    # A class that `exec` makes without a `__name__` says `builtins`, too: it has that written down. Of
    # functions that is a descriptor.
    is_of_python = module == "builtins" and not isinstance(kind.__dict__.get("__module__"), str)
    if isinstance(x, type) or is_of_python or module in ("types", "numpy"):
        return None
    found = dict(vars(x)) if hasattr(x, "__dict__") else None
    for base in kind.__mro__:
        if "__slots__" in base.__dict__:
            slots = base.__slots__
            own = [name for name in ((slots,) if isinstance(slots, str) else slots) if hasattr(x, name)]
            found = {**(found or {}), **{name: getattr(x, name) for name in own if name != "__dict__"}}
    return found


def attributes(x):
    """Give the attributes of an object, and the numbers and arrays that it has of its class."""
    found = fields(x)
    if found is None:
        return None
    for base in type(x).__mro__:
        for name, item in vars(base).items():
            is_value = isinstance(item, (np.ndarray, np.generic, float, int, complex, list, tuple, dict))
            if is_value and name not in found and not name.startswith("__"):
                found[name] = item
    return found


def with_fields(x, found):
    """Give an object of the class of `x` with these attributes."""
    made = object.__new__(type(x))
    for name, value in found.items():
        object.__setattr__(made, name, value)
    return made


def require_class(x, kind):
    """Raise `TypeError` if an object is not of the class for which a derivative was written."""
    name = f"{type(x).__module__}.{type(x).__qualname__}"
    if type(x) is not kind and name != kind:
        wanted = kind if isinstance(kind, str) else kind.__qualname__
        raise refused(
            "AG021",
            f"the derivative is that of a `{wanted}`, and this is a `{type(x).__qualname__}`",
            f"make it a `{wanted}`"
            if wanted in ("list", "dict")
            else "take the derivative for an object of that class; of objects of several classes make a list"
            " for each class, and objects that hold one another, or `None`, put into a list",
        )

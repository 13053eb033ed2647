import numpy as np


WEIGHT = 2.0


def check_seed(by, y):
    """Raise `ValueError` where a seed has another shape or other items than the result that it is for."""
    numbers = (float, int, np.generic)
    if isinstance(y, numbers) and isinstance(by, numbers):
        return
    if isinstance(y, (list, tuple)):
        if not isinstance(by, (list, tuple)) or len(by) != len(y):
            raise ValueError(f"the seed of a result of {len(y)} items has as many items, and is not {by!r}")
        for one, item in zip(by, y, strict=True):
            check_seed(one, item)
    elif isinstance(y, dict):
        if not isinstance(by, dict) or by.keys() != y.keys():
            raise ValueError(f"the seed of a dict has its keys, which are {list(y)}, and is not {by!r}")
        for key, item in y.items():
            check_seed(by[key], item)
    elif isinstance(y, (np.ndarray, np.generic, float, int, complex)):
        if np.shape(by) != np.shape(y):
            raise ValueError(f"the seed has shape {np.shape(by)} where the result has shape {np.shape(y)}")
    elif by is not None:
        raise ValueError(f"the seed of {y!r}, which has no derivative, is `None`, and not {by!r}")


def in_form(bx, x):
    """Give an adjoint that has the shape of `x` its class and dtype; an integer has a float as adjoint."""
    if isinstance(x, np.ndarray):
        kind = x.dtype.kind
        if kind not in "fc":
            return np.asarray(bx).real if np.iscomplexobj(bx) else np.asarray(bx, np.result_type(bx, 0.0))
        bx = np.asarray(bx)
        if kind == "f" and bx.dtype.kind == "c":
            bx = bx.real
        return bx if bx.dtype == x.dtype else bx.astype(x.dtype)
    if isinstance(x, np.inexact):
        return x.dtype.type(bx if np.iscomplexobj(x) else np.real(bx))
    if isinstance(x, complex):
        return complex(bx)
    return float(np.real(bx))


def refused(code, reason, remedy):
    """Make the error of a file of its own, which has no lines of the user's."""
    return TypeError(f"{reason}: {remedy} [{code}]")


def sum_to(bx, shape):
    """Sum an array to a shape that broadcasts to its own; repeat it where its own is the smaller one."""
    extra = bx.ndim - len(shape)
    if extra < 0:
        bx = bx.reshape((1,) * -extra + bx.shape)
        extra = 0
    if extra:
        bx = np.sum(bx, axis=tuple(range(extra)))
    # One after the other: which axes are repeated, only the run knows where their sizes are those of the run.
    for axis, size in enumerate(shape):
        if size == 1 and bx.shape[axis] != 1:
            bx = np.sum(bx, axis=axis, keepdims=True)
    return bx if bx.shape == shape else np.broadcast_to(bx, shape).copy()


def unbroadcast(bx, x):
    """Sum over what broadcasting repeated: an adjoint in the shape and dtype of the operand `x`."""
    if isinstance(x, np.ndarray):
        if isinstance(bx, np.ndarray) and bx.dtype == x.dtype:
            shape = x.shape
            if bx.shape == shape:
                return bx
            extra = bx.ndim - x.ndim
            if extra > 0 and shape and bx.shape[extra:] == shape:
                return bx.sum(axis=0 if extra == 1 else tuple(range(extra)))
    elif isinstance(x, float) and isinstance(bx, float):
        return np.float64(bx) if isinstance(x, np.float64) else float(bx)
    elif bx is None or isinstance(bx, dict):
        return bx
    elif isinstance(bx, list):
        # Of a list that was stored, and no adjoint of `xs + ys`.
        if isinstance(x, (list, tuple)) and len(x) == len(bx):
            return bx
        raise refused(
            "AG022",
            "tangent has no rule of `+` and `*` of lists, or of a slice of a list that is written",
            "`extend`, `append` or a comprehension has one",
        )
    elif isinstance(x, (list, tuple)):
        parts = unbroadcast(bx, np.asarray(x))
        return [unbroadcast(part, item) for part, item in zip(parts, x, strict=True)]
    shape = np.shape(x)
    if np.shape(bx) != shape:
        bx = sum_to(np.asarray(bx), shape)
    return in_form(bx, x)


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


def zeros_like(x):
    """Zeros in the form of `x`: 0.0 for a number, floats for an array of integers, lists for tuples."""
    if isinstance(x, np.ndarray):
        return np.zeros(x.shape, x.dtype if x.dtype.kind in "fc" else float)
    if isinstance(x, np.inexact):
        return x.dtype.type(0)
    if isinstance(x, (float, int, np.generic)):
        return 0.0
    if isinstance(x, complex):
        return 0j
    if isinstance(x, (list, tuple, range)):
        return [zeros_like(item) for item in x]
    if isinstance(x, dict):
        return {key: zeros_like(item) for key, item in x.items()}
    if isinstance(x, (type(None), BaseException)):
        return None
    found = attributes(x)
    return None if found is None else {name: zeros_like(item) for name, item in found.items()}


def as_gradient(bx, x):
    """Give the caller the gradient of `x` in its own classes: tuples for tuples, its dtype, its numbers."""
    if isinstance(x, np.ndarray):
        if isinstance(bx, np.ndarray) and bx.shape == x.shape and bx.dtype == x.dtype:
            return bx
    elif isinstance(x, float) and isinstance(bx, float):
        return np.float64(bx) if isinstance(x, np.float64) else float(bx)
    if bx is None:
        bx = zeros_like(x)
    if isinstance(x, (list, tuple)):
        items = [as_gradient(one, item) for one, item in zip(bx, x, strict=True)]
        if isinstance(x, list):
            return items
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if isinstance(x, dict):
        found = x.copy()
        for key, item in x.items():
            found[key] = as_gradient(bx.get(key), item)
        return found
    if bx is None:
        return None
    found = fields(x)
    if found is not None:
        if any(key not in attributes(x) for key in bx):
            raise refused(
                "AG022",
                f"the derivative of an item of a `{type(x).__name__}` is not known",
                "read attributes",
            )
        return with_fields(x, {name: as_gradient(bx.get(name), item) for name, item in found.items()})
    return in_form(bx, x)


def unreduce(by, x, axis=None, keepdims=False):
    """Spread the adjoint of a sum of `x` over axes to each of its elements."""
    x = np.asarray(x)
    kind = x.dtype.kind
    bx = np.empty(x.shape, x.dtype if kind in "fc" else float)
    if kind != "c" and not isinstance(by, float) and np.iscomplexobj(by):
        by = np.real(by)
    if axis is not None and not keepdims:
        shape = list(x.shape)
        for one in axis if isinstance(axis, tuple) else (axis,):
            shape[one] = 1
        by = np.asarray(by).reshape(shape)
    bx[...] = by
    return bx


def dfdx(x, by=1.0):
    product = WEIGHT * x
    check_seed(by, 0.0)
    # Grad of: return np.sum(WEIGHT * x)
    bx = unbroadcast(unreduce(by, product) * WEIGHT, x)
    return as_gradient(bx, x)

"""What patterns ask of a value's structure, answered by CPython's own `match`."""

import functools


def is_instance(value, kind):
    match value:
        case kind():
            return True
    return False


def is_sequence(value, length):
    match value:
        case [*_]:
            return len(value) == length
    return False


def is_sequence_from(value, least):
    match value:
        case [*_]:
            return not least or len(value) >= least
    return False


def item_from_end(value, place):
    return value[len(value) - place]


def is_mapping(value, least):
    match value:
        case {}:
            return not least or len(value) >= least
    return False


@functools.cache
def _matching(pattern, count):
    names = ", ".join(f"part_{number}" for number in range(count))
    lines = ["def parts(value, kind, keys):", " match value:", f"  case {pattern}:", f"   return ({names},)"]
    namespace = {}
    exec("\n".join(lines), namespace)
    return namespace["parts"]


class _Keys:
    def __init__(self, keys):
        for number, key in enumerate(keys):
            setattr(self, f"key_{number}", key)


def mapping_parts(value, keys):
    items = ", ".join(f"keys.key_{number}: part_{number}" for number in range(len(keys)))
    return _matching(f"{{{items}}}", len(keys))(value, None, _Keys(keys))


def mapping_rest(value, keys):
    rest = {}
    rest.update(value)
    for key in keys:
        del rest[key]
    return rest


def class_parts(value, kind, positional, names):
    parts = [f"part_{number}" for number in range(positional)]
    parts += [f"{name}=part_{positional + number}" for number, name in enumerate(names)]
    return _matching(f"kind({', '.join(parts)})", len(parts))(value, kind, None)


def found(parts):
    return parts is not None


def parts_of(parts):
    return parts

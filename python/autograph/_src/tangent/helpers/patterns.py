"""What patterns of `match` ask of a value."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs


def is_sequence(x):
    """Whether patterns such as `[a, b]` may match `x`."""
    match x:
        case [*_]:
            return True
    return False


def is_mapping(x):
    """Whether patterns such as `{"a": a}` may match `x`."""
    match x:
        case {}:
            return True
    return False

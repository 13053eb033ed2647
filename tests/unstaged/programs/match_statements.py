"""`match` with every kind of pattern."""

import dataclasses


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Names:
    RED = "red"


def described(value):
    match value:
        case None | True | False:
            return "singleton"
        case -1 | 2.5 | 3 + 4j | "text" | b"bytes":
            return "literal"
        case Names.RED:
            return "value"
        case []:
            return "empty"
        case [1, *rest] | (2, *rest):
            return "starred", rest
        case [_, [inner, _], *_]:
            return "nested", inner
        case [a, b] if a == b:
            return "guard", a
        case {"kind": "point", "at": [x, y], **others}:
            return "mapping", x, y, others
        case {"kind": str() as kind}:
            return "mapping", kind
        case {}:
            return "any mapping"
        case Point(0, y=0):
            return "origin"
        case Point(x, y=int(y)) | Point(y=y, x=x):
            return "class", x, y
        case int(n) | float(n):
            return "number", n
        case str() as text if len(text) > 3:
            return "long", text
        case (whole):
            return "captured", whole


VALUES = [
    None, True, -1, 2.5, 3 + 4j, "text", b"bytes", "red", [], [1, 2, 3], (2,), [0, [5, 6], 7], [4, 4], [4, 5],
    {"kind": "point", "at": [1, 2], "z": 3}, {"kind": "k"}, {"a": 1}, {}, Point(0), Point(1, 2), Point(1, "y"),
    7, 7.5, "long text", "abc", object,
]


@converts(described)
def case_match_patterns():
    return [described(value) for value in VALUES]


def case_match_binds_in_blocks():
    seen = []
    for value in ([1, 2], {"a": 3}, 4, "x"):
        match value:
            case [first, *rest]:
                seen.append((first, rest))
            case {"a": a}:
                seen.append(a)
            case int() as n:
                if n > 3:
                    seen.append(n)
    return seen, first, rest, a, n


def case_match_subject_of_a_tuple():
    for x in range(3):
        match x, x + 1:
            case 1, y:
                found = y
            case *all_of_it,:
                last = all_of_it
    return found, last


def case_match_without_a_case():
    for value in range(2):
        match value:
            case 5:
                found = 1
    return "found" in locals(), value


def case_soft_keywords_are_names():
    match = {"case": 1}
    type = _ = match["case"]
    if type:
        match["case"] = type + _
    return match

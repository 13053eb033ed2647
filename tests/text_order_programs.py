"""Programs that order pairs of strings and values of the run, as `sorted(d.items())` does, and folds."""

import functools
import heapq
import itertools
import operator

NAMES = ["c", "a", "b", "a", "d"]


def items_of_a_dict(xs):
    d = {"b": sum(xs), "a": len(xs) * 2, "c": sum(xs[:1])}
    return (
        sorted(d.items()),
        max(d.items()),
        min(d.items()),
        [k for k, v in sorted(d.items(), reverse=True) if v > 1],
    )


def chosen_strings(xs):
    found = []
    for x in xs:
        found.append("big" if x > 2 else "small" if x > 0 else "none")
    return sorted(found), sorted(found, reverse=True), max(found, default=""), sorted(found, key=len)


def pairs_of_chosen_strings(xs):
    found = [("b" if x > 1 else "a", x) for x in xs]
    found.sort()
    return found, sorted(found, key=lambda pair: (pair[0], -pair[1])), heapq.nsmallest(2, found)


def names_by_scores(xs):
    best = [name for _, name in sorted(zip(xs, NAMES), reverse=True)]
    return (
        best,
        max(zip(xs, NAMES), default=None),
        sorted(zip(NAMES, xs)),
        sorted(enumerate(xs), reverse=True),
    )


def strings_that_tie(xs):
    return sorted([("b", x, i) for i, x in enumerate(xs)] + [("a", 0, -1), ("b", 0, -1)])


def lists_of_two(xs):
    return [sorted([["b", x], ["a", x + 1], ["c", x]]) for x in xs[:2]], [
        max([["b", 1], ["a", x]])[0] for x in xs[:2]
    ]


def known_parts_decide(xs):
    t = sum(xs)
    return (
        sorted([(2, t), (1.5, [t]), (0, None)]),
        sorted([(True, "z", t), (False, t)]),
        max((1, "z", t), (1, "a", {})),
    )


def of_two_kinds(xs):
    return sorted([("a", sum(xs)), (1, sum(xs))])


def larger(a, b):
    return a if a > b else b


def long_list_of_chosen_strings(xs):
    found = ["b" if x > 1 else "a" if x > 0 else "c" for x in xs for _ in range(12)]
    return sorted(found), min(found, default=None), sorted(found, key=lambda name: name != "b")[:3]


def folded(xs):
    most = functools.reduce(max, xs, 1)
    return most, list(itertools.accumulate(xs, max)), list(itertools.starmap(larger, [(x, 2) for x in xs]))


def folded_by_a_function(xs):
    peaks = list(itertools.accumulate(xs, larger, initial=0))
    return peaks, functools.reduce(larger, xs, 0), list(itertools.accumulate(xs, func=operator.mul))


def shown(v):
    print("asked for", v)
    return -v


def sorted_while_printing(xs):
    return sorted(map(shown, xs)), max(itertools.accumulate(xs), default=None)


PROGRAMS = (
    items_of_a_dict,
    chosen_strings,
    pairs_of_chosen_strings,
    names_by_scores,
    strings_that_tie,
    lists_of_two,
    known_parts_decide,
    of_two_kinds,
    long_list_of_chosen_strings,
    folded,
    folded_by_a_function,
    sorted_while_printing,
)
LISTS = ([1, 2, 2, 5], [3, 0, -2, -2, 9], [], [-1, 7, 7, 7], [4])

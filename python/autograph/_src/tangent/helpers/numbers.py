"""Derivatives of Python's functions of numbers and of iterables."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import math

import numpy as np

from autograph._src.tangent.helpers.containers import add_grad, zeros_like
from autograph._src.tangent.helpers.forms import unbroadcast


def quotient(x, y):
    """Divide numbers as arrays do: by 0 it is infinite, or NaN."""
    return x / y if y != 0 else float(np.divide(x, y))


def sign(x):
    """Give the sign of a number: 1.0, -1.0, or 0.0."""
    return x if x == 0 else math.copysign(1.0, x)


def or_one(x):
    """Give a number to divide by: 1.0 for 0."""
    return x if x != 0 else 1.0


def digamma(x):
    """Give the derivative of `math.lgamma`, by its series for large numbers."""
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0.5:
        return digamma(1.0 - x) - math.pi / math.tan(math.pi * x)
    less = 0.0
    while x < 10.0:
        less = less + 1.0 / x
        x = x + 1.0
    square = 1.0 / (x * x)
    series = 1 / 132 - square * (691 / 32760 - square / 12)
    series = 1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * series)))
    return math.log(x) - 0.5 / x - square * series - less


def dot_of_items(numbers, tangents):
    """Sum the products of numbers and tangents."""
    total = 0.0
    for place in range(len(numbers)):
        if tangents[place] is not None:
            total = total + numbers[place] * tangents[place]
    return total


def shares_of_length(bz, z, coordinates):
    """Give the adjoints of the coordinates of which `z` is the length; at length 0 they are 0."""
    return [bz * coordinates[place] / or_one(z) for place in range(len(coordinates))]


def spread_items(bz, items):
    """Give each item of a sum the adjoint of the sum; the keys of a dict have none."""
    if isinstance(items, dict):
        return zeros_like(items)
    if isinstance(items, np.ndarray):
        return np.broadcast_to(bz, items.shape).copy()
    return [unbroadcast(bz, item) for item in items]


def items_like(bz, items):
    """Give the adjoint of what `list` or `tuple` made items of; the keys of a dict have none."""
    if isinstance(items, dict) or isinstance(bz, dict):
        return zeros_like(items)
    if isinstance(items, np.ndarray):
        return np.reshape(np.array(bz), items.shape)
    return list(bz)


def tangents_of_items(tangents):
    """Give the tangents of what an iteration gives: of a dict it gives the keys, which have none."""
    return [0.0] * len(tangents) if isinstance(tangents, dict) else list(tangents)


def largest_item(items):
    """Give the place of the first of the largest items, as `max` finds it."""
    items = list(items)
    best = 0
    for place, item in enumerate(items):
        if item > items[best]:
            best = place
    return best


def smallest_item(items):
    """Give the place of the first of the smallest items, as `min` finds it."""
    items = list(items)
    best = 0
    for place, item in enumerate(items):
        if item < items[best]:
            best = place
    return best


def at_item(bz, items, best):
    """Give the adjoints of items of which one was taken; the keys of a dict have none."""
    found = zeros_like(items)
    if isinstance(items, dict):
        return found
    found[best] = add_grad(found[best], bz)
    return found


def largest_item_adjoint(bz, args):
    """Give the adjoints of the arguments of `max`."""
    if len(args) == 1:
        return [at_item(bz, args[0], largest_item(args[0]))]
    return at_item(bz, args, largest_item(args))


def smallest_item_adjoint(bz, args):
    """Give the adjoints of the arguments of `min`."""
    if len(args) == 1:
        return [at_item(bz, args[0], smallest_item(args[0]))]
    return at_item(bz, args, smallest_item(args))


def largest_item_tangent(tangents, args):
    """Give the tangent of `max`."""
    if len(args) == 1:
        return tangent_of_item(tangents[0], largest_item(args[0]))
    return tangent_of_item(tangents, largest_item(args))


def smallest_item_tangent(tangents, args):
    """Give the tangent of `min`."""
    if len(args) == 1:
        return tangent_of_item(tangents[0], smallest_item(args[0]))
    return tangent_of_item(tangents, smallest_item(args))


def tangent_of_item(tangents, place):
    """Give one of several tangents; that of an integer is 0, and so is that of a key."""
    tangents = tangents_of_items(tangents)
    return 0.0 if tangents[place] is None else tangents[place]


def sorted_order(items, reverse):
    """Give the order in which `sorted` gives items."""
    return sorted(range(len(items)), key=lambda place: items[place], reverse=reverse)


def sorted_adjoint(bz, items, reverse):
    """Give the adjoint of what `sorted` was given; the keys of a dict have none."""
    found = zeros_like(items)
    if isinstance(items, dict):
        return found
    for one, place in zip(bz, sorted_order(items, reverse), strict=True):
        found[place] = add_grad(found[place], one)
    return found


def sorted_tangent(tangents, items, reverse):
    """Give the tangents of sorted items, in their order; the keys of a dict have none."""
    if isinstance(items, dict):
        return tangents_of_items(tangents)
    return [tangents[place] for place in sorted_order(items, reverse)]

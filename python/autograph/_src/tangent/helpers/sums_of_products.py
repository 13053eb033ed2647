"""The derivatives of `np.einsum`, by the letters of its operands."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form, sum_to


def einsum_letters(given):
    """Read the arguments of `np.einsum`: letters of operands and of the result, places of operands."""
    if isinstance(given[0], str):
        inputs, arrow, output = given[0].replace(" ", "").partition("->")
        inputs, places = inputs.split(","), list(range(1, len(given)))
    else:
        places = list(range(0, len(given) - len(given) % 2, 2))
        inputs = [letters_of(given[place + 1]) for place in places]
        arrow, output = ("->", letters_of(given[-1])) if len(given) % 2 else ("", "")
    every = "".join(inputs)
    if not arrow:
        output = "..." if "..." in every else ""
        output += "".join(sorted(one for one in set(every) - {"."} if every.count(one) == 1))
    rank = max(
        [0]
        + [
            np.ndim(given[place]) - len(letters.replace("...", ""))
            for letters, place in zip(inputs, places, strict=True)
            if "..." in letters
        ]
    )
    free = [one for one in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if one not in every][:rank]
    named = []
    for letters, place in zip(inputs, places, strict=True):
        size = np.ndim(given[place]) - len(letters.replace("...", ""))
        named.append(letters.replace("...", "".join(free[rank - size :])))
    return named, output.replace("...", "".join(free)), places


def letters_of(numbers):
    """Write a list of numbers of axes as letters."""
    return "".join("..." if one is Ellipsis else chr(97 + one) for one in numbers)


def einsum_operands(bz, given):
    """Give the adjoints of the arguments of `np.einsum(*given)`; `None` of those that are no operands."""
    inputs, output, places = einsum_letters(given)
    found = [None] * len(given)
    for place, letters in zip(places, inputs, strict=True):
        found[place] = einsum_operand(bz, given, place, letters, (inputs, output, places))
    return found


def einsum_operand(bz, given, place, letters, names):
    """Give the adjoint of one operand: a sum of products of the result's adjoint and the other operands."""
    inputs, output, places = names
    x = np.asarray(given[place])
    others = [one for one in range(len(places)) if places[one] != place]
    terms = [output] + [inputs[one] for one in others]
    arrays = [bz] + [given[places[one]] for one in others]
    # A letter that is summed over alone is repeated, and one that the operand has twice is its diagonal.
    mine = "".join(sorted(set(letters)))
    known = set("".join(terms))
    sizes = {letter: size for letter, size in zip(letters, x.shape, strict=True) if size != 1}
    for letter in mine:
        if letter not in known:
            terms.append(letter)
            arrays.append(np.ones(sizes.get(letter, 1)))
    found = np.einsum(",".join(terms) + "->" + mine, *arrays)
    if mine != letters:
        found = on_diagonals(found, mine, letters, x.shape)
    return in_form(sum_to(found, x.shape), given[place])


def on_diagonals(found, mine, letters, shape):
    """Put values on the diagonal of the axes that have one letter, in the order of the letters."""
    whole = np.zeros([found.shape[mine.index(letter)] for letter in letters], found.dtype)
    places = np.ix_(*[np.arange(size) for size in found.shape])
    whole[tuple(places[mine.index(letter)] for letter in letters)] = found
    return whole


def einsum_tangent(tangents, given, moved):
    """Give the tangent of `np.einsum(*given)` by the operands at the places `moved`."""
    _, _, places = einsum_letters(given)
    total = 0.0
    for place in moved:
        if place in places and tangents[place] is not None:
            changed = list(given)
            changed[place] = tangents[place]
            total = total + np.einsum(*changed)
    return total

"""Derivatives of interpolation and of histograms."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.containers import add_at
from autograph._src.tangent.helpers.forms import in_form
from autograph._src.tangent.helpers.reductions import extremum_shares


def interp_places(x, xp):
    """Give for each `x` the knot on its left, and how far it is to the next: outside it is not in 0 to 1."""
    xp = np.asarray(xp, float)
    if len(xp) == 1:
        return np.zeros(np.shape(x), int), np.where(x == xp[0], 0.0, np.where(x < xp[0], -1.0, 2.0))
    left = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    return left, (x - xp[left]) / (xp[left + 1] - xp[left])


def interp_slopes(x, xp, fp):
    """Give the slopes of the intervals that `np.interp` finds, 0 outside of the knots."""
    xp, fp = np.asarray(xp, float), np.asarray(fp)
    if len(xp) == 1:
        return np.zeros(np.shape(x))
    left, part = interp_places(x, xp)
    slopes = (fp[left + 1] - fp[left]) / (xp[left + 1] - xp[left])
    return np.where((part >= 0) & (part <= 1), slopes, 0)


def interp_heights(bz, x, xp, fp, left, right):
    """Give the adjoint of the heights of `np.interp`."""
    place, part = interp_places(x, xp)
    last = len(xp) - 1
    is_inside = (part >= 0) & (part <= 1)
    found = np.zeros(np.shape(fp), np.result_type(bz, 0.0))
    add_at(found, place, np.where(is_inside, bz * (1 - part), 0))
    add_at(found, np.minimum(place + 1, last), np.where(is_inside, bz * part, 0))
    if left is None:
        found[0] += np.sum(np.where(part < 0, bz, 0))
    if right is None:
        found[last] += np.sum(np.where(part > 1, bz, 0))
    return in_form(found, fp) if not isinstance(fp, (list, tuple)) else list(found)


def interp_knots(bz, x, xp, fp):
    """Give the adjoint of the knots of `np.interp`."""
    place, part = interp_places(x, xp)
    change = bz * interp_slopes(x, xp, fp)
    is_inside = (part >= 0) & (part <= 1)
    found = np.zeros(np.shape(xp))
    add_at(found, place, np.where(is_inside, change * (part - 1), 0))
    add_at(found, np.minimum(place + 1, len(xp) - 1), np.where(is_inside, -change * part, 0))
    return found if not isinstance(xp, (list, tuple)) else list(found)


def interp_outside(bz, x, xp, side):
    """Give the adjoint of what `np.interp` gives to the left of the knots, or to the right."""
    is_outside = x < xp[0] if side == "left" else x > xp[-1]
    return np.sum(np.where(is_outside, bz, 0))


def interp_tangent(dx, dxp, dfp, x, xp, fp, left, right):
    """Give the tangent of `np.interp` by its places, its knots and its heights; each may be `None`."""
    place, part = interp_places(x, xp)
    after = np.minimum(place + 1, len(xp) - 1)
    is_inside = (part >= 0) & (part <= 1)
    slopes, found = interp_slopes(x, xp, fp), np.zeros(np.shape(x))
    if dx is not None:
        found = found + slopes * dx
    if dxp is not None:
        dxp = np.asarray(dxp)
        found = found + np.where(is_inside, slopes * (dxp[place] * (part - 1) - dxp[after] * part), 0)
    if dfp is not None:
        dfp = np.asarray(dfp)
        found = found + np.where(is_inside, dfp[place] * (1 - part) + dfp[after] * part, 0)
        if left is None:
            found = found + np.where(part < 0, dfp[0], 0)
        if right is None:
            found = found + np.where(part > 1, dfp[-1], 0)
    return found


def edges_adjoint(bedges, a, bins, range):
    """Give the adjoint of the values of which `np.histogram_bin_edges` takes the least and the largest."""
    if range is not None or np.ndim(bins) != 0:
        return np.zeros(np.shape(a))
    parts = np.linspace(0.0, 1.0, len(bedges))
    low, high = np.sum(bedges * (1 - parts)), np.sum(bedges * parts)
    return low * extremum_shares(np.min(a), a) + high * extremum_shares(np.max(a), a)


def edges_tangent(da, a, bins, range, edges):
    """Give the tangent of the edges of bins."""
    if range is not None or np.ndim(bins) != 0:
        return np.zeros(np.shape(edges))
    parts = np.linspace(0.0, 1.0, len(edges))
    low, high = np.sum(da * extremum_shares(np.min(a), a)), np.sum(da * extremum_shares(np.max(a), a))
    return low * (1 - parts) + high * parts


def bins_of(a, edges):
    """Give for each value its bin, and whether it is in one."""
    flat = np.ravel(a)
    places = np.searchsorted(edges, flat, side="right") - 1
    places = np.where(flat == edges[-1], len(edges) - 2, places)
    is_there = (flat >= edges[0]) & (flat <= edges[-1])
    return np.where(is_there, places, 0), is_there


def histogram_parts(bz, z, a, density, weights):
    """Give the adjoints of the counts and of the edges of `z = np.histogram(a, ...)`."""
    bcounts, bedges = np.asarray(bz[0], float), np.asarray(bz[1], float)
    if not density:
        return bcounts, bedges
    counts, edges = np.histogram(a, z[1], weights=weights)
    total, widths = np.sum(counts), np.diff(edges)
    bwidths = -bcounts * counts / (total * widths**2)
    zero = np.zeros(1)
    bedges = bedges + np.concatenate([zero, bwidths]) - np.concatenate([bwidths, zero])
    return bcounts / (total * widths) - np.sum(bcounts * counts / widths) / total**2, bedges


def histogram_values(bz, z, a, bins, range, density, weights):
    """Give the adjoint of the values of `z = np.histogram(a, ...)`: they say the edges."""
    return edges_adjoint(histogram_parts(bz, z, a, density, weights)[1], a, bins, range)


def histogram_weights(bz, z, a, density, weights):
    """Give the adjoint of the weights of `z = np.histogram(a, ...)`."""
    bcounts, _ = histogram_parts(bz, z, a, density, weights)
    places, is_there = bins_of(a, z[1])
    return np.where(is_there, bcounts[places], 0).reshape(np.shape(weights))


def histogram_tangent(dedges, dweights, z, a, density, weights):
    """Give the tangents of `z = np.histogram(a, ...)` by the edges and by the weights; each may be `None`."""
    counts, edges = np.histogram(a, z[1], weights=weights)
    dcounts = np.zeros(len(counts))
    if dweights is not None:
        dcounts = np.histogram(a, z[1], weights=dweights)[0]
    dedges = np.zeros(len(edges)) if dedges is None else dedges
    if density:
        total, widths = np.sum(counts), np.diff(edges)
        dcounts = dcounts - counts * (np.sum(dcounts) / total + np.diff(dedges) / widths)
        dcounts = dcounts / (total * widths)
    return dcounts, dedges

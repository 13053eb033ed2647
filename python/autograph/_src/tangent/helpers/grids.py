"""Derivatives of histograms of several dimensions, by their edges and by weights."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.forms import in_form
from autograph._src.tangent.helpers.lookups import bins_of, edges_adjoint, edges_tangent


def grid_columns(sample):
    """Give the columns of a sample of `np.histogramdd`: rows are points, or each array is a column."""
    if isinstance(sample, (list, tuple)):
        return [np.ravel(one) for one in sample]
    return list(np.atleast_2d(np.asarray(sample).T))


def grid_bins(bins, range, place):
    """Give the bins and the range of one dimension."""
    is_alone = not isinstance(bins, (list, tuple))
    return bins if is_alone else bins[place], None if range is None else range[place]


def grid_volumes(edges):
    """Give the volumes of the cells between edges."""
    found = np.ones(())
    for one in edges:
        found = np.expand_dims(found, -1) * np.diff(one)
    return found


def grid_adjoint(bhist, bedges, columns, edges, density, weights):
    """Give the adjoints of the counts of a histogram and of its edges."""
    bedges = [np.asarray(one, float) for one in bedges]
    if not density:
        return np.asarray(bhist, float), bedges
    counts, _ = np.histogramdd(columns, edges, weights=weights)
    volumes, total = grid_volumes(edges), np.sum(counts)
    share = bhist * counts / (volumes * total)
    found = []
    for place, (one, bedge) in enumerate(zip(edges, bedges, strict=True)):
        others = tuple(axis for axis in range(len(edges)) if axis != place)
        bwidths = -np.sum(share, axis=others) / np.diff(one)
        found.append(bedge + np.append(0.0, bwidths) - np.append(bwidths, 0.0))
    return bhist / (volumes * total) - np.sum(share) / total, found


def grid_columns_adjoint(bhist, bedges, columns, edges, how):
    """Give the adjoints of the columns of a sample: they say the edges that no range does."""
    bins, range, density, weights = how
    _, bedges = grid_adjoint(bhist, bedges, columns, edges, density, weights)
    return [
        edges_adjoint(one, column, *grid_bins(bins, range, place))
        for place, (one, column) in enumerate(zip(bedges, columns, strict=True))
    ]


def grid_weights_adjoint(bhist, columns, edges, density, weights):
    """Give the adjoint of the weights of a histogram."""
    bcounts, _ = grid_adjoint(bhist, [0 * one for one in edges], columns, edges, density, weights)
    found = [bins_of(column, one) for column, one in zip(columns, edges, strict=True)]
    is_there = np.all([one[1] for one in found], axis=0)
    return np.where(is_there, bcounts[tuple(one[0] for one in found)], 0)


def grid_tangent(dcolumns, dweights, columns, edges, how):
    """Give the tangents of the histogram and of its edges, by columns and weights; each may be `None`."""
    bins, range, density, weights = how
    dedges = [
        0 * edge if change is None else edges_tangent(change, column, *grid_bins(bins, range, place), edge)
        for place, (change, column, edge) in enumerate(zip(dcolumns, columns, edges, strict=True))
    ]
    counts, _ = np.histogramdd(columns, edges, weights=weights)
    dcounts = 0 * counts if dweights is None else np.histogramdd(columns, edges, weights=dweights)[0]
    if not density:
        return dcounts, dedges
    volumes, total = grid_volumes(edges), np.sum(counts)
    rates = np.zeros(())
    for change, edge in zip(dedges, edges, strict=True):
        rates = np.expand_dims(rates, -1) + np.diff(change) / np.diff(edge)
    return (dcounts - counts * (np.sum(dcounts) / total + rates)) / (volumes * total), dedges


def plane_bins(bins):
    """Give the bins of `np.histogram2d` for both dimensions: one array is of both."""
    is_of_both = not isinstance(bins, (list, tuple, np.ndarray)) or len(bins) not in (1, 2)
    return [bins, bins] if is_of_both else bins


def histogramdd_adjoint(bz, z, sample, bins, range, density, weights):
    """Give the adjoint of the sample of `z = np.histogramdd(sample, ...)`."""
    columns = grid_columns(sample)
    found = grid_columns_adjoint(bz[0], bz[1], columns, z[1], (bins, range, density, weights))
    if isinstance(sample, (list, tuple)):
        return [in_form(np.reshape(one, np.shape(x)), x) for one, x in zip(found, sample, strict=True)]
    return np.reshape(np.transpose(found), np.shape(sample))


def plane_tangents(tangents):
    """Give the tangents of a histogram and of its edges as the three results of `np.histogram2d`."""
    return tangents[0], tangents[1][0], tangents[1][1]

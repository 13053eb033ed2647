"""Rules of interpolation and of histograms."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.interp)
def interp(z, x, xp, fp, left=None, right=None):
    d[x] = d[z] * tangent.interp_slopes(x, xp, fp)
    d[xp] = tangent.interp_knots(d[z], x, xp, fp)
    d[fp] = tangent.interp_heights(d[z], x, xp, fp, left, right)
    d[left] = tangent.interp_outside(d[z], x, xp, "left")
    d[right] = tangent.interp_outside(d[z], x, xp, "right")


@tangent_of(np.interp)
def interp_tangent(z, x, xp, fp, left=None, right=None):
    d[z] = tangent.interp_tangent(d[x], None, None, x, xp, fp, left, right)
    d[z] = tangent.interp_tangent(None, d[xp], None, x, xp, fp, left, right)
    d[z] = tangent.interp_tangent(None, None, d[fp], x, xp, fp, left, right)
    d[z] = np.where(x < xp[0], d[left], 0)
    d[z] = np.where(x > xp[-1], d[right], 0)


@adjoint(np.histogram_bin_edges)
def histogram_bin_edges(z, a, bins=10, range=None):
    d[a] = tangent.edges_adjoint(d[z], a, bins, range)
    d[bins] = d[z]


@tangent_of(np.histogram_bin_edges)
def histogram_bin_edges_tangent(z, a, bins=10, range=None):
    d[z] = tangent.edges_tangent(d[a], a, bins, range, z)
    d[z] = d[bins]


@adjoint(np.histogram)
def histogram(z, a, bins=10, range=None, density=None, weights=None):
    d[a] = tangent.histogram_values(d[z], z, a, bins, range, density, weights)
    d[bins] = tangent.histogram_parts(d[z], z, a, density, weights)[1]
    d[weights] = tangent.histogram_weights(d[z], z, a, density, weights)


@tangent_of(np.histogram)
def histogram_tangent(z, a, bins=10, range=None, density=None, weights=None):
    d[z] = tangent.histogram_tangent(
        tangent.edges_tangent(d[a], a, bins, range, z[1]), None, z, a, density, weights
    )
    d[z] = tangent.histogram_tangent(d[bins], None, z, a, density, weights)
    d[z] = tangent.histogram_tangent(None, d[weights], z, a, density, weights)


@adjoint(np.histogram2d)
def histogram2d(z, x, y, bins=10, range=None, density=None, weights=None):
    how = (tangent.plane_bins(bins), range, density, weights)
    bx, by = tangent.grid_columns_adjoint(d[z][0], d[z][1:], [x, y], z[1:], how)
    d[x] = bx
    d[y] = by
    d[weights] = tangent.grid_weights_adjoint(d[z][0], [x, y], z[1:], density, weights)


@tangent_of(np.histogram2d)
def histogram2d_tangent(z, x, y, bins=10, range=None, density=None, weights=None):
    how = (tangent.plane_bins(bins), range, density, weights)
    d[z] = tangent.plane_tangents(tangent.grid_tangent([d[x], None], None, [x, y], z[1:], how))
    d[z] = tangent.plane_tangents(tangent.grid_tangent([None, d[y]], None, [x, y], z[1:], how))
    d[z] = tangent.plane_tangents(tangent.grid_tangent([None, None], d[weights], [x, y], z[1:], how))


@adjoint(np.histogramdd)
def histogramdd(z, sample, bins=10, range=None, density=None, weights=None):
    d[sample] = tangent.histogramdd_adjoint(d[z], z, sample, bins, range, density, weights)
    d[weights] = tangent.grid_weights_adjoint(d[z][0], tangent.grid_columns(sample), z[1], density, weights)


@tangent_of(np.histogramdd)
def histogramdd_tangent(z, sample, bins=10, range=None, density=None, weights=None):
    how, columns = (bins, range, density, weights), tangent.grid_columns(sample)
    d[z] = tangent.grid_tangent(tangent.grid_columns(d[sample]), None, columns, z[1], how)
    d[z] = tangent.grid_tangent([None] * len(columns), d[weights], columns, z[1], how)

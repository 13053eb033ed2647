"""Rules of covariances and correlations."""
# mypy: ignore-errors

import numpy as np

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, tangent_of


@adjoint(np.cov)
def cov(z, m, y=None, rowvar=True, bias=False, ddof=None):
    bm, by = tangent.cov_adjoints(d[z], m, y, rowvar, bias, ddof)
    d[m] = bm
    d[y] = by


@tangent_of(np.cov)
def cov_tangent(z, m, y=None, rowvar=True, bias=False, ddof=None):
    d[z] = tangent.cov_tangent(d[m], None, m, y, rowvar, bias, ddof, z)
    d[z] = tangent.cov_tangent(None, d[y], m, y, rowvar, bias, ddof, z)


@adjoint(np.corrcoef)
def corrcoef(z, x, y=None, rowvar=True):
    bx, by = tangent.corrcoef_adjoints(d[z], z, x, y, rowvar)
    d[x] = bx
    d[y] = by


@tangent_of(np.corrcoef)
def corrcoef_tangent(z, x, y=None, rowvar=True):
    d[z] = tangent.corrcoef_tangent(d[x], None, z, x, y, rowvar)
    d[z] = tangent.corrcoef_tangent(None, d[y], z, x, y, rowvar)

"""Derivatives of covariances and correlations."""
# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

import numpy as np

from autograph._src.tangent.helpers.decompositions import refuse_complex
from autograph._src.tangent.helpers.forms import in_form


def variables_of(m, y, rowvar):
    """Give the variables of `np.cov` as rows."""
    rows = np.atleast_2d(m)
    rows = rows if rowvar or len(rows) == 1 else rows.T
    if y is None:
        return rows
    others = np.atleast_2d(y)
    return np.concatenate([rows, others if rowvar or len(others) == 1 else others.T])


def cov_divisor(rows, bias, ddof):
    """Give what `np.cov` divides sums of products by."""
    return rows.shape[1] - ((0 if bias else 1) if ddof is None else ddof)


def cov_adjoints(bz, m, y=None, rowvar=True, bias=False, ddof=None):
    """Give the adjoints of `m` and `y` of `np.cov`."""
    rows = variables_of(m, y, rowvar)
    refuse_complex("cov", rows)
    centred = rows - np.mean(rows, axis=1, keepdims=True)
    bz = np.reshape(bz, (len(rows), len(rows)))
    brows = (bz + bz.T) @ centred / cov_divisor(rows, bias, ddof)
    count = len(variables_of(m, None, rowvar))
    parts = [brows[:count], brows[count:]]
    return [
        None
        if one is None
        else in_form(np.reshape(part.T if is_turned(one, rowvar) else part, np.shape(one)), one)
        for part, one in zip(parts, (m, y), strict=True)
    ]


def is_turned(x, rowvar):
    """Whether the columns of `x` are the variables."""
    return not rowvar and len(np.atleast_2d(x)) != 1


def cov_tangent(dm, dy, m, y, rowvar, bias, ddof, z):
    """Give the tangent of `z = np.cov(m, y)`; one of `dm` and `dy` may be `None`."""
    rows = variables_of(m, y, rowvar)
    refuse_complex("cov", rows)
    dm = np.zeros(np.shape(m)) if dm is None else dm
    dy = np.zeros(np.shape(y)) if dy is None and y is not None else dy
    changes = variables_of(dm, dy, rowvar)
    centred = rows - np.mean(rows, axis=1, keepdims=True)
    found = changes @ centred.T / cov_divisor(rows, bias, ddof)
    return np.reshape(found + found.T, np.shape(z))


def corrcoef_adjoints(bz, z, m, y=None, rowvar=True):
    """Give the adjoints of `m` and `y` of `z = np.corrcoef(m, y)`."""
    if np.ndim(z) == 0:
        return [None if one is None else 0 * np.asarray(one) for one in (m, y)]
    covariances = np.cov(m, y, rowvar)
    deviations = np.sqrt(np.diag(covariances))
    bcov = bz / np.outer(deviations, deviations)
    loss = np.sum((bz + bz.T) * z, axis=0) / (2 * deviations**2)
    return cov_adjoints(bcov - np.diag(loss), m, y, rowvar)


def corrcoef_tangent(dm, dy, z, m, y, rowvar):
    """Give the tangent of `z = np.corrcoef(m, y)`; one of `dm` and `dy` may be `None`."""
    if np.ndim(z) == 0:
        return 0.0
    covariances = np.cov(m, y, rowvar)
    variances = np.diag(covariances)
    change = cov_tangent(dm, dy, m, y, rowvar, False, None, covariances)
    rates = np.diag(change) / variances / 2
    return change / np.sqrt(np.outer(variances, variances)) - z * (rates + rates[:, None])

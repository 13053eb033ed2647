"""Rules of the helpers of Jacobians, which are linear in what they arrange."""
# mypy: ignore-errors

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, reads_form_only, tangent_of

reads_form_only(tangent.units, "x")
reads_form_only(tangent.directions, "x")
reads_form_only(tangent.from_rows, "y", "x")
reads_form_only(tangent.rows_of, "y", "x")
reads_form_only(tangent.from_columns, "x")
reads_form_only(tangent.stack_columns, "y", "x")
reads_form_only(tangent.columns_of, "y", "x")
reads_form_only(tangent.passes_of, "passes", "x")
reads_form_only(tangent.change_of_columns, "passes", "x")


@adjoint(tangent.from_rows)
def from_rows(z, rows, y, x):
    d[rows] = tangent.rows_of(d[z], y, x)


@tangent_of(tangent.from_rows)
def from_rows_tangent(z, rows, y, x):
    d[z] = tangent.from_rows(d[rows], y, x)


@adjoint(tangent.rows_of)
def rows_of(rows, bz, y, x):
    d[bz] = tangent.from_rows(d[rows], y, x)


@tangent_of(tangent.rows_of)
def rows_of_tangent(rows, bz, y, x):
    d[rows] = tangent.rows_of(d[bz], y, x)


@adjoint(tangent.from_columns)
def from_columns(z, passes, x):
    d[passes] = tangent.passes_of(d[z], passes, x)


@tangent_of(tangent.from_columns)
def from_columns_tangent(z, passes, x):
    d[z] = tangent.change_of_columns(d[passes], passes, x)


@adjoint(tangent.passes_of)
def passes_of(z, bz, passes, x):
    d[bz] = tangent.change_of_columns(d[z], passes, x)


@tangent_of(tangent.passes_of)
def passes_of_tangent(z, bz, passes, x):
    d[z] = tangent.passes_of(d[bz], passes, x)


@adjoint(tangent.change_of_columns)
def change_of_columns(z, changes, passes, x):
    d[changes] = tangent.passes_of(d[z], passes, x)


@tangent_of(tangent.change_of_columns)
def change_of_columns_tangent(z, changes, passes, x):
    d[z] = tangent.change_of_columns(d[changes], passes, x)

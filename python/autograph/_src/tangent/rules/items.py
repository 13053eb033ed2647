"""Rules of the helpers that move items: what was stored, taken, sorted, reshaped or put on grids."""
# mypy: ignore-errors

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import adjoint, d, reads_form_only, tangent_of

reads_form_only(tangent.stored, "x")
reads_form_only(tangent.storable, "x")
reads_form_only(tangent.unstored, "bx", "x")
reads_form_only(tangent.reshape_each, "arrays")
reads_form_only(tangent.ungrid, "arrays")
reads_form_only(tangent.grids_of, "grids")
reads_form_only(tangent.reshape_like_results, "z")
reads_form_only(tangent.gradient_adjoint, "f")
reads_form_only(tangent.gradient_of_values, "f")
reads_form_only(tangent.taken_at, "by")
reads_form_only(tangent.put_at, "bx")
reads_form_only(tangent.taken_item, "by")
reads_form_only(tangent.put_item, "bx")
reads_form_only(tangent.dict_items, "x")


@adjoint(tangent.stored)
def stored(z, bx, index, x):
    d[bx] = tangent.unstored(d[z], bx, index, x)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.stored)
def stored_tangent(z, bx, index, x):
    d[z] = tangent.stored(d[bx], index, x)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.unstored)
def unstored(z, bz, bx, index, x):
    d[bz] = tangent.stored(d[z], index, x)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.unstored)
def unstored_tangent(z, bz, bx, index, x):
    d[z] = tangent.unstored(d[bz], bx, index, x)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.storable)
def storable(z, dx, x):
    d[dx] = tangent.storable(d[z], x)


@tangent_of(tangent.storable)
def storable_tangent(z, dx, x):
    d[z] = tangent.storable(d[dx], x)


@adjoint(tangent.ungrid)
def ungrid(z, bz, arrays, indexing):
    d[bz] = tangent.grids_of(d[z], bz, indexing)


@tangent_of(tangent.ungrid)
def ungrid_tangent(z, bz, arrays, indexing):
    d[z] = tangent.ungrid(d[bz], arrays, indexing)


@adjoint(tangent.grids_of)
def grids_of(z, arrays, grids, indexing):
    d[arrays] = tangent.ungrid(d[z], arrays, indexing)


@tangent_of(tangent.grids_of)
def grids_of_tangent(z, arrays, grids, indexing):
    d[z] = tangent.grids_of(d[arrays], grids, indexing)


@adjoint(tangent.reshape_each)
def reshape_each(z, bz, arrays):
    d[bz] = tangent.reshape_like_results(d[z], bz)


@tangent_of(tangent.reshape_each)
def reshape_each_tangent(z, bz, arrays):
    d[z] = tangent.reshape_each(d[bz], arrays)


@adjoint(tangent.reshape_like_results)
def reshape_like_results(result, tangents, z):
    d[tangents] = tangent.reshape_each(d[result], tangents)


@tangent_of(tangent.reshape_like_results)
def reshape_like_results_tangent(result, tangents, z):
    d[result] = tangent.reshape_like_results(d[tangents], z)


@adjoint(tangent.gradient_adjoint)
def gradient_adjoint(z, bz, f, spacings, axis, edge_order):
    d[bz] = tangent.gradient_of_values(d[z], f, spacings, axis, edge_order)


@tangent_of(tangent.gradient_adjoint)
def gradient_adjoint_tangent(z, bz, f, spacings, axis, edge_order):
    d[z] = tangent.gradient_adjoint(d[bz], f, spacings, axis, edge_order)


@adjoint(tangent.gradient_of_values)
def gradient_of_values(z, dbz, f, spacings, axis, edge_order):
    d[dbz] = tangent.gradient_adjoint(d[z], f, spacings, axis, edge_order)


@tangent_of(tangent.gradient_of_values)
def gradient_of_values_tangent(z, dbz, f, spacings, axis, edge_order):
    d[z] = tangent.gradient_of_values(d[dbz], f, spacings, axis, edge_order)


@adjoint(tangent.sorted_adjoint)
def sorted_adjoint(z, bz, items, reverse):
    d[bz] = tangent.sorted_tangent(d[z], items, reverse)
    d[items] = tangent.constant_in(d[z], items)


@tangent_of(tangent.sorted_adjoint)
def sorted_adjoint_tangent(z, bz, items, reverse):
    d[z] = tangent.sorted_adjoint(d[bz], items, reverse)
    d[z] = tangent.constant_in(d[items], z)


@adjoint(tangent.sorted_tangent)
def sorted_tangent(z, tangents, items, reverse):
    d[tangents] = tangent.sorted_adjoint(d[z], items, reverse)
    d[items] = tangent.constant_in(d[z], items)


@tangent_of(tangent.sorted_tangent)
def sorted_tangent_tangent(z, tangents, items, reverse):
    d[z] = tangent.sorted_tangent(d[tangents], items, reverse)
    d[z] = tangent.constant_in(d[items], z)


@adjoint(tangent.or_one)
def or_one(z, x):
    d[x] = d[z] * (x != 0)


@tangent_of(tangent.or_one)
def or_one_tangent(z, x):
    d[z] = d[x] * (x != 0)


@adjoint(tangent.taken_at)
def taken_at(z, bx, index, by):
    d[bx] = tangent.put_at(d[z], bx, index)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.taken_at)
def taken_at_tangent(z, bx, index, by):
    d[z] = tangent.taken_at(d[bx], index, by)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.taken_item)
def taken_item(z, bx, index, by):
    d[bx] = tangent.put_item(d[z], bx, index)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.taken_item)
def taken_item_tangent(z, bx, index, by):
    d[z] = tangent.taken_item(d[bx], index, by)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.put_item)
def put_item(z, bz, bx, index):
    d[bz] = tangent.taken_item(d[z], index, bz)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.put_item)
def put_item_tangent(z, bz, bx, index):
    d[z] = tangent.put_item(d[bz], bx, index)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.tangents_of_items)
def tangents_of_items(z, tangents):
    d[tangents] = tangent.items_like(d[z], tangents)


@tangent_of(tangent.tangents_of_items)
def tangents_of_items_tangent(z, tangents):
    d[z] = tangent.tangents_of_items(d[tangents])


@adjoint(tangent.items_like)
def items_like(z, bz, items):
    d[bz] = tangent.items_like(d[z], bz)


@tangent_of(tangent.items_like)
def items_like_tangent(z, bz, items):
    d[z] = tangent.items_like(d[bz], items)


@adjoint(tangent.dict_items)
def dict_items(z, bz, x):
    d[bz] = tangent.dict_items(d[z], bz)


@tangent_of(tangent.dict_items)
def dict_items_tangent(z, bz, x):
    d[z] = tangent.dict_items(d[bz], x)


@adjoint(tangent.put_at)
def put_at(z, bz, bx, index):
    d[bz] = tangent.taken_at(d[z], index, bz)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.put_at)
def put_at_tangent(z, bz, bx, index):
    d[z] = tangent.put_at(d[bz], bx, index)
    d[z] = tangent.constant_in(d[index], z)

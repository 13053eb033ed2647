"""Rules of the helpers that take items out of lists and dicts, and put them in order."""
# mypy: ignore-errors

from autograph._src.tangent import runtime as tangent
from autograph._src.tangent.registry import (
    adjoint,
    d,
    reads_form_only,
    register_non_differentiable,
    tangent_of,
)

for find in (
    tangent.sorted_places,
    tangent.reversed_places,
    tangent.insertion_places,
    tangent.last_key,
    tangent.place_of,
    tangent.largest_place,
    tangent.smallest_place,
    tangent.require_dict,
    tangent.require_item,
):
    register_non_differentiable(find)

reads_form_only(tangent.restored, "x")
reads_form_only(tangent.before_clear, "x")
reads_form_only(tangent.in_places, "items")
reads_form_only(tangent.reversed_places, "items")
reads_form_only(tangent.insertion_places, "items")
reads_form_only(tangent.last_key, "x")


@adjoint(tangent.without)
def without(z, x, index):
    d[x] = tangent.restored(d[z], x, index)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.without)
def without_tangent(z, x, index):
    d[z] = tangent.without(d[x], index)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.cleared)
def cleared(z, x):
    d[x] = tangent.before_clear(d[z], x)


@tangent_of(tangent.cleared)
def cleared_tangent(z, x):
    d[z] = tangent.cleared(d[x])


@adjoint(tangent.before_clear)
def before_clear(z, bz, x):
    d[bz] = tangent.constant_in(d[z], bz)
    d[x] = tangent.constant_in(d[z], x)


@tangent_of(tangent.before_clear)
def before_clear_tangent(z, bz, x):
    d[z] = tangent.constant_in(d[bz], z)
    d[z] = tangent.constant_in(d[x], z)


@adjoint(tangent.restored)
def restored(z, bz, x, index):
    d[bz] = tangent.without(d[z], index)
    d[x] = tangent.constant_in(d[z], x)
    d[index] = tangent.constant_in(d[z], index)


@tangent_of(tangent.restored)
def restored_tangent(z, bz, x, index):
    d[z] = tangent.restored(d[bz], x, index)
    d[z] = tangent.constant_in(d[x], z)
    d[z] = tangent.constant_in(d[index], z)


@adjoint(tangent.reordered)
def reordered(z, items, places):
    d[items] = tangent.in_places(d[z], items, places)
    d[places] = tangent.constant_in(d[z], places)


@tangent_of(tangent.reordered)
def reordered_tangent(z, items, places):
    d[z] = tangent.reordered(d[items], places)
    d[z] = tangent.constant_in(d[places], z)


@adjoint(tangent.in_places)
def in_places(z, bz, items, places):
    d[bz] = tangent.reordered(d[z], places)
    d[items] = tangent.constant_in(d[z], items)
    d[places] = tangent.constant_in(d[z], places)


@tangent_of(tangent.in_places)
def in_places_tangent(z, bz, items, places):
    d[z] = tangent.in_places(d[bz], items, places)
    d[z] = tangent.constant_in(d[items], z)
    d[z] = tangent.constant_in(d[places], z)

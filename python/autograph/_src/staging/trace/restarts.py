"""Beginning a recording again, once it has found that objects of the program have to be rows of tables.

    rows.append([])     # a staged list: the `[]` has to be a row from its beginning

See :mod:`autograph._src.staging.trace.object_sites`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograph._src.staging.trace.active import require_trace, staging_error
from autograph._src.staging.trace.trace import Restart

if TYPE_CHECKING:
    from autograph._src.staging.kinds.leaf_kind import LeafKind

MOST_BEGINNINGS = 100
"""A type that grows with each recording, as a tuple in a tuple in a tuple, would have no end."""


def begin_again() -> None:
    """Begins the recording again if it has found something of the objects that the program makes.

    Raises:
        Restart: If so.
    """
    sites = require_trace().objects.sites
    if not sites.has_changed:
        return
    sites.beginnings += 1
    if sites.beginnings > MOST_BEGINNINGS:
        raise staging_error(
            "AG131",
            "what a list or an object holds here has another type each time that it is looked at",
            "give it one type: a number, an array, or a tuple of a fixed depth",
        )
    raise Restart


def learn_objects(*kinds: LeafKind) -> None:
    """Has the objects of these kinds be rows, for variables that a staged statement binds to them.

    Raises:
        Restart: If they are not yet.
    """
    for one in kinds:
        one.as_rows()
    begin_again()

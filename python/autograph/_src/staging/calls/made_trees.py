"""Trees that this package makes for the program, as a gradient with the structure of its parameters.

```python
grads = []
while i < n:                                        # grads is a list of lists: each is new
    grads.append(ag.grad(loss)([w, b], xs[i]))
    i += 1
```
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Iterator
from typing import Any

from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.staging.lists.traced_list import list_made_at
from autograph._src.staging.objects.object_records import made_object
from autograph._src.staging.trace.active import current_trace
from autograph._src.staging.trace.object_sites import Site, site_here
from autograph._src.staging.trace.references import is_reference
from autograph._src.staging.trace.trace import Trace


def made_tree(tree: Any) -> Any:
    """A new tree of plain containers, as if the program had made it with displays.

    Args:
        tree: The tree. Nothing else refers to its lists and dicts.

    Returns:
        The tree with lists and dicts that the program may put into others, write to and carry through
        loops.
    """
    trace = current_trace()
    if trace is None:
        return tree
    caller = sys._getframe(1)
    return _made(trace, tree, _sites(((caller.f_code, caller.f_lasti), *site_here())))


def _sites(site: Site) -> Iterator[Site]:
    """A site for each container of a tree: displays that are nested are different instructions, too.

    One statement of the program may make several trees: a Jacobian is made of gradients. So the line of this
    package that makes the tree is a part of the site.
    """
    return (((made_tree.__code__, number), *site) for number in itertools.count())


def _made(trace: Trace, tree: Any, sites: Iterator[Site]) -> Any:
    kind: Any = type(tree)
    if kind is tuple:
        return tuple(_made(trace, part, sites) for part in tree)
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return kind(*(_made(trace, part, sites) for part in tree))
    if kind is list:
        site = next(sites)
        return list_made_at(site, [_made(trace, part, sites) for part in tree])
    if kind in DICT_CLASSES:
        site = next(sites)
        items = [(key, _made(trace, part, sites)) for key, part in tree.items()]
        made = trace.journal.created(dict_of(dict_word(tree), items))
        return made_object(trace, made, False, site)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type) and not is_reference(tree):
        site = next(sites)
        for field in dataclasses.fields(tree):
            object.__setattr__(tree, field.name, _made(trace, getattr(tree, field.name), sites))
        return made_object(trace, trace.journal.created(tree), False, site)
    return tree

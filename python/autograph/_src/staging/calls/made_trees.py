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

from autograph._src.backends.protocol import backend_of
from autograph._src.dict_classes import DICT_CLASSES, dict_of, dict_word
from autograph._src.staging.lists.traced_list import TracedList, list_made_at
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
    return _made(trace, tree, _sites(((caller.f_code, caller.f_lasti), *site_here())), {})


def made_copy(tree: Any, original: object) -> Any:
    """What ``copy.copy`` or ``copy.deepcopy`` has made of a value, as a tree that the program has made.

    params = copy.deepcopy(params)      # of an argument: lists and dicts that may be written and carried

    Args:
        tree: The copy. What it has in common with the original stays, and what is in it twice is one object.
        original: The original.
    """
    trace = current_trace()
    if trace is None:
        return tree
    known: Known = {}
    if not _note_containers(original, known, ()) or not _note_containers(tree, {}, ()):
        return tree  # It holds itself.
    return _made(trace, tree, _sites(((made_copy.__code__, 0), *site_here())), known)


Known = dict[int, tuple[Any, Any]]
"""By identity: a container, and what it has become."""


def _note_containers(tree: Any, known: Known, around: tuple[int, ...]) -> bool:
    """Notes that the containers in a tree stay as they are; gives whether none holds itself."""
    parts = _parts(tree)
    if parts is None or id(tree) in known:
        return True
    if id(tree) in around:
        return False
    are_trees = all(_note_containers(part, known, (*around, id(tree))) for part in parts)
    known[id(tree)] = tree, tree
    return are_trees


def _parts(tree: Any) -> list[Any] | None:
    """What a container of a tree holds; ``None`` for leaves."""
    if is_reference(tree) or isinstance(tree, type):
        return None
    if isinstance(tree, (list, tuple)) and backend_of(tree) is None:
        return list.copy(tree) if isinstance(tree, list) else list(tree)
    if type(tree) in DICT_CLASSES:
        return list(tree.values())
    if dataclasses.is_dataclass(tree):
        return [getattr(tree, one.name) for one in dataclasses.fields(tree) if hasattr(tree, one.name)]
    return None


def _sites(site: Site) -> Iterator[Site]:
    """A site for each container of a tree: displays that are nested are different instructions, too.

    One statement of the program may make several trees: a Jacobian is made of gradients. So the line of this
    package that makes the tree is a part of the site.
    """
    return (((made_tree.__code__, number), *site) for number in itertools.count())


def _made(trace: Trace, tree: Any, sites: Iterator[Site], known: Known) -> Any:
    if id(tree) not in known:
        known[id(tree)] = tree, _new(trace, tree, sites, known)
    return known[id(tree)][1]


def _new(trace: Trace, tree: Any, sites: Iterator[Site], known: Known) -> Any:
    kind: Any = type(tree)
    if kind is tuple:
        return tuple(_made(trace, part, sites, known) for part in tree)
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return kind(*(_made(trace, part, sites, known) for part in tree))
    if isinstance(tree, TracedList) and not is_reference(tree):
        for position, part in enumerate(list.copy(tree)):
            list.__setitem__(tree, position, _made(trace, part, sites, known))
        return tree
    if kind is list:
        site = next(sites)
        return list_made_at(site, [_made(trace, part, sites, known) for part in tree])
    if kind in DICT_CLASSES:
        site = next(sites)
        items = [(key, _made(trace, part, sites, known)) for key, part in tree.items()]
        made = trace.journal.created(dict_of(dict_word(tree), items))
        return made_object(trace, made, False, site)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type) and not is_reference(tree):
        site = next(sites)
        for field in dataclasses.fields(tree):
            object.__setattr__(tree, field.name, _made(trace, getattr(tree, field.name), sites, known))
        return made_object(trace, trace.journal.created(tree), False, site)
    return tree

"""What functions do to their arguments: asked of their texts, and of those of the functions that they call.

::

    def scale(row, s):          # writes to `row`
        row /= s

    def scale_all(a, s):        # writes to `a`, by `scale`
        for row in a:
            scale(row, s)
"""

from __future__ import annotations

from autograph import _core
from autograph._src.source import function_query, source_of
from autograph._src.tangent.instances import Instance, ObjectOf, Parameters
from autograph._src.tangent.object_paths import is_object_class
from autograph._src.tangent.objects import Objects
from autograph._src.tangent.pieces import Level, Request

Writes = tuple[list[tuple[str, str]], str, list[str]]
"""By parameter how it is written; what the function returns: ``""``, ``"="`` or the name of a parameter;
which of the parameters that may be."""

NOTHING: Writes = ([], "=", [])


class WrittenArguments:
    """What functions do to their arguments, each found once."""

    def __init__(self) -> None:
        self._known: dict[Instance, Writes] = {}
        self._assumed: dict[Instance, Writes] = {}
        self._asked: set[Instance] = set()
        self._is_open = False

    def of(self, callee: Instance) -> Writes:
        """What a function does to its arguments.

        Functions that call each other are asked again until none of them says something new.
        """
        if callee in self._known:
            return self._known[callee]
        if self._is_open:
            return self._ask(callee)
        self._is_open = True
        try:
            while True:
                before, self._asked = dict(self._assumed), set()
                self._ask(callee)
                if self._assumed == before:
                    break
        finally:
            self._is_open = False
        self._known.update(self._assumed)
        return self._known[callee]

    def unknown(self, callee: Instance) -> Writes:
        """What is said of a function that is not to write: that it may, to all arguments."""
        found, gives, shown = self.of(callee)
        return [(name, "?") for name, _ in found], gives, shown

    def _ask(self, callee: Instance) -> Writes:
        if callee in self._asked:
            return self._assumed.get(callee, NOTHING)
        self._asked.add(callee)
        function = callee.function
        objects = Objects(callee, lambda one, active: (one.called, one.called), self.of)
        source = source_of(function)
        names = list(Parameters.of(function).names)
        levels = [level_of(one) for one in callee.levels]
        request = Request(
            wrt=names,
            names=[callee.called],
            preserve_result=False,
            value_first=False,
            check_dims=False,
            optimized=False,
            has_default_seed=True,
            is_seed_fixed=False,
            is_callee=True,
            is_again=False,
            may_write=False,
            is_forward=False,
            writes=None,
            levels=levels,
        )
        found = _core.tangent_writes(source.parsed, function_query(function), objects, request)
        self._assumed[callee] = found
        return found


def level_of(instance: Instance) -> Level:
    """What Rust is told of an instance."""
    kinds = {one.parameter: one.value.kind for one in instance.given if isinstance(one.value, ObjectOf)}
    objects = [name for name, kind in kinds.items() if is_object_class(kind)]
    containers = [name for name, kind in kinds.items() if not is_object_class(kind)]
    functions = [one.parameter for one in instance.given if not isinstance(one.value, ObjectOf)]
    is_constructor = instance.constructs is not None
    return Level(instance.span, functions, objects, containers, is_constructor, instance.extra)

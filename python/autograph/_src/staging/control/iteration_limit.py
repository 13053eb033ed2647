"""Applies ``ag.set_loop_options`` to a staged loop: iteration limit, shapes, memory for its gradient."""

from __future__ import annotations

from typing import Any

from autograph import _core
from autograph._src.operators.loop_options import LoopOptions, current_loop
from autograph._src.operators.places import Attribute
from autograph._src.staging.control.carries import Carries
from autograph._src.staging.control.effects import record_limit
from autograph._src.staging.kinds.tensor_of import TensorOf
from autograph._src.staging.tensors.lifting import lift
from autograph._src.staging.tensors.tensor import emit
from autograph._src.staging.trace.active import require_trace, staging_error


class IterationLimit:
    """The options of a loop, and the number of iterations that it has done.

    The loop writes the count like an attribute of the user's, so the journal makes it a carry.
    """

    def __init__(self) -> None:
        self.done: Any = 0
        self._first = 0
        self._loop = current_loop()
        require_trace().journal.created(self)

    @property
    def _options(self) -> LoopOptions:
        return LoopOptions() if self._loop is None else self._loop.options

    def begin(self) -> None:
        """Marks the start of an iteration in the graph."""
        self._first = emit("constant", "bool", [], b"\0")

    def finish(self, results: list[int]) -> None:
        """Records, after the loop, how much memory its gradient may use."""
        limit = self._options.memory_limit
        if limit is not None and results:
            _core.checkpoint(require_trace().graph, results[0], results[0], limit)

    def step(self) -> None:
        """Ends an iteration: counts it and records the check of the limit."""
        if self._options.is_checkpointed:
            _core.checkpoint(require_trace().graph, self._first, None)
        maximum = self._options.maximum_iterations
        if maximum is None:
            return
        require_trace().journal.will_write(Attribute(self, "done"))
        self.done = self.done + 1
        record_limit(lift(self.done <= maximum), maximum)

    def check_shapes(self, carries: Carries) -> None:
        """Checks the loop's variables against the shapes that the program stated.

        Raises:
            StagingError: If a variable has another shape, or the loop has no such variable (AG137).
        """
        for name, shape in self._options.shape_invariants.items():
            if name not in carries.names:
                known = ", ".join(f"`{one}`" for one in carries.names if one.isidentifier()) or "none"
                raise staging_error("AG137", f"`{name}` is not a variable of this loop (it changes {known})")
            leaf = carries.types[carries.names.index(name)]
            actual = leaf.shape if isinstance(leaf, TensorOf) else None
            stated = tuple(shape)
            fits = actual is not None and len(actual) == len(stated)
            if (
                actual is None
                or not fits
                or any(s not in (None, a) for s, a in zip(stated, actual, strict=True))
            ):
                raise staging_error(
                    "AG137", f"`{name}` has shape {actual} in this loop, which is not the {stated} stated"
                )

r"""From the steps that were measured to the lines of the program.

    step 3: dot    model.py:5:12   1000 executions     \\
    step 7: add    model.py:5:12   1000 executions      >   model.py:5   1000 calls, their time together
    step 8: tanh   model.py:5:4    1000 executions     /

A line of a loop that is unrolled has a step for each copy, and ran as often as all of them; a line of a
function that is called from two places has steps of both.
"""

from __future__ import annotations

import linecache
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from autograph import _core
from autograph._src.profiles.profile_line import ProfileLine


class Step(NamedTuple):
    """A step as the engine has measured it; see ``StepProfile`` of `ag_engine`."""

    place: int | None
    op: str
    types: str
    is_derivative: bool
    executions: int
    nanoseconds: float
    flops: int
    read: int
    written: int


class Place(NamedTuple):
    """A place in the program, and the number of the place that called its function."""

    file: str
    function: str
    line: int
    column: int
    end_line: int
    end_column: int
    caller: int | None


Key = tuple[str, int, bool]
"""A file, a line, and whether a derivative is meant."""


class Steps:
    """The steps of a profiled graph, and where they come from.

    Attributes:
        steps: The steps.
    """

    def __init__(self, executable: _core.ProfiledExecutable, measured: _core.Measured) -> None:
        self.steps = [Step(*step) for step in measured[0]]
        self._places = [Place(*place) for place in executable.places()]
        self._recordings = executable.recordings()
        self._units = measured[1]

    def key(self, step: Step) -> Key | None:
        """The line of a step; ``None`` if the graph does not say where it comes from."""
        place = self.place(step)
        return None if place is None else (place.file, place.line, step.is_derivative)

    def place(self, step: Step) -> Place | None:
        """The place of a step."""
        return None if step.place is None else self._places[step.place]

    def lines(self) -> list[ProfileLine]:
        """The lines that spend something, those that take longest first."""
        steps: dict[Key, list[Step]] = defaultdict(list)
        for step in self.steps:
            key = self.key(step)
            if key is not None and step.executions and step.op != "constant":
                steps[key].append(step)
        together = self._measured_together()
        whole = sum(step.nanoseconds for step in self.steps)
        lines = [self._line(key, found, together[key], whole) for key, found in steps.items()]
        return sorted(lines, key=lambda line: (-line.seconds, line.file, line.line, line.is_gradient))

    def _line(self, key: Key, steps: list[Step], together: set[int], whole: float) -> ProfileLine:
        file, line, is_gradient = key
        place = self.place(steps[0])
        nanoseconds = sum(step.nanoseconds for step in steps)
        return ProfileLine(
            file=file,
            line=line,
            function="" if place is None else place.function,
            text=linecache.getline(file, line).strip(),
            is_gradient=is_gradient,
            calls=self._calls(steps),
            seconds=nanoseconds * 1e-9,
            share=nanoseconds / whole if whole else 0.0,
            bytes_read=sum(step.read for step in steps),
            bytes_written=sum(step.written for step in steps),
            flops=sum(step.flops for step in steps),
            shared_with=tuple(sorted(together - {line})),
        )

    def _calls(self, steps: list[Step]) -> int:
        """How often a line ran that has these steps, from each place that called its function."""
        by_op: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for step in steps:
            if step.place is not None:
                by_op[step.place][step.op].append(step.executions)
        by_caller: dict[int | None, int] = defaultdict(int)
        for place, ops in by_op.items():
            caller = self._places[place].caller
            by_caller[caller] = max(by_caller[caller], self._executions(place, ops))
        return sum(by_caller.values())

    def _executions(self, place: int, ops: dict[str, list[int]]) -> int:
        """How often an expression ran whose ops ran so often.

        Its copies have a node each: in a loop that is unrolled all of them run, in branches one. But one
        execution may run several nodes of an op too (``np.var``), and passes turn one node into several
        (``x**3``): no more of them count than were recorded, and the op that ran least tells.
        """
        recorded = self._recordings[place]
        fewest = min(recorded.values(), default=1)
        return min(
            sum(sorted(executions, reverse=True)[: recorded.get(op, fewest)])
            for op, executions in ops.items()
        )

    def _measured_together(self) -> dict[Key, set[int]]:
        """For each line, the lines of its file that it shares measured time with."""
        together: dict[Key, set[int]] = defaultdict(set)
        groups: dict[int, list[Step]] = defaultdict(list)
        for first, end, group, _, _ in self._units:
            groups[group] += [step for step in self.steps[first:end] if step.nanoseconds]
        for spent in groups.values():
            keys = {key for key in map(self.key, spent) if key is not None}
            for key in keys:
                together[key] |= {line for file, line, _ in keys if file == key[0]}
                if any(other[:2] == key[:2] and other != key for other in keys):
                    together[key].add(key[1])
        return together

    def title(self, steps: Sequence[Step]) -> str:
        """What a unit is called: its op that takes longest, and its lines."""
        longest = max(steps, key=lambda step: step.nanoseconds)
        keys = [key for key in map(self.key, steps) if key is not None]
        if not keys:
            return longest.op
        file, lines = keys[0][0], sorted({line for file, line, _ in keys if file == keys[0][0]})
        shown = str(lines[0]) if len(lines) == 1 else f"{lines[0]}-{lines[-1]}"
        gradient = " (gradient)" if longest.is_derivative else ""
        return f"{longest.op} {file}:{shown}{gradient}"

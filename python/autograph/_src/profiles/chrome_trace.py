"""A profile as events that ``chrome://tracing`` and Perfetto show.

The format is `Trace Event Format
<https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>`_: complete events (``X``)
with a start and a duration in microseconds. Events that lie within others are drawn below them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph._src.profiles.steps import Step, Steps

_CATEGORIES = "call", "graph", "step"


def chrome_trace(
    name: str,
    steps: Steps,
    units: Sequence[tuple[int, int, int, int, float]],
    events: Sequence[tuple[int, float, float]],
    left_out: int,
    times: tuple[float, float],
) -> dict[str, Any]:
    """The events of a call.

    Args:
        name: The name of the function.
        steps: The steps that were measured.
        units: The units: first step, end, group, executions, nanoseconds.
        events: Executions: unit, start and end in nanoseconds since the graph began.
        left_out: How many executions are not among the events.
        times: Nanoseconds of the graph with its measuring, and of what is around it.
    """
    graph, outside = times
    lead = outside / 2.0  # How what is around the graph lies before and after it is not measured.
    described = [
        _described(steps, steps.steps[first:end], executions) for first, end, _, executions, _ in units
    ]
    found: list[dict[str, Any]] = [
        {"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": f"ag.function {name}"}},
        {"name": "thread_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "graph"}},
        _event(name, 0, 0.0, graph + outside, {}),
        _event(f"graph of {name}", 1, lead, lead + graph, {"executions left out": left_out}),
    ]
    for unit, start, end in events:
        title, args = described[unit]
        found.append(_event(title, 2, lead + start, lead + min(end, graph), args))
    if left_out:
        last = lead + (events[-1][2] if events else 0.0)
        text = f"{left_out} more executions are left out"
        found.append({"name": text, "ph": "i", "s": "t", "pid": 1, "tid": 1, "ts": last / 1e3})
    return {"traceEvents": found, "displayTimeUnit": "ns", "otherData": {"executions left out": left_out}}


def _described(steps: Steps, inside: Sequence[Step], executions: int) -> tuple[str, dict[str, Any]]:
    """What a unit is called, and what one execution of it does."""
    each = max(executions, 1)
    args: dict[str, Any] = {
        "flops": sum(step.flops for step in inside) / each,
        "bytes": sum(step.read + step.written for step in inside) / each,
        "ops": ", ".join(step.op for step in inside[:12]) + (", …" if len(inside) > 12 else ""),
    }
    if len(inside) <= 3:
        args["shapes"] = "; ".join(step.types for step in inside)
    places = sorted({f"{key[0]}:{key[1]}" for key in map(steps.key, inside) if key is not None})
    args["lines"] = ", ".join(places[:12])
    return steps.title(inside), args


def _event(name: str, category: int, start: float, end: float, args: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "cat": _CATEGORIES[category],
        "ph": "X",
        "pid": 1,
        "tid": 1,
        "ts": start / 1e3,
        "dur": max(end - start, 0.0) / 1e3,
        "args": args,
    }

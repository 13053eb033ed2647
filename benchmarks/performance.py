"""Measures the lines of docs/performance.md beside every peer that is installed.

    python benchmarks/performance.py FOLDER [WORD …]

One thread, pinned to a core; ours and the peers' in turns, medians. Each program is staged as NumPy runs it,
and its result is compared with NumPy's. FOLDER gets `performance.json`, `.md` and `.svg`. WORDs choose lines
by their family or name.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
from lines import Line, lines

THREADS = {
    **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")},
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
"""What makes the peers use one thread; they read it when they are imported."""
ROUNDS = 9
LEAST_SECONDS = 2e-3
"""A round repeats a run until it takes about so long."""


def _numpy(line: Line) -> Callable[[], Any]:
    return lambda: line.function(*line.arguments)


def _jax(line: Line) -> Callable[[], Any]:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    function = line.jax() if line.jax else _with_numpy(line.function, jnp)
    compiled = jax.jit(function)
    arguments = jax.tree.map(jnp.asarray, line.arguments)
    return lambda: jax.block_until_ready(compiled(*arguments))


def _numba(line: Line) -> Callable[[], Any]:
    import numba

    compiled = numba.njit(line.function)
    return lambda: compiled(*line.arguments)


PEERS = {"NumPy": _numpy, "JAX": _jax, "numba": _numba}


def _with_numpy(function: Callable[..., Any], numpy: Any) -> Callable[..., Any]:
    """The function with another module for ``np``."""
    assert isinstance(function, types.FunctionType)
    return types.FunctionType(function.__code__, {**function.__globals__, "np": numpy})


def medians(runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Seconds that each takes, measured in turns.

    Each round begins with another one, and each runs once before it is timed: whoever comes after a peer
    would find its own data gone from the caches, and its memory given back to the system.
    """
    repeats = {}
    for name, run in runs.items():
        run()
        started = time.perf_counter()
        run()
        repeats[name] = max(1, int(LEAST_SECONDS / (time.perf_counter() - started)))
    times: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    for number in range(ROUNDS):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            run = runs[name]
            run()
            started = time.perf_counter()
            for _ in range(repeats[name]):
                run()
            times[name].append((time.perf_counter() - started) / repeats[name])
    return {name: statistics.median(of) for name, of in times.items()}


def measured(line: Line) -> dict[str, Any]:
    """One line as a record: seconds by whom, the best peer, the ratio."""
    staged = line.staged or ag.function(line.function)
    runs = {"ours": lambda: staged(*line.arguments)}
    for name in line.peers:
        try:
            runs[name] = PEERS[name](line)
            runs[name]()
        except ImportError:
            runs.pop(name, None)
    if "NumPy" in line.peers:
        for got, want in zip(_arrays(runs["ours"]()), _arrays(runs["NumPy"]()), strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-4, atol=1e-5)
    seconds = medians(runs)
    record = {"family": line.family, "name": line.name, "target": line.target, "seconds": seconds}
    others = {name: of for name, of in seconds.items() if name != "ours"}
    if others:
        best = min(others, key=lambda name: others[name])
        record |= {"best": best, "ratio": seconds["ours"] / others[best]}
    return record


def _arrays(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


def processor() -> str:
    """The name of the processor."""
    names = Path("/proc/cpuinfo")
    if names.exists():
        for text in names.read_text().splitlines():
            if text.startswith("model name"):
                return text.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> str:
    """The versions of Python, NumPy and the peers."""
    found = [f"CPython {platform.python_version()}", f"NumPy {np.__version__}"]
    for name in ("jax", "numba"):
        if module := sys.modules.get(name):
            found.append(f"{name} {module.__version__}")
    return ", ".join(found)


def in_words(seconds: float) -> str:
    """A time for people."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def as_markdown(records: list[dict[str, Any]]) -> str:
    """A table for each family."""
    parts: list[str] = []
    family = None
    for record in records:
        if record["family"] != family:
            family = record["family"]
            parts.append(f"\n### {family[0].upper()}{family[1:]}\n")
            parts.append("| line | ours | best peer | ratio | target |\n| --- | --- | --- | --- | --- |")
        best = record.get("best")
        peer = f"{in_words(record['seconds'][best])} {best}" if best else "none installed"
        ratio = record.get("ratio", 0.0)
        verdict = f"{record['target']:g}" if ratio <= record["target"] else f"{record['target']:g}, missed"
        ours = in_words(record["seconds"]["ours"])
        parts.append(f"| {record['name']} | {ours} | {peer} | {ratio:.2f} | {verdict} |")
    return "\n".join(parts) + "\n"


def as_svg(records: list[dict[str, Any]]) -> str:
    """Bars of the ratios, on a scale of logarithms: to the left of the middle ours is faster."""
    row, left, middle, width = 16, 300, 560, 260
    height = row * (len(records) + 2)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height}" font-family="sans-serif"'
        ' font-size="11">',
        f'<text x="{middle}" y="12" text-anchor="middle">as fast as the best peer</text>',
    ]
    for number, record in enumerate(records):
        y = row * (number + 1) + 4
        ratio = record.get("ratio", 1.0)
        length = max(-width, min(width, float(np.log2(ratio)) * width / 4))
        x, size = (middle, length) if length > 0 else (middle + length, -length)
        colour = "#c0504d" if ratio > record["target"] else "#4f81bd"
        name = f"{record['name']} ({record['family'].split()[-1]})".replace("&", "&amp;").replace(">", "&gt;")
        drawn.append(f'<text x="{left - 6}" y="{y + 11}" text-anchor="end">{name}</text>')
        drawn.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{size:.1f}" height="{row - 5}" fill="{colour}"/>')
        drawn.append(f'<text x="{middle + width + 8}" y="{y + 11}">{ratio:.2f}</text>')
    drawn.append(f'<line x1="{middle}" x2="{middle}" y1="16" y2="{height}" stroke="black"/></svg>')
    return "\n".join(drawn) + "\n"


def chosen(words: list[str]) -> Iterator[Line]:
    """The lines whose family or name has one of the words."""
    for line in lines():
        if not words or any(word in f"{line.family} {line.name}" for word in words):
            yield line


def main() -> None:
    if any(os.environ.get(name) != value for name, value in THREADS.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **THREADS})
    folder, words = Path(sys.argv[1] if len(sys.argv) > 1 else "target/performance"), sys.argv[2:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    records = []
    for line in chosen(words):
        record = measured(line)
        records.append(record)
        print(f"{record['family']}: {record['name']}: {record.get('ratio', 0.0):.2f}", flush=True)
    head = f"{datetime.date.today()}, {processor()}, one core; {versions()}."
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "performance.json").write_text(json.dumps({"machine": head, "lines": records}, indent=1))
    (folder / "performance.md").write_text(f"{head}\n{as_markdown(records)}")
    (folder / "performance.svg").write_text(as_svg(records))


if __name__ == "__main__":
    main()

"""The command: many seeds on all cores, statistics, and a file for each failure.

PYTHONPATH=tests python -m fuzzer --count 1000 --seed 0 --jobs 2 --profile rich --profile traced
"""

from __future__ import annotations

import argparse
import dataclasses
import multiprocessing
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from fuzzer import crossed, numeric, pure, rowwise, smooth, source_derivatives
from fuzzer.time_limit import TooLong, time_limit
from fuzzer.verdicts import Failure, Verdicts

CHUNK = 500
"""Programs a process runs before a fresh one takes over: conversions are kept as long as it lives."""

SECONDS_FOR_ONE = 20.0
MOST_SHRUNK = 3


@dataclasses.dataclass(frozen=True)
class Profile:
    """A kind of programs.

    Attributes:
        attempt: Runs the program of a seed.
        shrunk: Makes a failure small.
        report: Writes a failure as a file.
    """

    attempt: Callable[[int], Verdicts]
    shrunk: Callable[[Failure], Failure]
    report: Callable[[Failure], str]


PROFILES = {
    "rich": Profile(pure.try_rich, pure.shrunk, pure.report),
    "traced": Profile(pure.try_traced, pure.shrunk, pure.report),
    "numeric": Profile(numeric.try_numeric, numeric.shrunk, numeric.report),
    "smooth": Profile(smooth.try_smooth, smooth.shrunk, smooth.report),
    "rowwise": Profile(rowwise.try_rowwise, rowwise.shrunk, rowwise.report),
    "crossed": Profile(crossed.try_crossed, crossed.shrunk, crossed.report),
    "tangent": Profile(source_derivatives.try_tangent, source_derivatives.shrunk, source_derivatives.report),
}


@dataclasses.dataclass
class Tally:
    """What became of some programs.

    Attributes:
        verdicts: How often each verdict of each way.
        failures: Name and text of the file for each failure.
    """

    verdicts: Counter[str] = dataclasses.field(default_factory=Counter)
    failures: list[tuple[str, str]] = dataclasses.field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.verdicts += other.verdicts
        self.failures += other.failures


def try_chunk(task: tuple[str, int, int]) -> Tally:
    """Runs the programs of a range of seeds."""
    name, start, stop = task
    profile, tally = PROFILES[name], Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(start, stop):
            failure = try_one(profile, seed, name, tally)
            if failure is not None:
                small = profile.shrunk(failure) if len(tally.failures) < MOST_SHRUNK else failure
                tally.verdicts[f"{failure.way}: WRONG {failure.part}"] += 1
                text = f"# profile {name}, seed {seed}\n{profile.report(small)}"
                tally.failures.append((f"{name}_{seed}.py", text))
    return tally


def try_one(profile: Profile, seed: int, name: str, tally: Tally) -> Failure | None:
    """Runs one program; an exception of the fuzzer itself is a failure with a traceback."""
    try:
        with time_limit(SECONDS_FOR_ONE):
            failure, verdicts = profile.attempt(seed)
    except (Exception, TooLong):
        tally.verdicts[f"{name}: CRASHED"] += 1
        tally.failures.append((f"{name}_{seed}.txt", traceback.format_exc()))
        return None
    tally.verdicts.update(verdicts)
    return failure


def chunks(names: list[str], seed: int, count: int, size: int) -> Iterator[tuple[str, int, int]]:
    for start in range(seed, seed + count, size):
        for name in names:
            yield name, start, min(start + size, seed + count)


def run_all(names: list[str], seed: int, count: int, jobs: int) -> Tally:
    """Runs `count` programs of each profile."""
    tally = Tally()
    if jobs == 1:
        for task in chunks(names, seed, count, CHUNK):
            tally.add(try_chunk(task))
        return tally
    size = max(20, min(CHUNK, count // (jobs * 4)))
    tasks = list(chunks(names, seed, count, size))
    most = max(1, 2000 // size) * jobs
    for start in range(0, len(tasks), most):
        # New processes every now and then: programs stay in caches. Not `max_tasks_per_child`, with which
        # CPython 3.11's executor may wait for ever, and not a `Pool`, which does when a process dies.
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            for part in pool.map(try_chunk, tasks[start : start + most]):
                tally.add(part)
    return tally


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="fuzzer", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="programs of each profile")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count(), help="processes")
    parser.add_argument("--profile", action="append", choices=list(PROFILES), help="all, if not given")
    parser.add_argument("--folder", type=Path, help="where failures are written")
    options = parser.parse_args(words)
    names = options.profile or list(PROFILES)
    start = time.perf_counter()
    tally = run_all(names, options.seed, options.count, options.jobs)
    seconds = time.perf_counter() - start
    for verdict, number in sorted(tally.verdicts.items()):
        print(f"{number:8} {verdict}")
    programs = options.count * len(names)
    print(f"{programs} programs in {seconds:.1f} s, {programs / seconds:.0f} a second")
    if tally.failures:
        folder = options.folder or Path(tempfile.mkdtemp(prefix="fuzz_"))
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in tally.failures:
            (folder / name).write_text(text)
        print(f"{len(tally.failures)} failures in {folder}, the first is {tally.failures[0][0]}")
    return 1 if tally.failures else 0

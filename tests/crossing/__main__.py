"""Runs the crossing: `python -m crossing --count 2000 --seed 1`."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from crossing.judge import Verdict, judged
from crossing.program import case_number, count, numbers

TABLE = Path(__file__).parents[2] / "docs" / "refusals.md"


def _run(number: int) -> tuple[int, Verdict | str]:
    case = case_number(number)
    try:
        return number, judged(case, number)
    except BaseException as error:
        return number, f"{case.name}: {type(error).__name__}: {error}"


def run(chosen: Iterable[int], processes: int) -> tuple[Counter[str], list[tuple[int, Verdict | str]]]:
    """Runs cases; gives what calls came to, and the cases that differ."""
    counts: Counter[str] = Counter()
    faults: list[tuple[int, Verdict | str]] = []
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=500) as pool:
        for number, verdict in pool.imap_unordered(_run, chosen, chunksize=20):
            if isinstance(verdict, str) or verdict.differences:
                faults.append((number, verdict))
            if not isinstance(verdict, str):
                counts["cases"] += 1
                counts["the same"] += verdict.agreed
                counts.update(verdict.refusals)
    return counts, sorted(faults, key=lambda pair: pair[0])


def report(faults: list[tuple[int, Verdict | str]], most: int) -> None:
    """Prints what differs."""
    for number, verdict in faults[:most]:
        if isinstance(verdict, str):
            print(f"case {number}: {verdict}")
            continue
        expression, want, got = verdict.differences[0]
        print(f"case {number}: {' / '.join(verdict.case.name)}\n  f{expression}")
        print(f"  CPython: {want}\n  ours:    {got}")
    print(f"{len(faults)} cases differ")


def main() -> int:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, help=f"how many of the {count()} cases; all of them without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=50, help="how many differences to print")
    parser.add_argument("--case", type=int, help="prints the program of a case, and judges it")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.case is not None:
        print(case_number(options.case).source.rpartition("\ndef f")[2])
        report([(options.case, _run(options.case)[1])], 1)
        return 0
    counts, faults = run(numbers(options.count, options.seed), options.processes)
    report(faults, options.most)
    print(", ".join(f"{name}: {number}" for name, number in counts.most_common()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

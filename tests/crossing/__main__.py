"""Runs the crossing: `python -m crossing --count 2000 --seed 1`."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter

from crossing.judge import Verdict, judged
from crossing.program import case_number, count, numbers
from crossing.workers import serve, verdicts

Faults = list[tuple[int, Verdict | str]]


def run(chosen: list[int], processes: int) -> tuple[Counter[str], Faults]:
    """Runs cases; gives what calls came to, and the cases that differ."""
    counts: Counter[str] = Counter()
    faults: Faults = []
    for number, verdict in verdicts(chosen, processes):
        counts["cases"] += 1
        if isinstance(verdict, str) or verdict.differences:
            faults.append((number, verdict))
        if not isinstance(verdict, str):
            counts["the same"] += verdict.agreed
            counts.update(verdict.refusals)
    return counts, sorted(faults, key=lambda pair: pair[0])


def report(faults: Faults, most: int) -> None:
    """Prints what differs."""
    for number, verdict in faults[:most]:
        print(f"case {number}: {' / '.join(case_number(number).name)}")
        if isinstance(verdict, str):
            print(f"  {verdict}")
            continue
        expression, want, got = verdict.differences[0]
        print(f"  f{expression}\n  CPython: {want}\n  ours:    {got}")
    print(f"{len(faults)} cases differ")


def main() -> int:
    """Runs what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, help=f"how many of the {count()} cases; all of them without it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--most", type=int, default=50, help="how many differences to print")
    parser.add_argument("--case", type=int, help="prints the program of a case, and judges it")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--serve", action="store_true", help="judges the cases whose numbers come in")
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    if options.case is not None:
        case = case_number(options.case)
        print("def f" + case.source.rpartition("\ndef f")[2])
        verdict = judged(case, options.case)
        report([(options.case, verdict)] if verdict.differences else [], 1)
        print("refusals:", *verdict.refusals)
        return 0
    counts, faults = run(list(numbers(options.count, options.seed)), options.processes)
    report(faults, options.most)
    print(", ".join(f"{name}: {number}" for name, number in counts.most_common()))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""Prints how many programs stage as written: `python -m reach [--numpy] [words of names]`."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace

from reach.judge import judged, of_numpy, programs, reason


def main(words: list[str]) -> int:
    """Judges the programs whose names have one of the words, or all; gives how many differ from CPython."""
    is_numpy, words = "--numpy" in words, [word for word in words if word != "--numpy"]
    chosen = [program for program in programs() if not words or any(word in program.name for word in words)]
    if is_numpy:
        chosen = [replace(program, calls=tuple(map(of_numpy, program.calls))) for program in chosen]
    staged, wrong, codes = 0, 0, Counter[str]()
    for program in chosen:
        verdict = judged(program)
        for want, got in verdict.differences:
            wrong += 1
            print(f"{program.name} DIFFERS\n  CPython: {want}\n  ours:    {got}")
        if verdict.refusal is not None:
            codes[verdict.refusal] += 1
            print(f"{program.name} is refused: {reason(program)}")
        elif not verdict.differences:
            staged += 1
    print(
        f"{staged} of {len(chosen)} programs stage as written ({staged / max(len(chosen), 1):.1%}); refused: ",
        end="",
    )
    print(", ".join(f"{code} {count}" for code, count in sorted(codes.items())) or "none")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)

"""The pure-Python part of the fuzzer: a seed to a verdict."""

from __future__ import annotations

from fuzzer.shrink import shrink
from fuzzer.verdicts import Failure, Verdicts
from fuzzer.ways import ARGUMENTS, try_program
from fuzzer.writer import PROLOGUE, Writer

TRACED = ("traced", "watched")
UNSTAGED = ("converted", "watched")


def try_seed(seed: int, is_rich: bool) -> Verdicts:
    """Writes the program of a seed and runs it in the ways that such programs can run."""
    text = Writer(seed, is_rich).program()
    arguments = [ARGUMENTS[seed % 5], ARGUMENTS[(seed + 1) % 5]]
    return try_program(text, f"<fuzz {seed}>", arguments, UNSTAGED if is_rich else TRACED)


def try_rich(seed: int) -> Verdicts:
    """A program of every statement, run unstaged."""
    return try_seed(seed, True)


def try_traced(seed: int) -> Verdicts:
    """A program that the tracing back-end can mostly record."""
    return try_seed(seed, False)


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = try_program(text, "<shrinking>", [failure.arguments], [failure.way])
        is_same = found is not None and found.part == failure.part and same_kind(found, failure)
        if is_same and found is not None:
            best = found
        return is_same

    shrink(failure.text, fails)
    return best


def same_kind(found: Failure, failure: Failure) -> bool:
    """Whether, where the errors differ, they are of the same classes."""
    return failure.part != "error" or kinds(found) == kinds(failure)


def kinds(failure: Failure) -> tuple[str | None, str | None]:
    got, want = failure.got.error, failure.want.error
    return (got and got[0][0], want and want[0][0])


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    return (
        f"# way: {failure.way}; differs: {failure.part}; call: f{failure.arguments}\n"
        f"# expected {failure.want}\n# got {failure.got}\n"
        f"{PROLOGUE}{failure.text}\n"
    )

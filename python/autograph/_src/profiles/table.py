"""A profile as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from autograph._src.profiles.profile_line import ProfileLine

_HEADER = ("share", "time", "calls", "bytes", "flops", "GB/s", "GFLOP/s", "line", "")
_LONGEST_TEXT = 72


def table(lines: Sequence[ProfileLine], head: str, notes: Sequence[str]) -> str:
    """The rows of lines, aligned, under a head line and above notes."""
    rows = [_HEADER, *(_row(line, lines) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADER))]
    texts = []
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[:7], widths, strict=False)]
        cells.append(row[7].ljust(widths[7]))
        texts.append("  ".join([*cells, row[8]]).rstrip())
    return "\n".join([head, *(texts if lines else []), *notes])


def _row(line: ProfileLine, lines: Sequence[ProfileLine]) -> tuple[str, ...]:
    files = {one.file for one in lines}
    names = {PurePath(file).name for file in files}
    file = PurePath(line.file).name if len(names) == len(files) else line.file
    text = line.text if len(line.text) <= _LONGEST_TEXT else line.text[: _LONGEST_TEXT - 1] + "…"
    return (
        f"{100 * line.share:.1f}%",
        ("~" if line.shared_with else "") + seconds_text(line.seconds),
        str(line.calls),
        amount_text(line.bytes, "B") if line.bytes else "",
        amount_text(line.flops, "") if line.flops else "",
        f"{line.bytes_per_second * 1e-9:.2f}" if line.bytes and line.seconds else "",
        f"{line.flops_per_second * 1e-9:.2f}" if line.flops and line.seconds else "",
        f"{file}:{line.line}",
        text + ("  (gradient)" if line.is_gradient else ""),
    )


def seconds_text(seconds: float) -> str:
    """A time, with the unit that gives it one to three digits before the point."""
    for factor, unit in ((1.0, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1.0:
            return (
                f"{seconds * factor:.3g} {unit}"
                if seconds * factor < 1000
                else f"{seconds * factor:.0f} {unit}"
            )
    return f"{seconds * 1e9:.0f} ns"


def amount_text(amount: float, unit: str) -> str:
    """A number with three digits and a prefix: ``1.23 M``."""
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if amount >= factor:
            return f"{amount / factor:.3g} {prefix}{unit}"
    return f"{amount:.0f} {unit}".rstrip()

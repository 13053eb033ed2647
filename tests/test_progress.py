"""Progress bars of tqdm around staged loops: the same result and the same last line as plain."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import autograph as ag
import numpy as np
import pytest
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto_tqdm


def over_a_range(n: Any, out: Any) -> Any:
    total = 0.0
    for i in tqdm(range(n), desc="steps", file=out):
        total += i * 0.5
    return total


def over_a_trange(n: Any, out: Any) -> Any:
    total = 0
    for i in trange(2, n, 3, file=out, unit="step"):
        total += i
    return total


def over_a_plain_range(x: Any, out: Any) -> Any:
    for i in trange(100, file=out):
        x = x + i
    return x


def over_a_short_range(x: Any, out: Any) -> Any:
    for i in tqdm(range(3), file=out):
        x = x * (i + 1)
    return x


def over_rows(x: Any, out: Any) -> Any:
    total = np.zeros(2)
    for row in tqdm(x, desc="rows", file=out):
        total = total + row
    return total


def left_by_break(x: Any, out: Any) -> Any:
    total = 0.0
    for value in tqdm(x, file=out):
        if value > 3.5:
            break
        total += value
    return total


def left_by_return(x: Any, out: Any) -> Any:
    for value in tqdm(x, file=out):
        if value > 3.5:
            return value
    return -1.0


def with_a_break_that_never_comes(x: Any, out: Any) -> Any:
    total = 0.0
    for value in tqdm(x, file=out):
        if value > 350.0:
            break
        total += value
    return total


def with_continue(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm(range(n), file=out):
        if i % 2 == 0:
            continue
        total += i
    return total


def not_shown(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm(range(n), file=out, disable=True):
        total += i
    return total


def with_a_total(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm((j for j in range(n)), total=n, file=out, leave=True):
        total += i
    return total


def without_a_total(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm((j * 2 for j in range(n)), file=out):
        total += i
    return total


def backwards(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm(reversed(range(n)), total=n, file=out):
        total = (total * 2 + i) % 1000003
    return total


def that_computes_nothing(n: Any, out: Any) -> Any:
    names: list[str] = []
    for i in tqdm(range(7), file=out):
        names.append(f"{i}{n is None}")
    return len(names) + n


def over_layers(x: Any, out: Any) -> Any:
    layers = [np.sin, np.cos, np.tanh, np.exp, np.sqrt, np.abs]
    for i in tqdm(range(6), file=out):
        x = layers[i](x)
    return x


def summed(n: Any, out: Any) -> Any:
    doubled = [i * 2 for i in tqdm(range(n), file=out)]
    return sum(tqdm(range(n), file=out)) + len(doubled)


def through_a_function(x: Any, out: Any) -> Any:
    def walked(bar: Any) -> Any:
        total = 0.0
        for value in bar:
            total += value
        return total

    return walked(tqdm(x, file=out, desc="through"))


def that_does_not_stay(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm(range(n), file=out, leave=False):
        total += i
    return total


def enumerated(x: Any, out: Any) -> Any:
    total = 0.0
    for i, value in enumerate(tqdm(x, file=out)):
        total += i * value
    return total


def zipped(x: Any, out: Any) -> Any:
    total = 0.0
    for value, other in zip(tqdm(x, file=out), x[1:], strict=False):
        total += value * other
    return total


def in_a_comprehension(x: Any, out: Any) -> Any:
    return np.stack([value * 2 for value in tqdm(x, file=out)])


def over_a_list(x: Any, out: Any) -> Any:
    for scale, _name in tqdm([(1.0, "a"), (2.0, "b"), (3.0, "c")], file=out):
        x = x * scale
    return x


def nested(n: Any, out: Any) -> Any:
    total = 0
    for i in tqdm(range(n), file=out, desc="outer"):
        for j in tqdm(range(i), file=out, desc="inner", leave=False):
            total += i * j
    return total


def moved_by_hand(x: Any, out: Any) -> Any:
    total = 0.0
    bar = tqdm(total=len(x) * 2, file=out)
    for value in x:
        total += value
        bar.update(2)
    bar.close()
    return total


def in_a_with(x: Any, out: Any) -> Any:
    total = 0.0
    with tqdm(total=len(x), file=out) as bar:
        for value in x:
            total += value
            bar.update()
    return total


def that_shows_a_loss(x: Any, out: Any) -> Any:
    loss = 100.0
    bar = tqdm(x, file=out)
    for value in bar:
        loss = loss - value
        bar.set_postfix(loss=loss)
    bar.set_description("done")
    return loss


def twice(n: Any, out: Any) -> Any:
    bar, total = tqdm(range(n), file=out), 0
    for i in bar:
        total += i
    for i in bar:
        total += i
    return total


def of_another_class(n: Any, out: Any) -> Any:
    total = 0
    for i in auto_tqdm(range(n), file=out):
        total += i
    return total


class Loud(tqdm):  # type: ignore[type-arg]
    """A bar of the user."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options, desc="LOUD")


def of_a_class_of_the_user(n: Any, out: Any) -> Any:
    total = 0
    for i in Loud(range(n), file=out):
        total += i
    return total


X, ROWS, N = np.arange(8.0), np.arange(12.0).reshape(6, 2), np.int64(50)

PROGRAMS: list[tuple[Callable[..., Any], Any]] = [
    *((program, N) for program in (over_a_range, over_a_trange, with_continue, not_shown, with_a_total)),
    *((program, N) for program in (without_a_total, that_does_not_stay, of_another_class, twice)),
    *((program, N) for program in (backwards, that_computes_nothing, summed)),
    *((program, X) for program in (over_layers, through_a_function)),
    *((program, X) for program in (left_by_break, left_by_return, with_a_break_that_never_comes)),
    *((program, X) for program in (over_a_plain_range, over_a_short_range, over_a_list, enumerated, zipped)),
    *((program, X) for program in (in_a_comprehension, moved_by_hand, in_a_with, that_shows_a_loss)),
    (over_a_range, np.int64(0)),
    (left_by_break, X[:0]),
    (over_rows, ROWS),
    (of_a_class_of_the_user, N),
    (nested, np.int64(5)),
]


def shown(out: io.StringIO) -> list[str]:
    """The lines that stay on the screen, without times."""
    lines = (line.split("\r")[-1] for line in out.getvalue().split("\n"))
    return [re.sub(r"\d\d:\d\d(<[\d:?]+)?, +[^,\]]*", "TIMES", line) for line in lines]


@pytest.mark.parametrize(("program", "argument"), PROGRAMS, ids=lambda one: getattr(one, "__name__", None))
def test_the_result_and_the_last_line_are_those_of_plain_python(
    program: Callable[..., Any], argument: Any
) -> None:
    plain, first, second, interpreted = (io.StringIO() for _ in range(4))
    want = program(argument, plain)
    staged = ag.function(program)
    np.testing.assert_allclose(staged(argument, first), want, rtol=1e-13)
    assert shown(first) == shown(plain)
    # Each run has a bar of its own, also where it is not traced again.
    np.testing.assert_allclose(staged(argument, second), want, rtol=1e-13)
    assert shown(second) == shown(plain)
    concrete = staged.concrete_function(argument, interpreted)
    np.testing.assert_allclose(concrete.interpret([argument, interpreted]), want, rtol=1e-13)
    assert shown(interpreted) == shown(plain)


def test_nothing_is_shown_while_tracing() -> None:
    out = io.StringIO()
    ag.function(over_a_range).concrete_function(N, out)
    assert out.getvalue() == ""


def slow(n: Any, x: Any, out: Any) -> Any:
    for _ in tqdm(range(n), file=out, mininterval=0.01):
        x = np.tanh(x @ x)
    return x


def test_the_bar_moves_while_the_graph_runs() -> None:
    out = io.StringIO()
    x = np.full((100, 100), 0.01)
    staged = ag.function(slow)
    count = np.int64(4)
    while not out.getvalue() or len(out.getvalue().split("\r")) < 8:
        assert count < 10**7
        out.seek(0)
        out.truncate()
        staged(count, x, out)
        count = count * 4
    counts = [int(n) for n in re.findall(r"(\d+)/\d+", out.getvalue())]
    assert counts == sorted(counts)
    assert any(0 < n < counts[-1] for n in counts)


def that_fails(x: Any, out: Any) -> Any:
    total = 0.0
    for value in tqdm(x, file=out):
        if value > 3.5:
            raise ValueError(f"too large: {value}")
        total += value
    return total


def test_the_bar_is_closed_where_the_run_fails() -> None:
    out = io.StringIO()
    staged = ag.function(that_fails)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"too large: 4\.0"):
            staged(X, out)
    assert out.getvalue().count("\n") == 2
    assert not tqdm._instances


def test_a_bar_from_outside() -> None:
    def walked(bar: Any) -> Any:
        total = np.float64(0.0)
        for i in bar:
            total = total + i
        return total

    outs = io.StringIO(), io.StringIO()
    for out, function in zip(outs, (walked, ag.function(walked)), strict=True):
        assert function(tqdm(range(20), file=out)) == 190.0
    assert shown(outs[0]) == shown(outs[1])


def test_a_bar_from_outside_that_is_moved() -> None:
    def moved(bar: Any, x: Any) -> Any:
        total = 0.0
        for value in x:
            total += value
            bar.update()
        return total

    outs = io.StringIO(), io.StringIO()
    for out, function in zip(outs, (moved, ag.function(moved)), strict=True):
        with tqdm(total=8, file=out) as bar:
            assert function(bar, X) == 28.0
            assert bar.n == 8
    assert shown(outs[0]) == shown(outs[1])


def test_write() -> None:
    def written(n: Any, out: Any) -> Any:
        for i in tqdm(range(n), file=out):
            if i == 2:
                tqdm.write(f"at {i}", file=out)
        return n

    plain, staged = io.StringIO(), io.StringIO()
    assert ag.function(written)(N, staged) == written(N, plain)
    assert "at 2\n" in staged.getvalue()
    assert shown(staged) == shown(plain)


def test_what_the_program_would_look_at_is_refused() -> None:
    def looked_at(n: Any, out: Any) -> Any:
        bar = tqdm(range(n), file=out)
        for _ in bar:
            pass
        return bar.n

    with pytest.raises(ag.StagingError, match=r"progress bar in a staged function"):
        ag.function(looked_at)(N, io.StringIO())


def test_reversed_is_refused() -> None:
    def backwards(n: Any, out: Any) -> Any:
        total = 0
        for i in reversed(tqdm(range(n), file=out)):
            total += i
        return total

    with pytest.raises(ag.StagingError, match="`reversed` of a progress bar"):
        ag.function(backwards)(N, io.StringIO())

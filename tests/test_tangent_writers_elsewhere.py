"""`explain`, `save` and staged calls of gradients of programs that write variables and objects."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import autograph as ag
import numpy as np
import test_tangent_container_methods as containers
import test_tangent_nonlocals as nonlocals
import test_tangent_written_objects as objects
from autograph import tangent
from autograph.errors import StagingError
from tangent_checks import is_same
from tangent_ways import S, X

Given = Callable[[], tuple[Any, ...]]


def programs(among: int) -> Iterator[tuple[str, Callable[..., Any], Given]]:
    """Some programs of each kind, and what makes arguments for them."""
    for module, share in ((nonlocals, among), (containers, 2 * among), (objects, 2 * among)):
        for made in module.PROGRAMS.taken(share):
            yield made.text, made.program, lambda made=made: (X.copy(), S, *made.more())


def gradients(among: int) -> Iterator[tuple[str, Callable[..., Any], Any, Given]]:
    for text, program, given in programs(among):
        try:
            gradient = tangent.grad(program, wrt=(0, 1))
            wanted = gradient(*given())
        except (ag.ConversionError, TypeError):
            continue
        yield text, gradient, wanted, given


def test_what_they_keep_is_explained() -> None:
    for text, gradient, _, _ in gradients(67):
        assert "keeps" in str(tangent.explain(gradient)), text


def test_their_files_give_the_same(tmp_path: Path) -> None:
    count: Counter[str] = Counter()
    for number, (text, gradient, wanted, given) in enumerate(gradients(53)):
        path = tmp_path / f"saved_{number}.py"
        try:
            tangent.save(gradient, path)
        except ag.ConversionError as error:
            assert "reads `" in str(error), text
            count["refused"] += 1
            continue
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found = getattr(module, gradient.__name__)(*given())
        assert all(np.array_equal(*pair) for pair in zip(found, wanted, strict=True)), text
        count["same"] += 1
    assert count["same"] > count["refused"], count


def test_staged_they_give_the_same() -> None:
    count: Counter[str] = Counter()
    for text, gradient, wanted, given in gradients(59):
        staged = ag.function(gradient)
        arguments, own = given(), given()
        try:
            found = [staged(*arguments), staged(*given())]
        except (ag.ConversionError, StagingError):
            count["refused"] += 1
            continue
        gradient(*own)
        assert all(np.allclose(*pair) for one in found for pair in zip(one, wanted, strict=True)), text
        states = [[getattr(one, "__dict__", one) for one in given] for given in (arguments, own)]
        assert is_same(*states), text
        count["same"] += 1
    assert count["same"] > count["refused"], count


def test_there_are_some_of_each() -> None:
    kinds = Counter("class Cell" in text or "class Holder" in text for text, *_ in gradients(67))
    assert min(kinds.values()) > 2

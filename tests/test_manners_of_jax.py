"""What a user of JAX meets here: each function, program by program, the same or different, and why.

The table in docs/gradients.md is what is found here: `AG_BLESS=1` writes it.
"""

from __future__ import annotations

import inspect
import os
import warnings
from pathlib import Path
from typing import Any

import autograph as ag
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax_programs import ROWS, Row

PAGE = Path(__file__).parent.parent / "docs" / "gradients.md"
BEGIN, END = "| function | program | as in JAX |\n", "\n## "


def outcome(row: Row, package: Any, module: Any) -> tuple[str, Any]:
    """What a program gives: a tree, or the class of its error."""
    with warnings.catch_warnings(), jax.enable_x64(True):
        warnings.simplefilter("ignore")
        try:
            return "gives", row.program(package, module)
        except (TypeError, ValueError, AttributeError) as error:
            known = (TypeError, ValueError, AttributeError)
            return "raises", next(one for one in known if isinstance(error, one))
        except Exception as error:
            return "raises", type(error)


def is_same(left: tuple[str, Any], right: tuple[str, Any]) -> bool:
    if left[0] == "raises" or right[0] == "raises":
        return left == right
    if jax.tree.structure(left[1]) != jax.tree.structure(right[1]):
        return False
    pairs = zip(jax.tree.leaves(left[1]), jax.tree.leaves(right[1]), strict=True)
    return all(one == other if isinstance(one, str) else np.allclose(one, other) for one, other in pairs)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.function}-{row.shows}")
def test_it_is_as_in_jax_unless_the_table_says_otherwise(row: Row) -> None:
    found, wanted = outcome(row, ag, np), outcome(row, jax, jnp)
    assert is_same(found, wanted) == (row.differs is None), (found, wanted)


def test_refusals_are_located() -> None:
    for row in ROWS:
        try:
            row.program(ag, np)
        except ag.StagingError as error:
            assert error.location is not None and error.code, row
        except Exception as error:
            assert "unexpected keyword argument" in str(error), row


def test_the_table_is_in_the_page() -> None:
    rows = [
        f"| `{row.function}` | {row.shows} | {'same' if row.differs is None else f'differs: {row.differs}'} |"
        for row in ROWS
    ]
    table = BEGIN + "| --- | --- | --- |\n" + "\n".join(rows) + "\n"
    text = PAGE.read_text()
    start = text.index(BEGIN)
    end = text.find(END, start)
    wanted = text[:start] + table + (text[end:] if end >= 0 else "")
    if os.environ.get("AG_BLESS") == "1":
        PAGE.write_text(wanted)
    assert PAGE.read_text() == wanted, "run with AG_BLESS=1"


def rosenbrock(x: Any, y: float = 2.0, *, scale: float = 100.0) -> Any:
    """The banana."""
    return (1.0 - x) ** 2 + scale * (y - x * x) ** 2


@pytest.mark.parametrize("name", ["grad", "value_and_grad", "jacrev", "jacfwd", "vmap", "checkpoint"])
def test_a_transformed_function_has_the_name_and_the_parameters_of_its_function(name: str) -> None:
    made, of_jax = getattr(ag, name)(rosenbrock), getattr(jax, name)(rosenbrock)
    for attribute in ("__name__", "__qualname__", "__module__", "__wrapped__"):
        assert getattr(made, attribute) == getattr(of_jax, attribute)
    assert inspect.signature(made) == inspect.signature(of_jax) == inspect.signature(rosenbrock)
    assert "The banana." in made.__doc__ and (name == "checkpoint" or f"`ag.{name}`" in made.__doc__)


def test_what_a_transformed_function_is_shown_as_says_how_it_was_made() -> None:
    assert repr(ag.vmap(ag.grad(rosenbrock))) == "<ag.vmap(grad(rosenbrock))>"
    assert ag.hessian(rosenbrock).__name__ == jax.hessian(rosenbrock).__name__
    found = ag.grad(rosenbrock)(0.5, scale=10.0)
    assert np.allclose(found, jax.grad(rosenbrock)(0.5, scale=10.0))
    assert np.allclose(ag.function(lambda x: ag.grad(rosenbrock)(x, scale=10.0))(0.5), found)

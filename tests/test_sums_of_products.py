"""In a branch, `3 * n + 1` is one comparison for two checks: at all edges it is what CPython gives."""

from __future__ import annotations

from typing import Any

import autograph as ag
import numpy as np
import pytest
from generated_programs import module_of

LEAST, MOST = -(2**63), 2**63 - 1
FACTORS = (1, 2, 3, 7, 2**31, 2**62, MOST)
TERMS = (0, 1, -1, 5, -6, 2**40, MOST, LEAST, LEAST + 1)
SHAPES = (
    "{n} * {c} + {d}",
    "{c} * {n} - {d}",
    "{d} + {c} * {n}",
    "{c} * ({c} * {n}) + {d}",
    "{c} * {n} + {d} + {d}",
)


def program(shape: str, factor: int, term: int) -> str:
    expression = shape.format(n="n", c=factor, d=f"({term})")
    return f"def chosen(n):\n    n = int(n)\n    return {expression} if n % 2 == 0 else n\n"


def edges(factor: int, term: int) -> list[int]:
    near = {0, 1, -1, 2, -2, MOST, LEAST}
    for bound in (LEAST, MOST):
        for limit in (
            bound // factor,
            (bound - term) // factor,
            bound // factor**2,
            (bound - 2 * term) // factor,
        ):
            near |= {limit + step for step in range(-3, 4)}
    return sorted(n for n in near if LEAST <= n <= MOST)


def fits(shape: str, n: int, c: int, d: int) -> bool:
    """Whether each result on the way is within 64 bits."""
    product = c * n
    steps = {
        SHAPES[0]: [product, product + d],
        SHAPES[1]: [product, product - d],
        SHAPES[2]: [product, product + d],
        SHAPES[3]: [product, c * product, c * product + d],
        SHAPES[4]: [product, product + d, product + d + d],
    }
    return all(LEAST <= step <= MOST for step in steps[shape])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("factor", FACTORS)
def test_edges(shape: str, factor: int, tmp_path: Any) -> None:
    for number, term in enumerate(TERMS):
        module = module_of(program(shape, factor, term), tmp_path, f"chosen_{number}")
        staged = ag.function(module.chosen)
        for n in edges(factor, term):
            if n % 2 == 0 and not fits(shape, n, factor, term):
                with pytest.raises(OverflowError):
                    staged(np.int64(n))
            else:
                assert staged(np.int64(n)) == module.chosen(n), (n, term)

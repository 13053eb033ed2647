"""The series of `np.polynomial`, staged: `tensor` says how the places meet coefficients that are arrays."""

from __future__ import annotations

import autograph as ag
import numpy as np
import pytest
from tangent_series_cases import SERIES

SHAPES = [((2,), (3, 2)), ((2, 3), (4, 2)), ((3,), (2, 3, 1)), ((), (3, 2)), ((2, 2), (3,)), ((2,), (1, 2))]


@pytest.mark.parametrize("tensor", [True, False])
@pytest.mark.parametrize(("places", "coefficients"), SHAPES)
@pytest.mark.parametrize(("module", "start"), SERIES)
def test_values_of_arrays_of_coefficients(
    module: str, start: str, places: tuple[int, ...], coefficients: tuple[int, ...], tensor: bool
) -> None:
    value = getattr(getattr(np.polynomial, module), start + "val")
    draws = np.random.default_rng(3)
    x, c = draws.normal(size=places), draws.normal(size=coefficients)
    x = x if places else float(x)
    staged = (
        ag.function(lambda x, c: value(x, c, tensor)),
        lambda x, c: ag.function(lambda x: value(x, c, tensor))(x),
        lambda x, c: ag.function(lambda c: value(x, c, tensor=tensor))(c),
    )
    try:
        wanted = value(x, c, tensor)
    except ValueError:
        for function in staged:
            with pytest.raises(ValueError, match="broadcast"):
                function(x, c)
        return
    for function in staged:
        found = function(x, c)
        assert np.shape(found) == np.shape(wanted)
        np.testing.assert_allclose(found, wanted, rtol=1e-13)

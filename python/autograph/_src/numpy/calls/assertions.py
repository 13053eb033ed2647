"""``np.testing``: a run asks NumPy's function, and raises its error.

    np.testing.assert_allclose(x, y)      if not ok(x, y): raise AssertionError(...)      # NumPy's own text

The functions are Python that compares, counts and formats. A run calls them with its values.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograph._src.backends.protocol import active_backend
from autograph._src.operators.calls import RUN_BY, backend_inside
from autograph._src.staging.control.run_templates import Template, Values
from autograph._src.staging.trace.active import require_trace
from autograph._src.staging.trace.sites import Site, words_of_call


def _assertion(function: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> object:
    """Calls a function of ``np.testing``: now for plain values, and else whenever the graph runs."""
    if function not in _ASSERTIONS or backend_inside((*args, *kwargs.values())) is None:
        backend = active_backend()
        assert backend is not None
        return backend.run_unconverted(function, args, kwargs)
    template = Template(gives_values=True)
    readers, words = template.readers((*args, *kwargs.values()))

    def error_of(arrays: Values) -> AssertionError | None:
        values = [read(arrays) for read in readers]
        try:
            function(*values[: len(args)], **dict(zip(kwargs, values[len(args) :], strict=True)))
        except AssertionError as error:
            return error.with_traceback(None)
        return None

    def holds(arrays: Values) -> list[NDArray[Any]]:
        return [np.array([error_of(arrays) is None])]

    trace = require_trace()
    said = words_of_call(function.__name__, words)
    trace.sites += [Site(holds, said), Site(lambda arrays: error_of(arrays) or AssertionError(), said)]
    site = len(trace.sites) - 1
    (ok,) = trace.locate().callback(site - 1, template.operands, [("bool", [])])
    trace.check(ok, AssertionError, "", site, template.operands)
    return None


_NAMES = """
    assert_ assert_allclose assert_almost_equal assert_approx_equal assert_array_almost_equal
    assert_array_almost_equal_nulp assert_array_compare assert_array_equal assert_array_less
    assert_array_max_ulp assert_equal assert_string_equal
"""

_ASSERTIONS: dict[Any, str] = {
    getattr(np.testing, name): name for name in _NAMES.split() if hasattr(np.testing, name)
}

RUN_BY.update({function.__code__: _assertion for function in _ASSERTIONS})

"""NumPy functions that make no sense for staged values, with the reasons.

While a function is traced, a staged value has no elements, no memory and no place in a file. Messages for
these functions give the reason, and `docs/numpy.md` lists them. All other functions are staged or will be.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

REASONS: dict[str, str] = {
    "files": """
        fromfile fromregex genfromtxt load loadtxt save savetxt savez savez_compressed
    """,
    "text": """
        array2string array_repr array_str base_repr binary_repr format_float_positional
        format_float_scientific fromstring
    """,
    "settings": """
        get_include get_printoptions getbufsize geterr geterrcall info printoptions set_printoptions
        setbufsize seterr seterrcall show_config show_runtime test linalg.test fft.test random.test
    """,
    "dates": """
        busday_count busday_offset datetime_as_string datetime_data is_busday isnat
    """,
    "memory": """
        asfortranarray from_dlpack frombuffer isfortran nested_iters require
    """,
    "objects": """
        asmatrix bmat frompyfunc
    """,
    "plans": """
        einsum_path
    """,
    "state": """
        random.beta random.binomial random.bytes random.chisquare random.choice random.dirichlet
        random.exponential random.f random.gamma random.geometric random.get_bit_generator random.get_state
        random.gumbel random.hypergeometric random.laplace random.logistic random.lognormal random.logseries
        random.multinomial random.multivariate_normal random.negative_binomial random.noncentral_chisquare
        random.noncentral_f random.normal random.pareto random.permutation random.poisson random.power
        random.rand random.randint random.randn random.random random.random_integers random.random_sample
        random.ranf random.rayleigh random.sample random.seed random.set_bit_generator random.set_state
        random.shuffle random.standard_cauchy random.standard_exponential random.standard_gamma
        random.standard_normal random.standard_t random.triangular random.uniform random.vonmises random.wald
        random.weibull random.zipf
    """,
}
"""For each reason, the functions. ``state`` is the state of NumPy's global random generator."""


@functools.cache
def reasons() -> dict[str, str]:
    """The reason for each function's name, such as ``files`` for ``save``."""
    return {name: reason for reason, names in REASONS.items() for name in names.split()}


def reason_of(function: Callable[..., Any]) -> str | None:
    """Why a function makes no sense for staged values, or ``None``."""
    for name, reason in reasons().items():
        holder: object = np
        for part in name.split("."):
            holder = getattr(holder, part, None)
        if holder is function and holder is not None:
            return reason
    return None

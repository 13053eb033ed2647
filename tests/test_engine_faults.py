"""What the engine is given wrong, or does wrong, is a failure of the run and not the end of the process."""

from __future__ import annotations

import autograph as ag
import numpy as np
from autograph import _core
from autograph.errors import GraphRuntimeError


def total(x):
    return np.sum(x)


def test_a_fault_of_the_engine():
    """A panic of its own is caught (`crates/ag_engine/src/tests/faults.rs`); here is what it becomes."""
    graph = ag.function(total).concrete_function(np.ones(3))
    error = graph.error(_core.GraphFailure("fault", None, ("index out of bounds",), [], [], []))
    assert isinstance(error, GraphRuntimeError)
    assert error.code == "AG208"
    assert "a fault of AutoGraph itself, please report it: index out of bounds" in str(error)

"""An estimator in the style of scikit-learn, whose `fit`, `partial_fit` and `predict` are staged.

What they write to the object, the graph gives back and each run stores: the coefficients, the counter of the
batches, the history of the losses. So the object is an ordinary one between two calls: it is cloned by its
parameters, copied, pickled. The data are a noisy plane. (Ridge regression by gradient descent.)

    python examples/estimator.py [--rows N]
"""

from __future__ import annotations

import argparse
import pickle
import time
from typing import Any, Self

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Ridge:
    """Ridge regression, fitted by gradient descent until the loss settles.

    Attributes:
        coef_: The coefficients, once it is fitted.
        intercept_: The value at the origin.
        losses_: The loss before each step.
        steps_: How many steps were made.
    """

    def __init__(self, rate: float = 0.1, penalty: float = 1e-3, tolerance: float = 1e-9) -> None:
        self.rate = rate
        self.penalty = penalty
        self.tolerance = tolerance

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters that the object was made with."""
        return {"rate": self.rate, "penalty": self.penalty, "tolerance": self.tolerance}

    def set_params(self, **parameters: Any) -> Self:
        """Changes parameters; a method that was staged for others is staged again."""
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    @ag.function
    def fit(self, x: Floats, y: Floats, most_steps: int | np.int64) -> Self:
        """Fits from the beginning: one run of a graph, with the loop in it."""
        self.coef_ = np.zeros(x.shape[1])
        self.intercept_ = np.mean(y)
        self.losses_: list[np.floating[Any]] = []
        self.steps_ = 0
        before: float | np.floating[Any] = np.inf
        for _ in range(most_steps):
            loss = self._step(x, y)
            if before - loss < self.tolerance:
                break
            before = loss
        return self

    @ag.function
    def partial_fit(self, x: Floats, y: Floats) -> Self:
        """One more step, on other rows."""
        self._step(x, y)
        return self

    def _step(self, x: Floats, y: Floats) -> np.floating[Any]:
        error = x @ self.coef_ + self.intercept_ - y
        loss = np.mean(error**2) + self.penalty * np.sum(self.coef_**2)
        self.coef_ = self.coef_ - self.rate * (x.T @ error / len(y) + self.penalty * self.coef_)
        self.intercept_ = self.intercept_ - self.rate * np.mean(error)
        self.losses_.append(loss)
        self.steps_ += 1
        return loss

    @ag.function
    def predict(self, x: Floats) -> Floats:
        """The values at some points."""
        return x @ self.coef_ + self.intercept_

    def score(self, x: Floats, y: Floats) -> float:
        """The share of the variance that it explains."""
        return float(1.0 - np.mean((self.predict(x) - y) ** 2) / np.var(y))


def clone(estimator: Ridge) -> Ridge:
    """A new estimator with the same parameters, as `sklearn.base.clone` makes one."""
    return type(estimator)(**estimator.get_params())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rows", type=int, default=2000)
    rows = parser.parse_args().rows
    rng = np.random.default_rng(0)
    x = rng.standard_normal((rows, 5))
    y = x @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) + 0.7 + 0.1 * rng.standard_normal(rows)

    model = Ridge()
    model.fit(x, y, np.int64(500))
    start = time.perf_counter()
    model.fit(x, y, np.int64(500))
    print(
        f"{model.steps_} steps in {1e3 * (time.perf_counter() - start):.1f} ms, score {model.score(x, y):.4f}"
    )
    print("coefficients", np.round(model.coef_, 2))

    again = pickle.loads(pickle.dumps(model))
    for begin in range(0, rows, 100):
        again.partial_fit(x[begin : begin + 100], y[begin : begin + 100])
    print(f"after {again.steps_ - model.steps_} batches more: score {again.score(x, y):.4f}")

    fast = clone(model).set_params(rate=0.4)
    fast.fit(x, y, np.int64(500))
    print(
        f"with a higher rate {fast.steps_} steps; {len(fast.losses_)} losses, the last {fast.losses_[-1]:.5f}"
    )


if __name__ == "__main__":
    main()

"""Bisection and Newton's method, until they converge: `while True` with a `break` that depends on data.

python examples/programs/root_finding.py
"""

import autograph as ag
import numpy as np


def kepler(anomaly: float, eccentricity: float, mean: float) -> float:
    """Kepler's equation: zero at the eccentric anomaly."""
    miss: float = anomaly - eccentricity * np.sin(anomaly) - mean
    return miss


def bisection(eccentricity: float, mean: float, tolerance: float) -> tuple[float, int]:
    low, high = np.float64(0.0), np.float64(np.pi)
    steps = 0
    while high - low > tolerance:
        middle = (low + high) / 2
        if kepler(middle, eccentricity, mean) > 0:
            high = middle
        else:
            low = middle
        steps += 1
    return (low + high) / 2, steps


def newton(eccentricity: float, mean: float, tolerance: float) -> tuple[float, int]:
    anomaly = mean
    steps = 0
    while True:
        slope = 1 - eccentricity * np.cos(anomaly)
        change = kepler(anomaly, eccentricity, mean) / slope
        anomaly = anomaly - change
        steps += 1
        if abs(change) < tolerance:
            break
        if steps == 50:
            raise ArithmeticError("no root after 50 steps")
    return anomaly, steps


PROGRAMS = {
    bisection: [(np.float64(0.3), np.float64(1.2), 1e-12), (np.float64(0.95), np.float64(0.1), 1e-9)],
    newton: [(np.float64(0.3), np.float64(1.2), 1e-12), (np.float64(0.0), np.float64(0.5), 1e-12)],
}

if __name__ == "__main__":
    for program, cases in PROGRAMS.items():
        root, steps = ag.function(program)(*cases[0])
        print(f"{program.__name__}: {root:.12f} after {steps} steps")

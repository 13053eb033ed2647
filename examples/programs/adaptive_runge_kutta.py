"""An adaptive Runge-Kutta integrator (Bogacki and Shampine's pair of orders 3 and 2).

How many steps it takes, and which of them are rejected, depends on the data.

    python examples/programs/adaptive_runge_kutta.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def van_der_pol(state: Floats, stiffness: float) -> Floats:
    position, speed = state[0], state[1]
    return np.stack([speed, stiffness * (1 - position**2) * speed - position])


def integrate(state: Floats, stiffness: float, end: float, tolerance: float) -> tuple[Floats, int, int]:
    """Integrates from time 0 to `end`; gives the state, the accepted and the rejected steps."""
    time, step = 0.0, 0.01
    accepted = rejected = 0
    first = van_der_pol(state, stiffness)
    while time < end:
        if time + step > end:
            step = end - time
        second = van_der_pol(state + step * first / 2, stiffness)
        third = van_der_pol(state + step * 3 * second / 4, stiffness)
        following = state + step * (2 * first + 3 * second + 4 * third) / 9
        fourth = van_der_pol(following, stiffness)
        error = step * np.max(np.abs(-5 * first / 72 + second / 12 + third / 9 - fourth / 8))
        if error <= tolerance:
            time += step
            state, first = following, fourth
            accepted += 1
        else:
            rejected += 1
        if step < 1e-12:
            raise ArithmeticError("the step became too small")
        step *= min(5.0, max(0.2, 0.9 * (tolerance / (error + 1e-300)) ** (1 / 3)))
    return state, accepted, rejected


PROGRAMS = {
    integrate: [
        (np.array([2.0, 0.0]), 1.0, 5.0, 1e-6),
        (np.array([2.0, 0.0]), 20.0, 30.0, 1e-4),
        (np.array([2.0, 0.0]), 1.0, 0.0, 1e-6),
    ]
}

if __name__ == "__main__":
    state, accepted, rejected = ag.function(integrate)(np.array([2.0, 0.0]), 20.0, 100.0, 1e-7)
    print(f"state {np.round(state, 6).tolist()}, {accepted} steps accepted, {rejected} rejected")

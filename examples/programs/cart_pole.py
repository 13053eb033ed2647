"""Cart-pole with the environment in the loop: how long does a linear policy keep the pole up?

python examples/programs/cart_pole.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class CartPole:
    """The cart-pole of Barto, Sutton and Anderson (1983), with Euler steps of 20 ms."""

    x: float
    speed: float
    angle: float
    turn: float

    def __init__(self, state: Floats) -> None:
        self.x, self.speed, self.angle, self.turn = state[0], state[1], state[2], state[3]
        self.steps = 0

    def observe(self) -> Floats:
        """Position, speed, angle and its change."""
        return np.stack([self.x, self.speed, self.angle, self.turn])

    def step(self, push_right: bool) -> bool:
        """Goes on by 20 ms; gives whether the pole has fallen or the cart has left the track."""
        force = 10.0 if push_right else -10.0
        sine, cosine = np.sin(self.angle), np.cos(self.angle)
        pushed = (force + 0.05 * self.turn**2 * sine) / 1.1
        bend = (9.8 * sine - cosine * pushed) / (0.5 * (4.0 / 3.0 - 0.1 * cosine**2 / 1.1))
        acceleration = pushed - 0.05 * bend * cosine / 1.1
        self.x += 0.02 * self.speed
        self.speed += 0.02 * acceleration
        self.angle += 0.02 * self.turn
        self.turn += 0.02 * bend
        self.steps += 1
        return abs(self.x) > 2.4 or abs(self.angle) > 0.2095


def evaluate(policy: Floats, starts: Floats, most: np.int64) -> float:
    """Mean number of steps over episodes that begin in the rows of `starts`."""
    total = 0.0
    for start in starts:
        world = CartPole(start)
        while world.steps < most:
            if world.step(bool(policy @ world.observe() > 0)):
                break
        total += world.steps
    return total / len(starts)


def some_starts(count: int) -> Floats:
    return np.random.default_rng(3).uniform(-0.05, 0.05, size=(count, 4))


PROGRAMS = {
    evaluate: [
        (np.array([0.1, 0.4, 1.0, 0.9]), some_starts(4), np.int64(200)),
        (np.array([0.0, 0.0, 1.0, 0.0]), some_starts(3), np.int64(200)),
        (np.array([0.0, 0.0, -1.0, 0.0]), some_starts(2), np.int64(200)),
    ]
}

if __name__ == "__main__":
    rng = np.random.default_rng(4)
    staged, starts = ag.function(evaluate), some_starts(20)
    policies = rng.normal(size=(50, 4))
    steps = [staged(policy, starts, np.int64(500)) for policy in policies]
    print(f"best of {len(policies)} random policies: {max(steps):.1f} steps")

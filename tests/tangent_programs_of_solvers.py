"""Programs as physicists write them: integrators, root finders, line searches, dynamic programs, lattices."""
# ruff: noqa: E731

from __future__ import annotations

import math
from collections import namedtuple
from dataclasses import dataclass, replace

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 0.8])
A = np.array([[2.0, 0.3], [0.3, 1.5]])

DRAWS = np.random.default_rng(3).standard_normal((4, 3))


@on((0.8, 0.13), (0.8, 0.9), wrt=(0, 1))
def adaptive_steps(k, h):
    t, y = 0.0, 1.0
    steps = 0
    while t < 1.0 and steps < 50:
        h = min(h, 1.0 - t)
        full = y + h * (-k * y)
        half = y + 0.5 * h * (-k * y)
        half = half + 0.5 * h * (-k * half)
        error = abs(half - full)
        if error > 1e-2:
            h = h * 0.5
            continue
        t = t + h
        y = 2 * half - full
        steps += 1
        if error < 1e-4:
            h = h * 1.5
    return y


@on((V, 0.1, 5), wrt=(0, 1))
def runge_kutta_with_a_nested_field(y, dt, n):
    def field(t, y):
        return np.array([y[1], -y[0] + 0.1 * t, y[0] * y[2]])

    t = 0.0
    for _ in range(n):
        k1 = field(t, y)
        k2 = field(t + dt / 2, y + dt / 2 * k1)
        k3 = field(t + dt / 2, y + dt / 2 * k2)
        k4 = field(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
    return np.sum(y**2)


@on((2.0, 3.0), wrt=(0, 1))
def newton_until_it_converges(a, x):
    while True:
        step = (x**3 - a) / (3 * x**2)
        x = x - step
        if abs(step) < 1e-9:
            break
    return x


@on((2.0, 0.5), (-1.0, 0.5), wrt=(0, 1))
def newton_that_may_fail(a, x):
    for iteration in range(30):
        slope = math.exp(x)
        if slope == 0:
            raise ZeroDivisionError("flat")
        new = x - (math.exp(x) - a) / slope
        if math.isclose(new, x, rel_tol=1e-10):
            return new
        if iteration > 5 and new > 50:
            break
        x = min(max(new, -5.0), 5.0)
    else:
        return a * x
    return x


@on((V, 0.7), wrt=(0, 1))
def backtracking_line_search(x, shrink):
    f = lambda z: np.sum(z**4) + np.sum(z**2)
    for _ in range(3):
        g = 4 * x**3 + 2 * x
        alpha = 1.0
        while f(x - alpha * g) > f(x) - 0.1 * alpha * (g @ g):
            alpha *= shrink
        x = x - alpha * g
    return f(x)


@on((A, V[:2]), wrt=(0, 1))
def conjugate_gradients(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(len(b)):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p = r + (new / rs) * p
        rs = new
    return x @ np.array([1.0, 2.0])


@on((0.31, 1.43), wrt=(0, 1))
def bisection(a, b):
    lo, hi = a, b
    f = lambda x: x * x - 1.0
    for _ in range(7):
        mid = 0.5 * (lo + hi)
        if f(lo) * f(mid) <= 0:
            hi = mid
        else:
            lo = mid
    return lo + hi * a


@dataclass
class Body:
    mass: float
    position: np.ndarray
    velocity: np.ndarray

    def kinetic(self):
        return 0.5 * self.mass * self.velocity @ self.velocity


@on((V[:2], 0.05, 1.3), wrt=(0, 1, 2))
def bodies_as_dataclasses(p, dt, mass):
    bodies = [
        Body(mass, p, np.array([0.0, 0.5])),
        Body(1.0, np.array([-1.0, 0.4]), np.array([0.2, 0.0])),
    ]
    for _ in range(3):
        forces = []
        for i, one in enumerate(bodies):
            total = np.zeros(2)
            for j, other in enumerate(bodies):
                if i != j:
                    d = other.position - one.position
                    total = total + other.mass * d / (d @ d + 0.1) ** 1.5
            forces.append(total)
        for body, force in zip(bodies, forces):
            body.velocity = body.velocity + dt * force
            body.position = body.position + dt * body.velocity
    return sum(body.kinetic() for body in bodies)


State = namedtuple("State", ["q", "p"])


@on((0.7, 0.2, 0.1), wrt=(0, 1, 2))
def leapfrog_with_named_tuples(q, p, dt):
    def leap(state):
        half = state.p - 0.5 * dt * np.sin(state.q)
        q = state.q + dt * half
        return State(q=q, p=half - 0.5 * dt * np.sin(q))

    state = State(q, p)
    energies = []
    for _ in range(4):
        state = leap(state)
        energies.append(0.5 * state.p**2 - np.cos(state.q))
    return energies[-1] + state._replace(q=0.0).p


@on((0.2, 0.1), wrt=(0, 1))
def heat_in_two_buffers(alpha, left):
    n = 6
    u, new = np.zeros(n), np.zeros(n)
    u[0] = left
    u[n // 2] = 1.0
    for _ in range(4):
        new[0], new[-1] = u[0], u[-1]
        for i in range(1, n - 1):
            new[i] = u[i] + alpha * (u[i + 1] - 2 * u[i] + u[i - 1])
        u, new = new, u
    return np.sum(u**2)


@on((0.3, V), wrt=(0, 1))
def wave_by_slices(c, initial):
    u = np.zeros(7)
    u[2:5] = initial
    previous = u.copy()
    for _ in range(3):
        following = np.zeros_like(u)
        following[1:-1] = 2 * u[1:-1] - previous[1:-1] + c**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        previous, u = u, following
    return u @ u


@on((0.4, 0.7), wrt=(0, 1))
def ising_energy_of_a_lattice(j, h):
    spins = np.array([[1, -1, 1], [1, 1, -1], [-1, 1, 1]])
    energy = 0.0
    for i in range(3):
        for k in range(3):
            s = spins[i, k]
            neighbours = spins[(i + 1) % 3, k] + spins[i, (k + 1) % 3]
            energy += -j * s * neighbours - h * s
    return math.tanh(energy)


@on((V, 1.5), wrt=(0, 1))
def shortest_path_by_relaxing(weights, scale):
    graph = {"a": {"b": 0, "c": 1}, "b": {"d": 2}, "c": {"d": 0}, "d": {}}
    distance = {node: math.inf for node in graph}
    distance["a"] = 0.0
    for _ in range(len(graph)):
        for node, edges in graph.items():
            for other, index in edges.items():
                candidate = distance[node] + weights[index] ** 2 * scale
                if candidate < distance[other]:
                    distance[other] = candidate
    return distance["d"] + distance["c"]


@on((V, 0.5), wrt=(0, 1))
def edit_distance_that_is_soft(costs, gamma):
    s, t = "kitten", "sitting"
    rows = [[0.0] * (len(t) + 1) for _ in range(len(s) + 1)]
    for i in range(1, len(s) + 1):
        rows[i][0] = i * costs[0]
    for j in range(1, len(t) + 1):
        rows[0][j] = j * costs[1]
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            options = [
                rows[i - 1][j] + costs[0],
                rows[i][j - 1] + costs[1],
                rows[i - 1][j - 1] + (0.0 if s[i - 1] == t[j - 1] else costs[2]),
            ]
            rows[i][j] = -gamma * math.log(sum(math.exp(-o / gamma) for o in options))
    return rows[-1][-1]


@on((V, 10), wrt=(0,))
def knapsack_over_a_list(values, capacity):
    weights = [3, 4, 5]
    best = [0.0] * (capacity + 1)
    for value, weight in zip(values, weights):
        for c in range(capacity, weight - 1, -1):
            best[c] = max(best[c], best[c - weight] + value * value)
    return best[capacity]


@on((0.6, 12), wrt=(0,))
def memoised_recursion(x, n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        result = x if k < 2 else fib(k - 1) * 0.5 + fib(k - 2) * x
        memo[k] = result
        return result

    return fib(n)


@on((0.4, 3), wrt=(0,))
def integral_by_recursion(a, depth):
    def simpson(f, lo, hi):
        return (hi - lo) / 6 * (f(lo) + 4 * f((lo + hi) / 2) + f(hi))

    def integrate(f, lo, hi, depth):
        mid = 0.5 * (lo + hi)
        whole, left, right = simpson(f, lo, hi), simpson(f, lo, mid), simpson(f, mid, hi)
        if depth == 0 or abs(left + right - whole) < 1e-7:
            return left + right
        return integrate(f, lo, mid, depth - 1) + integrate(f, mid, hi, depth - 1)

    return integrate(lambda x: math.exp(-a * x * x), 0.0, 1.0, depth)


@on((A, V[:2]), wrt=(0, 1))
def elimination_in_place(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(a[k:, k])))
        if pivot != k:
            a[[k, pivot]] = a[[pivot, k]]
            b[[k, pivot]] = b[[pivot, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.sum(x**2)


@on((A,))
def cholesky_in_loops(a):
    n = len(a)
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = sum(low[i, k] * low[j, k] for k in range(j))
            if i == j:
                low[i, j] = np.sqrt(a[i, i] - s)
            else:
                low[i, j] = (a[i, j] - s) / low[j, j]
    return np.sum(np.log(np.diag(low)))


@on((V, 0.3), wrt=(0, 1))
def monte_carlo_with_given_draws(drift, sigma):
    paths = []
    for z in DRAWS:
        s = 1.0
        for mu, e in zip(drift, z):
            s *= math.exp((mu - 0.5 * sigma**2) * 0.1 + sigma * math.sqrt(0.1) * e)
        paths.append(max(s - 1.0, 0.0))
    return sum(paths) / len(paths)


@dataclass(frozen=True)
class Params:
    stiffness: float
    damping: float
    substeps: int = 3


@on((3.0, 0.2), wrt=(0, 1))
def spring_with_frozen_parameters(k, c):
    params = Params(k, c)
    stiffer = replace(params, stiffness=params.stiffness * 2.0)
    x, v = 1.0, 0.0
    for p in (params, stiffer):
        for _ in range(p.substeps):
            a = -p.stiffness * x - p.damping * v
            v += 0.1 * a
            x += 0.1 * v
    return x * x + v * v


@on((V, 0.1), wrt=(0, 1))
def fixed_point_with_a_tolerance(v, tol):
    x = np.zeros_like(v)
    count = 0
    while count < 100:
        new = 0.5 * np.tanh(x) + v
        if np.max(np.abs(new - x)) < 1e-8:
            x = new
            break
        x = new
        count += 1
    return x.sum() * tol


@on((0.3, 0.2, 1.1), wrt=(0, 1, 2))
def interpolation_of_a_table(x, y0, y1):
    xs = [0.0, 0.25, 0.5, 1.0]
    ys = [y0, y1, y0 * y1, y1 - y0]
    for left, right, a, b in zip(xs, xs[1:], ys, ys[1:]):
        if left <= x < right:
            w = (x - left) / (right - left)
            return (1 - w) * a + w * b
    return ys[-1]


@on((V, 0.5), wrt=(0, 1))
def polynomial_by_horner_and_its_root(coefficients, x):
    def poly(x):
        total = 0.0
        for c in coefficients:
            total = total * x + c
        return total

    try:
        root = math.sqrt(poly(x))
    except ValueError:
        root = -math.sqrt(-poly(x))
    return root


@on((0.7, 4), wrt=(0,))
def guarded_steps_in_a_loop(x, n):
    failures = 0
    total = 0.0
    for k in range(n):
        try:
            if k % 2:
                y = math.log(x - 0.5 * k)
            else:
                y = math.sqrt(x + k)
            total += y
        except ValueError:
            failures += 1
            total -= x * failures
    return total


@on((V, 1.0), wrt=(0, 1))
def events_in_a_queue(v, rate):
    queue = [(0.0, 0)]
    t = 0.0
    while queue:
        t, kind = queue.pop(0)
        if kind < 2:
            queue.append((t + v[kind] ** 2 * rate, kind + 1))
            queue.append((t + rate, kind + 2))
    return t * rate


@on((1.3, 0.4), wrt=(0, 1))
def series_until_terms_are_small(x, a):
    term, total, k = 1.0, 0.0, 0
    while abs(term) > 1e-12:
        total += term
        k += 1
        term *= (a + k - 1) * x / (k * (k + 2))
    return total


@on((V,))
def rotation_by_a_product_of_matrices(angles):
    r = np.eye(2)
    for a in angles:
        c, s = np.cos(a), np.sin(a)
        r = r @ np.array([[c, -s], [s, c]])
    return r[0, 0] * 2.0 + r[1, 0]


REFUSED = {
    "bodies_as_dataclasses": "AG022",
    "memoised_recursion": "AG023",
    "elimination_in_place": "AG023",
}
"""As in `tangent_programs.REFUSED`."""

"""Numerical recipes: roots, quadrature, differential equations, linear algebra, interpolation, minimisation."""

import math

import numpy as np


def newton_sqrt(value, tolerance=1e-12):
    if value < 0:
        raise ValueError("value must not be negative")
    if value == 0:
        return 0.0
    guess = value if value >= 1 else 1.0
    while abs(guess * guess - value) > tolerance * value:
        guess = 0.5 * (guess + value / guess)
    return guess


def bisection(a, b, tolerance=1e-10):
    def f(x):
        return x**3 - 2 * x - 5

    fa, fb = f(a), f(b)
    if fa * fb > 0:
        raise ValueError("the signs at the ends are the same")
    steps = 0
    while b - a > tolerance:
        middle = (a + b) / 2
        fm = f(middle)
        steps += 1
        if fm == 0:
            return middle, steps
        if fa * fm < 0:
            b = middle
        else:
            a, fa = middle, fm
    return (a + b) / 2, steps


def secant(x0, x1, most=50):
    f = lambda x: math.cos(x) - x
    for step in range(most):
        f0, f1 = f(x0), f(x1)
        if f1 == f0:
            return {"root": x1, "converged": False, "steps": step}
        x2 = x1 - f1 * (x1 - x0) / (f1 - f0)
        if abs(x2 - x1) < 1e-12:
            return {"root": x2, "converged": True, "steps": step + 1}
        x0, x1 = x1, x2
    return {"root": x1, "converged": False, "steps": most}


def fixed_point(x, most=200):
    history = [x]
    for _ in range(most):
        new = math.exp(-x)
        history.append(new)
        if abs(new - x) < 1e-8:
            break
        x = new
    else:
        print("no convergence")
    return x, len(history)


def trapezoid(f_values, h):
    total = 0.5 * (f_values[0] + f_values[-1])
    for value in f_values[1:-1]:
        total += value
    return total * h


def simpson(a, b, n):
    if n % 2:
        n += 1
    h = (b - a) / n
    total = math.sin(a) + math.sin(b)
    for i in range(1, n):
        total += (4 if i % 2 else 2) * math.sin(a + i * h)
    return total * h / 3


def adaptive_simpson(a, b, eps):
    def rule(a, b):
        c = (a + b) / 2
        return (b - a) / 6 * (math.exp(-a * a) + 4 * math.exp(-c * c) + math.exp(-b * b))

    def recursive(a, b, eps, whole):
        c = (a + b) / 2
        left, right = rule(a, c), rule(c, b)
        if abs(left + right - whole) <= 15 * eps:
            return left + right + (left + right - whole) / 15
        return recursive(a, c, eps / 2, left) + recursive(c, b, eps / 2, right)

    return recursive(a, b, eps, rule(a, b))


def romberg(a, b, levels=6):
    table = np.zeros((levels, levels))
    h = b - a
    table[0, 0] = 0.5 * h * (1 / (1 + a) + 1 / (1 + b))
    for i in range(1, levels):
        h /= 2
        points = a + h * np.arange(1, 2**i, 2)
        table[i, 0] = 0.5 * table[i - 1, 0] + h * np.sum(1 / (1 + points))
        for j in range(1, i + 1):
            table[i, j] = table[i, j - 1] + (table[i, j - 1] - table[i - 1, j - 1]) / (4**j - 1)
        if i > 2 and abs(table[i, i] - table[i - 1, i - 1]) < 1e-9:
            return table[i, i]
    return table[levels - 1, levels - 1]


def monte_carlo_pi(points):
    inside = 0
    for x, y in points:
        if x * x + y * y <= 1.0:
            inside += 1
    return 4 * inside / len(points)


def euler_method(y0, t_end, h):
    t, y = 0.0, y0
    ts, ys = [t], [y]
    while t < t_end - 1e-12:
        y = y + h * (-2 * y + math.cos(t))
        t += h
        ts.append(t)
        ys.append(y)
    return np.array(ts), np.array(ys)


def rk4_pendulum(theta, omega, dt, steps):
    def derivative(state):
        angle, speed = state
        return np.array([speed, -9.81 * np.sin(angle)])

    state = np.array([theta, omega])
    path = np.empty((steps + 1, 2))
    path[0] = state
    for i in range(steps):
        k1 = derivative(state)
        k2 = derivative(state + dt / 2 * k1)
        k3 = derivative(state + dt / 2 * k2)
        k4 = derivative(state + dt * k3)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[i + 1] = state
    return path


def rk45_adaptive(y, t_end, tolerance):
    t, h = 0.0, 0.1
    accepted = rejected = 0
    while t < t_end:
        if t + h > t_end:
            h = t_end - t
        k1 = -y * np.sin(t)
        k2 = -(y + h * k1 / 2) * np.sin(t + h / 2)
        k3 = -(y - h * k1 + 2 * h * k2) * np.sin(t + h)
        second = y + h * k2
        third = y + h * (k1 + 4 * k2 + k3) / 6
        error = np.max(np.abs(third - second)) + 1e-16
        if error <= tolerance:
            t += h
            y = third
            accepted += 1
        else:
            rejected += 1
        h *= min(2.0, max(0.2, 0.9 * (tolerance / error) ** (1 / 3)))
    return y, accepted, rejected


def verlet(position, velocity, dt, steps):
    acceleration = -position / np.linalg.norm(position) ** 3
    energies = []
    for _ in range(steps):
        position = position + velocity * dt + 0.5 * acceleration * dt**2
        new = -position / np.linalg.norm(position) ** 3
        velocity = velocity + 0.5 * (acceleration + new) * dt
        acceleration = new
        energies.append(0.5 * velocity @ velocity - 1 / np.linalg.norm(position))
    return position, max(energies) - min(energies)


def gaussian_elimination(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if abs(a[pivot, k]) < 1e-12:
            raise np.linalg.LinAlgError("Singular matrix")
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
    return x


def thomas(lower, diagonal, upper, right):
    n = len(diagonal)
    c, d = np.zeros(n), np.zeros(n)
    c[0] = upper[0] / diagonal[0]
    d[0] = right[0] / diagonal[0]
    for i in range(1, n):
        m = diagonal[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m if i < n - 1 else 0.0
        d[i] = (right[i] - lower[i] * d[i - 1]) / m
    x = d.copy()
    for i in reversed(range(n - 1)):
        x[i] -= c[i] * x[i + 1]
    return x


def jacobi(a, b, tolerance=1e-10, most=500):
    x = np.zeros_like(b)
    d = np.diag(a)
    r = a - np.diagflat(d)
    for k in range(most):
        new = (b - r @ x) / d
        if np.linalg.norm(new - x, ord=np.inf) < tolerance:
            return new, k
        x = new
    return x, most


def gauss_seidel(a, b, sweeps):
    n = b.size
    x = np.zeros(n)
    for _ in range(sweeps):
        old = x.copy()
        for i in range(n):
            s = sum(a[i, j] * x[j] for j in range(n) if j != i)
            x[i] = (b[i] - s) / a[i, i]
        if np.allclose(old, x, rtol=1e-10):
            break
    return x


def conjugate_gradient(a, b):
    x = np.zeros(len(b))
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for i in range(len(b) * 2):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            break
        p = r + (new / rs) * p
        rs = new
    return x, i + 1


def power_iteration(a, most=1000):
    v = np.ones(a.shape[0]) / np.sqrt(a.shape[0])
    old = 0.0
    for i in range(most):
        w = a @ v
        value = v @ w
        v = w / np.linalg.norm(w)
        if abs(value - old) < 1e-12:
            return value, v, i
        old = value
    return old, v, most


def gram_schmidt(vectors):
    basis = []
    for v in vectors:
        w = v - sum((np.dot(v, b) * b for b in basis), np.zeros_like(v))
        if np.linalg.norm(w) > 1e-10:
            basis.append(w / np.linalg.norm(w))
    return np.array(basis)


def cholesky_by_hand(a):
    n = a.shape[0]
    lower = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = np.dot(lower[i, :j], lower[j, :j])
            if i == j:
                if a[i, i] - s <= 0:
                    return None
                lower[i, j] = math.sqrt(a[i, i] - s)
            else:
                lower[i, j] = (a[i, j] - s) / lower[j, j]
    return lower


def lagrange(xs, ys, x):
    total = 0.0
    for i, (xi, yi) in enumerate(zip(xs, ys)):
        term = yi
        for j, xj in enumerate(xs):
            if i != j:
                term *= (x - xj) / (xi - xj)
        total += term
    return total


def newton_divided_differences(xs, ys, x):
    n = len(xs)
    coefficients = list(ys)
    for level in range(1, n):
        for i in range(n - 1, level - 1, -1):
            coefficients[i] = (coefficients[i] - coefficients[i - 1]) / (xs[i] - xs[i - level])
    result = coefficients[-1]
    for i in range(n - 2, -1, -1):
        result = result * (x - xs[i]) + coefficients[i]
    return result


def linear_interpolation(xs, ys, x):
    if x <= xs[0]:
        return ys[0]
    if x >= xs[-1]:
        return ys[-1]
    i = np.searchsorted(xs, x) - 1
    t = (x - xs[i]) / (xs[i + 1] - xs[i])
    return (1 - t) * ys[i] + t * ys[i + 1]


def golden_section(a, b, tolerance=1e-8):
    ratio = (math.sqrt(5) - 1) / 2
    f = lambda x: (x - 2) ** 2 + math.sin(3 * x)
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    fc, fd = f(c), f(d)
    while abs(b - a) > tolerance:
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - ratio * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + ratio * (b - a)
            fd = f(d)
    return (a + b) / 2


def gradient_descent(x, rate=0.1, most=500):
    losses = []
    status = "stopped"
    for i in range(most):
        gradient = np.array([2 * (x[0] - 3), 20 * (x[1] + 1)])
        x = x - rate / 10 * gradient
        losses.append((x[0] - 3) ** 2 + 10 * (x[1] + 1) ** 2)
        if np.linalg.norm(gradient) < 1e-6:
            status = "converged"
            break
    return x, losses[-1], status


def nelder_mead(start, most=200):
    def f(p):
        return (1 - p[0]) ** 2 + 5 * (p[1] - p[0] ** 2) ** 2

    simplex = [start, start + np.array([0.5, 0.0]), start + np.array([0.0, 0.5])]
    for _ in range(most):
        simplex.sort(key=f)
        best, good, worst = simplex
        if abs(f(worst) - f(best)) < 1e-10:
            break
        center = (best + good) / 2
        reflected = center + (center - worst)
        if f(reflected) < f(best):
            expanded = center + 2 * (center - worst)
            simplex[2] = expanded if f(expanded) < f(reflected) else reflected
        elif f(reflected) < f(good):
            simplex[2] = reflected
        else:
            contracted = center + 0.5 * (worst - center)
            if f(contracted) < f(worst):
                simplex[2] = contracted
            else:
                simplex[1] = best + 0.5 * (good - best)
                simplex[2] = best + 0.5 * (worst - best)
    return simplex[0]


def horner(coefficients, x):
    value = derivative = 0.0
    for c in coefficients:
        derivative = derivative * x + value
        value = value * x + c
    return value, derivative


def continued_fraction(x, depth):
    terms = []
    for _ in range(depth):
        whole = math.floor(x)
        terms.append(whole)
        rest = x - whole
        if rest < 1e-9:
            break
        x = 1 / rest
    return terms


def heat_equation(u, alpha, steps):
    u = u.copy()
    for _ in range(steps):
        new = u.copy()
        new[1:-1] = u[1:-1] + alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
        if np.max(np.abs(new - u)) < 1e-7:
            return new
        u = new
    return u


SPD = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
XS = np.array([0.0, 1.0, 2.5, 4.0])
YS = np.array([1.0, 2.0, 0.5, -1.0])

PROGRAMS = (
    (newton_sqrt, (2.0,), (0.25,), (0.0,), (-1.0,)),
    (bisection, (2.0, 3.0), (1.0, 5.0), (3.0, 4.0)),
    (secant, (0.0, 1.0), (0.5, 0.5)),
    (fixed_point, (1.0,), (0.5, 3)),
    (trapezoid, (np.array([0.0, 1.0, 4.0, 9.0]), 1.0), (np.array([1.0, 2.0]), 0.5)),
    (simpson, (0.0, 3.0, 10), (0.0, 1.0, 5)),
    (adaptive_simpson, (0.0, 1.0, 1e-8), (-1.0, 2.0, 1e-4)),
    (romberg, (0.0, 1.0), (0.0, 9.0)),
    (monte_carlo_pi, (np.random.default_rng(1).random((200, 2)),), (np.ones((3, 2)),)),
    (euler_method, (1.0, 1.0, 0.1), (0.0, 0.5, 0.25)),
    (rk4_pendulum, (0.5, 0.0, 0.05, 20), (3.0, -1.0, 0.1, 3)),
    (rk45_adaptive, (np.array([1.0, 2.0]), 2.0, 1e-6), (np.array([1.0, -1.0]), 1.0, 1e-3)),
    (
        verlet,
        (np.array([1.0, 0.0]), np.array([0.0, 1.0]), 0.01, 50),
    ),
    (gaussian_elimination, (SPD, np.array([1.0, 2.0, 3.0])), (np.ones((2, 2)), np.ones(2))),
    (
        thomas,
        (np.array([0.0, 1, 1]), np.array([4.0, 4, 4]), np.array([1.0, 1, 0]), np.array([5.0, 6, 5])),
    ),
    (jacobi, (SPD, np.array([1.0, 2.0, 3.0])), (SPD, np.zeros(3))),
    (gauss_seidel, (SPD, np.array([1.0, 2.0, 3.0]), 30), (SPD, np.ones(3), 2)),
    (
        conjugate_gradient,
        (SPD, np.array([1.0, 2.0, 3.0])),
    ),
    (power_iteration, (SPD,), (np.eye(2),)),
    (gram_schmidt, (SPD,), (np.array([[1.0, 1.0], [2.0, 2.0], [0.0, 1.0]]),)),
    (cholesky_by_hand, (SPD,), (-SPD,)),
    (lagrange, (XS, YS, 1.5), (XS, YS, 0.0)),
    (newton_divided_differences, (XS, YS, 1.5), (XS[:2], YS[:2], 3.0)),
    (linear_interpolation, (XS, YS, 1.7), (XS, YS, -1.0), (XS, YS, 9.0)),
    (
        golden_section,
        (0.0, 4.0),
    ),
    (gradient_descent, (np.array([0.0, 0.0]),), (np.array([5.0, 5.0]), 0.01, 10)),
    (nelder_mead, (np.array([-1.0, 2.0]),), (np.array([1.0, 1.0]), 3)),
    (horner, ([1.0, -2.0, 3.0], 2.0), (np.array([2.0]), 5.0)),
    (continued_fraction, (3.14159265, 6), (2.5, 9)),
    (heat_equation, (np.array([0.0, 0, 1, 0, 0]), 0.2, 20), (np.zeros(4), 0.1, 5)),
)

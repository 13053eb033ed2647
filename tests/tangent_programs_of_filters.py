"""Programs as statisticians write them: filters, mixtures, processes, time series, regressions."""

from __future__ import annotations

import functools
import math
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 2.0, 0.3])
YS = np.array([0.4, -0.3, 0.9, 1.4, 0.2, -0.5])
T = np.linspace(0.0, 1.5, 6)
A = np.array([[0.9, 0.2], [-0.1, 0.8]])
POINTS = np.array([[0.1, 0.4], [1.2, -0.3], [0.8, 0.9], [-1.0, 0.2], [-0.7, -0.9]])


class Kalman:
    """A filter of a state of several dimensions, which is updated by each measurement."""

    def __init__(self, f, q, r):
        self.f = f
        self.q = q
        self.r = r
        self.x = np.zeros(2)
        self.p = np.eye(2)
        self.history = []

    def predict(self):
        self.x = self.f @ self.x
        self.p = self.f @ self.p @ self.f.T + self.q * np.eye(2)

    def update(self, z):
        h = np.array([1.0, 0.5])
        s = h @ self.p @ h + self.r
        k = self.p @ h / s
        e = z - h @ self.x
        self.x = self.x + k * e
        self.p = self.p - np.outer(k, h @ self.p)
        self.history.append(e)
        return 0.5 * (e * e / s + np.log(s))


@on((A, 0.3, 0.5, YS), wrt=(0, 1, 2))
def kalman_as_a_class(f, q, r, ys):
    kf = Kalman(f, q, r)
    nll = 0.0
    for y in ys:
        kf.predict()
        nll += kf.update(y)
    return nll + 0.1 * sum(e * e for e in kf.history)


@on((A, 0.3, YS), wrt=(0, 1))
def kalman_that_skips_missing_measurements(f, q, ys):
    x, p = np.zeros(2), np.eye(2)
    h = np.array([[1.0, 0.0]])
    total = 0.0
    for k, y in enumerate(ys):
        x = f.dot(x)
        p = f.dot(p).dot(f.T) + q * np.eye(2)
        if k % 3 == 1 or np.isnan(y):
            continue
        innovation = y - (h @ x)[0]
        s = (h @ p @ h.T)[0, 0] + 0.1
        gain = (p @ h.T)[:, 0] / s
        x = x + gain * innovation
        p = (np.eye(2) - np.outer(gain, h[0])) @ p
        total += innovation**2 / s + math.log(s)
    return total


def _logsumexp(a, axis=None):
    m = np.max(a, axis=axis, keepdims=True)
    s = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
    return np.squeeze(s, axis=axis)


@on((V[:2], V[1:3], POINTS), wrt=(0, 1))
def mixture_of_normals(means, logits, points):
    log_w = logits - _logsumexp(logits)
    parts = []
    for k in range(len(means)):
        d = points - means[k]
        parts.append(log_w[k] - 0.5 * np.sum(d * d, axis=1))
    return np.sum(_logsumexp(np.stack(parts), axis=0))


@on(({"mu": V[:2], "log_sigma": V[2:]}, POINTS))
def mixture_with_parameters_by_name(params, points):
    sigma = np.exp(params["log_sigma"])
    z = (points[:, 0][:, None] - params["mu"][None, :]) / sigma
    ll = -0.5 * z**2 - np.log(sigma)
    return -np.mean(_logsumexp(ll, axis=1))


def _rbf(x, y, length, scale):
    d = x[:, None] - y[None, :]
    return scale**2 * np.exp(-0.5 * (d / length) ** 2)


@on((0.7, 1.2, 0.3), wrt=(0, 1, 2))
def gaussian_process_by_cholesky(length, scale, noise):
    k = _rbf(T, T, length, scale) + (noise**2 + 1e-6) * np.eye(len(T))
    chol = np.linalg.cholesky(k)
    alpha = np.linalg.solve(chol.T, np.linalg.solve(chol, YS))
    return 0.5 * YS @ alpha + np.sum(np.log(np.diag(chol))) + 0.5 * len(T) * np.log(2 * np.pi)


@on((0.7, 1.2), wrt=(0, 1))
def gaussian_process_with_jitter_that_may_grow(length, scale):
    jitter = 1e-6
    k = _rbf(T, T, length, scale)
    while True:
        try:
            chol = np.linalg.cholesky(k + jitter * np.eye(len(T)))
            break
        except np.linalg.LinAlgError:
            jitter = 0.01 if jitter < 0 else jitter * 10
    alpha = np.linalg.solve(chol, YS)
    return 0.5 * np.sum(alpha**2) + np.sum(np.log(np.diagonal(chol)))


@on((V[:3], YS), wrt=(0,))
def autoregressive_model(phi, ys):
    p = len(phi)
    residuals = []
    for t in range(p, len(ys)):
        prediction = sum(phi[j] * ys[t - 1 - j] for j in range(p))
        residuals.append(ys[t] - prediction)
    residuals = np.array(residuals)
    return np.sum(residuals**2) / len(residuals)


@on((0.1, 0.15, 0.6), wrt=(0, 1, 2))
def garch_variances(omega, alpha, beta):
    variances = [np.var(YS)]
    for y in YS[:-1]:
        variances.append(omega + alpha * y**2 + beta * variances[-1])
    return 0.5 * sum(math.log(h) + y * y / h for y, h in zip(YS, variances, strict=True))


@on((0.3, 0.2, YS), wrt=(0, 1))
def exponential_smoothing_with_a_trend(alpha, beta, ys):
    level, trend = ys[0], ys[1] - ys[0]
    error = 0.0
    for y in ys[1:]:
        previous, level = level, alpha * y + (1 - alpha) * (level + trend)
        trend = beta * (level - previous) + (1 - beta) * trend
        error += (y - level - trend) ** 2
    return error


class RunningMoments:
    """Welford's means and variances."""

    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)

    @property
    def variance(self):
        return self.m2 / (self.n - 1) if self.n > 1 else 0.0


@on((V, 0.5), wrt=(0, 1))
def running_moments_of_a_stream(v, scale):
    moments = RunningMoments()
    for x in v:
        moments.push(x * scale)
    return moments.variance + moments.mean**2


@on((A, V[:2], 3), wrt=(0, 1))
def hidden_markov_likelihood(a, b, n):
    transition = np.exp(a) / np.sum(np.exp(a), axis=1, keepdims=True)
    emission = np.array([[1 / (1 + np.exp(-x)), 1 / (1 + np.exp(x))] for x in b])
    alpha = np.full(2, 0.5) * emission[:, 0]
    log_likelihood = 0.0
    for t in range(1, n + 1):
        alpha = (alpha @ transition) * emission[:, t % 2]
        c = alpha.sum()
        alpha /= c
        log_likelihood += np.log(c)
    return log_likelihood


@on((A + 0.01 * V[:2], V[:2] * [0.7, 1.1], (0, 1, 1, 0)), wrt=(0, 1))
def viterbi_score(a, b, observed):
    scores = [{s: b[s] if o == s else -b[s] for s in range(2)} for o in observed]
    best = [scores[0][s] for s in range(2)]
    for row in scores[1:]:
        best = [max(best[r] + a[r, s] for r in range(2)) + row[s] for s in range(2)]
    return max(best)


Prior = namedtuple("Prior", ["mean", "scale"])


@on((0.4, 0.8, YS), wrt=(0, 1))
def posterior_with_a_named_tuple(mean, log_scale, ys):
    prior = Prior(mean=mean, scale=math.exp(log_scale))
    lp = -0.5 * (prior.mean / 2.0) ** 2
    for y in ys:
        lp -= 0.5 * ((y - prior.mean) / prior.scale) ** 2 + math.log(prior.scale)
    return lp


@dataclass
class Regression:
    weights: np.ndarray
    bias: float
    penalty: float = 0.1
    losses: list = field(default_factory=list)

    def predict(self, x):
        return x @ self.weights + self.bias

    def loss(self, x, y):
        residual = self.predict(x) - y
        value = np.mean(residual**2) + self.penalty * np.sum(self.weights**2)
        self.losses.append(value)
        return value


@on((V[:2], 0.3), wrt=(0, 1))
def ridge_regression_as_a_dataclass(w, b):
    model = Regression(w, b)
    x = POINTS * 1.0
    y = np.array([1.0, 0.0, 1.0, -1.0, 0.5])
    return model.loss(x, y) + model.loss(x * 2.0, y) * len(model.losses)


@on((V[:2], 0.3), wrt=(0, 1))
def logistic_regression_with_masks(w, b):
    z = POINTS @ w + b
    y = np.array([1, 0, 1, 0, 1])
    positive = z > 0
    losses = np.empty_like(z)
    losses[positive] = np.log1p(np.exp(-z[positive])) + z[positive] * (1 - y[positive])
    losses[~positive] = np.log1p(np.exp(z[~positive])) - z[~positive] * y[~positive]
    return losses.mean()


@on((V[:2], 1.0), (V[:2], 0.3), wrt=(0, 1))
def huber_loss_of_each(w, delta):
    total = 0.0
    for row, target in zip(POINTS, YS):
        r = row @ w - target
        if abs(r) <= delta:
            total += 0.5 * r**2
        else:
            total += delta * (abs(r) - 0.5 * delta)
    return total


@on((V, 0.3), wrt=(0, 1))
def quantile_loss_by_where(q, tau):
    d = YS[:, None] - q[None, :]
    return np.where(d > 0, tau * d, (tau - 1) * d).mean(axis=0).sum()


@on((A, 4), wrt=(0,))
def power_iteration(a, n):
    m = a @ a.T
    v = np.ones(2) / math.sqrt(2)
    for _ in range(n):
        w = m @ v
        v = w / np.linalg.norm(w)
    return v @ m @ v


@on((V[:3],))
def moments_by_reduce(v):
    return functools.reduce(lambda acc, x: acc * 0.5 + x * x, v, 1.0)


@on((V[:3], 2.0), wrt=(0, 1))
def losses_by_partial(v, p):
    power = functools.partial(np.power, np.abs(v))
    return np.sum(power(p))


@on((V, 0.5), wrt=(0, 1))
def scores_by_map(v, s):
    return sum(map(lambda x: np.tanh(x * s), v))


@on((POINTS, 0.4), wrt=(0, 1))
def kernel_density_in_a_double_loop(points, h):
    n = len(points)
    total = 0.0
    for i in range(n):
        inner = 0.0
        for j in range(n):
            if i == j:
                continue
            d = points[i] - points[j]
            inner += math.exp(-0.5 * float(d @ d) / h**2)
        total += math.log(inner / ((n - 1) * h**2))
    return total


@on((A,))
def log_determinant_and_trace(a):
    m = a @ a.T + np.eye(2)
    sign, logdet = np.linalg.slogdet(m)
    return sign * logdet + np.trace(np.linalg.inv(m))


@on((V, 0.2), wrt=(0, 1))
def particle_weights(v, sigma):
    w = np.full(len(v), 1.0 / len(v))
    log_evidence = 0.0
    for y in YS[:4]:
        like = np.exp(-0.5 * ((y - v) / (1.0 + sigma)) ** 2)
        w *= like
        total = w.sum()
        w /= total
        log_evidence += np.log(total)
        ess = 1.0 / np.sum(w**2)
        if ess < 2.0:
            w = np.full(len(v), 1.0 / len(v))
    return log_evidence


REFUSED = {
    # What a callee has appended to a list of its object, another name may hold.
    "ridge_regression_as_a_dataclass": "AG023",
}
"""As in `tangent_programs.REFUSED`."""

"""Machine learning from scratch: regression, classification, clustering, trees, networks, sequences, optimisers."""

import math
from dataclasses import dataclass

import numpy as np


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def softmax(z):
    shifted = z - z.max(axis=-1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=-1, keepdims=True)


def perceptron(x, y, epochs):
    w, b = np.zeros(x.shape[1]), 0.0
    for epoch in range(epochs):
        mistakes = 0
        for xi, yi in zip(x, y):
            if yi * (w @ xi + b) <= 0:
                w += yi * xi
                b += yi
                mistakes += 1
        if mistakes == 0:
            print(f"separated after {epoch + 1} epochs")
            break
    return w, b


def logistic_regression(x, y, rate=0.5, steps=50):
    w = np.zeros(x.shape[1])
    history = []
    for _ in range(steps):
        p = sigmoid(x @ w)
        loss = -np.mean(y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12))
        if history and history[-1] - loss < 1e-5:
            break
        history.append(loss)
        w -= rate * x.T @ (p - y) / len(y)
    return w, history


def ridge(x, y, strength):
    a = x.T @ x + strength * np.eye(x.shape[1])
    return np.linalg.solve(a, x.T @ y)


def lasso(x, y, strength, sweeps):
    n, d = x.shape
    w = np.zeros(d)
    for _ in range(sweeps):
        biggest = 0.0
        for j in range(d):
            residual = y - x @ w + x[:, j] * w[j]
            rho = x[:, j] @ residual / n
            z = (x[:, j] ** 2).sum() / n
            old = w[j]
            if rho < -strength:
                w[j] = (rho + strength) / z
            elif rho > strength:
                w[j] = (rho - strength) / z
            else:
                w[j] = 0.0
            biggest = max(biggest, abs(w[j] - old))
        if biggest < 1e-6:
            break
    return w


def k_means(points, k, most=20):
    centers = points[:k].copy()
    labels = np.zeros(len(points), dtype=int)
    for iteration in range(most):
        distances = np.linalg.norm(points[:, None] - centers[None], axis=2)
        new = distances.argmin(axis=1)
        if iteration > 0 and np.array_equal(new, labels):
            break
        labels = new
        for c in range(k):
            members = points[labels == c]
            if len(members) > 0:
                centers[c] = members.mean(axis=0)
    return centers, labels


def nearest_neighbours(train, labels, query, k):
    distances = [(np.sqrt(np.sum((row - query) ** 2)), label) for row, label in zip(train, labels)]
    distances.sort(key=lambda pair: pair[0])
    votes = {}
    for _, label in distances[:k]:
        votes[label] = votes.get(label, 0) + 1
    return max(votes, key=votes.get)


def naive_bayes(x, y, query):
    best, best_score = None, -np.inf
    for c in np.unique(y):
        rows = x[y == c]
        prior = math.log(len(rows) / len(x))
        mean, var = rows.mean(axis=0), rows.var(axis=0) + 1e-9
        score = prior - 0.5 * np.sum(np.log(2 * np.pi * var) + (query - mean) ** 2 / var)
        if score > best_score:
            best, best_score = c, score
    return best


def gini(labels):
    if len(labels) == 0:
        return 0.0
    p = np.bincount(labels) / len(labels)
    return 1 - np.sum(p**2)


def best_split(x, y):
    best = {"feature": None, "threshold": None, "score": np.inf}
    for feature in range(x.shape[1]):
        for threshold in np.unique(x[:, feature]):
            left = y[x[:, feature] <= threshold]
            right = y[x[:, feature] > threshold]
            score = (len(left) * gini(left) + len(right) * gini(right)) / len(y)
            if score < best["score"]:
                best = {"feature": feature, "threshold": threshold, "score": score}
    return best


@dataclass
class Node:
    feature: int = -1
    threshold: float = 0.0
    left: "Node | None" = None
    right: "Node | None" = None
    value: float = 0.0


def predict_tree(root, row):
    node = root
    while node.left is not None:
        node = node.left if row[node.feature] <= node.threshold else node.right
    return node.value


def grow_stump(x, y):
    best_error, stump = math.inf, None
    for threshold in x:
        left, right = y[x <= threshold], y[x > threshold]
        if len(left) == 0 or len(right) == 0:
            continue
        error = ((left - left.mean()) ** 2).sum() + ((right - right.mean()) ** 2).sum()
        if error < best_error:
            best_error, stump = error, (threshold, left.mean(), right.mean())
    return stump


def mlp_forward(x, layers):
    for i, (w, b) in enumerate(layers):
        x = x @ w + b
        if i < len(layers) - 1:
            x = np.maximum(x, 0)
    return softmax(x)


def train_mlp(x, y, w1, b1, w2, b2, rate, epochs):
    losses = []
    for _ in range(epochs):
        h = np.tanh(x @ w1 + b1)
        p = softmax(h @ w2 + b2)
        losses.append(-np.log(p[np.arange(len(y)), y]).mean())
        d = p.copy()
        d[np.arange(len(y)), y] -= 1
        d /= len(y)
        dh = d @ w2.T * (1 - h**2)
        w2 = w2 - rate * h.T @ d
        b2 = b2 - rate * d.sum(0)
        w1 = w1 - rate * x.T @ dh
        b1 = b1 - rate * dh.sum(0)
    return losses, (w1, b1, w2, b2)


def rnn_last(xs, wx, wh, b):
    h = np.zeros(wh.shape[0])
    states = []
    for x in xs:
        h = np.tanh(wx @ x + wh @ h + b)
        states.append(h)
    return h, np.stack(states)


def gru(xs, p):
    h = np.zeros(p["uz"].shape[0])
    for x in xs:
        z = sigmoid(p["wz"] @ x + p["uz"] @ h)
        r = sigmoid(p["wr"] @ x + p["ur"] @ h)
        n = np.tanh(p["wn"] @ x + r * (p["un"] @ h))
        h = (1 - z) * n + z * h
    return h


def attention(q, k, v, causal):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape, dtype=bool)), scores, -np.inf)
    weights = softmax(scores)
    return weights @ v, weights


def layer_norm(x, gain, bias, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    var = ((x - mean) ** 2).mean(-1, keepdims=True)
    return gain * (x - mean) / np.sqrt(var + eps) + bias


def adam(parameters, gradients, state, rate=0.01):
    state["t"] += 1
    for name in parameters:
        g = gradients[name]
        state["m"][name] = 0.9 * state["m"][name] + 0.1 * g
        state["v"][name] = 0.999 * state["v"][name] + 0.001 * g**2
        m = state["m"][name] / (1 - 0.9 ** state["t"])
        v = state["v"][name] / (1 - 0.999 ** state["t"])
        parameters[name] = parameters[name] - rate * m / (np.sqrt(v) + 1e-8)
    return parameters


def clip_gradients(gradients, most):
    norm = math.sqrt(sum(float((g**2).sum()) for g in gradients))
    if norm > most:
        gradients = [g * most / norm for g in gradients]
    return gradients, norm


def dropout(x, rate, draws, training):
    if not training or rate == 0:
        return x
    mask = draws > rate
    return x * mask / (1 - rate)


def beam_search(step_scores, width):
    beams = [([], 0.0)]
    for scores in step_scores:
        candidates = []
        for tokens, total in beams:
            for token, score in enumerate(scores):
                candidates.append(([*tokens, token], total + score))
        candidates.sort(key=lambda item: -item[1])
        beams = candidates[:width]
    return beams[0]


def viterbi(observations, start, transition, emission):
    n = len(start)
    score = [start[s] * emission[s][observations[0]] for s in range(n)]
    back = []
    for o in observations[1:]:
        new, pointers = [], []
        for s in range(n):
            best = max(range(n), key=lambda r: score[r] * transition[r][s])
            new.append(score[best] * transition[best][s] * emission[s][o])
            pointers.append(best)
        score = new
        back.append(pointers)
    state = max(range(n), key=lambda s: score[s])
    path = [state]
    for pointers in reversed(back):
        state = pointers[state]
        path.append(state)
    return path[::-1]


def pca(x, k):
    centered = x - x.mean(axis=0)
    _, s, vt = np.linalg.svd(centered, full_matrices=False)
    for i in range(k):
        if vt[i, np.argmax(np.abs(vt[i]))] < 0:
            vt[i] *= -1
    return centered @ vt[:k].T, s[:k] ** 2 / (len(x) - 1)


def em_two_gaussians(data, steps):
    m1, m2, s1, s2, share = data.min(), data.max(), 1.0, 1.0, 0.5
    for step in range(steps):
        d1 = share * np.exp(-0.5 * ((data - m1) / s1) ** 2) / s1
        d2 = (1 - share) * np.exp(-0.5 * ((data - m2) / s2) ** 2) / s2
        r = d1 / (d1 + d2)
        old = m1
        m1, m2 = (r * data).sum() / r.sum(), ((1 - r) * data).sum() / (1 - r).sum()
        s1 = np.sqrt((r * (data - m1) ** 2).sum() / r.sum())
        s2 = np.sqrt(((1 - r) * (data - m2) ** 2).sum() / (1 - r).sum())
        share = r.mean()
        if abs(m1 - old) < 1e-8:
            return m1, m2, step
    return m1, m2, steps


def q_learning(rewards, draws, episodes):
    q = np.zeros((len(rewards), 2))
    at = 0
    for _ in range(episodes):
        state = 0
        while state < len(rewards) - 1:
            if draws[at % len(draws)] < 0.2:
                action = int(draws[(at + 1) % len(draws)] > 0.5)
            else:
                action = int(np.argmax(q[state]))
            at += 1
            new = state + 1 if action == 1 else max(state - 1, 0)
            target = rewards[new] + 0.9 * q[new].max()
            q[state, action] += 0.5 * (target - q[state, action])
            state = new
            if at > 200:
                return q, at
    return q, at


def early_stopping(losses, patience):
    best, wait, best_epoch = float("inf"), 0, None
    for epoch, loss in enumerate(losses):
        if loss < best:
            best, best_epoch, wait = loss, epoch, 0
        else:
            wait += 1
            if wait >= patience:
                return best, best_epoch, "stopped early"
    return best, best_epoch, "ran to the end"


def one_hot(labels, classes):
    out = np.zeros((len(labels), classes))
    for i, label in enumerate(labels):
        if not 0 <= label < classes:
            raise ValueError(f"label {label} is out of range")
        out[i, label] = 1
    return out


def skip_grams(tokens, window):
    pairs = []
    for i, center in enumerate(tokens):
        for j in range(max(0, i - window), min(len(tokens), i + window + 1)):
            if i != j:
                pairs.append((center, tokens[j]))
    return pairs


class Standardizer:
    def fit(self, x):
        self.mean_ = x.mean(axis=0)
        self.scale_ = x.std(axis=0)
        self.scale_[self.scale_ == 0] = 1.0
        return self

    def transform(self, x):
        return (x - self.mean_) / self.scale_


def standardize(train, test):
    scaler = Standardizer().fit(train)
    return scaler.transform(test), scaler.mean_


RNG = np.random.default_rng(11)
X = RNG.normal(size=(12, 3))
Y = (X @ np.array([1.0, -2.0, 0.5]) > 0).astype(int)
TREE = Node(0, 0.0, Node(value=1.0), Node(1, 0.5, Node(value=2.0), Node(value=3.0)))
W = [RNG.normal(size=(3, 4)), np.zeros(4), RNG.normal(size=(4, 2)), np.zeros(2)]
GRU = {
    name: RNG.normal(size=(2, 3 if name[0] == "w" else 2)) for name in ("wz", "uz", "wr", "ur", "wn", "un")
}
ADAM = {"t": 0, "m": {"a": np.zeros(2), "b": np.zeros(1)}, "v": {"a": np.zeros(2), "b": np.zeros(1)}}

PROGRAMS = (
    (perceptron, (X, 2 * Y - 1, 20), (X, 2 * Y - 1, 1)),
    (logistic_regression, (X, Y), (X, Y, 0.1, 3)),
    (
        ridge,
        (X, Y.astype(float), 0.1),
    ),
    (lasso, (X, Y.astype(float), 0.05, 30), (X, Y.astype(float), 9.0, 3)),
    (k_means, (X, 2), (X[:4], 3, 1)),
    (nearest_neighbours, (X, Y, X[0], 3), (X, Y, X[5] + 0.1, 1)),
    (naive_bayes, (X, Y, X[0]), (X, Y, X[1])),
    (
        best_split,
        (X[:6].round(1), Y[:6]),
    ),
    (predict_tree, (TREE, np.array([-1.0, 0.0])), (TREE, np.array([1.0, 0.9]))),
    (grow_stump, (X[:, 0], X[:, 1]), (np.ones(3), np.ones(3))),
    (
        mlp_forward,
        (X, [(W[0], W[1]), (W[2], W[3])]),
    ),
    (
        train_mlp,
        (X, Y, *W, 0.5, 10),
    ),
    (
        rnn_last,
        (X, RNG.normal(size=(4, 3)), RNG.normal(size=(4, 4)), np.zeros(4)),
    ),
    (
        gru,
        (X, GRU),
    ),
    (attention, (X, X, X, True), (X, X, X, False)),
    (
        layer_norm,
        (X, np.ones(3), np.zeros(3)),
    ),
    (
        adam,
        ({"a": np.ones(2), "b": np.zeros(1)}, {"a": np.ones(2), "b": np.ones(1)}, ADAM),
    ),
    (clip_gradients, ([X, Y.astype(float)], 1.0), ([X], 100.0)),
    (dropout, (X, 0.5, RNG.random((12, 3)), True), (X, 0.5, RNG.random((12, 3)), False)),
    (
        beam_search,
        (np.log(np.array([[0.5, 0.4, 0.1], [0.3, 0.3, 0.4]])), 2),
    ),
    (
        viterbi,
        ([0, 1, 1, 0], [0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]]),
    ),
    (
        pca,
        (X, 2),
    ),
    (
        em_two_gaussians,
        (np.concatenate([X[:, 0], X[:, 1] + 5]), 20),
    ),
    (
        q_learning,
        ([0.0, 0.0, 0.0, 1.0], RNG.random(50), 5),
    ),
    (early_stopping, ([3.0, 2.0, 2.5, 2.6, 1.0], 2), ([3.0, 2.0, 1.0], 2)),
    (one_hot, (Y, 2), (np.array([0, 5]), 3)),
    (skip_grams, ([4, 7, 9, 1], 1), ([1], 2)),
    (standardize, (X, X[:3]), (np.ones((4, 2)), np.zeros((1, 2)))),
)

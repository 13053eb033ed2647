"""Programs as engineers of networks write them: cells and layers as classes, trees, trainings, optimizers."""

from __future__ import annotations

import math
from collections import deque, namedtuple
from dataclasses import dataclass

import numpy as np
from tangent_case import Programs

PROGRAMS = Programs()
on = PROGRAMS.on

V = np.array([0.5, -1.2, 0.8])
X = np.array([[0.2, -0.4], [0.9, 0.3], [-0.6, 0.5]])
A = np.array([[0.9, 0.2], [-0.1, 0.8]])
B = np.array([[0.3, -0.5], [0.7, 0.1]])


def _sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class GRUCell:
    def __init__(self, params):
        self.wz, self.wr, self.wh = params["wz"], params["wr"], params["wh"]

    def __call__(self, h, x):
        z = _sigmoid(x @ self.wz + h)
        r = _sigmoid(x @ self.wr + h)
        n = np.tanh(x @ self.wh + r * h)
        return (1 - z) * n + z * h


@on(({"wz": A, "wr": B, "wh": A - B}, X))
def gru_as_a_class(params, xs):
    cell = GRUCell(params)
    h = np.zeros(2)
    for x in xs:
        h = cell(h, x)
    return h @ h


class LSTMCell:
    def __init__(self, w, u):
        self.w = w
        self.u = u
        self.reset()

    def reset(self):
        self.h = np.zeros(2)
        self.c = np.zeros(2)

    def step(self, x):
        gates = np.concatenate([self.w @ x, self.u @ self.h])
        i, f = _sigmoid(gates[:2]), _sigmoid(gates[2:])
        self.c = f * self.c + i * np.tanh(x)
        self.h = np.tanh(self.c) * i
        return self.h


@on((A, B, X), wrt=(0, 1))
def lstm_with_state_in_attributes(w, u, xs):
    cell = LSTMCell(w, u)
    outputs = [cell.step(x) for x in xs]
    first = np.mean(np.stack(outputs))
    cell.reset()
    for x in reversed(xs):
        cell.step(x)
    return first + np.sum(cell.h * outputs[-1])


class Linear:
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def forward(self, x):
        return x @ self.w + self.b


class Sequential:
    def __init__(self, layers: list[Linear]):
        self.layers = layers

    def forward(self, x):
        for k, layer in enumerate(self.layers):
            x = layer.forward(x)
            if k < len(self.layers) - 1:
                x = np.maximum(x, 0.0)
        return x


@on((A, V[:2], B), wrt=(0, 1, 2))
def sequential_of_layers(w1, b1, w2):
    net = Sequential([Linear(w1, b1), Linear(w2, b1 * 0.5)])
    logits = net.forward(X)
    p = _softmax(logits)
    labels = np.array([0, 1, 1])
    return -np.log(p[np.arange(3), labels]).mean()


@on(({"layer0.w": A, "layer0.b": V[:2], "layer1.w": B, "layer1.b": V[1:]}, X))
def parameters_by_formatted_names(params, x):
    h = x
    for k in range(2):
        h = h @ params[f"layer{k}.w"] + params[f"layer{k}.b"]
        if k == 0:
            h = np.tanh(h)
    penalty = sum(np.sum(p**2) for name, p in params.items() if name.endswith(".w"))
    return np.sum(h**2) + 0.01 * penalty


@on(([(A, V[:2]), (B, V[1:])], X))
def layers_in_a_list_of_tuples(params, x):
    for w, b in params[:-1]:
        x = np.tanh(x @ w + b)
    w, b = params[-1]
    return np.sum((x @ w + b) ** 2)


@dataclass(frozen=True)
class Config:
    rate: float = 0.1
    steps: int = 5
    momentum: float = 0.9


@on((V, 0.05), wrt=(0, 1))
def training_with_momentum(w, rate):
    config = Config(rate=rate, steps=4)
    velocity = np.zeros_like(w)
    for _ in range(config.steps):
        gradient = 2 * w + np.cos(w)
        velocity = config.momentum * velocity - config.rate * gradient
        w = w + velocity
    return np.sum(w**2)


class Adam:
    def __init__(self, lr, beta1=0.9, beta2=0.99):
        self.lr = lr
        self.beta1, self.beta2 = beta1, beta2
        self.m = {}
        self.v = {}
        self.t = 0

    def update(self, params, grads):
        self.t += 1
        new = {}
        for key in params:
            m = self.beta1 * self.m.get(key, 0.0) + (1 - self.beta1) * grads[key]
            v = self.beta2 * self.v.get(key, 0.0) + (1 - self.beta2) * grads[key] ** 2
            self.m[key], self.v[key] = m, v
            m_hat = m / (1 - self.beta1**self.t)
            v_hat = v / (1 - self.beta2**self.t)
            new[key] = params[key] - self.lr * m_hat / (np.sqrt(v_hat) + 1e-8)
        return new


@on((V, 0.4, 0.1), wrt=(0, 1, 2))
def adam_with_states_by_name(w, b, lr):
    params = {"w": w, "b": b}
    optimizer = Adam(lr)
    for _ in range(3):
        grads = {"w": 2 * params["w"] * params["b"], "b": np.sum(params["w"] ** 2) + params["b"]}
        params = optimizer.update(params, grads)
    return np.sum(params["w"]) * params["b"]


Tree = namedtuple("Tree", "left right value")
TREE = Tree(Tree(None, None, 0.3), Tree(Tree(None, None, -0.8), Tree(None, None, 0.5), None), None)


@on((A, V[:2]), wrt=(0, 1))
def tree_by_recursion(w, b):
    def encode(node):
        if node.value is not None:
            return np.full(2, node.value) * b
        return np.tanh(w @ (encode(node.left) + 0.5 * encode(node.right)))

    return np.sum(encode(TREE))


@on((A, [[1.0, [2.0, 0.5]], [0.3]]), wrt=(0,))
def nested_lists_by_recursion(w, tree):
    def walk(node, depth):
        if isinstance(node, float):
            return w[0] * node
        total = np.zeros(2)
        for child in node:
            total = total + np.tanh(walk(child, depth + 1)) / depth
        return total @ w

    return walk(tree, 1).sum()


@on((A, B, X), wrt=(0, 1))
def attention_with_a_mask(wq, wk, x):
    q, k = x @ wq, x @ wk
    scores = q @ k.T / math.sqrt(2)
    mask = np.tril(np.ones((3, 3), dtype=bool))
    scores = np.where(mask, scores, -1e9)
    weights = _softmax(scores)
    return np.einsum("ij,jk->ik", weights, x).sum() + np.einsum("ij,ij->", q, k)


@on((A, X), wrt=(0,))
def attention_with_a_cache(w, xs):
    cache = []
    total = 0.0
    for x in xs:
        k = np.tanh(w @ x)
        cache.append(k)
        scores = np.array([k @ c for c in cache])
        p = np.exp(scores - np.max(scores))
        p /= p.sum()
        total += sum(pi * np.sum(c) for pi, c in zip(p, cache))
    return total


@on((V, 3), wrt=(0,))
def convolution_in_loops(kernel, stride):
    signal = np.sin(np.arange(10.0))
    out = np.zeros((len(signal) - len(kernel)) // stride + 1)
    for i in range(len(out)):
        start = i * stride
        out[i] = np.dot(signal[start : start + len(kernel)], kernel)
    return np.sum(np.maximum(out, 0) ** 2)


class BatchNorm:
    def __init__(self, gamma, beta, momentum=0.9):
        self.gamma = gamma
        self.beta = beta
        self.momentum = momentum
        self.running_mean = np.zeros(2)
        self.running_var = np.ones(2)

    def forward(self, x, training):
        if training:
            mean, var = x.mean(axis=0), x.var(axis=0)
            self.running_mean *= self.momentum
            self.running_mean += (1 - self.momentum) * mean
            self.running_var = self.momentum * self.running_var + (1 - self.momentum) * var
        else:
            mean, var = self.running_mean, self.running_var
        return self.gamma * (x - mean) / np.sqrt(var + 1e-5) + self.beta


@on((V[:2], V[1:], A), wrt=(0, 1, 2))
def batch_norm_with_running_means(gamma, beta, w):
    norm = BatchNorm(gamma, beta)
    y = norm.forward(X @ w, training=True)
    z = norm.forward(y, training=False)
    return np.sum(z**2)


@on((A, 0.3), wrt=(0, 1))
def early_stopping(w, rate):
    best, patience, waited = np.inf, 2, 0
    kept = w
    for epoch in range(20):
        loss = np.sum((w @ w.T - np.eye(2)) ** 2)
        if loss < best - 1e-3:
            best, kept, waited = loss, w, 0
        else:
            waited += 1
            if waited >= patience:
                break
        w = w - rate / (1 + epoch) * 0.1 * w
    return best + np.sum(kept)


@on((A, X), wrt=(0,))
def graph_network_over_edges(w, nodes):
    edges = [(0, 1), (1, 2), (2, 0), (0, 2)]
    h = nodes
    for _ in range(2):
        messages = np.zeros_like(h)
        for src, dst in edges:
            messages[dst] += np.tanh(h[src] @ w)
        h = h + 0.5 * messages
    return np.linalg.norm(h)


@on((V, 4), wrt=(0,))
def beam_of_scores(logits, width):
    beams = [(0.0, ())]
    log_p = logits - np.log(np.sum(np.exp(logits)))
    for step in range(2):
        candidates = []
        for score, tokens in beams:
            for token in range(3):
                candidates.append((score + log_p[token] * (1 + step), (*tokens, token)))
        candidates.sort(key=lambda c: c[0], reverse=True)
        beams = candidates[:width]
    return sum(score for score, _ in beams)


@on((V, 0.7), wrt=(0, 1))
def discounted_returns(rewards, gamma):
    returns = []
    g = 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        returns.insert(0, g)
    returns = np.array(returns)
    return np.sum(returns * rewards) - returns.std()


@on((V, 0.9), wrt=(0, 1))
def moving_window_in_a_deque(v, decay):
    window = deque(maxlen=2)
    total = 0.0
    for x in v:
        window.append(x)
        total = decay * total + sum(window) / len(window)
    return total


@on((V, A), wrt=(0, 1))
def embedding_looked_up(v, table):
    tokens = ["a", "b", "a"]
    vocabulary = {"a": 0, "b": 1}
    h = np.zeros(2)
    for scale, token in zip(v, tokens):
        h = np.tanh(h + scale * table[vocabulary[token]])
    return h.sum()


@on((A, 0.5), wrt=(0, 1))
def activations_by_name(w, slope):
    activations = {
        "relu": lambda x: np.maximum(x, 0),
        "leaky": lambda x: np.where(x > 0, x, slope * x),
        "tanh": np.tanh,
    }
    h = X
    for name in ["leaky", "tanh", "relu"]:
        h = activations[name](h @ w)
    return h.sum()


@on((V, 2.0), wrt=(0, 1))
def dropout_with_a_fixed_mask(v, scale):
    rng = np.random.RandomState(0)
    mask = rng.rand(3) > 0.3
    return np.sum(v * mask / 0.7) * scale


@on((A, B), wrt=(0, 1))
def residual_blocks_in_buffers(a, b):
    h = X.copy()
    buf = np.empty_like(h)
    for w in (a, b, a):
        np.dot(h, w, out=buf)
        np.tanh(buf, out=buf)
        h += buf
    return np.sum(h)


class Module:
    def __init__(self):
        self.calls = 0

    def __call__(self, x):
        self.calls += 1
        return self.forward(x)


class Scale(Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        return x * self.factor + self.calls


@on((V, 1.5), wrt=(0, 1))
def module_with_a_base_class(v, factor):
    scale = Scale(factor)
    return np.sum(scale(scale(v)) ** 2)


@on((V, A), wrt=(0, 1))
def gradients_clipped_by_norm(g, w):
    norm = np.sqrt(np.sum(g**2))
    if norm > 1.0:
        g = g / norm
    w = w.copy()
    w[0] -= 0.1 * g[:2]
    w[1, :] *= g[2]
    return np.sum(w**2)


REFUSED = {
    "batch_norm_with_running_means": "TypeError",
    "moving_window_in_a_deque": "TypeError",
    "activations_by_name": "AG021",
}
"""As in `tangent_programs.REFUSED`."""

# run: train(images(), np.arange(40) % 3, np.zeros((6, 3)), np.zeros(3), 0.5, 6, 8)
# run: train(images(), np.arange(40) % 3, np.zeros((6, 3)), np.zeros(3), 0.5, 6, 7)
# run: train(images(), np.arange(40) % 3, np.zeros((6, 3)), np.zeros(3), 50.0, 20, 8)
import numpy as np


def images():
    return np.random.default_rng(0).random((40, 6))


def train(images, labels, w, b, lr, epochs, batch):
    n = images.shape[0]
    one_hot = np.eye(3)
    previous = np.inf
    for epoch in range(epochs):
        total = 0.0
        for start in range(0, n, batch):
            x = images[start : start + batch]
            y = one_hot[labels[start : start + batch]]
            z = x @ w + b
            e = np.exp(z - z.max(axis=1, keepdims=True))
            p = e / e.sum(axis=1, keepdims=True)
            total -= np.sum(np.log(p) * y)
            g = (p - y) / x.shape[0]
            w = w - lr * (x.T @ g)
            b = b - lr * g.sum(axis=0)
        loss = total / n
        if loss > previous:
            break
        previous = loss
    return w, b, loss, epoch

# run: perceptron(np.array([[1.0, 2.0], [-1.0, -0.5], [0.5, -2.0], [2.0, 0.1]]))
# run: perceptron(np.array([[1.0, 2.0], [-1.0, -0.5], [-1.0, -2.0], [2.0, 0.1]]))
# run: count_or_flag(np.int64(3), np.float64(3.0))
# run: count_or_flag(np.int64(0), np.float64(3.0))
# run: count_or_flag(np.int64(0), np.float64(300.0))
# run: named(np.int64(2), np.float64(1.0))
# run: named(np.int64(0), np.float64(1.0))
# run: of_three(np.int64(2), np.array([1.0, 2.0]))
# run: of_three(np.int64(5), np.array([1.0, 2.0]))
# run: of_three(np.int64(0), np.array([1.0, 2.0]))
import numpy as np


def perceptron(points):
    signs = np.where(points[:, 0] + points[:, 1] > 0, 1, -1)
    weights, bias, errors, epochs = np.zeros(2), 0.0, 1, 0
    while errors and epochs < 100:
        errors = 0
        for point, sign in zip(points, signs):
            if sign * (point @ weights + bias) <= 0:
                weights += sign * point
                bias += sign
                errors += 1
        epochs += 1
    return weights, bias, epochs


def count_or_flag(n, x):
    count = int(n)
    rounds = 0
    while (count and rounds < 5) or (x > 100 and not rounds):
        rounds += 1
    return rounds, 1 if not (count and x > 2) else 2


def named(n, x):
    is_right = int(n) and x > 0
    if is_right:
        return x + 1
    return x


def of_three(n, x):
    if int(n) and n < 4 and "text" and [1] and not (int(n) or x.sum() > 2):
        return 1
    return 2 if int(n) and (n < 4 or x[0] > 0) else 3

# group: Statements
# plain: f([1.5, 2.5])
# plain: f(np.array([1.5, 2.5]))
# staged: f(np.array([1.5, 2.5, -3.0]))
# staged: f(np.zeros(0))
# staged: rows(np.arange(12.0).reshape(4, 3))
# plain: rows(np.arange(12.0).reshape(4, 3))
"""`for` over an array"""
import numpy as np


def f(values):
    total = 0.0
    for value in values:
        if value > 0:
            total = total + value
    return total


def rows(matrix):
    total = np.zeros(3)
    for row in matrix:
        total = total * 0.5 + row
    return total

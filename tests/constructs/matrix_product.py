# group: Expressions
# plain: f(np.arange(6.0).reshape(2, 3), np.arange(3.0))
# staged: f(np.arange(6.0).reshape(2, 3), np.arange(3.0))
# refused: f(np.ones((2, 3)), np.ones(2)) AG102 where the shapes do not fit
# plain: f(np.ones((2, 3)), np.ones(2))
"""`@`"""


def f(a, b):
    c = a @ b
    c = c @ a
    return c, a @ a.T

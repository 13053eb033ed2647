# group: Directives
# plain: f(3.0)
# staged: f(np.float64(3.0))
# plain: keeps(np.ones(2))
# staged: keeps(np.ones(2))
# refused: f(np.float64(1e9)) AG206 where a loop goes on beyond its bound
# refused: other_shape(np.ones(2)) AG137 where a shape is not the one that is stated
# plain: other_shape(np.ones(2))
"""`ag.set_loop_options`"""
import autograph as ag


def f(x):
    while x > 0.5:
        ag.set_loop_options(maximum_iterations=10)
        x = x / 2
    return x


def keeps(x):
    while x.sum() < 100:
        ag.set_loop_options(shape_invariants={"x": (2,)})
        x = x * 2
    return x


def other_shape(x):
    while x.sum() < 100:
        ag.set_loop_options(shape_invariants={"x": (3,)})
        x = x * 2
    return x

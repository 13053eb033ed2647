# call: f({"a": np.ones(2), "b": np.ones(2)})
import autograph as ag


def f(tree):
    return ag.vmap(lambda row: row["a"] + row["b"], in_axes=({"a": 0, "b": 0},))(tree)

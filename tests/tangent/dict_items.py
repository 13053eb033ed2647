"""The adjoint of a dict is a dict."""

from autograph import tangent


def f(x):
    state = {"position": x, "speed": 2 * x}
    state["position"] = state["position"] * state["speed"]
    return state["position"]


derivative = tangent.grad(f)

assert derivative(3.0) == 12.0

# group: Directives
# plain: f(3.0)
# staged: f(np.float64(3.0))
"""`ag.stack`, `ag.set_element_type`"""
import autograph as ag
import numpy as np


def f(x):
    values = []
    ag.set_element_type(values, np.float64)
    for i in range(3):
        values.append(x * i)
    return ag.stack(values)

# raises: stacked(np.arange(3.0)) ValueError
# run: stacked(np.arange(8.0))
# raises: stacked_arrays(np.arange(3.0)) ValueError
# run: stacked_arrays(np.arange(8.0))
"""`np.stack` of a list that data grew: of nothing it raises."""

import numpy as np


def stacked(x):
    found = []
    for v in x:
        if v > 5:
            found.append(v)
    return np.stack(found)


def stacked_arrays(x):
    found = []
    for v in x:
        if v > 5:
            found.append(np.array([v, v]))
    return np.stack(found, axis=1)

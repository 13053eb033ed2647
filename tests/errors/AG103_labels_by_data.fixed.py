# call: f(np.ones((3, 2)))


def f(scores):
    return scores.argmax(axis=1)

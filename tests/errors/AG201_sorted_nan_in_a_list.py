# call: f(np.array([0.5, np.nan, 2.5]))


def f(xs):
    kept = []
    for v in xs:
        if not v < 0:
            kept.append(v)
    return sorted(kept)

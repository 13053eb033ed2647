"""Statistics: moments, robust estimates, tests, resampling, streams, Markov chains, regression."""

import math
from collections import Counter

import numpy as np


def mean_and_variance(data):
    n = len(data)
    if n == 0:
        raise ValueError("no data")
    mean = sum(data) / n
    variance = sum((x - mean) ** 2 for x in data) / (n - 1) if n > 1 else 0.0
    return mean, variance


def welford(values):
    count, mean, m2 = 0, 0.0, 0.0
    for value in values:
        count += 1
        delta = value - mean
        mean += delta / count
        m2 += delta * (value - mean)
    if count < 2:
        return mean, float("nan")
    return mean, m2 / (count - 1)


def median_of_list(data):
    ordered = sorted(data)
    n = len(ordered)
    middle = n // 2
    if n % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def mode(data):
    counts = {}
    for value in data:
        counts[value] = counts.get(value, 0) + 1
    best, most = None, 0
    for value, count in counts.items():
        if count > most:
            best, most = value, count
    return best, most


def top_counts(data, k):
    return Counter(data).most_common(k)


def quantile(data, q):
    if not 0 <= q <= 1:
        raise ValueError("q must lie between 0 and 1")
    ordered = np.sort(data)
    place = q * (len(ordered) - 1)
    low = int(np.floor(place))
    high = int(np.ceil(place))
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def trimmed_mean(data, share):
    ordered = sorted(data)
    cut = int(len(ordered) * share)
    kept = ordered[cut : len(ordered) - cut]
    return sum(kept) / len(kept)


def outliers_by_iqr(data):
    q1, q3 = np.percentile(data, [25, 75])
    spread = q3 - q1
    low, high = q1 - 1.5 * spread, q3 + 1.5 * spread
    return [x for x in data if x < low or x > high]


def mad(data):
    center = np.median(data)
    deviation = np.median(np.abs(data - center))
    if deviation == 0:
        return np.zeros_like(data)
    return 0.6745 * (data - center) / deviation


def skewness(data):
    centered = data - data.mean()
    spread = data.std()
    return np.mean(centered**3) / spread**3 if spread > 0 else 0.0


def correlation(xs, ys):
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys))
    sxx = sum((x - mx) ** 2 for x in xs)
    syy = sum((y - my) ** 2 for y in ys)
    try:
        return sxy / math.sqrt(sxx * syy)
    except ZeroDivisionError:
        return 0.0


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    result = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            result[order[k]] = (i + j) / 2 + 1
        i = j + 1
    return result


def spearman(x, y):
    rx = np.argsort(np.argsort(x))
    ry = np.argsort(np.argsort(y))
    d = rx - ry
    n = len(x)
    return 1 - 6 * np.sum(d**2) / (n * (n**2 - 1))


def kendall_tau(x, y):
    concordant = discordant = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            product = (x[i] - x[j]) * (y[i] - y[j])
            if product > 0:
                concordant += 1
            elif product < 0:
                discordant += 1
    return (concordant - discordant) / (len(x) * (len(x) - 1) / 2)


def t_statistic(a, b):
    va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
    t = (a.mean() - b.mean()) / np.sqrt(va + vb)
    df = (va + vb) ** 2 / (va**2 / (len(a) - 1) + vb**2 / (len(b) - 1))
    verdict = "different" if abs(t) > 2 else "alike"
    return t, df, verdict


def chi_square(observed):
    rows = observed.sum(axis=1, keepdims=True)
    columns = observed.sum(axis=0, keepdims=True)
    expected = rows * columns / observed.sum()
    return ((observed - expected) ** 2 / expected).sum()


def ks_distance(a, b):
    a, b = np.sort(a), np.sort(b)
    best = 0.0
    for x in np.concatenate([a, b]):
        fa = np.searchsorted(a, x, side="right") / len(a)
        fb = np.searchsorted(b, x, side="right") / len(b)
        best = max(best, abs(fa - fb))
    return best


def permutation_test(a, b, shuffles):
    observed = abs(a.mean() - b.mean())
    pool = np.concatenate([a, b])
    at_least = 0
    for order in shuffles:
        mixed = pool[order]
        if abs(mixed[: len(a)].mean() - mixed[len(a) :].mean()) >= observed:
            at_least += 1
    return at_least / len(shuffles)


def bootstrap_interval(data, draws):
    means = np.array([data[draw].mean() for draw in draws])
    means.sort()
    low = means[int(0.05 * len(means))]
    high = means[min(int(0.95 * len(means)), len(means) - 1)]
    return low, high


def running_median(values, window):
    result = []
    for i in range(len(values)):
        part = values[max(0, i - window + 1) : i + 1]
        result.append(float(np.median(part)))
    return result


def exponential_smoothing(series, alpha):
    smoothed = [series[0]]
    for value in series[1:]:
        smoothed.append(alpha * value + (1 - alpha) * smoothed[-1])
    return smoothed


def reservoir(stream, k, draws):
    kept = []
    for i, value in enumerate(stream):
        if i < k:
            kept.append(value)
        else:
            j = int(draws[i] * (i + 1))
            if j < k:
                kept[j] = value
    return kept


def histogram_by_hand(data, low, high, bins):
    counts = [0] * bins
    width = (high - low) / bins
    outside = 0
    for x in data:
        if x < low or x >= high:
            outside += 1
            continue
        counts[int((x - low) / width)] += 1
    return counts, outside


def entropy(symbols):
    total = len(symbols)
    counts = {}
    for s in symbols:
        if s in counts:
            counts[s] += 1
        else:
            counts[s] = 1
    return -sum(c / total * math.log2(c / total) for c in counts.values())


def stationary(p, tolerance=1e-12):
    state = np.full(p.shape[0], 1 / p.shape[0])
    steps = 0
    while True:
        new = state @ p
        steps += 1
        if np.abs(new - state).sum() < tolerance or steps > 1000:
            return new, steps
        state = new


def simulate_chain(p, start, draws):
    state, path = start, [start]
    for u in draws:
        total = 0.0
        for nxt in range(len(p)):
            total += p[state][nxt]
            if u < total:
                state = nxt
                break
        path.append(state)
    return path


def linear_regression(x, y):
    a = np.column_stack([np.ones(len(x)), x])
    coefficients, *_ = np.linalg.lstsq(a, y, rcond=None)
    residuals = y - a @ coefficients
    r2 = 1 - (residuals**2).sum() / ((y - y.mean()) ** 2).sum()
    return {"intercept": coefficients[0], "slope": coefficients[1], "r2": r2}


def theil_sen(x, y):
    slopes = [
        (y[j] - y[i]) / (x[j] - x[i]) for i in range(len(x)) for j in range(i + 1, len(x)) if x[i] != x[j]
    ]
    slope = np.median(slopes)
    return slope, np.median(y - slope * x)


def confusion(truth, guess, classes):
    table = np.zeros((classes, classes), dtype=int)
    for t, g in zip(truth, guess):
        table[t, g] += 1
    accuracy = np.trace(table) / table.sum()
    return table, accuracy


def precision_recall(truth, score, threshold):
    tp = fp = fn = 0
    for t, s in zip(truth, score):
        positive = s >= threshold
        if positive and t:
            tp += 1
        elif positive and not t:
            fp += 1
        elif t:
            fn += 1
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return round(precision, 3), round(recall, 3), round(f1, 3)


def summary(data):
    return f"n={len(data)} mean={np.mean(data):.2f} sd={np.std(data):.2f} max={np.max(data):.1f}"


def group_means(keys, values):
    groups = {}
    for key, value in zip(keys, values):
        groups.setdefault(key, []).append(value)
    return {key: sum(group) / len(group) for key, group in groups.items()}


RNG = np.random.default_rng(7)
A, B = RNG.normal(size=12), RNG.normal(0.8, 1.0, 9)

PROGRAMS = (
    (mean_and_variance, ([1.0, 2.5, 4.0],), ([3.0],), ([],)),
    (welford, (A,), (A[:1],)),
    (median_of_list, ([3.0, 1.0, 2.0],), ([4, 1, 3, 2],)),
    (mode, ([3, 1, 3, 2, 1, 3],), ([5],)),
    (top_counts, ([3, 1, 3, 2, 1, 3], 2), ([1, 2], 1)),
    (quantile, (A, 0.3), (A, 1.0), (A, 1.5)),
    (trimmed_mean, (A, 0.1), (A, 0.4)),
    (outliers_by_iqr, (np.array([1.0, 2, 3, 2, 1, 50]),), (A,)),
    (mad, (A,), (np.ones(4),)),
    (skewness, (A,), (np.ones(4),)),
    (correlation, ([1.0, 2.0, 4.0], [2.0, 3.0, 1.0]), ([1.0, 1.0], [2.0, 3.0])),
    (ranks, ([3.0, 1.0, 3.0, 2.0],), ([1.0],)),
    (spearman, (A[:9], B), (B, B)),
    (
        kendall_tau,
        (A[:9], B),
    ),
    (t_statistic, (A, B), (A, A + 5)),
    (
        chi_square,
        (np.array([[10, 20], [30, 5]]),),
    ),
    (ks_distance, (A, B), (A, A)),
    (
        permutation_test,
        (A, B, np.array([RNG.permutation(21) for _ in range(20)])),
    ),
    (
        bootstrap_interval,
        (A, RNG.integers(0, 12, (30, 12))),
    ),
    (running_median, ([5.0, 1.0, 4.0, 2.0], 3), (A, 5)),
    (exponential_smoothing, ([3.0, 5.0, 4.0], 0.5), (A, 0.1)),
    (reservoir, (np.arange(20.0), 4, RNG.random(20)), (np.arange(2.0), 4, RNG.random(2))),
    (histogram_by_hand, (A, -2.0, 2.0, 4), (A, 0.0, 1.0, 2)),
    (entropy, ([1, 1, 2, 3],), ([4, 4],)),
    (
        stationary,
        (np.array([[0.9, 0.1], [0.4, 0.6]]),),
    ),
    (
        simulate_chain,
        ([[0.9, 0.1], [0.4, 0.6]], 0, RNG.random(15)),
    ),
    (
        linear_regression,
        (A[:9], B),
    ),
    (
        theil_sen,
        (A[:9], B),
    ),
    (
        confusion,
        (np.array([0, 1, 2, 1]), np.array([0, 2, 2, 1]), 3),
    ),
    (
        precision_recall,
        ([True, False, True, True], [0.9, 0.8, 0.3, 0.7], 0.5),
        ([True, False], [0.1, 0.2], 0.5),
    ),
    (summary, (A,), (B,)),
    (group_means, ([1, 2, 1], [3.0, 4.0, 5.0]), ([7], [1.0])),
)

"""Derivatives as source beside the functions that they are of: their time over that of the function.

    python benchmarks/tangent.py                # all of it
    python benchmarks/tangent.py generation     # the time that making a derivative takes

Plain NumPy on both sides, in turns; medians. The programs are those of the Tangent paper: the perceptron
of Listing 6 with a batch of 16, and the loop of Listing 2. The last lines are the time that making a
derivative takes, the least and the median of rounds in turns, and that over the time of 1,000 statements.
"""

import linecache
import statistics
import sys
import time
import tracemalloc

import numpy as np
from autograph import tangent
from autograph._src.tangent import known


def logsumexp(x, axis=None, keep_dims=False):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keep_dims))


def logsoftmax(logits):
    return logits - logsumexp(logits, axis=-1, keep_dims=True)


def softmax_crossent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    loss = np.mean(softmax_crossent(out, label))
    return loss


def loop(x, num_steps):
    for _ in range(num_steps):
        if np.sum(x) > 1:
            x = x / 2
    return np.sum(x)


def ratio(one, other, arguments, rounds=15):
    """The median time of `one` over that of `other`, measured in turns, and the latter in microseconds."""
    start = time.perf_counter()
    one(*arguments)
    calls = max(1, int(0.02 / (time.perf_counter() - start)))
    times = ([], [])
    for _ in range(rounds):
        for function, found in zip((one, other), times, strict=True):
            start = time.perf_counter()
            for _ in range(calls):
                function(*arguments)
            found.append((time.perf_counter() - start) / calls)
    first, second = map(statistics.median, times)
    return first / second, second * 1e6


def perceptron(width):
    draws = np.random.default_rng(0)
    label = np.eye(10)[draws.integers(0, 10, 16)]
    weights = [draws.normal(size=shape) * 0.1 for shape in ((width, width), (width,), (width, 10), (10,))]
    return (draws.normal(size=(16, width)), *weights, label)


def straight(count):
    """A function of so many statements."""
    lines = [f"v{i} = np.sin({f'v{i - 1}' if i else 'x'}) + {i}.0" for i in range(count)]
    return defined(f"straight {count}", [*lines, f"return np.sum(v{count - 1})"])


def branching(count):
    """A function of so many statements, with a loop and two choices in each twelve."""
    lines = ["v = x", "w = x * 2.0"]
    for i in range(count // 12):
        lines += [
            f"a{i} = np.sin(v) * w",
            f"for i{i} in range(3):",
            f"    a{i} = a{i} * w + v",
            f"    if np.sum(a{i}) > {i}.0:",
            f"        b{i} = np.tanh(a{i})",
            "    else:",
            f"        b{i} = a{i} / 2.0",
            f"    v = v + b{i}",
            f"if np.sum(v) > {i}.0:",
            "    w = w * 0.5",
            "else:",
            "    w = np.cos(v)",
        ]
    return defined(f"branching {count}", [*lines, "return np.sum(v * w)"])


def defined(title, lines):
    """The function of `x` with this body, whose source is found."""
    text = "\n".join(["import numpy as np", "def f(x):", *(f"    {line}" for line in lines), ""])
    name = f"<{title}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope = {}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def milliseconds(functions, wrt, rounds):
    """The times that making the derivative of each function takes, in turns: the others are made between."""
    found = [[] for _ in functions]
    for _ in range(rounds):
        for function, times in zip(functions, found, strict=True):
            known._known.clear()
            start = time.perf_counter()
            tangent.grad(function, wrt=wrt)
            times.append((time.perf_counter() - start) * 1e3)
    return found


def generation():
    print("making a derivative, ms: the least (the median), over those of 1,000 statements")
    (times,) = milliseconds([mlp], (1, 2, 3, 4), rounds=15)
    print(f"  perceptron: {min(times):.1f} ({statistics.median(times):.1f})")
    counts = (100, 1_000, 2_000, 5_000, 10_000)
    for program in (straight, branching):
        found = milliseconds([program(count) for count in counts], 0, rounds=7)
        thousand = found[counts.index(1_000)]
        for count, times in zip(counts, found, strict=True):
            least, median = min(times), statistics.median(times)
            ratios = f"{least / min(thousand):.1f} ({median / statistics.median(thousand):.1f})"
            print(f"  {program.__name__}, {count} statements: {least:.1f} ({median:.1f}); {ratios}")
    start = time.perf_counter()
    for _ in range(1000):
        tangent.grad(mlp)
    print(f"  again: {(time.perf_counter() - start) * 1e3:.1f} µs")


def main():
    print("perceptron, batch 16: gradient / forward; the same of the general text (forward, µs)")
    for width in (4, 16, 64, 256, 1024):
        known._known.clear()
        gradient = tangent.grad(mlp, wrt=(1, 2, 3, 4))
        general = gradient.__tangent__.functions[gradient.__name__]
        found, forward = ratio(gradient, mlp, perceptron(width))
        wider, _ = ratio(general, mlp, perceptron(width))
        print(f"  width {width:5}: {found:5.2f} {wider:5.2f} ({forward:.1f})")
    print("loop with x / 2: gradient / forward (forward, µs); peak of the gradient in arrays of x")
    gradient = tangent.grad(loop)
    for size in (1, 1_000, 100_000):
        for steps in (10, 100, 500):
            x = np.full(size, 1e200)
            found, forward = ratio(gradient, loop, (x, steps), rounds=7)
            tracemalloc.start()
            gradient(x, steps)
            peak = tracemalloc.get_traced_memory()[1] / x.nbytes
            tracemalloc.stop()
            print(f"  {size:7} x {steps:3}: {found:5.2f} ({forward:.1f}); {peak:.1f}")
    generation()


if __name__ == "__main__":
    generation() if sys.argv[1:] == ["generation"] else main()

# run: permutations(np.int64(3))
# run: filled_up_to(np.int64(2))
# run: filled_up_to(np.int64(0))
# run: topological_order(np.array([[0, 1], [1, 2], [3, 1], [0, 3]]), np.int64(4))
# run: count(np.int64(5))
# run: count(np.int64(0))
# run: count_in_a_loop(np.int64(4))
# run: hanoi(np.int64(3))
# run: hanoi(np.int64(0))
# run: queens(np.int64(5))
# run: queens(np.int64(2))
# run: flood(np.array([[0, 0, 1], [1, 0, 0], [0, 0, 0]]), np.int64(0), np.int64(0))
# run: sorted_around(np.array([3.0, -1.0, 2.0, 0.5]))
# run: sorted_argument(np.array([3.0, -1.0, 2.0, 0.5]))
# run: fibonacci_with_a_memo(np.int64(10))
# run: counted_calls(np.int64(4))
# run: nonlocal_count(np.int64(4))
# run: nonlocal_count(np.int64(0))
# run: backtracking(np.int64(3))
# run: even_and_odd_with_a_log(np.int64(6))
# run: even_and_odd_with_a_log(np.int64(0))
# run: merge_sort(np.array([3.0, -1.0, 2.0, 0.5, 7.0]))
# run: argument_and_variable_around(np.int64(3))
# run: attributes(np.int64(4))
# run: attribute_written_in_place(np.int64(4))
# run: called_in_a_loop(np.int64(5))
# run: called_twice(np.int64(5))
# run: recursion_in_a_recursion(np.int64(4))
# run: appended_after_the_call(np.int64(4))
# run: list_as_argument(np.int64(4))
# run: dict_around(np.int64(4))
# raises: raising_at_the_end(np.int64(4)) ValueError
# run: popped(np.int64(8))
# raises: popped(np.int64(3)) IndexError
# run: argument_of_the_staged_function(np.ones(3), np.int64(4))
# run: argument_passed_on(np.ones(3), np.int64(4))
# run: one_array_twice(np.ones(3), np.int64(4))
# run: augmented(np.ones(3), np.int64(4))
# run: nonlocal_array(np.int64(4))
# run: nonlocal_array_that_grows(np.int64(4))
# run: mutual(np.int64(7))
# run: branches_that_write(np.int64(5))
# run: best_subset(np.array([1.0, -2.0, 3.0]))
# run: method(np.int64(20))
import numpy as np


def count(n):
    def go(r):
        if r == n:
            return 0
        return 1 + go(r + 1)

    return go(0)


def count_in_a_loop(n):
    def go(r):
        t = 0
        for c in range(n):
            if c > r:
                t += 1 + go(r + 1)
        return t

    return go(0)


def hanoi(n):
    moves = []

    def h(n, a, b, c):
        if n > 0:
            h(n - 1, a, c, b)
            moves.append((a, c))
            h(n - 1, b, a, c)

    h(n, 0, 1, 2)
    return moves


def queens(n):
    def ok(b, r, c):
        for i in range(r):
            if b[i] == c or abs(b[i] - c) == r - i:
                return False
        return True

    def solve(b, r):
        if r == len(b):
            return 1
        t = 0
        for c in range(len(b)):
            if ok(b, r, c):
                b[r] = c
                t += solve(b, r + 1)
        return t

    return solve(np.zeros(n, np.int64), 0)


def flood(g, i, j):
    seen = np.zeros(g.shape, bool)

    def go(i, j):
        if i < 0 or j < 0 or i >= g.shape[0] or j >= g.shape[1]:
            return 0
        if seen[i, j] or g[i, j] == 1:
            return 0
        seen[i, j] = True
        return 1 + go(i + 1, j) + go(i - 1, j) + go(i, j + 1) + go(i, j - 1)

    return go(i, j), seen


def sorted_around(x):
    x = x.copy()

    def part(lo, hi):
        p = x[hi]
        i = lo
        for j in range(lo, hi):
            if x[j] < p:
                x[i], x[j] = x[j], x[i]
                i += 1
        x[i], x[hi] = x[hi], x[i]
        return i

    def qs(lo, hi):
        if lo < hi:
            p = part(lo, hi)
            qs(lo, p - 1)
            qs(p + 1, hi)

    qs(0, len(x) - 1)
    return x


def sorted_argument(x):
    def qs(x, lo, hi):
        if lo < hi:
            p = x[hi]
            i = lo
            for j in range(lo, hi):
                if x[j] < p:
                    x[i], x[j] = x[j], x[i]
                    i += 1
            x[i], x[hi] = x[hi], x[i]
            qs(x, lo, i - 1)
            qs(x, i + 1, hi)

    qs(x, 0, len(x) - 1)
    return x


def fibonacci_with_a_memo(n):
    m = np.full(n + 1, -1)

    def fib(k):
        if k < 2:
            return k
        if m[k] >= 0:
            return m[k]
        m[k] = fib(k - 1) + fib(k - 2)
        return m[k]

    return fib(n), m


def counted_calls(n):
    class C:
        pass

    c = C()
    c.calls = 0
    c.total = 0.0

    def f(k):
        c.calls += 1
        if k <= 0:
            return
        c.total += k * 0.5
        f(k - 1)
        f(k - 2)

    f(n)
    return c.calls, c.total


def nonlocal_count(n):
    count = 0

    def f(k):
        nonlocal count
        count += 1
        if k > 0:
            f(k - 1)
            f(k - 2)

    f(n)
    return count


def backtracking(n):
    out = []
    path = []

    def rec(k):
        if k == 0:
            s = 0
            for p in path:
                s += p
            out.append(s)
            return
        for d in range(2):
            path.append(d * k)
            rec(k - 1)
            path.pop()

    rec(n)
    return out


def even_and_odd_with_a_log(n):
    log = []

    def even(k):
        log.append(k)
        if k == 0:
            return True
        return odd(k - 1)

    def odd(k):
        if k == 0:
            return False
        return even(k - 1)

    return even(n), log


def merge_sort(x):
    tmp = np.zeros_like(x)

    def ms(lo, hi):
        if hi - lo < 2:
            return
        m = (lo + hi) // 2
        ms(lo, m)
        ms(m, hi)
        i, j = lo, m
        for k in range(lo, hi):
            if j >= hi or (i < m and x[i] <= x[j]):
                tmp[k] = x[i]
                i += 1
            else:
                tmp[k] = x[j]
                j += 1
        x[lo:hi] = tmp[lo:hi]

    ms(0, len(x))
    return x


def argument_and_variable_around(n):
    b = np.zeros(3)

    def f(x, k):
        if k > 0:
            x[0] += 1
            b[1] += x[0]
            f(x, k - 1)
            x[2] += b[1]

    f(b, n)
    return b


def attributes(n):
    class C:
        pass

    c = C()
    c.w = np.zeros(3)
    c.k = 0
    c.best = None

    def f(k):
        c.w = c.w + 1
        c.k = k
        if k % 3 == 0:
            c.best = k
        if k > 0:
            f(k - 1)
        c.w = c.w * 2

    f(n)
    return c.w, c.k, c.best


def attribute_written_in_place(n):
    class C:
        pass

    c = C()
    c.w = np.zeros(3)

    def f(k):
        c.w[k % 3] += k
        if k > 0:
            f(k - 1)
        c.w[0] += 1

    f(n)
    return c.w


def called_in_a_loop(n):
    b = np.zeros(4)
    tot = 0.0

    def f(k):
        if k == 0:
            return b.sum()
        b[k % 4] += k
        return f(k - 1)

    for i in range(n):
        if i % 2 == 0:
            tot += f(i)
        else:
            b[0] -= 1
    return tot, b


def called_twice(n):
    b = np.zeros(4)

    def f(k, d):
        if k == 0:
            return
        b[k % 4] += d
        f(k - 1, d)

    f(n, 1.0)
    b[:] = b * 2
    f(n - 1, 3.0)
    return b


def recursion_in_a_recursion(n):
    out = []

    def f(k):
        def g(j):
            if j == 0:
                return
            out.append(j)
            g(j - 1)

        if k == 0:
            return
        g(k)
        f(k - 1)

    f(n)
    return out


def appended_after_the_call(n):
    out = []

    def f(k):
        if k == 0:
            return 0
        r = f(k - 1)
        out.append(r)
        out.append(len(out))
        return r + out[-1]

    return f(n), out


def list_as_argument(n):
    out = []

    def f(k, acc):
        if k == 0:
            return
        acc.append(k)
        f(k - 1, acc)
        acc.append(-k)

    f(n, out)
    return out


def dict_around(n):
    d = {"a": 0, "b": 0.0}

    def f(k):
        if k == 0:
            return
        d["a"] += k
        d["b"] += 0.5
        f(k - 1)

    f(n)
    return d["a"], d["b"]


def raising_at_the_end(n):
    b = np.zeros(3)

    def f(k):
        b[0] += 1
        if k == 0:
            raise ValueError(f"end {b[0]}")
        f(k - 1)

    f(n)
    return b


def popped(n):
    out = []

    def f(k):
        if k > 3:
            out.append(k)
        if k > 0:
            f(k - 1)
        if k % 2:
            out.pop()

    f(n)
    return out


def argument_of_the_staged_function(x, n):
    def f(k):
        if k == 0:
            return
        x[k % 3] += 1
        f(k - 1)

    f(n)
    return x.sum()


def argument_passed_on(x, n):
    def f(x, k):
        if k == 0:
            return 0
        x[k % 3] += 1
        return f(x, k - 1) + x[0]

    return f(x, n)


def one_array_twice(x, n):
    y = x

    def f(a, b, k):
        if k == 0:
            return 0
        a[0] += 1
        return f(a, b, k - 1) + b[0]

    return f(x, y, n)


def augmented(x, n):
    def f(a, k):
        a += 1
        if k > 0:
            f(a, k - 1)

    f(x, n)
    return x


def nonlocal_array(n):
    b = np.zeros(3)
    c = 0

    def f(k):
        nonlocal b, c
        b = b + k
        c += 1
        if k > 0:
            f(k - 1)
        b = b * 2

    f(n)
    return b, c


def nonlocal_array_that_grows(n):
    b = np.zeros(1)

    def f(k):
        nonlocal b
        if k == 0:
            return
        b = np.append(b, k)
        f(k - 1)

    f(n)
    return b


def mutual(n):
    b = np.zeros(4, int)
    log = []

    def ping(k):
        b[0] += 1
        if k <= 0:
            return
        log.append(k)
        pong(k - 1)

    def pong(k):
        b[1] += 1
        if k <= 0:
            return
        ping(k - 2)

    ping(n)
    return b, log


def branches_that_write(n):
    b = np.zeros(3)

    def f(k):
        if k == 0:
            return b[0]
        if k % 2:
            b[0] += k
        else:
            b[1] = b[0]
        return f(k - 1)

    x = f(n)
    y = f(n)
    return x, y, b


def best_subset(x):
    best = [0.0]

    def walk(i, s):
        if s > best[0]:
            best[0] = s
        if i < len(x):
            walk(i + 1, s + x[i])
            walk(i + 1, s)

    walk(0, 0.0)
    return best[0]


def method(n):
    class Counter:
        def __init__(self):
            self.n = 0
            self.hist = []

        def visit(self, k):
            self.n += 1
            self.hist.append(k)
            if k > 1:
                self.visit(k // 2)
            return self.n

    c = Counter()
    return c.visit(n), c.hist, c.n


def permutations(n):
    found, a = [], np.arange(n)

    def place(k):
        if k == len(a):
            found.append(a.copy())
            return
        for i in range(k, len(a)):
            a[k], a[i] = a[i], a[k]
            place(k + 1)
            a[k], a[i] = a[i], a[k]

    place(0)
    return found


def filled_up_to(n):
    a = np.arange(3)

    def fill(k):
        if k == n:
            return a.sum()
        a[k] = 7
        return fill(k + 1)

    return fill(0)


def topological_order(edges, n):
    graph = [[] for _ in range(n)]
    for start, end in edges:
        graph[start].append(end)
    seen, order = np.zeros(n, bool), []

    def visit(node):
        if seen[node]:
            return
        seen[node] = True
        for following in graph[node]:
            visit(following)
        order.append(node)

    for node in range(n):
        visit(node)
    return order[::-1]

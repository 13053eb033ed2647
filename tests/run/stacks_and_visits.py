"""Stacks that begin empty, and recursions that read `None` from a list: the idioms of searches."""

# run: larger_before(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(3))
# run: next_larger_place(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: next_larger(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: pairs_dropped(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: window(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(2))
# run: largest_rectangle(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: larger_before(np.array([3.0, 1.0, 2.0]), np.int64(3))
# run: next_larger_place(np.array([3.0, 1.0, 2.0]))
# run: next_larger(np.array([3.0, 1.0, 2.0]))
# run: pairs_dropped(np.array([3.0, 1.0, 2.0]))
# run: window(np.array([3.0, 1.0, 2.0]), np.int64(2))
# run: largest_rectangle(np.array([3.0, 1.0, 2.0]))
# run: chain_of_a_list(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(2))
# run: memo_of_a_list(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(6))
# run: cheapest(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(6))
# run: visited_rows(np.array([[1, 2], [2, -1], [0, -1]]), np.int64(0))
# run: root(np.array([0, 1, 2, 4]), np.array([1, 2, 0, 5]), np.int64(4))
# run: known_to_be_empty(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: cleared(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.int64(3))
# run: empty_in_each_round(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: and_or_of_an_empty_list(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]), np.float64(1.0))
# run: rising(np.array([3.0, 1.0, 2.0, 5.0, 4.0, 0.0]))
# run: empty_and_a_test(np.float64(1.0))

import numpy as np  # noqa: F401


def larger_before(v, n):
    st = []
    out = []
    for i in range(n):
        while st and v[st[-1]] < v[i]:
            st.pop()
        out.append(st[-1] if st else -1)
        st.append(i)
    return out


def next_larger_place(v):
    st = []
    out = [0] * len(v)
    for i in range(len(v)):
        x = v[i]
        while st and v[st[-1]] < x:
            out[st.pop()] = i
        st.append(i)
    return out


def next_larger(v):
    st = []
    res = []
    for i in range(len(v) - 1, -1, -1):
        while st and st[-1] <= v[i]:
            st.pop()
        res.append(st[-1] if st else None)
        st.append(v[i])
    return res


def pairs_dropped(v):
    st = []
    n = 0
    for x in v:
        if st and st[-1] == x:
            st.pop()
        else:
            st.append(x)
        n += not st
    return len(st), n


def window(v, k):
    q = []
    for i in range(len(v)):
        while q and q[0] <= i - k:
            q.pop(0)
        while q and v[q[-1]] < v[i]:
            q.pop()
        q.append(i)
    return q


def chain_of_a_list(v, w):
    seen = [None, 0, 1, None]

    def go(u, depth):
        if depth > 3 or seen[u] is None:
            return depth
        return go(seen[u], depth + 1)

    return go(w, 0)


def memo_of_a_list(v, w):
    memo = [None] * 8

    def fib(n):
        if n < 2:
            return n
        if memo[n] is not None:
            return memo[n]
        r = fib(n - 1) + fib(n - 2)
        memo[n] = r
        return r

    return fib(w)


def cheapest(v, w):
    memo = [None for _ in range(9)]

    def cost(i):
        if i <= 0:
            return 0.0
        if memo[i] is None:
            memo[i] = min(cost(i - 1) + v[i % 3], cost(i - 2) + 2 * v[i % 3])
        return memo[i]

    return cost(w)


def visited_rows(adj, s):
    seen = []
    for _ in range(len(adj)):
        seen.append(None)

    def visit(u, d):
        seen[u] = d
        for w in adj[u]:
            if w >= 0 and seen[w] is None:
                visit(w, d + 1)

    visit(s, 0)
    return seen


def root(a, b, n):
    parent = [None] * n
    parent[0] = -1

    def find(u):
        if parent[u] is None:
            return u
        return find(parent[u])

    return find(n - 1)


def known_to_be_empty(v):
    st = []
    st.append(v[0])
    st.pop()
    n = 0
    while st and v[st[-1]] < 2.0:
        n += 1
    return n


def cleared(v, n):
    st = []
    for i in range(n):
        st.append(i)
    st.clear()
    c = 0
    while st and v[st[-1]] < 2.0:
        c += 1
        st.pop()
    return c, st


def empty_in_each_round(v):
    best = 0
    for i in range(len(v)):
        st = []
        j = i
        while st and v[st[-1]] < v[j]:
            st.pop()
        st.append(j)
        best = max(best, len(st))
    return best


def and_or_of_an_empty_list(v, x):
    st = []
    r = st and v[st[-1]] < x
    s = st or v[0]
    return r, s


def rising(v):
    st = []
    n = 0
    for x in v:
        ok = not st or st[-1] < x
        if ok:
            st.append(x)
        n += 1
    return st, n


def largest_rectangle(v):
    st = []
    total = 0
    for i in range(len(v) + 1):
        while st and (i == len(v) or v[st[-1]] > v[i]):
            h = v[st.pop()]
            w = i if not st else i - st[-1] - 1
            total = max(total, h * w)
        st.append(i)
    return total


def empty_and_a_test(v):
    st = []
    if st and v > 0:
        return 1
    while st and v > 0:
        pass
    return 2

"""Programs as users write them, over dicts, sets, counters and deques keyed by data."""

from __future__ import annotations

import itertools
from collections import Counter, OrderedDict, defaultdict, deque

import numpy as np

X = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9])
Y = np.array([2, 7, 1, 8, 2, 8, 1, 8])


def memo_of_a_loop(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n], len(memo)


def fibonacci(n, memo):
    if n in memo:
        return memo[n]
    if n < 2:
        return n
    memo[n] = fibonacci(n - 1, memo) + fibonacci(n - 2, memo)
    return memo[n]


def memo_of_a_recursion(n):
    return fibonacci(n, {})


def edit_distance(n):
    memo = {}

    def distance(i, j):
        if i == 0:
            return j
        if j == 0:
            return i
        if (i, j) in memo:
            return memo[i, j]
        cost = 0 if i % 3 == j % 2 else 1
        found = min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + cost)
        memo[i, j] = found
        return found

    return distance(n % 6, 5)


def collatz_lengths(n):
    lengths = {1: 1}
    for i in range(2, n):
        steps, x = 0, i
        while x not in lengths:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        lengths[i] = lengths[x] + steps
    return max(lengths.values()), max(lengths, key=lengths.get)


def walk_on_a_grid(n):
    x, y = 0, 0
    seen = {(x, y)}
    for k in range(n):
        if (k * 7 + k // 3) % 4 < 2:
            x += 1 - 2 * (k % 2)
        else:
            y += 1 - 2 * (k % 3 % 2)
        seen.add((x, y))
    return len(seen), (0, 0) in seen, (x, y) in seen, (99, 0) in seen


def breadth_first(n):
    distance = {0: 0}
    queue = deque([0])
    while queue:
        node = queue.popleft()
        for other in (node * 2 + 1, node * 2 + 2):
            if other < n and other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


def frontiers(n):
    frontier, seen, depth = {0}, {0}, 0
    while frontier:
        following = set()
        for node in frontier:
            if node * 2 + 1 < n and node * 2 + 1 not in seen:
                seen.add(node * 2 + 1)
                following.add(node * 2 + 1)
        frontier = following
        depth += 1
    return depth, len(seen)


def histogram(x):
    counts = {}
    for v in x:
        if v in counts:
            counts[v] += 1
        else:
            counts[v] = 1
    return counts, sorted(counts), sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def counters(x):
    counts, others = Counter(x), Counter()
    for v in x:
        others[v % 3] += 1
    others.update(x[:2])
    first, number = counts.most_common(1)[0]
    return counts, others, counts.most_common(3), first, number, counts[77], others.total()


def two_sum(x, t):
    seen = {}
    for i in range(len(x)):
        if t - x[i] in seen:
            return seen[t - x[i]], i
        seen[x[i]] = i
    return -1, -1


def groups(x):
    lists, others, sums = defaultdict(list), {}, defaultdict(float)
    for v in x:
        lists[v % 3].append(v)
        others.setdefault(v % 4, []).append(v)
        sums[v % 2] += v * 0.5
    return lists, others, sums, sum(sums.values())


def union_of_intervals(x):
    covered = set()
    for v in x:
        for j in range(v, v + 3):
            covered.add(j)
    return len(covered), sorted(covered), min(covered), max(covered), sum(covered)


def sieve(n):
    composite, primes = set(), []
    for i in range(2, n):
        if i not in composite:
            primes.append(i)
            for j in range(i * i, n, i):
                composite.add(j)
    return primes


def least_recently_used(x, size):
    cache, hits = OrderedDict(), 0
    for v in x:
        if v in cache:
            hits += 1
            cache.move_to_end(v)
        else:
            cache[v] = v * v
            if len(cache) > size:
                cache.popitem(last=False)
    return hits, cache


def oldest_first(x, size):
    cache, hits = {}, 0
    for v in x:
        if v in cache:
            hits += 1
            cache[v] = cache.pop(v)
        else:
            if len(cache) >= size:
                del cache[next(iter(cache))]
            cache[v] = v
    return hits, list(cache)


def comprehensions(x, y):
    squares = {v: v * v for v in x}
    return (
        {k: v for k, v in squares.items() if v % 2 == 0},
        {v: k for k, v in squares.items()},
        {v % 5 for v in x},
        {**squares, **{v: 0 for v in y}, 1: 7},
        dict(zip(x, y)),
        list(dict.fromkeys(x)),
    )


def displays(n):
    return {n, n + 1, 3}, {n: 1, n + 1: 2, 1: 3}


def union_find(n):
    parent = {}

    def root(v):
        while parent[v] != v:
            v = parent[v]
        return v

    for i in range(n):
        parent[i] = i
    for i in range(n - 2):
        if i % 3 != 0:
            parent[root(i)] = root(i + 2)
    return len({root(i) for i in range(n)})


def fill(d, k):
    d[k] = d.get(k, 0) + 1


def filled_by_a_helper(x, y):
    a, b = {}, {}
    for v in x:
        fill(a, v)
    for v in y:
        fill(b, v)
    both = a | b
    a.update(b)
    return a, both, a == both, a != {1: 2}, len(b)


def made_in_a_branch(x, t):
    if t > 3:
        d = {1: 2}
    else:
        d = {}
    for v in x:
        d[v] = t
    return d


def made_in_each_round(n):
    d, total = {}, 0
    for i in range(n):
        new, seen = {i: i}, set()
        for k, v in d.items():
            new[k] = v + 1
            seen.add(v % 3)
        d = new
        total += len(seen)
    return d, total


def in_an_object(x):
    class Box:
        def __init__(self):
            self.known, self.hits = {}, 0

        def add(self, k):
            if k in self.known:
                self.hits += 1
            self.known[k] = self.hits

    box = Box()
    for v in x:
        box.add(v)
    return box.known, box.hits


def one_dict_by_two_names(n):
    d = {}
    e = d
    for i in range(n):
        d[i % 4] = i
    e[77] = 1
    return d is e, d, [e, d], len(d)


def sliding_maximum(x, k):
    queue, out = deque(), []
    for i in range(len(x)):
        while queue and x[queue[-1]] <= x[i]:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - k:
            queue.popleft()
        if i >= k - 1:
            out.append(x[queue[0]])
    return out


def ring(n):
    queue, other, total = deque(maxlen=3), deque(), 0
    for i in range(n):
        queue.append(i)
        total += sum(queue) + len(queue)
        if i % 2:
            other.appendleft(i)
        else:
            other.append(i)
    other.rotate(2)
    return total, list(queue), other, 3 in other, 99 in other, [v for v in other if v > 2]


def values_change_in_a_walk(n):
    d = {}
    for i in range(n):
        d[i] = i
    for k, v in d.items():
        d[(k + 1) % n] = v + 10
    for k, v in zip(d, d.values()):
        d[(k + 1) % n] = v + 10
    for k in list(d):
        d.pop(k)
        d[k + 100] = k
    for k in d:
        if k == 103:
            del d[k]
            break
    return d


def common_keys(n):
    d = {}
    for i in range(n):
        d[i] = i
    return sorted(d.keys() & {1})


def one_of_two(n):
    a, b = {}, {}
    for i in range(n):
        a[i] = 1
        b[i] = 2
    c = a if n > 3 else b
    c[100] = 5
    return a, b, c


PROGRAMS = {
    **dict.fromkeys((memo_of_a_loop, memo_of_a_recursion, collatz_lengths, walk_on_a_grid), (np.int64(20),)),
    **dict.fromkeys((breadth_first, frontiers, sieve, union_find, made_in_each_round, ring), (np.int64(11),)),
    **dict.fromkeys((edit_distance, displays, one_dict_by_two_names), (np.int64(11),)),
    **dict.fromkeys((histogram, counters, groups, union_of_intervals, in_an_object), (X,)),
    **dict.fromkeys((comprehensions, filled_by_a_helper), (X, Y)),
    **dict.fromkeys((common_keys, one_of_two), (np.int64(5),)),
    **dict.fromkeys((two_sum, made_in_a_branch), (X, np.int64(13))),
    **dict.fromkeys((least_recently_used, oldest_first, sliding_maximum), (X, np.int64(3))),
    values_change_in_a_walk: (np.int64(7),),
}
"""The programs, with arguments."""


# Programs that raise


def no_key(n):
    d = {}
    for i in range(n):
        d[i] = 1
    return d[n + 1]


def no_pair(n):
    d = {}
    for i in range(n):
        d[i, i * 0.5] = 1
    del d[n, 2.0]
    return d


def no_element(n):
    s = set()
    for i in range(n):
        s.add(i)
    s.remove(n * 2)
    return s


def nothing_to_pop(n):
    d = {}
    for i in range(n):
        d[i] = 1
    while len(d) >= 0:
        d.popitem()
    return d


def grows_in_a_walk(n):
    d = {}
    for i in range(n):
        d[i] = 1
    for k in d:
        if k % 2 == 0:
            d[k + 1000] = 1
    return d


def grows_beside_a_list(n):
    d = {}
    for i in range(n):
        d[i] = i
    for k, v in zip(d, [5, 6, 7]):
        d[k + 100] = v
    return d


def shrinks_at_the_end_of_a_walk(n):
    d = {}
    for i in range(n):
        d[i] = i
    for k in d:
        if k == n - 1:
            del d[k]
    return d


def set_grows_in_a_walk(n):
    s = set()
    for i in range(n):
        s.add(i)
    for v in s:
        s.add(v + 100)
    return s


def no_item(n):
    queue = deque()
    for i in range(n):
        queue.append(i)
    while len(queue) > 0:
        queue.pop()
    return queue.popleft()


def no_such_place(n):
    queue = deque()
    for i in range(n):
        queue.append(i)
    return queue[n]


FAILING = (
    *(no_key, no_pair, no_element, nothing_to_pop, grows_in_a_walk, grows_beside_a_list),
    *(shrinks_at_the_end_of_a_walk, set_grows_in_a_walk, no_item, no_such_place),
)


# Programs that are refused


def order_of_floats(n):
    s = set()
    for i in range(n):
        s.add(i * 0.25)
    return [v for v in s]


def nan_as_a_key(n):
    d = {}
    for i in range(n):
        d[float("nan") * i] = i
    return d


def by_c_code(n):
    d = {}
    for i in range(n):
        d[i] = i
    return list(itertools.zip_longest(d, [1]))


def unpacked(n):
    d = {}
    for i in range(n):
        d[i] = i
    first, *rest = d
    return first, rest


def summed_by_numpy(n):
    d = {}
    for i in range(n):
        d[i] = i
    return np.sum(d)


def of_the_caller(n, d):
    for i in range(n):
        d[i] = i
    return len(d)


def length_of_none_or_dict(n):
    d = None
    if n > 3:
        d = {}
        for i in range(n):
            d[i] = i
    return len(d) if d is not None else 0


REFUSED = {
    **dict.fromkeys((order_of_floats, nan_as_a_key, by_c_code, unpacked), (np.int64(5),)),
    **dict.fromkeys((summed_by_numpy, length_of_none_or_dict), (np.int64(5),)),
    of_the_caller: (np.int64(5), {"of text": 1}),
}

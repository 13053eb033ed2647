"""Algorithms: sorting, searching, graphs, dynamic programming, geometry, scheduling."""

import heapq
import math
from bisect import bisect_left, insort
from collections import defaultdict, deque

import numpy as np


def binary_search(values, target):
    low, high = 0, len(values) - 1
    while low <= high:
        middle = (low + high) // 2
        if values[middle] == target:
            return middle
        if values[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def bubble_sort(values):
    values = list(values)
    n = len(values)
    swaps = 0
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
                swapped = True
                swaps += 1
        if not swapped:
            break
    return values, swaps


def insertion_sort(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


def quicksort(values):
    if len(values) <= 1:
        return values
    pivot = values[len(values) // 2]
    return (
        quicksort([v for v in values if v < pivot])
        + [v for v in values if v == pivot]
        + quicksort([v for v in values if v > pivot])
    )


def merge_sort(values):
    if len(values) <= 1:
        return values
    middle = len(values) // 2
    left, right = merge_sort(values[:middle]), merge_sort(values[middle:])
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged


def heap_sort(values):
    heap = []
    for v in values:
        heapq.heappush(heap, v)
    return [heapq.heappop(heap) for _ in range(len(heap))]


def quickselect(values, k):
    values = list(values)
    low, high = 0, len(values) - 1
    while True:
        pivot, store = values[high], low
        for i in range(low, high):
            if values[i] < pivot:
                values[i], values[store] = values[store], values[i]
                store += 1
        values[store], values[high] = values[high], values[store]
        if store == k:
            return values[store]
        if store < k:
            low = store + 1
        else:
            high = store - 1


def breadth_first(adjacency, start, goal):
    queue = deque([start])
    distance = {start: 0}
    while queue:
        node = queue.popleft()
        if node == goal:
            return distance[node]
        for other in range(len(adjacency)):
            if adjacency[node][other] and other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return None


def depth_first(adjacency, start):
    visited = set()
    order = []

    def visit(node):
        visited.add(node)
        order.append(node)
        for other, linked in enumerate(adjacency[node]):
            if linked and other not in visited:
                visit(other)

    visit(start)
    return order


def dijkstra(weights, source):
    n = len(weights)
    distance = [math.inf] * n
    distance[source] = 0
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance[u]:
            continue
        for v in range(n):
            if weights[u][v] > 0 and d + weights[u][v] < distance[v]:
                distance[v] = d + weights[u][v]
                heapq.heappush(heap, (distance[v], v))
    return distance


def bellman_ford(edges, n, source):
    distance = np.full(n, np.inf)
    distance[source] = 0
    for _ in range(n - 1):
        changed = False
        for u, v, w in edges:
            if distance[int(u)] + w < distance[int(v)]:
                distance[int(v)] = distance[int(u)] + w
                changed = True
        if not changed:
            break
    for u, v, w in edges:
        if distance[int(u)] + w < distance[int(v)]:
            raise ValueError("negative cycle")
    return distance


def floyd_warshall(d):
    d = d.copy()
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def kruskal(edges, n):
    parent = list(range(n))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    total, used = 0, 0
    for w, u, v in sorted(edges):
        a, b = find(u), find(v)
        if a != b:
            parent[a] = b
            total += w
            used += 1
    return total if used == n - 1 else None


def topological(adjacency):
    n = len(adjacency)
    degree = [sum(adjacency[i][j] for i in range(n)) for j in range(n)]
    ready = [j for j in range(n) if degree[j] == 0]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        for j in range(n):
            if adjacency[node][j]:
                degree[j] -= 1
                if degree[j] == 0:
                    ready.append(j)
    if len(order) < n:
        raise ValueError("there is a cycle")
    return order


def grid_path(grid, start, goal):
    frontier = [(0, start)]
    best = {start: 0}
    while frontier:
        cost, (r, c) = heapq.heappop(frontier)
        if (r, c) == goal:
            return cost
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            nr, nc = r + dr, c + dc
            if 0 <= nr < len(grid) and 0 <= nc < len(grid[0]) and grid[nr][nc] == 0:
                new = cost + 1
                if (nr, nc) not in best or new < best[(nr, nc)]:
                    best[(nr, nc)] = new
                    heapq.heappush(frontier, (new, (nr, nc)))
    return -1


def longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (x != y)))
        previous = current
    return previous[-1]


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


def coin_change(coins, amount):
    least = [0] + [float("inf")] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total:
                least[total] = min(least[total], least[total - coin] + 1)
    return least[amount] if least[amount] != float("inf") else -1


def longest_increasing(values):
    tails = []
    for v in values:
        i = bisect_left(tails, v)
        if i == len(tails):
            tails.append(v)
        else:
            tails[i] = v
    return len(tails)


def maximum_subarray(values):
    best = current = values[0]
    start = best_start = best_end = 0
    for i in range(1, len(values)):
        if current < 0:
            current, start = values[i], i
        else:
            current += values[i]
        if current > best:
            best, best_start, best_end = current, start, i
    return best, (best_start, best_end)


def matrix_chain(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = min(
                cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)
            )
    return cost[0, n - 1]


def fibonacci_memo(n):
    memo = {}

    def fib(k):
        if k < 2:
            return k
        if k not in memo:
            memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]

    return fib(n)


def convex_hull(points):
    points = sorted(points)

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    lower = []
    for p in points:
        while len(lower) >= 2 and cross(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    upper = []
    for p in reversed(points):
        while len(upper) >= 2 and cross(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return lower[:-1] + upper[:-1]


def point_in_polygon(polygon, x, y):
    inside = False
    j = len(polygon) - 1
    for i in range(len(polygon)):
        xi, yi = polygon[i]
        xj, yj = polygon[j]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return inside


def closest_pair(points):
    best, pair = float("inf"), None
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            d = math.dist(points[i], points[j])
            if d < best:
                best, pair = d, (i, j)
    return best, pair


def polygon_area(points):
    area = 0.0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        area += x1 * y2 - x2 * y1
    return abs(area) / 2


def merge_intervals(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def running_order(values):
    seen = []
    result = []
    for v in values:
        insort(seen, v)
        result.append(seen[len(seen) // 2])
    return result


def sliding_window_maximum(values, k):
    window, result = deque(), []
    for i, v in enumerate(values):
        while window and values[window[-1]] <= v:
            window.pop()
        window.append(i)
        if window[0] <= i - k:
            window.popleft()
        if i >= k - 1:
            result.append(values[window[0]])
    return result


def count_pairs(values, target):
    seen = defaultdict(int)
    pairs = 0
    for v in values:
        pairs += seen[target - v]
        seen[v] += 1
    return pairs


GRAPH = [[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
CYCLE = [[0, 1], [1, 0]]
WEIGHTS = np.array([[0.0, 4, 1, 0], [4, 0, 2, 5], [1, 2, 0, 8], [0, 5, 8, 0]])
SQUARE = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]

PROGRAMS = (
    (binary_search, ([1, 3, 5, 7], 5), ([1, 3, 5, 7], 4), ([], 1)),
    (bubble_sort, ([3, 1, 2],), ([1, 2, 3],)),
    (insertion_sort, (np.array([3.0, 1.0, 2.0]),), (np.array([1.0]),)),
    (quicksort, ([3, 6, 1, 8, 3, 2],), ([1],)),
    (merge_sort, ([3, 6, 1, 8, 3, 2],), ([2, 1],)),
    (heap_sort, ([3.0, 6.0, 1.0],), ([2.0, 1.0, 5.0, 4.0],)),
    (quickselect, ([3, 6, 1, 8, 2], 2), ([1], 0)),
    (breadth_first, (GRAPH, 0, 3), (GRAPH, 3, 0)),
    (depth_first, (GRAPH, 0), (CYCLE, 1)),
    (dijkstra, (WEIGHTS, 0), (WEIGHTS, 3)),
    (
        bellman_ford,
        (np.array([[0, 1, 4.0], [0, 2, 1.0], [2, 1, 2.0]]), 3, 0),
        (np.array([[0, 1, -1.0], [1, 0, -1.0]]), 2, 0),
    ),
    (
        floyd_warshall,
        (np.where(WEIGHTS == 0, 99.0, WEIGHTS),),
    ),
    (kruskal, ([(4, 0, 1), (1, 0, 2), (2, 1, 2)], 3), ([(1, 0, 1)], 3)),
    (topological, (GRAPH,), (CYCLE,)),
    (grid_path, ([[0, 0, 1], [1, 0, 0], [1, 1, 0]], (0, 0), (2, 2)), ([[0, 1], [1, 0]], (0, 0), (1, 1))),
    (longest_common_subsequence, ([1, 2, 3, 4], [2, 4, 3, 4]), ([], [1])),
    (edit_distance, ([1, 2, 3], [1, 3, 3, 4]), ([], [1, 2])),
    (knapsack, ([1, 3, 4], [15, 20, 30], 4), ([5], [1], 3)),
    (coin_change, ([1, 5, 7], 11), ([5], 3)),
    (longest_increasing, ([3, 1, 4, 1, 5, 9, 2, 6],), ([],)),
    (maximum_subarray, ([-2, 1, -3, 4, -1, 2, 1, -5, 4],), ([-1],)),
    (matrix_chain, ([10, 30, 5, 60],), ([2, 3],)),
    (fibonacci_memo, (30,), (1,)),
    (convex_hull, ([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (1.0, 0.2), (1.0, 3.0)],), (SQUARE,)),
    (point_in_polygon, (SQUARE, 1.0, 1.0), (SQUARE, 3.0, 1.0)),
    (closest_pair, ([(0.0, 0.0), (5.0, 5.0), (1.0, 0.5)],), (SQUARE,)),
    (
        polygon_area,
        (SQUARE,),
    ),
    (merge_intervals, ([(1, 3), (8, 10), (2, 6)],), ([(1, 2)],)),
    (running_order, ([5, 1, 4, 2],), ([1.5],)),
    (sliding_window_maximum, ([1, 3, -1, -3, 5, 3], 3), ([2, 1], 1)),
    (count_pairs, ([1, 5, 3, 3, 5, 1], 6), ([], 2)),
)

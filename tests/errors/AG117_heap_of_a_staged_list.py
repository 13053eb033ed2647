# call: f(np.array([3.0, 1.0, 2.0]), np.int64(3))
import heapq


def f(v, n):
    heap = []
    for i in range(n):
        heap.append(v[i])
    heapq.heapify(heap)
    return heap

# group: Statements
# plain: f(5)
# staged: f(np.int64(5))
# plain: primes(30)
# staged: primes(np.int64(30))
"""Loops in loops"""


def f(n):
    total = 0
    for i in range(n):
        j = 0
        while j < i:
            for k in range(j):
                total += i * k - j
            j += 1
    return total


def primes(n):
    count = 0
    for candidate in range(2, n):
        divisor = 2
        while divisor * divisor <= candidate:
            if candidate % divisor == 0:
                break
            divisor += 1
        else:
            count += 1
    return count

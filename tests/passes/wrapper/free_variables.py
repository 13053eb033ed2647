def outer(k):
    n = 0
    class C:
        pass
    return n

def f(n, k=1, *, m: int = 2) -> int:
    return f(n)

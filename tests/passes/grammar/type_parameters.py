def f(x):
    if x > 0:
        def inner[T: int, *Ts, **P = [int]](y: T, *rest: *Ts) -> T:
            if y:
                return y
            return x
        class Made[T]:
            kind = T
        type Pair[T] = tuple[T, x]
        return inner(x), Made, Pair
    return None

# run: containers(np.int64(3))
# run: containers(2.5)
# run: report(np.array([1.5, 2.5]), 3)
# run: branches(np.float64(1.0))


def report(x, n):
    print("start", x)
    for i in range(n):
        print(i, x[0] * i, f"{x[1] * i:.2f}|{i:>3}", sep="; ")
    for i in range(6):
        if i % 2 == 0:
            print("even", i, "of", x.sum())
    print()
    return x


def branches(x):
    if x > 0:
        print("positive", x)
    else:
        print("negative", x)
    print(f"{x!r} and {x + 1:.3e}", end="!\n")
    return x


def containers(x):
    print(f"{(x,)!r} and {[x, {'a': x}]}")
    print(str((x, 1)), repr([x]), ascii(x), format(x, ".3f") if isinstance(x, float) else "")

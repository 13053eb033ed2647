def f(names):
    for name in names:
        print(f"{", ".join(names)} {f"{name!r:>{names[0]}}"} {name = }")

def f(x):
    for item in x:
        match item, x:
            case [0, *_] | None:
                continue
            case Point(a, y=-1) as p if a > g(p):
                break
            case {"k": [b, *rest], **others}:
                return rest
            case names.RED | 1 + 2j | "s" "t":
                x = 0
    return x

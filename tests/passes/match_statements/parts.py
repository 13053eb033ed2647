def f(p):
    match p:
        case Point(0, y=b):
            return b
        case Point() | int():
            return 1
        case [a, *_, 2] if a > 1:
            return a
        case [a, *rest]:
            return rest
        case {"k": [v], **others}:
            return v, others

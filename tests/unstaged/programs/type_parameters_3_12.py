"""Type parameters and `type` statements (PEP 695), with scopes of their own."""


def case_generic_function():
    found = []
    for n in range(2):
        def first[T: int, *Ts, **P](xs: list[T], *rest: *Ts) -> T:
            if n:
                return xs[0], T.__name__
            return xs[-1]

        found.append((first([1, 2]), [p.__name__ for p in first.__type_params__]))
    return found


def case_generic_class():
    for n in range(1):
        class Box[T: (int, str)]:
            kind = T

            def __init__(self, value: T) -> None:
                self.value = value if value else None

            def get[U](self, other: U) -> T | U:
                if self.value is None:
                    return other
                return self.value

    return Box(0).get(1), Box(2).get(1), Box.kind.__name__, Box.get.__type_params__[0].__name__


def case_type_alias():
    n = 1
    if n:
        type Pair[T] = tuple[T, T]
        type Plain = list[n]
    return Pair.__name__, Pair[int].__args__, Plain.__value__


def generic[T](x: T, default: T = 3) -> tuple[T, ...]:
    if x > default:
        return x, T.__name__
    return default, T.__name__


@converts(generic)
def case_converted_generic_function():
    return generic(5), generic(1)


class Holder[T]:
    def put(self, x):
        found = []
        for i in range(x):
            if i % 2:
                continue
            found.append((i, T.__name__))
        return found


@converts(Holder.put)
def case_converted_method_of_a_generic_class():
    return Holder().put(4)

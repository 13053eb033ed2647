"""Defaults of type parameters (PEP 696)."""


def case_type_parameter_defaults():
    for n in (int, str):
        def f[T = n, *Ts = *tuple[n, n], **P = [n]](x: T) -> T:
            if x:
                return x
            return T.__default__

    return f(1), f(0), f.__type_params__[1].__name__

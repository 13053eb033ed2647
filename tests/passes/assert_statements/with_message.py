def f(x):
    assert x > 0, f'{x} is too small'
    assert x
    assert x, (y := 1)

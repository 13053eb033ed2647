def outer(ag__):
    def f(x):
        ag__.assert_stmt(x > 0, lambda: ag__.joined_str(ag__.formatted(x, None, ''), ' is too small'))
        ag__.assert_stmt(x)
        assert x, (y := 1)
    return f

def outer(ag__):
    def f(x):
        """Documented."""
        y = x + 1
        return y
    return f

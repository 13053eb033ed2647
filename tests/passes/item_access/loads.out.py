def outer(ag__):
    def f(x, i):
        return ag__.get_item(x, i), ag__.get_item(x, ag__.slice(1, None, None)), ag__.get_item(x, (ag__.slice(None, None, None), None, ag__.slice(None, None, 2))), ag__.get_item(ag__.get_item(x, i), 0).a
    return f

def outer(ag__):
    def push(self, x):
        _Stack__y = x
        ag__.converted_call(self._Stack__items.append, _Stack__y)
    return push

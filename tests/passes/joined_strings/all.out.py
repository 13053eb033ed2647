def outer(ag__):
    def f(x, w):
        return ag__.joined_str('a', ag__.formatted(x, 'r', ag__.joined_str('>', ag__.formatted(w, None, ''))), 'b'), ag__.joined_str('x=', ag__.formatted(x, 'r', '')), ag__.joined_str('{', ag__.formatted(x, None, '.2f'), '}'), f'plain', ag__.joined_str('x=', ag__.formatted(x, 's', '>4'))
    return f

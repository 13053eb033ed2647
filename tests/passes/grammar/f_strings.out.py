def outer(ag__):
    def f(names):
        if False:
            name = None
        def loop_body(item):
            nonlocal name
            name = item
            ag__.converted_call(print, ag__.joined_str(ag__.formatted(ag__.converted_call(", ".join, names), None, ''), ' ', ag__.formatted(ag__.joined_str(ag__.formatted(name, 'r', ag__.joined_str('>', ag__.formatted(ag__.get_item(names, 0), None, '')))), None, ''), ' ', 'name = ', ag__.formatted(name, 'r', '')))
        ag__.for_stmt(names, None, loop_body, ())
    return f

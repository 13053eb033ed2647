def f(read):
    out = []
    while (line := read()):
        out.append(line)
    return out, line

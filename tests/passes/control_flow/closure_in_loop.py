def f():
    fs = []
    for i in range(3):
        j = i
        fs.append(lambda: (i, j))
    return fs

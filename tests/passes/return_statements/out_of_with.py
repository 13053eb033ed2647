def f(x):
    for i in range(x):
        with open(i) as file:
            if file.ok:
                return file
        if i > 3:
            x += 1
    return x

"""Programs whose facts are written beside them, for `tests/test_transformation_analyses.py`."""


def loops(xs, limit):
    total = 0  # live in: limit, x, xs; live out: limit, total, x, xs; definitions: limit@4, xs@4
    for x in xs:  # reads: limit, print, total, x, xs; modifies: last, total, x; live out: total, x
        if x > limit:  # live in: limit, total, x; definitions: limit@4, total@5 10, x@6, xs@4
            print(x)  # live out: limit, total, x
            continue  # live out: limit, total, x
        total += x  # reads: total, x; modifies: total; live in: limit, total, x
    else:
        last = total  # live in: total, x; live out: total, x
    while total > 10:  # live in: total, x; live out: total, x; modifies: total
        total //= 2  # live out: total, x; definitions: last@12, limit@4, total@5 10 14, x@6, xs@4
    return total, x  # unbound: x; live out:


def places(a, i, rows):
    a.b = i  # reads: a, i; modifies: a.b; live out: a, i, rows
    a[i].c += 1  # reads: a, a[i], a[i].c, i; modifies: a[i].c
    del rows[0]  # reads: rows; modifies: rows[0]; live out: i
    (first, *rest), _ = i  # modifies: _, first, rest; live out:


def exceptions(read):
    try:  # live in: read, text; live out: size; modifies: error, size, text; reads: KeyError, len, print, read, text
        text = read()  # live out: text
        size = len(text)  # live in: text; live out: size, text
    except KeyError as error:
        size = 0  # live out: size, text
        print(text)  # unbound: text; definitions: error@26, read@25, size@30, text@27
    finally:
        print()  # reads: print; modifies: ; live in: size; live out: size
    return size  # unbound: ; live in: size


def jumps(items, lock):
    found = None  # live out: found, held, items, lock
    with lock as held:  # live in: found, held, items, lock; live out: found, held; modifies: found, held, item
        for item in items:  # live in: found, held, items; live out: found, held
            if item:  # live in: found, held, item; live out: found, held
                found = item  # live in: held, item; live out: found, held
                break  # live out: found, held
    return found, held  # unbound: held


def cases(subject):
    match subject:  # live in: subject; live out: kind; modifies: kind, rest, value
        case [value, *rest] if rest:
            kind = value  # live in: value; live out: kind
        case int():
            kind = 1  # live out: kind
        case _:
            raise ValueError(subject)  # live in: subject; live out:
    return kind  # unbound: ; definitions: kind@50 52, rest@48, subject@47, value@48


def captured(n):
    count = n  # live in: count, n; live out: count, n

    def inner():
        nonlocal count
        count += 1

    inner()  # live in: count, inner, n; live out: count, n
    del n  # reads: ; modifies: n; live out: count, n
    return n  # unbound: n

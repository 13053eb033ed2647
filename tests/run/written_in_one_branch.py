# run: alias_written_or_element_bound(np.float64(1.0), np.arange(3.0))
# run: alias_written_or_element_bound(np.float64(0.0), np.arange(3.0))
# run: written_or_element_bound(np.float64(1.0), np.arange(3.0))
# run: written_or_element_bound(np.float64(0.0), np.arange(3.0))
# run: own_array_written_or_element_bound(np.float64(1.0), np.arange(3.0))
# run: own_array_written_or_element_bound(np.float64(0.0), np.arange(3.0))
# run: written_or_item_bound(np.float64(1.0), np.arange(3.0))
# run: written_or_item_bound(np.float64(0.0), np.arange(3.0))
# run: written_or_attribute_bound(np.float64(1.0), np.arange(3.0))
# run: written_or_attribute_bound(np.float64(0.0), np.arange(3.0))
# run: written_or_variable_bound(np.float64(1.0), np.arange(3.0))
# run: written_or_variable_bound(np.float64(0.0), np.arange(3.0))
# run: written_or_popped(np.float64(1.0), np.arange(3.0))
# run: written_or_popped(np.float64(0.0), np.arange(3.0))
# run: popped_and_written(np.float64(1.0), np.arange(3.0))
# run: popped_and_written(np.float64(-1.0), np.arange(3.0))
# run: written_in_one_branch_and_popped_later(np.float64(1.0), np.arange(3.0), np.int64(2))
# run: written_in_one_branch_and_popped_later(np.float64(0.0), np.arange(3.0), np.int64(2))


def alias_written_or_element_bound(a, x):
    y = x
    rows = [x, x.copy()]
    if a:
        y -= 1
    else:
        rows[0] = x
    return rows[0].sum()


def written_or_element_bound(a, x):
    rows = [x, x.copy()]
    if a:
        x -= 1
    else:
        rows[0] = x
    return rows[0].sum()


def own_array_written_or_element_bound(a, x):
    x = x * 1.0
    rows = [x, x.copy()]
    if a:
        x -= 1
    else:
        rows[0] = x * 2
    return rows[0].sum()


def written_or_item_bound(a, x):
    x = x * 1.0
    d = {"r": x}
    if a:
        x -= 1
    else:
        d["r"] = x * 2
    return d["r"].sum()


class Holder:
    pass


def written_or_attribute_bound(a, x):
    x = x * 1.0
    o = Holder()
    o.r = x
    if a:
        x -= 1
    else:
        o.r = x * 2
    return o.r.sum()


def written_or_variable_bound(a, x):
    x = x * 1.0
    r = x
    if a:
        x -= 1
    else:
        r = x * 2
    return r.sum()


def written_or_popped(a, x):
    x = x * 1.0
    rows = [x, x * 2]
    if a:
        x -= 1
    else:
        rows.pop()
    return rows[0].sum()


def popped_and_written(a, x):
    z = x * 1.0
    rows = [z, x.copy()]
    if a > 0:
        rows.pop()
        z[0] = 9.0
    return rows


def written_in_one_branch_and_popped_later(a, x, n):
    rows = [x, x.copy()]
    y = x
    if a:
        y -= 1
    else:
        rows[0] = x
    total = 0.0
    for _ in range(n, 0, -1):
        total = rows.pop().sum()
    return total

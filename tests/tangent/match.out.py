def dfdxs(xs, kind, by=1.0):
    taken_2 = bool(tangent.is_sequence(xs) and len(xs) == 2)
    if taken_2:
        a = xs[0]
        b = xs[1]
        y = a * b
        a_before = a
    else:
        matched = False
        taken = bool(tangent.is_sequence(xs) and len(xs) >= 1)
        if taken:
            rest = list(xs)[1:]
            if len(rest) > 2:
                matched = True
        taken_1 = bool(matched)
        if taken_1:
            a = xs[0]
            list_xs_1 = list(xs)
            rest = list_xs_1[1:]
            rest_1 = rest[0]
            y = a * rest_1
            a_before_1 = a
            rest_before = rest
        else:
            y = 0.0
    taken_3 = bool(kind == "doubled" or kind == "twice")
    if taken_3:
        y = y * 2
    tangent.check_seed(by, y)
    if taken_3:
        # Grad of: y = y * 2
        by = by * 2
    if taken_2:
        a = a_before
        # Grad of: y = a * b
        ba = tangent.unbroadcast(by * b, a)
        bb = tangent.unbroadcast(by * a, b)
        # Grad of: b
        bxs = tangent.zeros_like(xs)
        bxs[1] += bb
        # Grad of: a
        bxs[0] += ba
    elif taken_1:
        a = a_before_1
        rest = rest_before
        # Grad of: y = a * rest[0]
        ba = tangent.unbroadcast(by * rest_1, a)
        brest_1 = tangent.unbroadcast(by * a, rest_1)
        brest = tangent.zeros_like(rest)
        brest[0] += brest_1
        # Grad of: *rest
        blist_xs_1 = tangent.zeros_like(list_xs_1)
        tangent.add_at(blist_xs_1, slice(1, None), brest)
        bxs = tangent.items_like(blist_xs_1, xs)
        # Grad of: a
        bxs = tangent.copy(bxs)
        bxs[0] += ba
    else:
        bxs = tangent.zeros_like(xs)
    return tangent.as_gradient(bxs, xs)

def dfda(a, last, by=1.0):
    taken = bool(last)
    if taken:
        row = a[-1]
        chose_row = True
    else:
        row = a[0]
        chose_row = False
    row *= 2.0
    if chose_row:
        taken_1 = tangent.is_view(row, a, -1)
        if taken_1:
            a_form_2 = tangent.form(a)
            row_form = tangent.form(row)
            a[-1] = row
    else:
        taken_2 = tangent.is_view(row, a, 0)
        if taken_2:
            a_form_3 = tangent.form(a)
            row_form_1 = tangent.form(row)
            a[0] = row
    a_copy = tangent.copy(a)
    product = a * a
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(a * a)
    bproduct = tangent.unreduce(by, product)
    ba = bproduct * a_copy + bproduct * a_copy
    if chose_row:
        if taken_1:
            # Grad of: row *= 2.0
            brow = tangent.unbroadcast(tangent.stored(ba, -1, a_form_2), row_form)
            ba[-1] = tangent.zeros_like(ba[-1])
        else:
            brow = tangent.zeros_like(row)
    elif taken_2:
        # Grad of: row *= 2.0
        brow = tangent.unbroadcast(tangent.stored(ba, 0, a_form_3), row_form_1)
        ba[0] = tangent.zeros_like(ba[0])
    else:
        brow = tangent.zeros_like(row)
    # Grad of: row *= 2.0
    brow = brow * 2.0
    if taken:
        # Grad of: row = a[-1] if last else a[0]
        tangent.add_at(ba, -1, brow)
    else:
        tangent.add_at(ba, 0, brow)
    return tangent.as_gradient(ba, a)

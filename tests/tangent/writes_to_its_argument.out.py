def dfdx(x, by=1.0):
    rows = np.outer(x, x)
    rows_1 = rows[0]
    new_rows_1, saved_new_rows_1 = scale_forward(rows_1, x[1])
    taken_1 = bool(isinstance(rows_1, np.ndarray))
    if taken_1:
        rows_1[...] = new_rows_1
        taken = tangent.is_view(rows_1, rows, 0)
        if taken:
            rows_form_1 = tangent.form(rows)
            rows_1_form = tangent.form(rows_1)
            rows[0] = rows_1
    rows_form_2 = tangent.form(rows)
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(rows)
    brows = tangent.unreduce(by, rows_form_2)
    if taken_1:
        if taken:
            # Grad of: scale(rows[0], x[1])
            brows_1 = tangent.unbroadcast(tangent.stored(brows, 0, rows_form_1), rows_1_form)
            brows[0] = tangent.zeros_at(rows_form_1, 0)
        else:
            brows_1 = tangent.zeros_like(rows_1)
        # Grad of: scale(rows[0], x[1])
        bnew_rows_1 = brows_1
    else:
        bnew_rows_1 = tangent.zeros_like(new_rows_1)
    # Grad of: scale(rows[0], x[1])
    brows_1, bx_1 = scale_backward(saved_new_rows_1, bnew_rows_1)
    bx = tangent.zeros_like(x)
    tangent.add_at(bx, 1, bx_1)
    tangent.add_at(brows, 0, brows_1)
    # Grad of: rows = np.outer(x, x)
    bx = tangent.add_grad(bx, np.reshape(np.dot(brows, np.ravel(x)), np.shape(x)))
    bx = tangent.add_grad(bx, np.reshape(np.dot(np.ravel(x), brows), np.shape(x)))
    return tangent.as_gradient(bx, x)


def scale_forward(row, s):
    row = tangent.own_copy(row, 'row')
    row_form = tangent.form(row)
    row /= s
    return row, (tangent.copy(row), row_form, s)


def scale_backward(saved, brow):
    row_after, row_form, s = saved
    # Grad of: row /= s
    bs = tangent.unbroadcast(-brow * row_after / s, s)
    brow = tangent.unbroadcast(brow / s, row_form)
    return brow, bs

def dfdw(x, w, by=1.0):
    m = np.outer(x, x)
    row = m[0]
    row_before = tangent.copy(row)
    row_form = tangent.form(row)
    row *= w
    taken = tangent.is_view(row, m, 0)
    if taken:
        m_form_1 = tangent.form(m)
        row_form_1 = tangent.form(row)
        m[0] = row
    m_form_2 = tangent.form(m)
    tangent.check_seed(by, 0.0)
    # Grad of: return np.sum(m)
    bm = tangent.unreduce(by, m_form_2)
    if taken:
        # Grad of: row *= w
        brow = tangent.unbroadcast(tangent.stored(bm, 0, m_form_1), row_form_1)
        bm[0] = tangent.zeros_at(m_form_1, 0)
    else:
        brow = tangent.zeros_like(row)
    # Grad of: row *= w
    bw = tangent.unbroadcast(brow * row_before, w)
    brow = tangent.unbroadcast(brow * w, row_form)
    # Grad of: row = row_of(m, 0)
    tangent.add_at(bm, 0, brow)
    # Grad of: m = np.outer(x, x)
    bx = np.reshape(np.dot(bm, np.ravel(x)), np.shape(x))
    bx = tangent.add_grad(bx, np.reshape(np.dot(np.ravel(x), bm), np.shape(x)))
    return tangent.as_gradient(bw, w)

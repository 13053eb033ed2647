"""Programs of two names of an array that are written as a person would: after a base and before the end."""

from __future__ import annotations

PROGRAMS = [
    """
    k = 1
    v = b[k]
    k = 2
    b[0] = v
    v *= y
    return np.sum(b ** 3)
    """,
    """
    p = {"w": b[0] * 1.0}
    w = p["w"]
    p["w"] = w[1:]
    w *= y
    return np.sum(p["w"] ** 3) + np.sum(b)
    """,
    """
    p = [b[0] * 1.0]
    w = p[0]
    p[0] = w[:2]
    w[0] = y
    return np.sum(p[0] ** 3) + np.sum(w)
    """,
    """
    xs = [1.0]
    v = b[len(xs)]
    xs.append(2.0)
    v *= y
    return np.sum(b ** 3)
    """,
    """
    k = np.array(1)
    v = b[k]
    k[...] = 0
    v *= y
    return np.sum(b ** 3)
    """,
    """
    k = 1
    v = b[k + 1]
    k += 1
    v *= y
    return np.sum(b ** 3)
    """,
    """
    u = b * 2.0
    v = b[1]
    b[0] = u[1]
    w = u[1]
    w *= y
    return np.sum(b ** 3) + np.sum(u ** 2) + np.sum(v)
    """,
    """
    xs = [b[0] * 1.0, b[1] * 1.0]
    v = xs[-1]
    xs.append(b[2] * 1.0)
    v *= y
    return np.sum(np.array(xs) ** 3)
    """,
    """
    xs = [b[0] * 1.0, b[1] * 1.0]
    v = xs[1]
    xs.insert(0, b[2] * 1.0)
    v *= y
    return np.sum(np.array(xs[0]) ** 3) + np.sum(v)
    """,
    """
    b[0], b[1] = b[1], b[0]
    return np.sum(b[0] * b[1] * b[2]) + np.sum(b[0] ** 2)
    """,
    """
    b[0], b[1] = b[1].copy(), b[0].copy()
    return np.sum(b[0] ** 3) + np.sum(b ** 2)
    """,
    """
    b[[0, 1]] = b[[1, 0]]
    return np.sum(b[0] ** 3) + np.sum(b ** 2)
    """,
    """
    b[1:] += b[:-1] * y
    return np.sum(b ** 2)
    """,
    """
    b += b.T * y
    return np.sum(b ** 3)
    """,
    """
    b[:] = b[::-1] * y
    return np.sum(b[0] ** 3)
    """,
    """
    v = b[0]
    try:
        v *= y
    finally:
        b[1] += v
    return np.sum(b ** 2)
    """,
    """
    v = b[0]
    with np.errstate(all='ignore'):
        v *= y
        b[1] += v
    return np.sum(b ** 2)
    """,
    """
    def g(r):
        return np.sum(r * r)
    v = b[0]
    v *= y
    return g(b) + g(v)
    """,
    """
    def g(r):
        r = r * 1.0
        w = r[0]
        w *= y
        return np.sum(r * r)
    return g(b) + np.sum(b)
    """,
    """
    v = b[0]
    g = lambda: np.sum(v * b[1])
    v *= y
    return g() + np.sum(b)
    """,
    """
    v = b[0]
    v *= y
    if y > 1:
        return np.sum(b ** 2)
    v += 1
    return np.sum(b ** 3)
    """,
    """
    for i in range(3):
        v = b[i]
        if v[0] > 1:
            return np.sum(b ** 2)
        v *= y
    return np.sum(b ** 3)
    """,
    """
    for i in range(3):
        v = b[i]
        v *= y
    else:
        v += 1
    return np.sum(b ** 3)
    """,
    """
    i = 0
    while i < 3:
        v = b[i]
        v *= y
        i += 1
    return np.sum(b ** 3)
    """,
    """
    rows = [b[0], b[1]]
    for r in rows:
        r *= y
    return np.sum(b ** 3)
    """,
    """
    rows = [r for r in b]
    rows[0] *= y
    return np.sum(b ** 3)
    """,
    """
    rows = list(b)
    rows[0][0] = y
    return np.sum(b ** 3)
    """,
    """
    d = {'w': b[0], 'v': b[1]}
    d['w'] *= y
    return np.sum(b ** 3)
    """,
    """
    d = {'w': b, 'v': b[1]}
    for k in d:
        d[k] = d[k] * y
    return np.sum(b ** 3) + np.sum(d['w'])
    """,
    """
    d = {'w': b * 2, 'v': b[1] * 2}
    for k in d:
        d[k] *= y
    return np.sum(b ** 3) + np.sum(d['w'])
    """,
    """
    d = {'w': b * 2, 'v': b[1] * 2}
    w = d['w']
    for k in d:
        d[k] *= y
    return np.sum(b ** 3) + np.sum(w)
    """,
    """
    d = {'w': b * 2, 'v': b[1] * 2}
    for k, p in d.items():
        p *= y
    return np.sum(b ** 3) + np.sum(d['w'])
    """,
    """
    d = {'w': b * 2, 'v': b[1] * 2}
    for p in d.values():
        p *= y
    return np.sum(b ** 3) + np.sum(d['w'])
    """,
    """
    m = np.zeros((3, 3))
    v = np.zeros((3, 3))
    for i in range(3):
        g = b * y
        m *= 0.9
        m += g
        v *= 0.5
        v += g * g
        b = b - 0.1 * m / (np.sqrt(v) + 1)
    return np.sum(b ** 2)
    """,
    """
    m, v = np.zeros((3, 3)), np.ones((3, 3))
    state = [m, v]
    for i in range(2):
        state[0] *= y
        state[0] += b
    return np.sum(state[0] * m) + np.sum(v * b)
    """,
    """
    u = b[:, 0]
    w = b[0]
    u *= y
    w += u
    u -= w
    return np.sum(b ** 3)
    """,
    """
    u = b[:2]
    w = u[1:]
    w *= y
    u += 1
    return np.sum(b ** 3) + np.sum(w * u[0])
    """,
    """
    u = b.T
    w = u[0]
    w *= y
    return np.sum(b ** 3) + np.sum(u[1] * w)
    """,
    """
    f = b.ravel()
    for i in range(1, len(f)):
        f[i] += f[i - 1] * y
    return np.sum(b ** 2)
    """,
    """
    f = b.reshape(-1)
    g = f[::2]
    g[:] = g * y
    return np.sum(b ** 3)
    """,
    """
    np.add(b[0], y, out=b[1])
    np.multiply(b, b, out=b)
    return np.sum(b ** 1.5)
    """,
    """
    t = np.empty(3)
    for r in b:
        np.multiply(r, y, out=t)
        r[:] = t
    return np.sum(b ** 3) + np.sum(t)
    """,
    """
    b[0][b[0] > 1] = y
    return np.sum(b ** 3)
    """,
    """
    v = b[0]
    v[v > 1] *= y
    return np.sum(b ** 3)
    """,
    """
    v = b[0]
    v = v[1:]
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = b[0]
    w = v if y > 1 else v[:2]
    w *= y
    return np.sum(b ** 3)
    """,
    """
    v = w = b[0]
    v *= y
    w += 1
    return np.sum(b ** 3)
    """,
    """
    (v := b[0])[0] = y
    return np.sum(b ** 3) + np.sum(v)
    """,
    """
    b[0, :] *= y
    b[:, 0] /= b[0, 0]
    return np.sum(b ** 2)
    """,
    """
    v = b[..., 0]
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = b[None]
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = np.squeeze(b[None])
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = np.atleast_2d(b[0])
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = np.asarray(b)
    v *= y
    return np.sum(b ** 3)
    """,
    """
    v = np.diagonal(b) * y
    b[0, 0] = v[1]
    return np.sum(b ** 3) + v[0]
    """,
    """
    v = np.real(b)
    v[0] = y
    return np.sum(b ** 3)
    """,
    """
    a, c = b[:1], b[1:]
    for _ in range(2):
        a, c = c, a
        a *= y
    return np.sum(b ** 3)
    """,
    """
    s = 0.0
    for k in range(3):
        r = b[k]
        for i in range(3):
            if i == k:
                continue
            q = b[i]
            q -= r * (q[k] * 0.1)
            s += q[0]
    return s + np.sum(b ** 2)
    """,
    """
    grid = np.zeros((3, 3)) + b
    new = grid.copy()
    for _ in range(4):
        inner = new[1:, :-1]
        inner[:] = 0.25 * (grid[:-1, 1:] + grid[1:, :-1]) * y
        new[0] = b[0]
        grid, new = new, grid
    return np.sum(grid ** 2)
    """,
    """
    grid = np.zeros((3, 3)) + b
    row = b[0] * y
    grid[0] = row
    row *= 2.0
    return np.sum(grid ** 2) + row[1]
    """,
    """
    grid = np.stack([b[0], b[1]])
    row = grid[1]
    other = np.where(y > 0, b[2], 0.0)
    grid[0] = other
    other[0] = y
    row *= 3.0
    return np.sum(grid ** 2) + np.sum(other)
    """,
    """
    parts = np.split(b * 1.0, 3)
    row = b[0] * y
    parts[0] = row
    row *= 2.0
    return np.sum(parts[0] ** 2) + row[1]
    """,
    """
    rows = [b[0]] + [b[1]]
    row = b[2] * y
    rows[0] = row
    row *= 2.0
    return np.sum(rows[0] ** 2) + row[1]
    """,
    """
    grid = b * 1.0
    if y > 0:
        grid = [b[0], b[1]]
    row = b[2] * y
    grid[0] = row
    row *= 2.0
    return np.sum(grid[0] ** 2) + row[1]
    """,
    """
    grid = list(np.zeros((3, 3)) + b)
    row = b[2] * y
    grid[0] = row
    row *= 2.0
    return np.sum(grid[0] ** 2) + row[1]
    """,
    """
    n = 2
    rows = [b[0]] * n
    row = b[2] * y
    rows[0] = row
    row *= 2.0
    return np.sum(rows[0] ** 2) + row[1]
    """,
    """
    rows = np.stack([b[0], b[1]]).tolist()
    row = b[2] * y
    rows[0] = row
    row *= 2.0
    return np.sum(np.array(rows[0]) ** 2) + row[1]
    """,
]
"""Of an array `b`, three by three, its maker `x` and a number `y`."""

# run: powers(np.complex128(1 - 1j), np.complex128(2))
# run: powers(np.complex128(1 - 1j), np.complex128(3))
# run: powers(np.complex128(1 - 1j), np.complex128(1))
# run: powers(np.complex128(2), np.complex128(2))
# run: powers(np.complex128(2), np.complex128(3))
# run: powers(np.complex128(2), np.complex128(1))
# run: powers(np.complex128(3), np.complex128(2))
# run: powers(np.complex128(3), np.complex128(3))
# run: powers(np.complex128(3), np.complex128(1))
# run: powers(np.complex128(-2), np.complex128(2))
# run: powers(np.complex128(-2), np.complex128(3))
# run: powers(np.complex128(-2), np.complex128(1))
# run: powers(np.complex128(complex(-0.0, -1.0)), np.complex128(2))
# run: powers(np.complex128(complex(-0.0, -1.0)), np.complex128(3))
# run: powers(np.complex128(complex(-0.0, -1.0)), np.complex128(1))
# run: powers(np.complex128(0), np.complex128(1 - 1j))
# run: powers(np.complex128(1 - 1j), np.int64(1))
# run: powers(np.complex128(complex(-0.0, -1.0)), np.int64(1))
# run: powers(np.int64(0), np.complex128(1 - 1j))
# run: updated(np.complex128(1 - 1j), np.complex128(2))
# run: powers(1 - 1j, 2 + 0j)
# run: powers(2.0, 1 - 1j)
# run: powers(0.5j, 3)
# run: powers(np.array([1 - 1j, 0, 2j]), np.array([2 + 0j, 3 - 1j, 1]))
"""Complex powers whose exponents are not known before the run: exact steps for small whole ones."""


def powers(w, y):
    return w**y


def updated(w, y):
    w **= y
    return w

"""The shapes of expressions and statements of smooth programs: `A` and `B` are arrays, `E` a float."""

from __future__ import annotations

NAMES = ("a", "b", "c")
ARRAYS = ("x", "y", "z")

PROLOGUE = """\
class Point:
    def __init__(self, v, w):
        self.v = v
        self.w = w
    def move(self, by):
        if by > 0.2:
            self.v = self.v * np.cos(by)
        else:
            self.w -= by
        return self.v + self.w
def helper(u, v):
    if u > v:
        return np.sin(u) * v
    return u - 0.3 * v * v
def power(u, k):
    if k <= 0:
        return u
    return np.cos(power(u, k - 1)) * u
def halves(u):
    if u * u < 0.1:
        return u
    return u + halves(u * 0.5) * 0.5
def fill(t, u):
    t[1] = t[1] * u
    t[2] += u
    return t.sum()
"""

RULES = """\
@ag.custom_vjp
def ruled(u, v):
    if v > 0.0:
        return np.sin(u) * v
    return u * v
def ruled_forward(u, v):
    return ruled(u, v), (u, v)
def ruled_backward(kept, d):
    u, v = kept
    if v > 0.0:
        return d * np.cos(u) * v, d * np.sin(u)
    return d * v, d * u
ruled.defvjp(ruled_forward, ruled_backward)
@ag.custom_jvp
def slanted(u):
    for k in range(3):
        u = np.tanh(u) + 0.1 * k
    return u
@slanted.defjvp
def slanted_rule(primals, tangents):
    (u,), (d,) = primals, tangents
    for k in range(3):
        t = np.tanh(u)
        d = d * (1.0 - t * t)
        u = t + 0.1 * k
    return u, d
def again(u, v):
    return np.sin(u * v) + np.tanh(u)
"""

OF_ONE = (
    "np.sin({})",
    "np.cos({})",
    "np.tanh({})",
    "np.exp(-({}) ** 2)",
    "np.sqrt(({}) ** 2 + 1.0)",
    "np.log(({}) ** 2 + 1.0)",
    "np.arctan({})",
    "abs({})",
    "(-{})",
    "power({}, n % 3)",
    "halves(np.tanh({}))",
    "x[(n + 1) % 4] * ({})",
)
OF_TWO = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "({} * {})",
    "({} / (1.5 + np.cos({})))",
    "np.maximum({}, {})",
    "min({}, {})",
    "max({}, {})",
    "helper({}, {})",
    "helper({1}, {0})",
)
OF_ARRAY = (
    "A[0]",
    "A[-1]",
    "A[n % 4]",
    "A.sum()",
    "np.mean(A)",
    "np.max(A)",
    "(A @ B)",
    "np.sum(A * B)",
    "np.sum(np.where(A > E, A, B))",
    "np.linalg.norm(A)",
    "A[1:3].sum()",
    "A[A > E].sum()",
    "np.prod(A)",
    "sum([A[0], A[1]])",
)
ARRAY_VALUES = (
    "A + B",
    "A * B",
    "E * A",
    "A - E",
    "np.sin(A)",
    "np.tanh(A + B)",
    "A[::-1]",
    "A.copy()",
    "np.cumsum(A) * 0.3",
    "np.where(A > E, A, B)",
    "np.where(A > B, E, A)",
    "np.concatenate([A[:2], B[2:]])",
    "np.sort(A)",
    "np.stack([E, a, b, c])",
    "np.array([a, E, b, c])",
    "np.roll(A, 1)",
    "A.reshape(2, 2).T.reshape(4)",
    "np.outer(A, B)[n % 4]",
    "np.tanh(np.outer(A, B) @ A)",
    "A[np.argsort(B)]",
    "np.zeros(4) + E",
    "np.diff(A, append=E)",
    "np.maximum(A, B)",
)
WRITES = (
    "A[0] = E",
    "A[n % 4] = E",
    "A[-1] += E",
    "A[1:3] = E",
    "A[:2] *= E",
    "A[:] = F",
    "A[::2] = B[1::2]",
    "A += 0.3 * B",
    "A *= np.cos(E)",
    "A -= E",
    "A[[0, 2]] += E",
    "A[A > E] = b",
    "c = fill(A, np.tanh(E))",
    "A = B",
    "A, B = B, A",
    "A = B.copy()",
)
LISTS = (
    "xs.append(E)",
    "xs.append(E)",
    "if xs: c = np.tanh(c + xs.pop())",
    "xs.insert(0, E)",
    "xs.extend([E, c])",
    "xs[0] = E",
    "xs[-1] *= np.cos(E)",
    "xs = [E, c]",
    "xs = [v * 0.5 for v in xs]",
    "xs = xs[:3]",
    "xs.reverse()",
)
ROWS = (
    "rows.append(A[A > E])",
    "rows.append(A * E)",
    "rows[n % len(rows)] = A[:n % 3]",
    "rows[-1] = rows[0][1:] * E",
    "rows[0] = np.append(rows[0], E)",
    "if len(rows) > 1: c = np.tanh(c + rows.pop().sum())",
    "rows.insert(0, B[B < E])",
    "rows = [row * 0.5 for row in rows]",
    "rows.reverse()",
    "for row in rows[:3]: c = np.tanh(c + np.sum(row * row))",
)
GRID = (
    "grid[n % 2].append(E)",
    "grid[1].insert(0, E)",
    "grid[n % 2] = [E, c]",
    "grid[0] = grid[1][:2]",
    "grid[n % 2] = grid[n % 2][1:]",
    "grid.append([E, a])",
    "if grid[0]: grid[0][0] = E",
    "if grid[1]: grid[1][-1] *= b",
    "if grid[n % 2]: c = np.tanh(c + grid[n % 2].pop())",
    "grid[0], grid[1] = grid[1], grid[0]",
    "grid[1].extend([E, b])",
    "for cell in grid[0]: c = np.tanh(c + cell)",
)
COMPLEX_OF_ONE = (
    "np.real(np.exp(1j * ({})))",
    "abs({} + 0.5j)",
    "np.imag(np.sin(({}) + 0.3j))",
    "(({}) * w).real",
    "np.abs(np.sqrt(({}) - 2.5j))",
    "np.real(np.log(({}) + 1j))",
    "np.real(np.tanh(1j * ({})))",
    "np.imag((({}) + 1j) ** 2)",
    "np.real(1.0 / (({}) + 0.7j))",
)
COMPLEX_OF_TWO = (
    "np.abs({} + 1j * ({}))",
    "np.angle(1.5 + np.cos({}) + 1j * ({}))",
    "(w * ({} - 1j * ({}))).imag",
)
COMPLEX_OF_ARRAY = (
    "np.sum(np.abs(np.fft.fft(A)) ** 2)",
    "np.real(np.sum(np.exp(1j * A) * B))",
    "np.abs(np.vdot(A + 1j * B, A))",
    "np.imag((A + 0.5j) @ (B - 1j))",
)
COMPLEX_VALUES = (
    "np.real(np.fft.ifft(np.fft.fft(A) * E))",
    "np.imag(np.exp(1j * A) * (B + 0.5j))",
    "np.abs(A + 1j)",
    "np.conj(A * w).imag",
)
COMPLEX_WRITES = (
    "w = w * np.exp(1j * E)",
    "w = w + E",
    "w *= 0.5 + 1j * np.sin(E)",
    "w = w if a > b else np.conj(w)",
    "c = np.tanh(abs(w))",
    "w = np.exp(1j * w.real) * (1.0 + b)",
)
OF_RULES = ("ruled({}, {})", "slanted({} * {})", "ag.checkpoint(again)({}, {})", "slanted(ruled({}, {}))")
ROW_VALUES = ("sum([row.sum() for row in rows])", "rows[-1].sum()", "np.sum(np.sin(rows[0]))")
GRID_VALUES = ("sum(grid[0])", "sum(grid[n % 2])", "(sum(grid[1]) + sum(grid[0]))")
LIST_VALUES = ("xs[0]", "xs[-1]", "sum(xs)", "np.tanh(sum(xs))", "len(xs) * c")

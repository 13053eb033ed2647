"""Programs that compute with ints of 64 bits without a sign: hashes, and generators of random numbers."""

PROGRAMS = {
    "FNV-1a by a remainder": """
def f(a):
    h = 14695981039346656037
    for x in a:
        h ^= int(x) & 0xFF
        h = (h * 1099511628211) % 2**64
    return h
""",
    "FNV-1a of digits, printed": """
def f(a):
    h = 0xCBF29CE484222325
    for x in a:
        for digit in (int(x) & 7, int(x) >> 3 & 7):
            h = ((h ^ digit) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
        print(f"{h:016x}", h, hex(h))
    return h
""",
    "a linear congruential generator": """
def f(a):
    s = int(a[0]) & 0xFFFF
    out = []
    for _ in range(6):
        s = (6364136223846793005 * s + 1442695040888963407) % 2**64
        out.append(s >> 33)
    return out, s
""",
    "one below 2**63": """
def f(a):
    s = int(a[0])
    for _ in range(6):
        s = (6364136223846793005 * s + 1442695040888963407) % 2**63
    return s
""",
    "xorshift, as a die": """
def f(a):
    h, total = 88172645463325252, 0
    for _ in a:
        h ^= (h << 13) & 0xFFFFFFFFFFFFFFFF
        h ^= h >> 7
        h ^= (h << 17) & 0xFFFFFFFFFFFFFFFF
        total += h % 6 + 1
    return total, h
""",
    "xorshift128+": """
M = 0xFFFFFFFFFFFFFFFF

def f(a):
    s = [int(a[0]) & M, int(a[1]) & M]
    out = []
    for _ in range(int(a[2]) % 7 + 4):
        s1, s0 = s
        r = (s0 + s1) & M
        s1 ^= s1 << 23 & M
        s = [s0, s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)]
        out.append(r)
    return out
""",
    "splitmix64": """
M = 0xFFFFFFFFFFFFFFFF

def mixed(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
    return z ^ (z >> 31)

def f(a):
    state = int(a[0]) & M
    out = []
    for _ in a:
        state = (state + 0x9E3779B97F4A7C15) & M
        out.append(mixed(state) / 2**64)
    return out
""",
    "a generator that is an object": """
class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return self.state >> 33

def f(a):
    r = Random(int(a[0]))
    return [r.next() % 100 for _ in range(5)], r.state
""",
    "rotations of an xxHash": """
M = 2**64 - 1

def rotated(x, places):
    return ((x << places) & M) | (x >> (64 - places))

def f(a):
    h = 0x27D4EB2F165667C5
    for k, x in enumerate(a):
        h = rotated(h ^ (int(x) * 0xC2B2AE3D27D4EB4F & M), 27) * 0x9E3779B185EBCA87 & M
        h = rotated(h, k % 8 + 1)
    return h, ~h & M, -h & M
""",
    "counted bits": """
def f(a):
    h = (int(a[0]) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    n, m = 0, h
    while m:
        n += m & 1
        m >>= 1
    return n, bin(h).count("1"), h.bit_length()
""",
    "the least of many hashes": """
def f(a):
    best, which = 2**64 - 1, None
    for x in a:
        h = (int(x) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        if h < best:
            best, which = h, int(x)
    return best, which
""",
    "a MinHash": """
M = (1 << 64) - 1

def f(a):
    signature = []
    for seed in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 3):
        signature.append(min((int(x) ^ seed) * 0x94D049BB133111EB & M for x in a if x > 0))
    return signature
""",
    "buckets of a Bloom filter": """
M = 0xFFFFFFFFFFFFFFFF

def f(a):
    bits = [False] * 64
    for x in a:
        h = (int(x) * 0x9E3779B97F4A7C15) & M
        bits[h >> 58] = True
        bits[h % 61] = True
    return bits, sum(bits)
""",
    "hashes as keys": """
M = 0xFFFFFFFFFFFFFFFF

def f(a):
    seen, counts = set(), {}
    for x in a:
        h = (int(x) // 2 * 0x9E3779B97F4A7C15) & M
        seen.add(h)
        counts[h] = counts.get(h, 0) + 1
    return len(seen), counts
""",
    "hashes in a list, sorted by a key": """
M = 0xFFFFFFFFFFFFFFFF

def f(a):
    hs = []
    for x in a:
        hs.append((int(x) * 0x9E3779B97F4A7C15) & M)
    return hs, hs[-1], hs[1:3], hs.index(hs[1]), max(hs), sorted(hs, key=lambda h: h >> 40)
""",
    "a checksum into an array": """
def f(a):
    out = np.zeros(3, np.uint64)
    h = 7
    for x in a:
        h = (h * 31 + (int(x) & 0xFFFF)) % 2**64
    out[1] = np.uint64(h)
    return out, np.array([h, 1], dtype=np.uint64), np.uint64(h)
""",
    "None before the first": """
def f(a):
    h = None
    for x in a:
        if x > 2:
            h = (int(x) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    return h
""",
    "literals of more bits under a mask": """
def f(a):
    n = int(a[0])
    return (
        (n + 2**70) & 0xFF, (n * 10**30) % 2**64, (n ^ -(2**80)) & 0xFFFFFFFFFFFFFFFF, (10**25 - n) % 2**32,
        (n | 3**50) % 2**64, (n - 2**65) % 1024,
    )
""",
    "raised": """
def f(a):
    h = (int(a[0]) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    if h > 10:
        raise ValueError("too large", h, f"{h}")
    return h
""",
    "a text, a float or an int": """
def f(a):
    h = (int(a[0]) * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    if a[1] > 3:
        h = "text"
    elif a[1] < 0:
        h = 0.5
    return h
""",
    "by recursion": """
def hashed(h, depth):
    if depth == 0:
        return h
    return hashed((h * 31 + 7) & 0xFFFFFFFFFFFFFFFF, depth - 1)

def f(a):
    return hashed(0x9E3779B97F4A7C15, int(a[0]) % 50 + 3)
""",
}

LISTS = {
    "appended after": "    xs.append(int(a[0]) & M)",
    "put first": "    xs.insert(0, int(a[0]) & M)",
    "set": "    xs[1] = int(a[0]) & M",
    "added": "    xs = xs + [int(a[0]) & M]",
    "extended": "    xs.extend([int(a[0]) & M])",
    "in one branch": "    if a[0] > 3:\n        xs.append(int(a[0]) & M)",
    "in a loop": "    for x in a:\n        xs.append(int(x) & M)",
    "joined with a literal": "    xs.append(2**63)",
}
"""What a list of ints is given: the ints that it holds may be negative, with the bits of a large one."""

LIST_PROGRAM = """
M = 2**64 - 1

def f(a):
    xs = []
    for x in a:
        xs.append({element})
{given}
    return xs
"""

ELEMENTS = ("int(x)", "(int(x), x > 1)", "int(x) if x > 2 else None", "[int(x)]")

INPUTS = ([5, 2, 250, 77, 1, 9, 123456789012, 34], [3, 7, 3], [0, 0, 1], [2**40 + 3, 5, 6, 7], [1, -4, 8])

OPERANDS = {
    "a hash": "h",
    "another": "g",
    "an int": "n",
    "a literal": "12",
    "a large one": "0xFFFFFFFFFFFFFFF0",
    "a bool": "b",
}

OPERATORS = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">", ">=")

PLACES = {
    "a statement": "    r = {op}\n    return r, type(r).__name__",
    "a branch": "    r = 1\n    if a[0] != 3:\n        r = {op}\n    return r",
    "a loop": (
        "    r = 0\n    for k in range(int(a[1]) % 3 + 5):\n"
        "        r = {op}\n        h = (h + 1) & M\n    return r"
    ),
    "a callee": "    def c(h, g, n, b):\n        return {op}\n    return c(h, g, n, b)",
    "a list": "    xs = [{op}]\n    xs.append(xs[0])\n    return xs",
    "a list of a loop": (
        "    xs = []\n    for k in range(int(a[1]) % 3 + 5):\n        xs.append({op})\n    return xs, len(xs)"
    ),
    "a tuple in a dict": "    d = {{1: ({op}, n)}}\n    return d",
    "a mask": "    return ({op}) & M, ({op}) % 2**64, ({op}) & 0xFF",
    "a text": "    return f'{{{op}}}'",
}

PROGRAM = """
M = 2**64 - 1

def f(a):
    h = (int(a[0]) * 0x9E3779B97F4A7C15) & M
    g = (int(a[1]) * 0xC2B2AE3D27D4EB4F) & M
    n, b = int(a[2]), bool(a[2] > 1)
{body}
"""


def program_of(place: str, operator: str, left: str, right: str) -> str:
    """The text of a program with one operator in one place."""
    right = f"({right} % 70)" if operator in ("<<", ">>") else right
    return PROGRAM.format(body=PLACES[place].format(op=f"{left} {operator} {right}"))

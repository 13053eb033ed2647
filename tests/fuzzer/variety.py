"""Rarer syntax of the pure-Python programs: what a converter that knows only the common cases gets wrong.

Unpacking into nested targets, displays with stars, annotated assignments, `return` in `finally`,
nested loops left by flags, generators with `yield from` and `send`, decorators, classes in functions,
recursive closures, groups of exceptions, chained context managers.
"""

from __future__ import annotations

import dataclasses
import re

from fuzzer.statements import Statements


class Variety(Statements):
    """Writes statements from templates, with holes for random parts."""

    def template(self, text: str) -> None:
        """Writes lines; `$i` is an integer, `$s` a simple one, `$t` a test, `$v` a variable to bind.

        `$k` is a new name, the same one in the whole template, and `$r` something to iterate.
        """
        name, variable = self.fresh("k"), self.choice(("n0", "n1", "n2", "a", "b", "c"))

        def part(hole: re.Match[str]) -> str:
            return {
                "i": lambda: self.integer(1),
                "s": self.simple,
                "t": lambda: self.test(2),
                "r": lambda: self.iterable(2),
                "k": lambda: name,
                "v": lambda: variable,
            }[hole[1]]()

        for line in text.strip("\n").split("\n"):
            self.line(re.sub(r"\$([istrkv])", part, line))
        if "$v" in text:
            self.scope.unsure.append(variable)

    def rare(self) -> None:
        self.template(self.choice(RARE))

    def rare_compound(self) -> None:
        self.template(self.choice(RARE_COMPOUND))

    def statement(self) -> None:
        if self.is_rich and self.chance() < 0.12 and self.scope.depth < 3 and self.scope.level == 0:
            is_simple = self.chance() < 0.4
            scope = self.scope
            self.scope = dataclasses.replace(scope, ints=[n for n in scope.ints if n != "fuel"] or ["0"])
            (self.rare if is_simple else self.rare_compound)()
            scope.unsure = self.scope.unsure
            self.scope = scope
            return
        super().statement()


RARE = (
    "$v, (c, *_) = $i, ($s, $s, 3)",
    "[a, $v] = $s, $i",
    "$v: int = $i",
    "note([*($s, 1), $i, *$r])",
    "note((*$r, $s))",
    "note({**{1: $s}, 2: $i})",
    "note(sorted({$s, $i, 3}))",
    "$v = note($i), note($i)",
    "$v = note($i) if $t else note($s) if $t else $s",
    "print($s, $s, sep='-', end='.\\n')",
    "note([$k for $k in $r if $k for _ in range(2)])",
    "note([[x2 * $k for x2 in range(2)] for $k in $r])",
    "note(list(map(lambda $k: $k + $s, $r)))",
    "note(dict(zip($r, $r)))",
    "note(sum(x2 for $k in $r for x2 in ($k, $s)))",
    "note(next((x2 for x2 in $r if x2 == $s), None))",
    "note([f() for f in [lambda: $s, lambda $k=$s: $k]])",
    "note(a is None), note(b is not c)",
    "note(not $t and not $s or $i)",
    "note(-$s ** 2), note(~$s), note(+$s)",
    "$v = c = $i",
    "c += $s if $t else $i",
    "note(f'{$s!r:>4}|{$s:{$s % 5 + 3}}|{$s=}')",
    "note((lambda *x2, y2=1, **z2: (x2, y2, z2))($s, *$r, y2=$s, q=$s))",
)

RARE_COMPOUND = (
    """
for $k in $r:
    try:
        if $k == $s:
            continue
        note($k)
        if $t:
            break
    finally:
        note(-1)
else:
    $v = $i
""",
    """
try:
    try:
        note(1 // $s)
    except (KeyError, TypeError):
        note($i)
    else:
        $v = $s
    finally:
        note(9)
except ZeroDivisionError as problem:
    note(str(problem))
    $v = $s
""",
    """
def $k(x2):
    try:
        if x2 != $s:
            return note(x2)
        raise KeyError(x2)
    except KeyError as problem:
        return problem.args
    finally:
        note('end')
note($k($i))
""",
    """
def $k(x2):
    while True:
        try:
            x2 -= 1
            if x2 % 3 == 0:
                return x2
        finally:
            if x2 == $s:
                break
            if x2 < -9:
                return 'low'
    return 'left'
note($k($i % 7))
""",
    """
def $k(x2):
    if x2 % 5 == 0:
        return [x2]
    return [x2, *$k(x2 - 1)]
note($k($s))
""",
    """
def $k(x2):
    got = yield x2
    while got is not None:
        got = yield got + $s
    yield from (x2, $s)
    return x2
$k = $k($i)
note(next($k))
note($k.send($s))
note(list($k))
""",
    """
def $k(function):
    def inner(*args):
        note('before')
        return function(*args), $s
    return inner
@$k
def x2(y2, z2=$i):
    return y2 if $t else z2
note(x2($s))
""",
    """
class $k:
    size = $i
    def __init__(self):
        self.__hidden = $s
    def get(self):
        if self.__hidden == self.size:
            return 'same'
        return self.__hidden, self.size
    class Inner:
        level = $s
note($k().get())
note($k.Inner.level)
""",
    """
with Manager($s, None), Manager($i, Alpha) as $v:
    note($v)
    raise Alpha($s)
""",
    """
for $k in $r:
    for x2 in range(3):
        if x2 == $k:
            break
        note((x2, $k))
    else:
        continue
    $v = x2
    break
""",
    """
while fuel < 9 and (($v := $s) or $t):
    fuel += 1
    if $t:
        fuel = 9
    elif $v == $s:
        fuel = 9
        continue
    note($v)
""",
    """
try:
    raise Beta($s) from ValueError($s)
except Alpha as problem:
    note(repr(problem.__cause__))
""",
    """
match ($s, $i):
    case (0, $k) | ($k, 0):
        note($k)
    case (int(x2), y2) if x2 == y2:
        $v = x2
    case [x2, *rest]:
        note(rest)
""",
    """
match {'x': $s, 'y': $i}:
    case {'x': 1, **rest}:
        note(rest)
    case {'x': x2, 'y': (0 | 1) as y2}:
        note((x2, y2))
""",
    """
def $k():
    x2 = $s
    def one():
        nonlocal x2
        x2 += 1
        def two():
            nonlocal x2
            x2 *= 2
            return x2
        return two
    return one(), lambda: x2
x2, y2 = $k()
note((y2(), x2(), y2()))
""",
    """
def $k(*, x2=$s, y2):
    if $t:
        x2, y2 = y2, x2
    return x2, y2
note($k(y2=$i))
note($k(**{'y2': $s, 'x2': $s}))
""",
    """
def $k():
    for x2 in $r:
        yield lambda: x2
note([f() for f in $k()])
note([f() for f in list($k())])
""",
    """
if ($v := $i) == $s or note($v):
    note($v)
elif not $v:
    pass
else:
    $v = [$v]
    $v = $v[0]
""",
    """
try:
    if $t:
        note($k)
    $k = $s
    note($k)
    del $k
    note($k)
except NameError as problem:
    note(str(problem))
""",
)

"""Random statements of the pure-Python programs: every kind of control flow, and writes of every kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

from fuzzer.avoided import AVOIDED
from fuzzer.expressions import Expressions, Scope

AUGMENTED = ("+=", "+=", "-=", "|=", "^=", "%=", "//=")
ERRORS = ("Alpha", "Beta", "ValueError", "KeyError", "IndexError", "ZeroDivisionError")
DEEPEST = 3


class Statements(Expressions):
    """Writes statements as lines."""

    def __init__(self, seed: int, is_rich: bool) -> None:
        super().__init__(seed, is_rich)
        self.lines: list[str] = []
        self.indent = 0

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def body(self, loops: int | None = None) -> Iterator[None]:
        """The block of a statement; what it binds may be unbound after it."""
        scope = self.scope
        self.scope = dataclasses.replace(
            scope,
            ints=[*scope.ints],
            lists=[*scope.lists],
            dicts=[*scope.dicts],
            objects=[*scope.objects],
            functions=[*scope.functions],
            depth=scope.depth + 1,
            loops=scope.loops if loops is None else loops,
        )
        self.indent += 1
        yield
        self.indent -= 1
        inner, self.scope = self.scope, scope
        new = [name for name in inner.ints if name not in scope.ints and name.startswith("n")]
        scope.unsure += [name for name in new if name not in scope.unsure]

    def block(self, loops: int | None = None) -> None:
        with self.body(loops):
            for _ in range(1 + int(self.chance() * (4 - min(self.scope.depth, 2)))):
                self.statement()

    def statement(self) -> None:
        kinds = self.SIMPLE
        if self.scope.depth < DEEPEST and self.chance() < 0.42:
            kinds = self.COMPOUND if self.is_rich else self.TRACEABLE
        elif self.scope.depth and self.chance() < 0.14:
            kinds = self.JUMPS
        self.choice(kinds)(self)

    # Assignments

    def target(self) -> str:
        if self.chance() < 0.15:
            return self.new_name()
        names = [name for name in self.scope.ints if name[0] not in "zk" and name not in ("self", "fuel")]
        return self.choice(names or ["n0"])

    def new_name(self) -> str:
        return f"n{int(self.chance() * 4)}"

    def bind(self, name: str) -> None:
        """From here on the variable is bound."""
        if name not in self.scope.ints:
            self.scope.ints.append(name)

    def assign(self) -> None:
        name, value = self.target(), self.integer()
        self.line(f"{name} = {value}")
        self.bind(name)

    def augment(self) -> None:
        name = self.choice([name for name in self.scope.ints if name not in ("self", "fuel")])
        operator, value = self.choice(AUGMENTED), self.integer()
        if operator in ("%=", "//=") and self.chance() < 0.9:
            value = f"({value} | 1)"
        self.line(f"{name} {operator} {value}")

    def unpack(self) -> None:
        first, second = self.target(), self.target()
        shapes = (
            "{}, {} = {}, {}",
            "{} = {} = {} + {}",
            "({}, {}) = divmod({}, {} | 1)",
            "{}, {} = [{}, {}]",
        )
        shape = self.choice(shapes if self.is_rich else shapes[:3])
        self.line(shape.format(first, second, self.integer(1), self.integer(1)))
        self.bind(first)
        self.bind(second)

    def unpack_rest(self) -> None:
        if not self.is_rich or not self.scope.lists:
            return self.assign()
        name, rest = self.target(), self.choice(self.scope.lists)
        self.line(f"{name}, *{rest} = {self.simple()}, {self.integer(1)}, {self.simple()}")
        self.bind(name)

    def new_list(self) -> None:
        name = self.choice(("xs", "ys"))
        shape = self.choice(("[{}, {}, {}]", "[{}] * 3 + [{}]", "list(range(4))", "[[{}], {}][0] + [{}]"))
        values = [self.integer(1) for _ in range(shape.count("{}"))]
        self.line(f"{name} = {shape.format(*values)}")
        if name not in self.scope.lists:
            self.scope.lists.append(name)

    def change_list(self) -> None:
        if not self.scope.lists:
            return self.new_list()
        name = self.choice(self.scope.lists)
        shape = self.choice(
            (
                "{0}.append({1})",
                "{0}[{1} % 3] = {2}",
                "{0}[{1}] = {2}",
                "{0}[{1} % 2] += {2}",
                "{0}.insert({1}, {2})",
                "{0}.sort()",
                "{0}.reverse()",
                "{0}[1:2] = [{1}, {2}]",
                "del {0}[{1} % 3]",
                "{0} += [{1}]",
                "{0}[0], {0}[-1] = {1}, {2}",
                "note(len({0}))",
            )
        )
        self.line(shape.format(name, self.integer(1), self.integer(1)))

    def change_dict(self) -> None:
        if not self.scope.dicts:
            self.line(f"d = {{1: {self.integer(1)}, {self.choice('23')}: {self.integer(1)}}}")
            self.scope.dicts.append("d")
            return
        shape = self.choice(
            (
                "{0}[{1}] = {2}",
                "{0}[1] += {1}",
                "{0}.update({{{1}: {2}}})",
                "del {0}[{1}]",
                "{0}[{1} % 3] -= {2}",
            )
        )
        self.line(shape.format(self.choice(self.scope.dicts), self.integer(1), self.integer(1)))

    def change_object(self) -> None:
        if not self.has_class:
            return self.assign()
        if not self.scope.objects or self.chance() < 0.1:
            name = self.choice(("p", "q"))
            self.line(f"{name} = P({self.integer(1)})")
            if name not in self.scope.objects:
                self.scope.objects.append(name)
            return
        target = self.choice(self.scope.objects)
        shape = self.choice(
            (
                "{0}.v = {1}",
                "{0}.v += {1}",
                "{0}.w = {1}",
                "{0}.w -= {1}",
                "{0}.double = {1}",
                "{0}[{1}] = {2}",
                "{0}[{1}] += {2}",
                "{0}.move({1}).move({2})",
                "{0} += {1}",
                "{0}.v, {0}.w = {1}, {2}",
                "del {0}.w",
                "{0}.items.append({1})",
            )
        )
        self.line(shape.format(target, self.integer(1), self.integer(1)))

    def alias(self) -> None:
        if len(self.scope.objects) > 1 and self.chance() < 0.5:
            self.line("p = q" if self.chance() < 0.5 else "p, q = q, p")
        elif len(self.scope.lists) > 1:
            self.line(self.choice(("xs = ys", "ys = xs[:]", "xs, ys = ys, xs")))
        else:
            self.change_object()

    def write_outer(self) -> None:
        if self.scope.outer:
            name = self.choice(self.scope.outer)
            self.line(f"{name} {self.choice(('=', '+='))} {self.integer(1)}")
        else:
            self.line(f"set_count({self.integer(1)})")

    # Output and effects

    def say(self) -> None:
        shapes = (self.formatted(), self.integer(1), f"{self.simple()}, {self.formatted()}")
        self.line(f"print({self.choice(shapes)})")

    def log(self) -> None:
        self.line(f"note({self.integer()})")

    def check(self) -> None:
        self.line(
            f"assert {self.test(1)}, {self.formatted()}" if self.chance() < 0.7 else f"assert {self.test(1)}"
        )

    def delete(self) -> None:
        names = [name for name in self.scope.ints if name in ("n0", "n1", "n2", "n3")]
        avoids = not self.is_rich and "del in a staged branch" in AVOIDED
        if avoids or not names or self.chance() < 0.6:
            return self.log()
        name = self.choice(names)
        self.line(f"del {name}")
        self.scope.ints.remove(name)
        self.scope.unsure.append(name)

    # Jumps

    def leave(self) -> None:
        if self.scope.is_generator:
            self.line(f"yield {self.integer()}" if self.chance() < 0.7 else "return")
        else:
            self.line(
                self.choice(
                    (f"return {self.integer()}", f"return {self.simple()}, {self.simple()}", "return")
                )
            )

    def jump(self) -> None:
        self.line(self.choice(("break", "continue"))) if self.scope.loops else self.leave()

    def throw(self) -> None:
        self.line(f"raise {self.choice(ERRORS)}({self.choice((self.integer(1), repr('why')))})")

    # Compound statements

    def branch(self) -> None:
        self.line(f"if {self.test()}:")
        self.block()
        while self.chance() < 0.2:
            self.line(f"elif {self.test()}:")
            self.block()
        if self.chance() < 0.5:
            self.line("else:")
            self.block()

    def while_(self) -> None:
        loops = self.scope.loops + 1
        if self.chance() < 0.2:
            self.line("while fuel < 99:" if "while True" in AVOIDED else "while True:")
            with self.body(loops):
                self.line("fuel += 1")
                self.line(f"if fuel > 9 or {self.test(1)}:")
                self.line("    break")
                self.statement()
        else:
            self.line(f"while fuel < 9 and ({self.test()}):")
            with self.body(loops):
                self.line("fuel += 1")
            self.block(loops)
        self.otherwise()

    def for_(self) -> None:
        name, items = self.fresh("k"), self.iterable()
        if self.chance() < 0.25:
            self.line(f"for {name}, {self.choice(('n1', 'n2'))} in enumerate({items}):")
        else:
            self.line(f"for {name} in {items}:")
        with self.body(self.scope.loops + 1):
            self.bind(name)
            for _ in range(1 + int(self.chance() * 3)):
                self.statement()
        self.scope.unsure.append(name)
        self.otherwise()

    def otherwise(self) -> None:
        if self.chance() < 0.25:
            self.line("else:")
            self.block()

    def nested(self) -> None:
        """A closure, which may write variables of the function around it."""
        if self.scope.level > 1 or self.scope.is_generator:
            return self.branch()
        name, parameter, outer = self.fresh("g"), self.fresh("z"), self.scope
        shared = [n for n in outer.ints if n[0] in "abcn" and n not in outer.outer]
        self.line(f"def {name}({parameter}, {self.fresh('z')}={self.simple()}):")
        written = [self.choice(shared)] if shared and self.chance() < 0.6 and outer.level == 0 else []
        self.scope = Scope(
            ints=[n for n in outer.ints if n != "fuel"] + [parameter],
            lists=[*outer.lists],
            dicts=[*outer.dicts],
            objects=[*outer.objects],
            outer=written,
            level=outer.level + 1,
            depth=2,
            loops=0,
        )
        self.scope.ints = [n for n in self.scope.ints if n not in written] + written
        self.indent += 1
        if written:
            self.line(f"nonlocal {written[0]}")
        kept = self.target
        self.target = lambda: self.choice([*written, "m1", "m2"])  # type: ignore[method-assign]
        kept_new, self.new_list = self.new_list, self.log  # type: ignore[method-assign]
        for _ in range(1 + int(self.chance() * 3)):
            self.choice(self.IN_CLOSURE)(self)
        self.line(f"return {self.integer()}")
        self.target, self.new_list = kept, kept_new  # type: ignore[method-assign]
        self.indent -= 1
        self.scope = outer
        outer.functions.append(name)

    def closures_in_loop(self) -> None:
        name, each = self.fresh("fs"), self.fresh("k")
        self.line(f"{name} = []")
        self.line(f"for {each} in {self.iterable()}:")
        self.line(f"    {name}.append(lambda z={self.simple()}: z + {each} + {self.simple()})")
        self.line(f"note([g() for g in {name}])")

    def try_(self) -> None:
        self.line("try:")
        self.block()
        has_handler = self.chance() < 0.8
        if has_handler:
            for _ in range(1 + int(self.chance() * 1.4)):
                self.handler()
            if self.chance() < 0.3:
                self.line("else:")
                self.block()
        if not has_handler or self.chance() < 0.3:
            self.line("finally:")
            loops, self.scope.loops = self.scope.loops, 0
            with self.body():
                self.log()
                self.choice(self.SIMPLE)(self)
            self.scope.loops = loops

    def handler(self) -> None:
        kinds = self.choice((self.choice(ERRORS), f"({self.choice(ERRORS)}, TypeError)", "Exception"))
        name = self.choice(("", "", "e", "error"))
        self.line(f"except {kinds}{f' as {name}' if name else ''}:")
        with self.body():
            if name:
                self.line(f"note(repr({name}))")
            if self.chance() < 0.15:
                self.line(
                    self.choice(("raise", f"raise Beta({self.simple()}){f' from {name}' if name else ''}"))
                )
            else:
                self.statement()

    def with_(self) -> None:
        name = self.choice(("", " as n3"))
        self.line(f"with Manager({self.integer(1)}, {self.choice(('Alpha', 'ValueError', 'None'))}){name}:")
        with self.body():
            if name:
                self.bind("n3")
            for _ in range(1 + int(self.chance() * 3)):
                self.statement()

    def match_(self) -> None:
        subjects = (self.integer(1), f"({self.integer(1)}, {self.simple()})", f"[{self.simple()}]")
        self.line(f"match {self.choice(subjects)}:")
        self.indent += 1
        for pattern in ("0 | 1", f"int(n2) if {self.test(2)}", "(n0, 3)", "(n1, n2)", "[n1, *_]"):
            if self.chance() < 0.5:
                self.line(f"case {pattern}:")
                self.block()
        self.line("case _:")
        self.block()
        self.indent -= 1
        self.scope.unsure += [name for name in ("n0", "n1", "n2") if name not in self.scope.ints]

    SIMPLE = (
        assign,
        assign,
        assign,
        augment,
        augment,
        unpack,
        unpack_rest,
        new_list,
        change_list,
        change_list,
        change_dict,
        change_object,
        change_object,
        alias,
        write_outer,
        say,
        say,
        log,
        check,
        delete,
    )
    IN_CLOSURE = (assign, augment, change_list, change_dict, change_object, write_outer, say, log, branch)
    JUMPS = (leave, jump, jump, jump, throw)
    TRACEABLE = (branch, branch, branch, while_, for_, for_, nested)
    COMPOUND = (*TRACEABLE, try_, try_, with_, match_, closures_in_loop)

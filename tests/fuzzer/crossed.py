"""Programs of the crossing's tables, drawn at random and put together: a value goes from one way to the next.

def f(x, y, c, k, n):
    xs = [x, y]             # a way to make a value, and a place to put it
    v = xs[k]
    w = (v, 1)[0]
    x = w                   # the value goes on
    v = x if c else y       # another way, another place
    o = Plain(None)
    o.value = v
    w = o.value
    return first(w, x, y, c, k), second(w, x, y, c, k)      # two uses, each a function
"""

from __future__ import annotations

import random

from crossing.judge import judged
from crossing.kinds import KINDS
from crossing.program import CONSUMERS, MAKERS, PLACES, PREAMBLE, Case

from fuzzer.shrink import shrink
from fuzzer.verdicts import Failure, Verdicts

STAGES = 2
OF_TWO_KINDS = 0.3
"""How often the two values of a call are of kinds that have nothing to do with each other."""


def case_of(seed: int) -> Case:
    """The program of a seed, with the arguments of three calls of one function object."""
    draw = random.Random(seed)
    kind = draw.choice(KINDS)
    beside = draw.choice(KINDS) if draw.random() < OF_TWO_KINDS else kind
    body: list[str] = []
    for stage in range(STAGES):
        maker, place = draw.choice(sorted(MAKERS)), draw.choice(sorted(PLACES))
        literal = draw.choice((kind, beside)).literal
        body += ["x = w"] if stage else []
        body += [*MAKERS[maker].format(literal=literal).splitlines(), *PLACES[place].splitlines()]
    uses = draw.sample(sorted(CONSUMERS), 2)
    body.append("return first(w, x, y, c, k), second(w, x, y, c, k)")
    functions = [
        _function("first(w, x, y, c, k)", CONSUMERS[uses[0]].splitlines()),
        _function("second(w, x, y, c, k)", CONSUMERS[uses[1]].splitlines()),
        _function("f(x, y, c, k, n)", body),
    ]
    inputs = (
        f"({kind.x}, {beside.y}, np.bool_(False), np.int64(0), np.int64(0))",
        f"({kind.x}, {beside.y}, np.bool_(True), np.int64(1), np.int64({draw.choice((2, 3, 6))}))",
        f"({kind.other}, {beside.y}, np.bool_({draw.choice((True, False))}), np.int64(0), np.int64(1))",
    )
    return Case((kind.name, beside.name, *uses), PREAMBLE + "\n\n".join(functions), inputs)


def _function(head: str, lines: list[str]) -> str:
    return f"def {head}:\n" + "".join(f"    {line}\n" for line in lines)


def try_crossed(seed: int) -> Verdicts:
    """Judges the program of a seed."""
    return _tried(case_of(seed), seed)


def _tried(case: Case, number: int) -> Verdicts:
    verdict = judged(case, number)
    said = ["crossed: same"] * verdict.agreed + [f"crossed: refused {code}" for code in verdict.refusals]
    if not verdict.differences:
        return None, said
    expression, want, got = verdict.differences[0]
    part = (
        "outcome"
        if got.outcome != want.outcome
        else "printed"
        if got.printed != want.printed
        else "arguments"
    )
    return Failure("crossed", part, (expression,), case.source.removeprefix(PREAMBLE), got, want), said


def shrunk(failure: Failure) -> Failure:
    """The smallest program found that fails in the same way."""
    best = failure

    def fails(text: str) -> bool:
        nonlocal best
        found, _ = _tried(Case(("", "", "", ""), PREAMBLE + text, failure.arguments), -1)
        if found is None or found.part != failure.part or _kinds(found) != _kinds(failure):
            return False
        best = found
        return True

    shrink(failure.text, fails)
    return best


def _kinds(failure: Failure) -> list[object]:
    """The class of what came of a call: a result's, or that an exception of a class was raised."""
    outcomes = [failure.want.outcome, failure.got.outcome]
    return [one[:2] if one and one[0] == "raised" else one and one[0] for one in outcomes]


def report(failure: Failure) -> str:
    """A failing program as a file that runs."""
    call = f"# differs: {failure.part}; call: f{failure.arguments[0]}"
    return f"{call}\n# expected {failure.want}\n# got {failure.got}\n{PREAMBLE}{failure.text}"

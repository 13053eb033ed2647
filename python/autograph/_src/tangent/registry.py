"""Rules of derivatives: functions that are quoted, and found by the function that they are of.

```python
@adjoint(np.multiply, operator.mul, elementwise=True)
def multiply(z, x1, x2):
    d[x1] = d[z] * x2
    d[x2] = d[z] * x1

@tangent_of(np.multiply, operator.mul)
def multiply_tangent(z, x1, x2):
    d[z] = d[x1] * x2
    d[z] = x1 * d[x2]
```

A rule is text and never runs: ``d[x]`` stands for the derivative of ``x`` (Listing 5 of the Tangent paper).
Its first parameter is the result of the call, the others are those of the function.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import NoReturn, TypeVar

import numpy as np

Template = TypeVar("Template", bound=Callable[..., None])
Test = Callable[[object], bool]


class Derivatives:
    """What ``d`` is in the text of a rule; out of a rule it is nothing."""

    def __getitem__(self, variable: object) -> NoReturn:
        raise TypeError("`d[...]` has a meaning in the text of a rule only: rules are quoted, never run")

    def __setitem__(self, variable: object, derivative: object) -> NoReturn:
        raise TypeError("`d[...]` has a meaning in the text of a rule only: rules are quoted, never run")


d = Derivatives()


@dataclass(frozen=True)
class Rule:
    """The derivative of a function.

    ``elementwise`` says that the result has the broadcast shape and the promoted dtype of the operands.
    """

    template: FunctionType
    elementwise: bool = False


@dataclass(frozen=True)
class Variant:
    """A rule for some of the calls: where ranks of operands, or operands themselves, are known."""

    rule: Rule
    ranks: tuple[int, ...] | None
    literals: tuple[tuple[str, object], ...]

    @property
    def key(self) -> tuple[object, ...]:
        return (self.ranks, tuple((name, id(wanted)) for name, wanted in self.literals))

    def fits(self, ranks: tuple[int, ...] | None, literals: Mapping[str, object]) -> bool:
        """Whether a call is one of those."""
        if self.ranks is not None and self.ranks != ranks:
            return False
        return all(name in literals and is_wanted(literals[name], one) for name, one in self.literals)


def is_wanted(literal: object, wanted: object) -> bool:
    """Whether an operand that is written in the call is a number, or passes a test."""
    if isinstance(wanted, FunctionType):
        return bool(wanted(literal))
    return type(literal) in (int, float) and literal == wanted


class Rules:
    """Rules by the identity of their functions."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[object, list[Variant]]] = {}

    def add(self, function: object, variant: Variant) -> None:
        """Adds a variant; the special ones stand first, and the last one of a kind replaces the others."""
        _, before = self.of(function)
        kept = [one for one in before if one.key != variant.key]
        is_special = variant.ranks is not None or bool(variant.literals)
        variants = [variant, *kept] if is_special else [*kept, variant]
        self._found[id(function)] = (function, variants)

    def replace(self, function: object, variant: Variant) -> None:
        """Makes a variant the only one."""
        self._found[id(function)] = (function, [variant])

    def drop(self, function: object) -> None:
        self._found.pop(id(function), None)

    def find(
        self, function: object, ranks: tuple[int, ...] | None, literals: Mapping[str, object]
    ) -> Rule | None:
        _, variants = self.of(function)
        return next((one.rule for one in variants if one.fits(ranks, literals)), None)

    def has_variants(self, function: object) -> bool:
        """Whether calls of a function have several rules."""
        return len(self._found.get(id(function), (function, []))[1]) > 1

    def of(self, function: object) -> tuple[object, list[Variant]]:
        """A function, and all of its variants."""
        return self._found.get(id(function), (function, []))

    def functions(self) -> list[object]:
        return [function for function, _ in self._found.values()]


ADJOINTS = Rules()
TANGENTS = Rules()
NON_DIFFERENTIABLE: dict[int, object] = {}
WRITES: dict[int, tuple[object, object]] = {}
FORMS_READ: dict[int, tuple[object, frozenset[str]]] = {}


def adjoint(
    *functions: object,
    elementwise: bool = False,
    ranks: tuple[int, ...] | None = None,
    literals: Mapping[str, object] | None = None,
) -> Callable[[Template], Template]:
    """Registers the rule of the backward pass for functions.

    The rule has one statement ``d[operand] = ...`` for each operand; several for one operand are added. It
    may read ``d[result]``, the operands and the result. What it reads is saved for the backward pass.

    Args:
        functions: What the rule is of: functions, operators of ``operator``, methods and attributes of a
            class (``np.ndarray.sum``).
        elementwise: The result has the broadcast shape and the promoted dtype of the operands. What
            the rule gives an operand is summed to its shape.
        ranks: The rule is for operands of so many dimensions.
        literals: The rule is for calls where these parameters are numbers of the program's text: a number, or
            a test of one.

    Returns:
        A decorator, which gives back the rule.

    Raises:
        TypeError: What is decorated is no `def` with a parameter for the result, or what it is of cannot be
            called.

    Example:
        >>> def cube(x):
        ...     return x**3
        >>> @adjoint(cube, elementwise=True)
        ... def cube_adjoint(z, x):
        ...     d[x] = d[z] * 3 * x**2
        >>> adjoint_of(cube).elementwise
        True

    Source: section 3 of the Tangent paper.
    """
    return registration(ADJOINTS, "adjoint", functions, elementwise, ranks, literals)


def tangent_of(
    *functions: object,
    ranks: tuple[int, ...] | None = None,
    literals: Mapping[str, object] | None = None,
) -> Callable[[Template], Template]:
    """Registers the rule of forward mode for functions.

    The rule has one statement ``d[result] = ...`` for each operand that has a derivative; they are added.

    Args:
        functions: What the rule is of, as for `adjoint`.
        ranks: As for `adjoint`.
        literals: As for `adjoint`.

    Returns:
        A decorator, which gives back the rule.

    Raises:
        TypeError: As for `adjoint`.

    Example:
        >>> def cube(x):
        ...     return x**3
        >>> @tangent_of(cube)
        ... def cube_tangent(z, x):
        ...     d[z] = 3 * x**2 * d[x]
        >>> tangent_rule_of(cube).template.__name__
        'cube_tangent'

    Source: section 3 of the Tangent paper.
    """
    return registration(TANGENTS, "tangent_of", functions, False, ranks, literals)


def newer(name: str) -> object:
    """The function of NumPy that has a name; where the installed NumPy has none, what nobody calls."""
    found: object = np
    for part in name.split("."):
        found = getattr(found, part, None)
    return (lambda: None) if found is None else found


def registration(
    rules: Rules,
    decorator: str,
    functions: tuple[object, ...],
    elementwise: bool,
    ranks: tuple[int, ...] | None,
    literals: Mapping[str, object] | None,
) -> Callable[[Template], Template]:
    """The decorator that adds a rule to a table."""
    check_functions(decorator, functions)
    names = dict(literals or {})

    def register(template: Template) -> Template:
        rule = Rule(checked(decorator, template, names), elementwise)
        variant = Variant(rule, ranks, tuple(names.items()))
        is_general = ranks is None and not names
        is_known = [NON_DIFFERENTIABLE.pop(id(function), None) is not None for function in functions]
        for function, was_constant in zip(functions, is_known, strict=True):
            if was_constant or (is_general and is_of_a_user(template)):
                rules.replace(function, variant)
            else:
                rules.add(function, variant)
        return template

    return register


def is_of_a_user(template: Callable[..., None]) -> bool:
    """Whether a rule is none of this package: then it replaces all variants."""
    return not (template.__module__ or "").startswith("autograph._src.tangent.")


def check_functions(decorator: str, functions: tuple[object, ...]) -> None:
    """Raises where there is nothing that a rule could be of."""
    if not functions:
        raise TypeError(f"`{decorator}` needs the functions that the rule is of: `@{decorator}(np.sin)`")
    for function in functions:
        if not callable(function) and not inspect.isdatadescriptor(function):
            raise TypeError(f"`{decorator}` takes functions, and {function!r} is none")


def checked(decorator: str, template: Callable[..., None], literals: Mapping[str, object]) -> FunctionType:
    """A rule as a function; raises what is wrong with it."""
    if not isinstance(template, FunctionType):
        raise TypeError(
            f"`{decorator}` decorates a function that is written with `def`, and {template!r} is none"
        )
    if template.__name__ == "<lambda>":
        raise TypeError(
            f"`{decorator}` decorates a function that is written with `def`: a lambda has no statements"
        )
    code = template.__code__
    if code.co_argcount == 0:
        raise TypeError(
            f"the rule `{template.__name__}` needs a parameter for the result, as `z` in "
            f"`def {template.__name__}(z, x):`"
        )
    operands = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    missing = [name for name in literals if name not in operands]
    if missing:
        raise TypeError(
            f"the rule `{template.__name__}` has no parameter `{missing[0]}`, which `literals` names"
        )
    return template


def register_non_differentiable(*functions: object) -> None:
    """Says that the results of functions do not vary with their arguments as derivatives count it.

    Args:
        functions: Functions, operators, methods or attributes of classes.

    Raises:
        TypeError: One of them is no function.

    Example:
        >>> def rank(x):
        ...     return len(x.shape)
        >>> register_non_differentiable(rank)
        >>> is_non_differentiable(rank)
        True

    Source: section 3 of the Tangent paper.
    """
    check_functions("register_non_differentiable", functions)
    for function in functions:
        ADJOINTS.drop(function)
        TANGENTS.drop(function)
        NON_DIFFERENTIABLE[id(function)] = function


def register_write(function: object, helper: object) -> None:
    """Says that a function writes into its first argument what a helper of the same arguments gives.

    So ``function(x, *others)`` is ``x[...] = helper(x, *others)``, and the helper has the rules.
    """
    WRITES[id(function)] = (function, helper)


def write_of(function: object) -> object | None:
    """The helper that gives what a function writes into its first argument; ``None`` if it writes nothing."""
    return WRITES.get(id(function), (function, None))[1]


def reads_form_only(function: object, *parameters: str) -> None:
    """Says that a helper needs of these parameters the class, shape and dtype only, and no value."""
    FORMS_READ[id(function)] = (function, frozenset(parameters))


def adjoint_of(
    function: object, ranks: tuple[int, ...] | None = None, literals: Mapping[str, object] | None = None
) -> Rule | None:
    """The rule of the backward pass for a call.

    Args:
        function: What is called.
        ranks: How many dimensions its operands have, if that is known.
        literals: The numbers of the program's text among its arguments, by parameter.

    Returns:
        The rule; ``None`` if there is none.
    """
    return ADJOINTS.find(function, ranks, literals or {})


def tangent_rule_of(
    function: object, ranks: tuple[int, ...] | None = None, literals: Mapping[str, object] | None = None
) -> Rule | None:
    """The rule of forward mode for a call, found as `adjoint_of` finds that of the backward pass."""
    return TANGENTS.find(function, ranks, literals or {})


def is_non_differentiable(function: object) -> bool:
    """Whether the results of a function carry no derivative."""
    return id(function) in NON_DIFFERENTIABLE


def forms_read_by(function: object) -> frozenset[str]:
    """The parameters of a helper of which it reads the class, shape and dtype only."""
    return FORMS_READ.get(id(function), (function, frozenset()))[1]


def without_derivative(function: object) -> frozenset[str]:
    """The parameters of a function that have no derivative, whatever they are kept with.

    They are those of which a helper reads the form, and the axes of functions of NumPy and SciPy, which
    are whole numbers. A function of the program may give these names to what it likes.
    """
    owner = getattr(function, "__objclass__", function)  # `np.ndarray.sum`
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        owner = np.ufunc  # `np.add.reduce`
    module = getattr(owner, "__module__", None) or ""
    is_whole = module.split(".")[0] in ("numpy", "scipy") or module.startswith(_HELPERS)
    return forms_read_by(function) | (_WHOLE if is_whole else frozenset())


_WHOLE = frozenset(("axis", "axes", "keepdims"))
_HELPERS = "autograph._src.tangent.helpers"


def method_named(name: str) -> object | None:
    """The method or attribute of arrays, or the method of a generator of random numbers, that has a name.

    Args:
        name: That of an attribute: ``"sum"`` of ``x.sum()``.

    Returns:
        The descriptor that rules are of (``np.ndarray.sum``); ``None`` if no rule is of one.
    """
    for owner in (np.ndarray, np.random.Generator):
        found: object = vars(owner).get(name)
        if found is not None and is_known(found):
            return found
    return None


def is_known(function: object) -> bool:
    """Whether anything is registered of a function."""
    has_rule = any(variants for _, variants in [ADJOINTS.of(function), TANGENTS.of(function)])
    return has_rule or is_non_differentiable(function) or write_of(function) is not None

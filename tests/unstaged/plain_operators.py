"""The operators of docs/design/0001-converted-code.md with Python's meaning only: nothing is staged.

`exercise_state` makes every statement read and write back its state first, so that tests see whether
`get_state` and `set_state` are right.
"""

import builtins
import contextlib
import operator
import sys

from plain_patterns import *  # noqa: F403

exercise_state = False
slice = builtins.slice


class Undefined:
    def __init__(self, name):
        self.name = name


def ld(value):
    if isinstance(value, Undefined):
        raise UnboundLocalError(
            f"cannot access local variable '{value.name}' where it is not associated with a value"
        )
    return value


def ld_free(value):
    if isinstance(value, Undefined):
        raise NameError(
            f"cannot access free variable '{value.name}' where it is not associated with a value"
            " in enclosing scope"
        )
    return value


ld_inlined = ld_free if sys.version_info < (3, 12) else ld


def ld_own(read):
    try:
        return read()
    except NameError:
        pass
    name = read.__code__.co_freevars[0]
    raise UnboundLocalError(f"cannot access local variable '{name}' where it is not associated with a value")


def ldg(variables, name):
    return variables[name] if name in variables else Undefined(name)


def writes_nonlocal(function):
    return function


def created(value):
    return value


def with_element(values, value):
    values.append(value)
    return values


def walked(value, levels=1):
    return value


kept = walked


def spread(value, before, after, levels=1):
    (*items,) = value
    if len(items) < before + after:
        count = len(items)
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {count})")
    end = len(items) - after
    return (*items[:before], items[before:end], *items[end:])


def starred(values):
    return (*values,)


def tuple_display(*parts):
    return tuple(item for part in parts for item in part)


def set_of(*parts):
    return set(tuple_display(*parts))


def with_elements(values, added):
    return [*values, *added]


def ret(value, did_return):
    return value if did_return else None


def _exercise(block, names):
    """Every variable of the state can be reached through the block."""
    free = block.__code__.co_freevars
    for name in names:
        if name in free:
            cell = block.__closure__[free.index(name)]
            if exercise_state:
                with contextlib.suppress(ValueError):  # empty
                    cell.cell_contents = cell.cell_contents
        elif exercise_state:
            ldg(block.__globals__, name)


def if_stmt(test, body, names, n_outputs):
    _exercise(body, names)
    assert 0 <= n_outputs <= len(names)
    if test:
        body()


def if_else_stmt(test, branches, names, n_outputs):
    _exercise(branches, names)
    assert 0 <= n_outputs <= len(names)
    branches(test)


def while_stmt(test, body, names):
    _exercise(body, names)
    while test():
        body()
        _exercise(body, names)


def try_stmt(clauses, kinds, has_else, has_finally, names):
    _exercise(clauses, names)
    last = len(kinds) + 1
    try:
        try:
            clauses(0, None)
        except BaseException as error:
            classes = [(BaseException,) if kind is None else kind() for kind in kinds]
            clause = 1 + next((at for at, kind in enumerate(classes) if isinstance(error, kind)), -1)
            if not clause:
                raise
            clauses(clause, error)
        else:
            if has_else:
                clauses(last, None)
    finally:
        if has_finally:
            clauses(last + 1, None)
            _exercise(clauses, names)


def with_stmt(manager, body, names):
    _exercise(body, names)
    with manager as item:
        body(item)


def for_stmt(iterable, extra_test, body, names):
    _exercise(body, names)
    iterator = iter(iterable)
    while extra_test is None or extra_test():
        try:
            item = next(iterator)
        except StopIteration:
            return
        body(item)
        _exercise(body, names)


def assert_stmt(test, message=None):
    if not test:
        if message is None:
            raise AssertionError
        raise AssertionError(message())


attempt = contextlib.nullcontext


def entered(manager):
    return manager


def _made(error):
    return error() if isinstance(error, type) and issubclass(error, BaseException) else error


def raised(error, *cause):
    if not cause:
        return error
    error, cause = _made(error), _made(cause[0])
    if isinstance(error, BaseException):
        if cause is not None and not isinstance(cause, BaseException):
            raise TypeError("exception causes must derive from BaseException")
        error.__cause__ = cause
    return error


def traceback_of(error):
    return error.__traceback__


class Frame:
    def __init__(self):
        self.snapshot = {}

    def view(self, variables):
        shown = {} if sys.version_info >= (3, 13) else self.snapshot
        for name, read in variables.items():
            try:
                shown[name] = read()
            except NameError:
                shown.pop(name, None)
        return shown


def frame_locals(function, frame, /, *arguments, **variables):
    if arguments or function not in (builtins.locals, builtins.vars):
        return function(*arguments)
    return frame.view(variables)


def frame_dir(function, frame, /, *arguments, **variables):
    if arguments or function is not builtins.dir:
        return function(*arguments)
    return sorted(frame.view(variables))


def frame_arguments(function, frame, /, *arguments, **variables):
    if function not in (builtins.eval, builtins.exec) or not 1 <= len(arguments) <= 3:
        return arguments
    if len(arguments) > 1 and arguments[1] is not None:
        return arguments
    given = arguments[2] if len(arguments) > 2 else None
    shown = frame.view(variables) if given is None else given
    return arguments[0], sys._getframe(1).f_globals, shown


def in_frame(function):
    return function


def callee(function):
    return function


def converted_call(function, /, *args, **kwargs):
    return function(*args, **kwargs)


def _parts(item, form):
    if form is None:
        return [item]
    if len(form) == 1:
        (first,) = item
        parts = [first]
    elif len(form) == 2:
        first, second = item
        parts = [first, second]
    elif len(form) == 3:
        first, second, third = item
        parts = [first, second, third]
    else:
        parts = list(item)
        if len(parts) > len(form):
            raise ValueError(f"too many values to unpack (expected {len(form)})")
        if len(parts) < len(form):
            raise ValueError(f"not enough values to unpack (expected {len(form)}, got {len(parts)})")
    return [name for part, inner in zip(parts, form) for name in _parts(part, inner)]


def _of_item(function):
    count = function.__code__.co_argcount
    form = (function.__kwdefaults__ or {}).get("ag__target", (None,) * count if count > 1 else None)
    return function if form is None else lambda item: function(*_parts(item, form))


def list_comprehension(iterable, element, condition=lambda *_: True):
    element, condition = (
        _of_item(element),
        _of_item(condition) if condition.__code__.co_argcount else condition,
    )
    return [element(item) for item in iterable if condition(item)]


class _Inner(tuple):
    pass


def inner(*loop):
    return _Inner(loop)


def nested_list_comprehension(iterable, element, *conditions):
    element, conditions = _of_item(element), [_of_item(condition) for condition in conditions]
    flat = []
    for item in iterable:
        if all(condition(item) for condition in conditions):
            value = element(item)
            flat.extend(nested_list_comprehension(*value) if type(value) is _Inner else [value])
    return flat


def set_comprehension(iterable, element, *conditions):
    return set(nested_list_comprehension(iterable, element, *conditions))


def dict_comprehension(iterable, element, *conditions):
    return dict(nested_list_comprehension(iterable, element, *conditions))


def dict_display(*items):
    made = {}
    for item in items:
        made.update({item[0]: item[1]} if len(item) == 2 else {**item[0]})
    return made


def set_display(*elements):
    return set(elements)


def generator(iterable, element, condition=lambda *_: True):
    element, condition = (
        _of_item(element),
        _of_item(condition) if condition.__code__.co_argcount else condition,
    )
    items = iter(iterable)
    return (element(item) for item in items if condition(item))


def binding(operand, names):
    """An operand that binds variables: it is called once, if at all, as any other."""
    _exercise(operand, names)
    return operand


def if_exp(test, body, orelse):
    return body() if test else orelse()


def and_(value, *operands):
    for operand in operands:
        if not value:
            return value
        value = operand()
    return value


def or_(value, *operands):
    for operand in operands:
        if value:
            return value
        value = operand()
    return value


not_ = operator.not_
is_ = operator.is_
is_not = operator.is_not


def class_of(value):
    return value.__class__


def _singleton(value):
    class Singleton(type):
        def __instancecheck__(cls, instance):
            return instance is value

    return Singleton("Singleton", (), {})


IsNone, IsTrue, IsFalse = map(_singleton, (None, True, False))


def in_(item, container):
    return item in container


def not_in(item, container):
    return item not in container


def compare(left, *rest):
    comparisons = {**vars(operator), "in_": in_, "not_in": not_in}
    for index in range(0, len(rest), 2):
        right = rest[index + 1]()
        result = comparisons[rest[index]](left, right)
        if index + 2 < len(rest) and not result:
            return result
        left = right
    return result


get_item, set_item, del_item = operator.getitem, operator.setitem, operator.delitem
set_attr, del_attr = setattr, delattr


def update_item(target, index, name, value):
    old = target[index]
    target[index] = getattr(operator, name)(old, value())


def update_attr(target, attribute, name, value):
    old = getattr(target, attribute)
    setattr(target, attribute, getattr(operator, name)(old, value()))


def joined_str(*parts):
    return "".join(parts)


def formatted(value, conversion, spec):
    if conversion is not None:
        value = {"r": repr, "s": str, "a": ascii}[conversion](value)
    return format(value, spec)

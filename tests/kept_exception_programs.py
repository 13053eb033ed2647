"""Programs that keep exceptions in variables, lists, tuples and attributes, and raise or read them later."""

from __future__ import annotations

from typing import Any

import numpy as np


class TooLarge(ValueError):
    def __init__(self, value: Any, *, limit: Any) -> None:
        super().__init__(f"{value} is over {limit}")
        self.value = value
        self.limit = limit


class Failed(Exception):
    def __init__(self, step: Any) -> None:
        self.step = step

    def __str__(self) -> str:
        return f"step {self.step}"


def attempt(x: Any, k: Any) -> Any:
    if k < 2:
        if x > k:
            raise ValueError(f"bad {k}")
    if x > 3:
        raise KeyError(k)
    if x > 2.5:
        raise TooLarge(x, limit=k)
    return x * 2.0 + k


def raise_last(x, n):
    last = None
    for k in range(n):
        try:
            return attempt(x, k)
        except ValueError as e:
            last = e
    raise last


def raise_last_of_two(x, n):
    last = None
    for k in range(n):
        try:
            return attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    raise last


def raise_from_none(x, n):
    last = None
    for k in range(n):
        try:
            return attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is not None:
        raise last from None
    return 0.0


def raise_other_from(x, n):
    last = None
    for k in range(n):
        try:
            return attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    raise RuntimeError(f"no result of {n}") from last


def text_of(x, n):
    last = None
    y = 0.0
    for k in range(n):
        try:
            y += attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is None:
        return y, "fine", ""
    return y, str(last), repr(last)


def args_of(x, n):
    last = None
    y = 0.0
    for k in range(n):
        try:
            y += attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is None:
        return y, None
    return y, last.args


def first_arg(x, n):
    last = None
    y = 0.0
    for k in range(n):
        try:
            y += attempt(x, k)
        except KeyError as e:
            last = e
        except ValueError:
            pass
    if last is None:
        return y
    return y + last.args[0]


def attributes(x, n):
    last = None
    for k in range(2, n + 2):
        try:
            attempt(x, k)
        except TooLarge as e:
            last = e
        except KeyError:
            pass
    if last is None:
        return 0.0
    return last.value * 2 + last.limit


def type_name(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    return type(last).__name__


def type_is(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    return type(last) is ValueError, type(last) is type(None)


def is_instance(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if isinstance(last, TooLarge):
        return 1
    if isinstance(last, ValueError):
        return 2
    if isinstance(last, LookupError):
        return 3
    return 4 if last else 5


def listed(x, n):
    errors = []
    y = 0.0
    for k in range(n):
        try:
            y += attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    return y, len(errors)


def listed_and_given(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    return errors


def listed_and_raised(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    if errors:
        raise errors[-1]
    return len(errors)


def listed_texts(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(str(e))
    return errors


def listed_and_walked(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    found = 0
    for one in errors:
        if isinstance(one, KeyError):
            found += 1
        print(one)
    return found


def pairs(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append((k, e))
    return [f"{k}: {e}" for k, e in errors]


def pair(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = (k, e)
    if last is None:
        return None
    k, e = last
    return k, str(e)


def given(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    return last


def made_in_branch(x, n):
    err = None
    if x > 2:
        err = ValueError(f"bad {x}")
    y = x * n
    if err is not None:
        raise err
    return y


def made_in_branches(x, n):
    if x > 3:
        err = ValueError(f"bad {x}")
    elif x > 2:
        err = KeyError(n)
    else:
        err = None
    if err is not None:
        raise err
    return x * n


def either_is_raised(x, n):
    if x > 2.5:
        err = ValueError("large", x)
    else:
        err = TypeError(n)
    print("raises", type(err).__name__)
    raise err


def caught_again(x, n):
    err = TooLarge(x, limit=n) if x > 2 else Failed(n)
    try:
        raise err
    except Failed as e:
        return e.step
    except TooLarge as e:
        return e.value + e.limit


class Runner:
    def __init__(self):
        self.error = None
        self.count = 0

    def run(self, x, k):
        try:
            return attempt(x, k)
        except (KeyError, ValueError) as e:
            self.error = e
            self.count += 1
            return -1.0


def kept_on_object(x, n):
    runner = Runner()
    y = 0.0
    for k in range(n):
        y += runner.run(x, k)
    if runner.error is not None:
        return y, runner.count, str(runner.error)
    return y, runner.count, ""


def kept_on_object_raised(x, n):
    runner = Runner()
    y = 0.0
    for k in range(n):
        y += runner.run(x, k)
    if runner.error is not None:
        raise runner.error
    return y


def while_loop(x, n):
    last = None
    k = 0
    while k < n:
        try:
            y = attempt(x, k)
            return y, last is None
        except (KeyError, ValueError) as e:
            last = e
        k += 1
    return k, last is None


def by_index(x, n):
    a = np.arange(4.0)
    error = None
    for k in range(n):
        try:
            x += a[n + k]
        except IndexError as e:
            error = e
    return x, str(error), type(error).__name__


def by_division(x, n):
    error = None
    y = 0.0
    for k in range(n):
        try:
            y += n // (k - 1)
        except ZeroDivisionError as e:
            error = e
    if error is None:
        return y
    return y, error.args


def callee(x, n):
    def tried(x, k):
        try:
            return attempt(x, k), None
        except (KeyError, ValueError) as e:
            return 0.0, e

    total = 0.0
    for k in range(n):
        y, error = tried(x, k)
        total += y
        if isinstance(error, KeyError):
            raise error
    return total


def of_user(x, n):
    last = Failed(-1)
    for k in range(n):
        if x > k:
            last = Failed(k)
    return str(last), last.step, last.args


def first_of_list(x, n):
    errors = []
    for k in range(n):
        if x > k:
            errors.append(Failed(k))
    if len(errors) > 1:
        return errors[0].step + errors[-1].step
    return -1


def cause_read(x, n):
    last = None
    for k in range(n):
        try:
            try:
                attempt(x, k)
            except (KeyError, ValueError) as e:
                raise RuntimeError(k) from e
        except RuntimeError as e:
            last = e
    if last is None:
        return ""
    return str(last.__cause__)


def handled_twice(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    try:
        if last is not None:
            raise last
    except KeyError:
        return "key"
    except ValueError as e:
        return str(e)
    return "none"


def name_is_deleted(x, n):
    try:
        attempt(x, n)
    except (KeyError, ValueError) as e:
        error = e  # noqa: F841
    return e  # noqa: F821


def same_object(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            if e is last:
                return 1
            last = e
    return 2


def equal_objects(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            if e == last:
                return 1
            last = e
    return 2


def held_twice(x, n):
    first = None
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            if first is None:
                first = e
            last = e
    return first, last


def written_later(x, n):
    err = Failed(n)
    last = None
    for k in range(3):
        if x > k:
            last = err
    err.step = 7
    return 0 if last is None else last.step


def written_in_loop(x, n):
    err = Failed(0)
    last = Failed(-1)
    for k in range(n):
        err.step = err.step + 1
        if x > k:
            last = err
    return last.step


def noted(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            e.add_note("kept")
            last = e
    return 0 if last is None else len(last.__notes__)


def noted_before(x, n):
    err = ValueError("near")
    last = None
    for k in range(n):
        if x > k:
            last = err
    err.add_note("kept")
    return last


OUTSIDE = ValueError("from outside")


def from_outside(x, n):
    last = None
    for k in range(n):
        if x > k:
            last = OUTSIDE
    return last


def holds_an_array(x, n):
    a = np.zeros(3)
    last = None
    for k in range(n):
        if x > k:
            last = ValueError(a)
        a[0] += 1.0
    return last


def traceback_read(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is None:
        return 0
    return last.__traceback__ is None


def hashed(x, n):
    last = KeyError(n)
    for k in range(n):
        if x > k:
            last = KeyError(k)
    return len({last})


def chained_for_ever(x, n):
    last = None
    for k in range(n):
        try:
            try:
                attempt(x, k)
            except (KeyError, ValueError):
                raise RuntimeError(k) from last
        except RuntimeError as e:
            last = e
    return last


def raised_while_handling(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            if last is not None:
                raise last
            last = e
    return n


def raised_again_while_handling_it(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is None:
        return n
    try:
        raise last
    except (KeyError, ValueError):
        raise last


def suppressed_and_caught(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    try:
        if last is not None:
            raise last from None
    except (KeyError, ValueError):
        print("again")
    return 0 if last is None else last.__suppress_context__


def chosen_class(x, n):
    kind = ValueError if x > 2 else KeyError
    if n > 1:
        raise kind(f"bad {n}")
    return kind.__name__


def chosen_class_raised(x, n):
    kind = ValueError if x > 2 else KeyError
    try:
        if n > 1:
            raise kind
    except KeyError as e:
        return len(e.args), "key"
    return n, kind.__name__


def class_of_kept(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    if last is None:
        return None
    return type(last)


def listed_of_one_object(x, n):
    err = ValueError("one")
    errors = []
    for k in range(n):
        if x > k:
            errors.append(err)
    return errors, err


def searched(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    if len(errors) > 1:
        return errors[1] in errors, errors.index(errors[1])
    return False, -1


def unbound_before(x, n):
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    try:
        return str(last)
    except UnboundLocalError:
        return "unbound"


def group_raised(x, n):
    errors = []
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            errors.append(e)
    if errors:
        raise ExceptionGroup("all", errors)
    return n


def deleted(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
            del e
    return last


def matched(x, n):
    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    match last:
        case None:
            return "none"
        case TooLarge(value=v):
            return v
        case ValueError(args=(text,)):
            return text
        case KeyError():
            return "key"


def given_away(x, n):
    def shown(error):
        return f"{type(error).__name__}({error})"

    last = None
    for k in range(n):
        try:
            attempt(x, k)
        except (KeyError, ValueError) as e:
            last = e
    return shown(last)


PROGRAMS = [
    one
    for one in list(globals().values())
    if getattr(one, "__module__", "") == __name__
    and callable(one)
    and not isinstance(one, type)
    and one is not attempt
]
CALLS = [(x, n) for x in (0.5, 1.5, 2.25, 2.75, 3.5) for n in (0, 1, 2, 4)]

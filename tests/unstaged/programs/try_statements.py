"""`try` in all its forms, and tries in tries."""


def nested_tries(x):
    try:
        try:
            try:
                try:
                    try:
                        try:
                            try:
                                try:
                                    return 1 / x
                                finally:
                                    x += 1
                            finally:
                                x += 1
                        finally:
                            x += 1
                    finally:
                        x += 1
                finally:
                    x += 1
            finally:
                x += 1
        finally:
            x += 1
    except ZeroDivisionError:
        return x


@converts(nested_tries)
def case_left_tries_too_deep_for_cpython():
    return nested_tries(0), nested_tries(2)


class Leaving:
    """A manager that prints, raises when it is left, or swallows."""

    def __init__(self, raises=None, swallows=False):
        self.raises, self.swallows = raises, swallows

    def __enter__(self):
        print("in")
        return self

    def __exit__(self, kind, value, trace):
        print("out", kind and kind.__name__)
        if self.raises:
            raise self.raises
        return self.swallows


def returns_in_clauses(xs, i):
    try:
        y = xs[i]
        if y == 0:
            return "zero"
        z = 1 // (y - 1)
        if z > 1:
            return "large"
    except ZeroDivisionError as error:
        if xs[0] > 5:
            return "first", str(error)
        z = "one"
    except (IndexError, TypeError):
        return "none"
    else:
        if y > 5:
            return "more"
        z = -z
    finally:
        print("finally", i)
    return z


@converts(returns_in_clauses)
def case_try_returns_in_clauses():
    xs = [0, 1, 2, 9]
    found = [returns_in_clauses(xs, i) for i in (0, 1, 2, 3, 4, None)]
    return found, returns_in_clauses([9, 1], 1)


def case_try_returned_value_is_that_before_finally():
    def f():
        x = 1
        try:
            return x
        finally:
            x = 2
            print(x)
    return f()


def retried(n):
    tries = 0
    while True:
        tries += 1
        try:
            if tries < n:
                raise ValueError(tries)
            break
        except ValueError:
            if tries > 3:
                return "gave up", tries
            continue
        finally:
            print("tried")
        tries = 100
    else:
        return "never"
    return "done", tries


@converts(retried)
def case_try_break_and_continue():
    return [retried(n) for n in range(7)]


def loop_else(xs):
    for x in xs:
        try:
            if x < 0:
                break
            1 / x
        except ZeroDivisionError:
            continue
        else:
            if x > 10:
                return "large"
        print(x)
    else:
        return "else"
    return "broke"


@converts(loop_else)
def case_try_in_a_loop_with_else():
    return [loop_else(xs) for xs in ([], [1, 0, 2], [1, -1, 2], [0, 11])]


def dropped_by_finally():
    try:
        try:
            return 1
        finally:
            raise ValueError
    except ValueError:
        pass
    return 2


def dropped_by_exit():
    try:
        with Leaving(ValueError()):
            return 1
    except ValueError:
        pass
    return 2


def dropped_by_swallowing():
    with Leaving(swallows=True):
        with Leaving(ValueError()):
            return 1
    return 2


def dropped_by_swallowing_in_one_with():
    with Leaving(swallows=True), Leaving(ValueError()):
        return 1
    return 2


def dropped_break():
    for i in range(3):
        try:
            try:
                if i == 1:
                    break
            finally:
                if i == 1:
                    raise ValueError
        except ValueError:
            print("dropped", i)
    else:
        return "else", i
    return "broke", i


def dropped_continue():
    seen = []
    for i in range(3):
        with Leaving(swallows=True):
            with Leaving(ValueError() if i else None):
                continue
        seen.append(i)
    return seen


@converts(
    dropped_by_finally,
    dropped_by_exit,
    dropped_by_swallowing,
    dropped_by_swallowing_in_one_with,
    dropped_break,
    dropped_continue,
)
def case_try_jumps_dropped_by_an_exception():
    return (
        dropped_by_finally(),
        dropped_by_exit(),
        dropped_by_swallowing(),
        dropped_by_swallowing_in_one_with(),
        dropped_break(),
        dropped_continue(),
    )


def jumps_in_finally(n):
    for i in range(n):
        try:
            if i == 2:
                return "returned"
            1 / (i - 1)
        finally:
            if i < 2:
                continue
            print("left", i)
    try:
        raise KeyError
    finally:
        return "swallowed"


@converts(jumps_in_finally)
def case_try_jumps_in_finally():
    return [jumps_in_finally(n) for n in range(4)]


def case_try_except_star():
    found = []
    for group in ([ValueError(1)], [KeyError("k"), ValueError(2)], [OSError("o")]):
        try:
            try:
                if group:
                    raise ExceptionGroup("g", group)
            except* ValueError as errors:
                found.append(("values", [e.args for e in errors.exceptions]))
            except* KeyError:
                found.append("keys")
            else:
                found.append("else")
            finally:
                found.append("finally")
        except ExceptionGroup as rest:
            if rest.exceptions:
                found.append(repr(rest.exceptions))
    return found


def returned_from_except_star_body(x):
    try:
        if x:
            return "body"
        raise ExceptionGroup("g", [ValueError(1)])
    except* ValueError:
        print("caught")
    return "after"


@converts(returned_from_except_star_body)
def case_try_except_star_with_return():
    return returned_from_except_star_body(1), returned_from_except_star_body(0)


def case_try_nested_context():
    try:
        try:
            {}["a"]
        except KeyError:
            [][1]
    except IndexError as error:
        if error:
            kept = error
    return repr(kept.__context__), kept.__suppress_context__


def case_try_raise_from():
    try:
        try:
            1 / 0
        except ZeroDivisionError as error:
            raise ValueError("bad") from error
    except ValueError as error:
        return repr(error.__cause__)


def case_with_return_and_swallow():
    def f(swallows, fails):
        with Leaving(swallows=swallows) as manager:
            if fails:
                raise ValueError("failed")
            return manager.swallows
        return "after"
    found = []
    for swallows, fails in ((False, False), (True, True), (True, False)):
        found.append(f(swallows, fails))
    return found


def matched(value):
    for item in value:
        match item:
            case 0:
                continue
            case int(n) if n > 10:
                break
            case [first, *rest]:
                if rest:
                    return "list", first
            case {"stop": True}:
                return "stopped"
            case _:
                print("other", item)
        print("next")
    else:
        return "else"
    return "broke"


@converts(matched)
def case_match_jumps():
    return [matched(v) for v in ([], [0, 1], [11], [[1], [1, 2]], [{"stop": True}], [{"stop": 1}, "x"])]


def unbound_after_jump():
    name = 0
    try:
        try:
            del name
            if not FOUND:
                return 0
        finally:
            name = name
    finally:
        name
    return name


def unbound_after_end():
    name = 0
    try:
        try:
            if not FOUND:
                del name
        finally:
            name = name
    finally:
        name
    return name if FOUND else -1


def unbound_in_else():
    name = 0
    try:
        try:
            if not FOUND:
                del name
        except ValueError:
            pass
        else:
            name = name
    finally:
        name
    return name if FOUND else -1


def unbound_in_handler():
    name = 0
    try:
        try:
            del name
            if not FOUND:
                raise ValueError
        except (name := name):
            pass
    finally:
        name
    return name if FOUND else -1


FOUND = []


@converts(unbound_after_jump, unbound_after_end, unbound_in_else, unbound_in_handler)
def case_unbound_where_an_outer_block_goes_on():
    """The failing read in the inner block has written nothing, so the read in the outer `finally` fails too."""
    found = []
    for function in (unbound_after_jump, unbound_after_end, unbound_in_else, unbound_in_handler):
        try:
            found.append(function())
        except UnboundLocalError as error:
            found.append((str(error), repr(error.__context__)))
    return found

"""Programs in which dicts and sets keyed by data, chosen constants, strings of the run and handlers meet."""

import heapq
import math
from collections import Counter, defaultdict, deque
from enum import Enum

import numpy as np


class State(Enum):
    IDLE = 0
    RUN = 1
    DONE = 2


class Bad(Exception):
    def __init__(self, value):
        super().__init__(f"bad {value}")
        self.value = value


def counts_by_key_error(xs):
    seen = {}
    for x in xs:
        try:
            seen[x] += 1
        except KeyError:
            seen[x] = 1
    return seen


def status_of_a_division(xs):
    status = "empty"
    total = 0.0
    for x in xs:
        try:
            total += 1 / x
            status = "ok"
        except ZeroDivisionError:
            status = "zero"
            break
    return status, total


def chosen_keys(xs):
    counts = {"even": 0, "odd": 0}
    for x in xs:
        key = "even" if x % 2 == 0 else "odd"
        counts[key] += 1
    return counts


def texts_by_number(xs):
    d = {}
    for i, x in enumerate(xs):
        d[x] = f"{i}:{x}"
    return d


def groups_by_chosen_key(xs):
    d = defaultdict(list)
    for x in xs:
        d["big" if x > 2 else "small"].append(x)
    return dict(d)


def deque_refilled_by_a_handler(xs):
    q = deque(xs)
    out = []
    while q:
        x = q.popleft()
        try:
            if x < 0:
                raise Bad(x)
            out.append(f"ok {x}")
        except Bad as e:
            out.append(str(e))
            if x < -1:
                q.append(-x)
    return out


def states(xs):
    state = State.IDLE
    log = []
    for x in xs:
        if state is State.IDLE and x > 0:
            state = State.RUN
        elif state is State.RUN and x < 0:
            state = State.DONE
        log.append(state)
    return state, log, state.name, state.value


def largest_of_each_half(xs):
    best = {}
    for x in xs:
        k = int(x) // 2
        if k not in best or x > best[k]:
            best[k] = x
    return sorted(best.items()), max(best, key=best.get) if best else None


def duplicate_by_exception(xs):
    seen = set()
    try:
        for x in xs:
            if x in seen:
                raise Bad(x)
            seen.add(x)
    except Bad as e:
        return "dup", e.value, len(seen)
    return "unique", None, len(seen)


def skipped_in_a_handler(xs):
    def risky(x):
        if x > 3:
            raise ValueError(f"too big: {x}")
        return x * 2

    out = []
    for x in xs:
        try:
            y = risky(x)
        except ValueError as e:
            print("skip", e)
            continue
        else:
            out.append(y)
        finally:
            out.append(-1)
    return out


def counter_and_name(xs):
    c = Counter(xs)
    name = "none"
    for k, v in c.items():
        if v > 1:
            name = f"dup{k}"
    return name, c.most_common(1), sum(c.values())


def chosen_lambda(xs):
    op = (lambda v: v + 1) if len(xs) > 3 else (lambda v: v - 1)
    return [op(x) for x in xs]


def function_changed_in_a_loop(xs):
    f = math.sqrt
    for x in xs:
        if x < 0:
            f = abs
    return [f(x) if x >= 0 or f is abs else 0.0 for x in xs], f is abs


def memo_of_each(xs):
    memo = {}

    def fib(n):
        if n < 2:
            return n
        if n in memo:
            return memo[n]
        memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return [fib(x) if x >= 0 else None for x in xs], len(memo)


def signs_joined(xs):
    parts = []
    for x in xs:
        parts.append("+" if x > 0 else "-" if x < 0 else "0")
    return "".join(parts), ",".join(parts), len(parts)


def search_until_an_index_error(xs):
    try:
        i = 0
        while True:
            if xs[i] == 99:
                return "found", i
            i += 1
    except IndexError:
        return "missing", i


def heap_and_places(xs):
    heap = []
    pos = {}
    for i, x in enumerate(xs):
        heapq.heappush(heap, (x, i))
        pos[x] = i
    out = []
    while heap:
        x, i = heapq.heappop(heap)
        if pos[x] != i:
            continue
        out.append((x, i))
    return out


def text_made_longer(xs):
    text = ""
    for x in xs:
        text += f"{x:03d};"
    return text


def place_that_is_not_there(xs):
    a = np.zeros(3)
    msg = None
    for x in xs:
        try:
            a[x] += 1
        except IndexError:
            msg = f"no place {x}"
    return a, msg


def means_of_groups(xs):
    groups = {}
    for x in xs:
        groups.setdefault(x % 3, []).append(x)
    return {k: sum(v) / len(v) for k, v in groups.items()}


def pair_in_a_text(xs):
    last = None
    for x in xs:
        if last is not None and x == last:
            return f"pair of {x}"
        last = x
    return None


def set_algebra(xs):
    s = set(xs)
    t = {x + 1 for x in xs}
    return sorted(s & t), sorted(s | t), len(s - t), s == t


def members_toggled(xs):
    d = {}
    for x in xs:
        if x in d:
            del d[x]
        else:
            d[x] = State.RUN if x > 0 else State.IDLE
    return d


def mean_or_class_of_error(xs):
    try:
        n = len(xs)
        total = 0
        for x in xs:
            total += x
        mean = total / n
        assert mean > 0, f"mean {mean}"
    except (ZeroDivisionError, AssertionError) as e:
        return type(e).__name__, str(e)
    return "fine", str(mean)


def window_of_a_deque(xs):
    window = deque(maxlen=3)
    out = []
    for x in xs:
        window.append(x)
        out.append(sum(window) / len(window))
    return out, list(window)


def number_of_a_closed_branch(xs):
    out = 0
    for x in xs:
        if x > 1:
            y = x * 2
            out += y
        try:
            if x > 3:
                raise Bad(x)
            y = x * 3
        except Bad:
            y = -1
        else:
            out += y
        out += y
    return out


def number_of_a_loop(xs):
    out = []
    for x in xs:
        try:
            if x > 3:
                raise Bad(x)
            y = x * 2
        except Bad:
            continue
        else:
            out.append(y)
    return out


PROGRAMS = (
    counts_by_key_error,
    status_of_a_division,
    chosen_keys,
    texts_by_number,
    groups_by_chosen_key,
    deque_refilled_by_a_handler,
    states,
    largest_of_each_half,
    duplicate_by_exception,
    skipped_in_a_handler,
    counter_and_name,
    chosen_lambda,
    function_changed_in_a_loop,
    memo_of_each,
    signs_joined,
    search_until_an_index_error,
    heap_and_places,
    text_made_longer,
    place_that_is_not_there,
    means_of_groups,
    pair_in_a_text,
    set_algebra,
    members_toggled,
    mean_or_class_of_error,
    window_of_a_deque,
    number_of_a_closed_branch,
    number_of_a_loop,
)
LISTS = ([1, 2, 2, 5], [3, 0, -2, -2], [], [-1, 7, 7, 7, 0], [4])

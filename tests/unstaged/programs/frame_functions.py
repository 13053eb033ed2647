"""`locals()`, `vars()`, `dir()`, `eval` and `exec`, which look at the frame that calls them."""

import sys

whole = "module"


def shown(variables):
    return sorted((name, value) for name, value in variables.items() if not callable(value))


def case_locals():
    x = 1
    return locals()


def case_locals_in_blocks():
    seen = []
    n = 0
    while n < 2:
        n += 1
        if n == 2:
            late = n
            seen.append(shown(locals() | {"seen": None}))
        seen.append(sorted(locals()))
    return seen, n


def case_locals_after_jumps():
    for i in range(4):
        if i == 1:
            continue
        if i == 3:
            return shown(locals())
        k = i
    else:
        return None


def case_locals_forget_what_is_deleted():
    a = b = 1
    if a:
        del b
    first = sorted(locals())
    try:
        1 / 0
    except ZeroDivisionError as error:
        during = sorted(locals())
    return first, during, sorted(locals())


def case_locals_twice():
    a = 1
    one = locals()
    a = 2
    two = locals()
    one["new"] = 1
    three = locals()
    return one is two, one["a"], two["a"], "new" in three, sorted(three)


def case_writing_to_locals_changes_nothing():
    a = 1
    locals()["a"] = 2
    return a, locals()["a"]


def case_locals_as_a_format():
    name, width = "x", 8
    return "{name:>{width}}".format(**locals()), "%(name)s" % vars()


def case_vars_and_dir():
    a, b = 1, 2
    if a:
        return vars(), dir()


def case_eval():
    x = 1
    if x:
        return eval("x + 1")


def case_eval_of_a_loop_variable():
    found = []
    for i in range(3):
        found.append(eval("i * i"))
    return found


def case_eval_of_an_unbound_variable():
    if not whole:
        x = 1
    return eval("x")


def case_eval_with_namespaces():
    x = 1
    return (
        eval("x", {"x": 2}),
        eval("x", {}, {"x": 3}),
        eval("x", None, {"x": 4}),
        eval("x", None),
        eval("x", None, None),
        eval(*["x"]),
        eval("whole"),
    )


def case_eval_refuses_what_cpython_refuses():
    x = 1
    return eval("x", 1)


def case_eval_without_arguments():
    x = 1
    return eval()


def case_exec():
    x = 1
    exec("x = 2; y = x")
    return x, "y" in locals()


def case_exec_keeps_what_it_made():
    x = 1
    exec("made = x")
    x = 2
    return sorted(locals()), eval("x")


def case_exec_fills_a_namespace():
    x, made = 1, {}
    exec("y = x + 1", None, made)
    exec("z = 1", made)
    return made["y"], made["z"]


def case_exec_of_a_global():
    exec("global made_here; made_here = 7")
    return made_here


def case_free_variables_are_shown():
    a, b, c = 1, 2, 3

    def inner(d):
        nonlocal b
        b = a + d
        return shown(locals()), eval("a + b")

    return inner(4), "c" in locals()


def case_what_an_inner_function_does_not_use_is_not_seen():
    a = 1

    def inner():
        return eval("a")

    return inner()


def case_lambda():
    k = 5
    return (lambda x, *rest: (k, shown(locals())))(1, 2)


def case_two_views_in_a_lambda():
    return (lambda x: (locals() is locals(), eval("x")))(1)


def case_in_a_comprehension():
    def squares(texts, base):
        return [eval(text) for text in texts]
    return squares(["1", "whole", "text"], 2)


def case_in_a_generator_expression():
    def squares(texts):
        return list(eval(text) for text in texts)
    return squares(["1", "text"])


def case_left_a_comprehension():
    texts = ["1", "text"]
    return [eval(text) for text in texts]


def case_in_a_class_body():
    n = 0
    for i in range(2):
        class Held:
            a = i
            names = sorted(name for name in locals() if not name.startswith("__"))
            b = eval("a + 1")

            def look(self, x):
                y = x
                return shown(locals() | {"self": None}), n

        n += 1
    return Held.names, Held.b, Held().look(1)


class Base:
    def who(self):
        return "base"


class Derived(Base):
    __private = 3

    def who(self):
        __here = 1
        found = sorted(locals())
        return super().who(), found, eval("_Derived__here")


@converts(Derived.who)
def case_method_with_a_class_cell():
    return Derived().who()


def case_shadowed():
    eval = str.upper
    locals = dict
    if eval:
        return eval("x"), locals()


def case_generator_inside():
    def pairs(n):
        for i in range(n):
            yield sorted(locals())
    if pairs:
        return list(pairs(2))


def case_default_value():
    a = 1

    def inner(names=dir(), *, value=eval("a")):
        return names, value

    return inner()


def case_doc():
    """Said."""
    x = 1
    return locals()


def case_future_flags():
    made = {}
    exec("def f(x: undefined_name): pass", None, made) if sys.version_info >= (3, 14) else None
    return sorted(made)


def case_left_frame_objects():
    for _ in range(1):
        return sys._getframe().f_code.co_name

# group: Expressions
# since: 3.12
# plain: f({"a": 3})
# staged: printed(np.int64(3))
# plain: printed(3)
"""f-strings with the same quotes inside, comments and backslashes"""


def f(table):
    return f"{table["a"]} {f"{f"{1 + 1}"}"} {"\n".join(["a", "b"])} {
        table["a"]  # a comment
    }"


def printed(x):
    print(f"{"x"} is {x:{"5"}}")
    return x

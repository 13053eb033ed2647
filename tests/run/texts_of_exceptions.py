# run: lines(np.array([1.0, -2.0, 3.0, 9.0, 5.0, -1.0]))
# run: status(np.array([1.0, -2.0, 3.0]))
# run: status(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
# run: status_of_constants(np.array([1.0, -2.0, 3.0]))
# run: every_kind(np.array([1.0, -2.0, 3.0, 9.0, 5.0, -1.0, 7.5, 6.5, 4.5, 5.5]))
# run: one_branch(np.float64(-1.5))
# run: one_branch(np.float64(1.5))
# run: of_a_class(np.array([1.0, 3.0, 2.0]))
# run: longer(np.array([1.0, -2.0, -3.0, 4.0, -5.0]))
# run: of_python_numbers(3)
# run: of_python_numbers(-3)
# run: compared(np.array([1.0, -2.0, 3.0]))
"""What an exception says, kept beside other strings, in loops and branches: it is a string like any."""


class Odd(Exception):
    pass


class Shown(Exception):
    def __str__(self):
        return f"shown {self.args[0]}"


def lines(x):
    found = []
    for k in range(len(x)):
        try:
            if x[k] < 0:
                raise ValueError(f"negative {x[k]}")
            found.append(f"ok {x[k]:.1f}")
        except ValueError as error:
            found.append(str(error))
    return found


def status(x):
    said = "new"
    for value in x:
        try:
            if value < 0:
                raise ValueError(f"negative {value}")
            said = "fine"
        except ValueError as error:
            said = f"broken: {error}"
    return said


def status_of_constants(x):
    said = "new"
    for value in x:
        try:
            if value < 0:
                raise ValueError("negative")
            said = "fine"
        except ValueError as error:
            said = f"broken: {error}"
    return said


def every_kind(x):
    found, text = [], ""
    for value in x:
        try:
            if value < 0:
                raise ValueError(f"negative {value:.2f}")
            if value > 8:
                raise KeyError("constant")
            if value > 7:
                raise KeyError(f"key {value}")
            if value > 6:
                raise RuntimeError("two", value)
            if value > 5:
                raise RuntimeError()
            if value > 4:
                raise ZeroDivisionError(value)
            found.append("ok")
        except (ValueError, RuntimeError) as error:
            found.append(f"bad {error}")
            text += str(error) + ";"
        except (KeyError, ZeroDivisionError) as error:
            found.append(repr(error))
            text = text + f"<{error}>"
    return found, text


def one_branch(x):
    try:
        if x < 0:
            raise Odd(x)
        text = "none"
    except Odd as error:
        text = f"{error} {error!r} {error!s:>8}|"
    return text, len(str(x)) if False else 0


def of_a_class(x):
    found = []
    for value in x:
        try:
            if value > 1.5:
                raise Shown(value)
            found.append("-")
        except Shown as error:
            found.append(f"{error}")
    return found


def longer(x):
    text = ""
    for value in x:
        try:
            if value < 0:
                raise ValueError(f"{value}")
        except ValueError as error:
            text = f"{text}[{error}]"
    return text


def of_python_numbers(n):
    try:
        if n < 0:
            raise ValueError(n, "below", None, 2.5, True)
    except ValueError as error:
        return str(error), repr(error), f"{error}"
    return "fine", "fine", "fine"


def compared(x):
    count = 0
    for value in x:
        try:
            if value < 0:
                raise ValueError("negative")
        except ValueError as error:
            if str(error) == "negative":
                count += 1
    return count

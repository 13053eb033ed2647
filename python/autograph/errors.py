"""The exceptions this package raises.

Each message shows the user's file, line, column and source line, a code to search for, the reason and,
where there is one, the remedy. An exception that a graph raises while it runs is an instance of the class
that plain Python raises there too: ``except IndexError`` catches a staged index out of range.
"""

from __future__ import annotations

from typing import NamedTuple

from autograph._src.error_places import Place, as_place, noted_place
from autograph._src.error_texts import rendered
from autograph._src.made_errors import tell
from autograph._src.public_names import show_as_of

__all__ = [
    "AutographError",
    "ConversionError",
    "DtypeError",
    "GraphRuntimeError",
    "Location",
    "MissingRuleError",
    "Place",
    "ShapeError",
    "StagedIndexError",
    "StagingError",
    "place_of",
]

show_as_of(__name__, [Place])


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)


class Location(NamedTuple):
    """A place in the user's source.

    Attributes:
        file: The file's name, as the code object has it.
        function: The name of the function that the place is in.
        line: The first line, counted from 1.
        column: The first column: a byte offset, counted from 0.
        end_line: The last line.
        end_column: The byte offset after the last character.

    Example:
        >>> from autograph.errors import Location
        >>> str(Location("program.py", "f", line=3, column=4, end_line=3, end_column=9))
        'program.py:3:5'
    """

    file: str
    function: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column + 1}"

    def named(self, function: str) -> Location:
        """A copy of this location that names another function.

        Args:
            function: The name of the function.

        Returns:
            The copy: same file, lines and columns.

        Example:
            >>> from autograph.errors import Location
            >>> Location("program.py", "f", 3, 4, 3, 9).named("g").function
            'g'
        """
        return self._replace(function=function)


class AutographError(Exception):
    """Base of all exceptions of this package.

    Attributes:
        code: Code of the catalogue, such as ``AG101``.
        message: The reason, one line.
        location: The place in the user's source, or ``None``.
        help: What to change, or ``None``.
        label: What stands beside the marked place, such as the shapes of operands, or ``None``.

    Args:
        message: The reason, one line.
        code: Code of the catalogue.
        location: The place, or ``None``.
        help: What to change, or ``None``.

    Example:
        >>> import autograph as ag
        >>> try:
        ...     ag.function(len)
        ... except ag.AutographError as error:
        ...     error.code, error.message, error.help
        ('AG011', '`len` is not a Python function', 'only functions written in Python can be converted')
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        location: Location | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.location = location
        self.help = help
        self.label: str | None = None
        tell(self)

    def __str__(self) -> str:
        if self.location is None and self.help is None and not self.code:
            return self.message
        return rendered(self.code, self.message, self.location, self.help, self.label)


class ConversionError(AutographError):
    """A function's source cannot be found, read or converted.

    Arguments and attributes are those of :class:`AutographError`.

    Example:
        >>> import autograph as ag
        >>> scope = {}
        >>> exec("def hidden(x): return x + 1", scope)
        >>> try:
        ...     ag.to_graph(scope["hidden"])
        ... except ag.ConversionError as error:
        ...     print(error.code, error.message)
        AG002 the source of `hidden` cannot be found (file '<string>')
    """


class StagingError(AutographError):
    """A statement or operation cannot be recorded into the graph.

    Where NumPy or Python would refuse the operation too, the exception is also an instance of their class:
    ``ValueError``, ``TypeError`` or ``IndexError``. Arguments and attributes are those of
    :class:`AutographError`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> try:
        ...     ag.function(lambda x, y: x + y)(np.ones(2), np.ones(3))
        ... except ag.StagingError as error:
        ...     error.code, error.location.line, isinstance(error, ValueError)
        ('AG102', 2, True)
    """


class GraphRuntimeError(AutographError):
    """A running graph failed in a way that plain Python would not: an int left 64 bits, or memory ran out.

    The exception is also an instance of Python's class for such a failure, such as ``OverflowError``.
    Exceptions that the program, Python or NumPy would raise are not of this class: a graph raises them
    unchanged, and :func:`place_of` tells where. Arguments and attributes are those of
    :class:`AutographError`.

    Example:
        >>> import autograph as ag
        >>> @ag.function(dynamic="n")
        ... def power(n):
        ...     x = 1
        ...     for _ in range(n):
        ...         x = x * 3
        ...     return x
        >>> try:
        ...     power(50)
        ... except ag.GraphRuntimeError as error:
        ...     error.code, error.location.line, isinstance(error, OverflowError)
        ('AG203', 5, True)
    """


class DtypeError(StagingError, TypeError):
    """The operation does not accept these dtypes; NumPy would raise ``TypeError``.

    Arguments and attributes are those of :class:`AutographError`.

    Example:
        >>> issubclass(DtypeError, TypeError)
        True
    """


class MissingRuleError(StagingError, AttributeError):
    """A function with a rule of its own has none yet; JAX raises ``AttributeError``.

    Arguments and attributes are those of :class:`AutographError`.

    Example:
        >>> import autograph as ag
        >>> f = ag.custom_vjp(lambda x: x)
        >>> try:
        ...     ag.grad(f)(2.0)
        ... except ag.errors.MissingRuleError as error:
        ...     error.code, isinstance(error, AttributeError)
        ('AG146', True)
    """


class ShapeError(StagingError, ValueError):
    """The operation does not accept these shapes; NumPy would raise ``ValueError``.

    Arguments and attributes are those of :class:`AutographError`.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> try:
        ...     ag.function(lambda x, y: x + y)(np.ones(2), np.ones(3))
        ... except ag.errors.ShapeError as error:
        ...     error.code
        'AG102'
    """


class StagedIndexError(StagingError, IndexError):
    """Recording shows that an index is out of range; Python would raise ``IndexError``.

    Arguments and attributes are those of :class:`AutographError`.

    Example:
        >>> issubclass(StagedIndexError, IndexError)
        True
    """


def place_of(error: BaseException) -> Place | None:
    """Where an exception was raised, as far as this package knows.

    Args:
        error: An exception of a staged function.

    Returns:
        File, line, column and the code of the catalogue; ``None`` if neither a graph nor this package raised
        the exception.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> @ag.function
        ... def root(x):
        ...     if x < 0:
        ...         raise ValueError("x must not be negative")
        ...     return np.sqrt(x)
        >>> try:
        ...     root(np.float64(-1.0))
        ... except ValueError as error:
        ...     str(error), ag.errors.place_of(error).code
        ('x must not be negative', 'AG201')
    """
    if isinstance(error, AutographError):
        return None if error.location is None else as_place(error.location, error.code)
    return noted_place(error.__traceback__)

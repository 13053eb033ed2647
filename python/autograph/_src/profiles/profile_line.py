"""What a run spends in one line of the program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ProfileLine:
    """A line of the program, and what a call spends in it: a row of :class:`autograph.Profile`.

    Attributes:
        file: The file, as the code object has it.
        line: The number of the line: of a statement or expression of several lines, the first.
        function: The name of the function that it is in.
        text: The line, without what is around it.
        is_gradient: Whether this is the derivative of the line, and not the line itself.
        calls: How often the line ran. A line that was moved out of a loop ran once.
        seconds: Its own time: without that of functions of the user that it calls, whose lines have it.
        share: Its part of the time of all lines.
        bytes_read: What its steps read from memory; numbers in registers are none.
        bytes_written: What they wrote.
        flops: Its floating-point operations.
        shared_with: Numbers of other lines of its file whose time was measured together with its own: the
            parts are estimated.

    Example:
        >>> import numpy as np
        >>> import autograph as ag
        >>> doubled = ag.function(lambda x: x + x)
        >>> (line,) = doubled.profile(np.ones(1000)).lines
        >>> line.calls, line.flops, line.bytes_read, line.bytes_written, line.is_gradient
        (1, 1000, 8000, 8000, False)
    """

    file: str
    line: int
    function: str
    text: str
    is_gradient: bool
    calls: int
    seconds: float
    share: float
    bytes_read: int
    bytes_written: int
    flops: int
    shared_with: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """Bytes read and written.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: -x).profile(np.ones(10)).lines[0].bytes
            160
        """
        return self.bytes_read + self.bytes_written

    @property
    def bytes_per_second(self) -> float:
        """Bytes read and written in a second; 0 if no time was measured.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: -x).profile(np.ones(1000)).lines[0].bytes_per_second > 0
            True
        """
        return self.bytes / self.seconds if self.seconds else 0.0

    @property
    def flops_per_second(self) -> float:
        """Floating-point operations in a second; 0 if no time was measured.

        Example:
            >>> import numpy as np
            >>> import autograph as ag
            >>> ag.function(lambda x: -x).profile(np.ones(1000)).lines[0].flops_per_second > 0
            True
        """
        return self.flops / self.seconds if self.seconds else 0.0

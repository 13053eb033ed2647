"""Processes that judge cases: one that dies takes one case with it, and another takes its place."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from queue import Queue
from typing import Any

from crossing.judge import Verdict, judged
from crossing.program import case_number

_CASES_OF_A_PROCESS = 400
"""A process that has judged so many makes room for a new one: what was compiled is kept while one lives."""


def serve() -> None:
    """Judges the cases whose numbers come in, one a line, and writes what came of each."""
    out = sys.stdout.buffer
    for line in sys.stdin:
        number = int(line)
        try:
            verdict: Verdict | str = judged(case_number(number), number)
        except BaseException as error:
            verdict = f"{type(error).__name__}: {error}"
        data = pickle.dumps(verdict)
        out.write(len(data).to_bytes(8, "little") + data)
        out.flush()


def _started() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "crossing", "--serve"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def _asked(process: subprocess.Popen[bytes], number: int) -> Verdict | str | None:
    """What comes of a case; ``None`` if the process dies of it."""
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(f"{number}\n".encode())
        process.stdin.flush()
        size = process.stdout.read(8)
        return pickle.loads(process.stdout.read(int.from_bytes(size, "little"))) if size else None
    except BrokenPipeError:
        return None


def _work(waiting: Iterator[int], lock: threading.Lock, done: Queue[Any]) -> None:
    process, judged_by_it = _started(), 0
    while True:
        with lock:
            number = next(waiting, None)
        if number is None:
            break
        verdict = _asked(process, number)
        judged_by_it += 1
        if verdict is None or judged_by_it == _CASES_OF_A_PROCESS:
            process.kill()
            process.wait()
            process, judged_by_it = _started(), 0
        done.put((number, "the process died" if verdict is None else verdict))
    process.kill()
    process.wait()
    done.put(None)


def verdicts(numbers: Iterable[int], processes: int) -> Iterator[tuple[int, Verdict | str]]:
    """What comes of cases, in the order in which they end."""
    waiting, lock, done = iter(numbers), threading.Lock(), Queue[Any]()
    threads = [threading.Thread(target=_work, args=(waiting, lock, done)) for _ in range(processes)]
    for thread in threads:
        thread.start()
    ended = 0
    while ended < processes:
        found = done.get()
        if found is None:
            ended += 1
        else:
            yield found

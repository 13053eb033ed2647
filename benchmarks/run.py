"""Runs all benchmarks, or those named on the command line, and prints a line for each figure.

python benchmarks/run.py [opening training collatz conversion calls dispatch staging trees arrays gradients
                          containers]
"""

from __future__ import annotations

import importlib
import os
import sys

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


def main() -> None:
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")
    names = sys.argv[1:] or [
        "opening",
        "training",
        "collatz",
        "conversion",
        "calls",
        "dispatch",
        "staging",
        "trees",
        "arrays",
        "gradients",
        "containers",
    ]
    for name in names:
        for figure in importlib.import_module(name).run():
            print(figure, flush=True)


if __name__ == "__main__":
    main()

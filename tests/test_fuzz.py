"""A fixed part of the random programs of `tests/fuzz.py`; `make fuzz N=5000` runs more."""

from __future__ import annotations

import fuzz


def test_random_programs_mean_what_cpython_says() -> None:
    verdicts = {seed: fuzz.try_program(seed) for seed in range(60)}
    wrong = [verdict for verdict in verdicts.values() if verdict not in ("same", "refused")]
    assert not wrong, wrong[0]
    assert list(verdicts.values()).count("same") > 40

"""Beam search over a table of transition scores, which stops once the best beam has ended.

python examples/programs/beam_search.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

END = 0


def beam_search(scores: Floats, start: int, width: int, most: int) -> tuple[Integers, Floats, int]:
    """The best sequences of at most `most` tokens.

    Args:
        scores: ``(tokens, tokens)``, the log-probability of a token after another.
        start: The first token.
        width: How many beams are kept.
        most: The most tokens after the first.

    Returns:
        The beams ``(width, most)``, padded with the end mark, their scores, and the number of steps.
    """
    count = len(scores)
    beams = np.full((width, most), END)
    last = np.full(width, start)
    totals = np.full(width, -np.inf)
    totals[0] = 0.0
    over = np.zeros(width, dtype=bool)
    steps = 0
    while steps < most:
        grown = totals[:, None] + scores[last]
        stays = np.where(np.arange(count) == END, totals[:, None], -np.inf)
        grown = np.where(over[:, None], stays, grown).reshape(-1)
        best = np.argsort(-grown, kind="stable")[:width]
        parents, tokens = best // count, best % count
        totals = grown[best]
        beams = beams[parents]
        beams[:, steps] = tokens
        over = over[parents] | (tokens == END)
        last = tokens
        steps += 1
        if over[0]:
            break
    return beams, totals, steps


def language(tokens: int, seed: int) -> Floats:
    scores = np.random.default_rng(seed).normal(size=(tokens, tokens)) * 2
    sums: Floats = np.exp(scores).sum(axis=1, keepdims=True)
    return scores - np.log(sums)


PROGRAMS = {beam_search: [(language(6, 0), 3, 4, 8), (language(6, 1), np.int64(2), 2, 8)]}

if __name__ == "__main__":
    beams, totals, steps = ag.function(beam_search)(language(50, 2), 7, 8, 20)
    print(f"{steps} steps, best {beams[0, :steps].tolist()} with score {totals[0]:.4f}")

"""A greedy sequence-to-sequence decoder: it stops when it writes the end mark.

python examples/programs/greedy_decoder.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

START, END = 0, 1


def encode(tokens: Integers, embedding: Floats, w: Floats) -> Floats:
    state = np.zeros(w.shape[0])
    for token in tokens:
        state = np.tanh(embedding[token] + w @ state)
    return state


def decode(
    tokens: Integers, embedding: Floats, w_encoder: Floats, w_decoder: Floats, w_out: Floats, most: int
) -> tuple[Integers, int]:
    """Writes tokens until the end mark or `most` of them; gives them padded, and how many there are."""
    state = encode(tokens, embedding, w_encoder)
    written = np.full(most, END)
    token: int | np.intp = START
    count = 0
    while count < most:
        state = np.tanh(embedding[token] + w_decoder @ state)
        token = np.argmax(w_out @ state)
        if token == END:
            break
        written[count] = token
        count += 1
    return written, count


def model(words: int, hidden: int, seed: int) -> tuple[Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(seed)
    embedding = rng.normal(size=(words, hidden))
    w_encoder, w_decoder = (rng.normal(size=(hidden, hidden)) / np.sqrt(hidden) for _ in range(2))
    return embedding, w_encoder, w_decoder, rng.normal(size=(words, hidden))


PROGRAMS = {
    decode: [
        (np.array([3, 5, 2, 7]), *model(9, 6, 0), 12),
        (np.array([4]), *model(9, 6, 5), 12),
        (np.array([2, 2, 6]), *model(9, 6, 8), 12),
    ]
}

if __name__ == "__main__":
    staged = ag.function(decode)
    for seed in range(3):
        written, count = staged(np.array([3, 5, 2, 7]), *model(40, 32, seed), 30)
        print(f"{count} tokens: {written[:count].tolist()}")

"""A recurrent network over sequences of different lengths (AutoGraph paper, section 9).

python examples/programs/dynamic_rnn.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def dynamic_rnn(
    inputs: Floats, lengths: Integers, state: Floats, w_input: Floats, w_state: Floats, bias: Floats
) -> tuple[Floats, Floats]:
    """Runs as many steps as the longest sequence has; a sequence that is over keeps its state.

    Args:
        inputs: ``(batch, time, features)``.
        lengths: ``(batch,)``.
        state: ``(batch, hidden)``.
        w_input: ``(features, hidden)``.
        w_state: ``(hidden, hidden)``.
        bias: ``(hidden,)``.

    Returns:
        The outputs ``(time, batch, hidden)``, zero where a sequence is over, and the last states.
    """
    inputs = np.transpose(inputs, (1, 0, 2))
    outputs = np.zeros((inputs.shape[0], *state.shape))
    for i in range(lengths.max()):
        proposed = np.tanh(inputs[i] @ w_input + state @ w_state + bias)
        goes_on = (i < lengths)[:, None]
        state = np.where(goes_on, proposed, state)
        outputs[i] = np.where(goes_on, proposed, 0.0)
    return outputs, state


def cell(
    batch: int, time: int, features: int, hidden: int
) -> tuple[Floats, Integers, Floats, Floats, Floats, Floats]:
    rng = np.random.default_rng(2)
    return (
        rng.normal(size=(batch, time, features)),
        rng.integers(1, time + 1, size=batch),
        np.zeros((batch, hidden)),
        rng.normal(size=(features, hidden)) / np.sqrt(features),
        rng.normal(size=(hidden, hidden)) / np.sqrt(hidden),
        rng.normal(size=hidden),
    )


PROGRAMS = {dynamic_rnn: [cell(3, 6, 4, 5), cell(1, 1, 2, 2)]}

if __name__ == "__main__":
    outputs, state = ag.function(dynamic_rnn)(*cell(32, 64, 128, 256))
    print(f"outputs {outputs.shape}, mean of the last states {state.mean():.6f}")

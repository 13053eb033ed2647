"""Conway's game of life on a torus, until it stands still.

python examples/programs/game_of_life.py
"""

import autograph as ag
import numpy as np
from numpy.typing import NDArray

Board = NDArray[np.int64]


def neighbours(board: Board) -> Board:
    total = np.zeros_like(board)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            if down or right:
                total = total + np.roll(np.roll(board, down, axis=0), right, axis=1)
    return total


def life(board: Board, most: np.int64) -> tuple[Board, int | None]:
    """Plays up to `most` generations; gives the board and how many it took to stand still, or None."""
    for generation in range(most):
        around = neighbours(board)
        following = ((around == 3) | ((board == 1) & (around == 2))).astype(board.dtype)
        if np.all(following == board):
            return board, generation
        board = following
    return board, None


def glider(size: int) -> Board:
    board = np.zeros((size, size), dtype=np.int64)
    board[[0, 1, 2, 2, 2], [1, 2, 0, 1, 2]] = 1
    return board


def block_and_dot() -> Board:
    board = np.zeros((8, 8), dtype=np.int64)
    board[2:4, 2:4] = 1
    board[6, 6] = 1
    return board


PROGRAMS = {life: [(glider(8), np.int64(20)), (block_and_dot(), np.int64(20))]}

if __name__ == "__main__":
    board, still = ag.function(life)(block_and_dot(), np.int64(1000))
    print(f"stands still after {still} generations, {board.sum()} cells live")

"""Nets on the way: what every trial was like at equal distances of its training, to see whether more of it helped."""

import numpy as np


class Snapshots:
    """The weights of every trial after each of `count` equal parts of the training."""

    def __init__(self, trials: int, count: int, size: int, steps: int) -> None:
        self.marks = [-(-steps * (i + 1) // count) for i in range(count)]
        self.weights = np.zeros((trials, count, size), np.float32)

    def see(self, step: int, nets: np.ndarray) -> None:
        """Keep the nets if a part of the training ends with this step."""
        for i, mark in enumerate(self.marks):
            if mark == step:
                self.weights[:, i] = nets

    def arrays(self) -> dict[str, np.ndarray]:
        """As they are kept in a checkpoint."""
        return {"snapshots": self.weights} if self.marks else {}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Back from a checkpoint."""
        self.weights = arrays.get("snapshots", self.weights).copy()

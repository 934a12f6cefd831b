"""Many games stepped together in compiled code, on several threads.

    >>> import numpy as np
    >>> from blazon_rules.vector import VectorGame
    >>> games = VectorGame(64, "salt-road", seed=7, opponents={"Hills": "random"})
    >>> for _ in range(1000):
    ...     actions = [open[0] for open in games.actions]
    ...     rewards, terminated, truncated = games.step(actions)

`games.observations` and `games.masks` are what a learner needs; games that are over begin anew by themselves.
"""

from ._native import VectorGame

__all__ = ["VectorGame"]

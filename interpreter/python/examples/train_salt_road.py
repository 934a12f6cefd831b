"""Learns to play The Salt Road against a random player, with NumPy alone, in a few minutes on two cores.

    python train_salt_road.py --games 20000 --curve curve.svg

A small network (one hidden layer) is fitted by REINFORCE with a learned baseline: what was done in games that were won is
done more often, what was done in games that were lost less often, each as far as it was not expected. It plays both sides in
turn. In the end it plays games of seeds that it has never seen, and tells how many of them it wins.
"""

from __future__ import annotations

import argparse
import os
import time
from math import sqrt

# The products here are small: threads would only wait for each other. NumPy reads it when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from blazon_rules.vector import VectorGame

GAME = "salt-road"
SIDES = ("Coast", "Hills")
HIDDEN = 64


class Network:
    """From what is seen to a number for each option (softmax over those that are open) and to the expected result."""

    def __init__(self, seen: int, options: int, rng: np.random.Generator):
        self.weights = {
            "in": rng.normal(0, 1 / sqrt(seen), (seen, HIDDEN)).astype(np.float32),
            "in0": np.zeros(HIDDEN, np.float32),
            "out": np.zeros((HIDDEN, options), np.float32),
            "out0": np.zeros(options, np.float32),
            "value": np.zeros(HIDDEN, np.float32),
            "value0": np.zeros(1, np.float32),
        }
        self.moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in self.weights.items()}
        self.updates = 0

    def __call__(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        w = self.weights
        hidden = np.tanh(seen @ w["in"] + w["in0"])
        logits = np.where(masks > 0, hidden @ w["out"] + w["out0"], -1e9)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        likely /= likely.sum(axis=1, keepdims=True)
        return hidden, likely, hidden @ w["value"] + w["value0"]

    def fit(self, seen: np.ndarray, masks: np.ndarray, taken: np.ndarray, results: np.ndarray, rate: float) -> None:
        """One step of Adam for decisions and the results of their games."""
        w, n = self.weights, len(taken)
        hidden, likely, expected = self(seen, masks)
        gain = results - expected
        scaled = (gain - gain.mean()) / (gain.std() + 1e-6)
        # Towards what was taken in games that went better than expected; and not too sure of itself.
        logits = likely.copy()
        logits[np.arange(n), taken] -= 1
        logits *= scaled[:, None]
        unsure = -np.where(likely > 0, likely * np.log(likely + 1e-12), 0)
        logits += 0.01 * likely * (np.log(likely + 1e-12) + unsure.sum(axis=1, keepdims=True))
        logits /= n
        value = -gain / n
        back = (logits @ w["out"].T + value[:, None] * w["value"]) * (1 - hidden**2)
        self.step(
            {
                "in": seen.T @ back,
                "in0": back.sum(axis=0),
                "out": hidden.T @ logits,
                "out0": logits.sum(axis=0),
                "value": hidden.T @ value,
                "value0": value.sum(keepdims=True),
            },
            rate,
        )

    def step(self, slopes: dict[str, np.ndarray], rate: float) -> None:
        self.updates += 1
        for name, slope in slopes.items():
            first, second = self.moments[name]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            size = np.sqrt(second / (1 - 0.999**self.updates)) + 1e-8
            self.weights[name] -= (rate * first / (1 - 0.9**self.updates) / size).astype(np.float32)


def pick(likely: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """For each row one column, by lot."""
    sums = likely.cumsum(axis=1)
    lots = rng.random(len(likely))[:, None] * sums[:, -1:]
    return (sums > lots).argmax(axis=1)


class Table:
    """Many games with the learner on one side."""

    def __init__(self, side: str, n: int, seed: int):
        other = SIDES[1 - SIDES.index(side)]
        self.games = VectorGame(n, GAME, seed=seed, opponents={other: "random"})
        self.seat = self.games.player_names.index(side)
        self.courses: list[list[tuple[np.ndarray, np.ndarray, int]]] = [[] for _ in range(n)]

    def play(self, network: Network, rng: np.random.Generator, keep: bool = True):
        """One decision at each game; gives the courses and the results of those that ended."""
        seen, masks = self.games.observations, self.games.masks
        _, likely, _ = network(seen, masks)
        taken = pick(likely, rng) if keep else likely.argmax(axis=1)
        if keep:
            for course, *decision in zip(self.courses, seen, masks, taken):
                course.append(tuple(decision))
        rewards, over, cut = self.games.step(taken)
        for place in np.flatnonzero(over | cut):
            yield place, self.courses[place], float(rewards[place, self.seat])
            self.courses[place] = []


def interval(won: int, games: int) -> tuple[float, float]:
    """Wilson's interval of 95 percent."""
    z, share = 1.96, won / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def judged(network: Network, games: int, seed: int) -> int:
    """How many games it wins of such seeds, half on each side; each seed once, so that short games do not count more."""
    won, rng = 0, np.random.default_rng(0)
    for side in SIDES:
        n = games // 2
        table, open_games = Table(side, n, seed), np.ones(n, bool)
        while open_games.any():
            for place, _, result in table.play(network, rng, keep=False):
                won += bool(open_games[place]) and result > 0
                open_games[place] = False
    return won


def drawn(curve: list[tuple[int, float]]) -> str:
    """The learning curve as SVG."""
    width, height, left, foot = 640, 320, 50, 40
    most = max(games for games, _ in curve) or 1
    x = lambda games: left + games / most * (width - left - 20)
    y = lambda share: height - foot - share * (height - foot - 20)
    lines = "".join(
        f'<line x1="{left}" x2="{width - 20}" y1="{y(share)}" y2="{y(share)}" stroke="#ccc"/>'
        f'<text x="{left - 6}" y="{y(share) + 4}" text-anchor="end">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    points = " ".join(f"{x(games):.1f},{y(share):.1f}" for games, share in curve)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="white"/>{lines}'
        f'<polyline points="{points}" fill="none" stroke="#246" stroke-width="2"/>'
        f'<text x="{width - 20}" y="{height - 10}" text-anchor="end">{most:,} games against a random player; share won</text></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=20_000, help="how many games are learned from")
    parser.add_argument("--held-out", type=int, default=2000, help="how many games it is judged by")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", default="salt-road-curve.svg", help="where the learning curve is drawn")
    args = parser.parse_args()

    rng = np.random.default_rng(args.seed)
    # Seeds of the games: those for learning and those held out are made of different numbers.
    tables = [Table(side, 64, seed=args.seed + place) for place, side in enumerate(SIDES)]
    network = Network(tables[0].games.observation_size, tables[0].games.action_space_size, rng)
    started, played, batch, recent, curve = time.time(), 0, [], [], []
    while played < args.games:
        for table in tables:
            for _, course, result in table.play(network, rng):
                batch.extend((*decision, result) for decision in course)
                recent.append(result > 0)
                played += 1
        if len(batch) >= 2048:
            seen, masks, taken, results = (np.array(column) for column in zip(*batch))
            network.fit(seen, masks, taken, results.astype(np.float32), rate=3e-3)
            batch = []
        if len(recent) >= 2000:
            curve.append((played, sum(recent) / len(recent)))
            print(f"{played:>7} games, {time.time() - started:4.0f} s: wins {curve[-1][1]:.1%}", flush=True)
            recent = []
    if recent:
        curve.append((played, sum(recent) / len(recent)))
    with open(args.curve, "w") as file:
        file.write(drawn(curve))

    games = args.held_out // 2 * 2
    won = judged(network, games, seed=1_000_003 + args.seed)
    least, most = interval(won, games)
    print(f"on {games} held-out games, half on each side: wins {won / games:.1%} ({least:.1%} to {most:.1%})")


if __name__ == "__main__":
    main()

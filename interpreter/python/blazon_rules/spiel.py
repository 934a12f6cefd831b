"""Games in OpenSpiel: `pip install blazon-rules[spiel]`.

    >>> import pyspiel
    >>> from blazon_rules import spiel
    >>> game = spiel.load("salt-road", seeds=100)
    >>> state = game.new_initial_state()

Importing this module registers `python_blazon`, so that `pyspiel.load_game("python_blazon", {"game": "salt-road"})` does, too.

**Chance.** The dice of a game are keyed by its seed and by what they are rolled for, so all its luck is decided by the seed.
Here there is one chance node, at the root: it draws one of `seeds` seeds, from `seed` on, each as likely as the others. What
follows is deterministic. The game that is solved is thus that of these seeds, not that of all dice: with few seeds whoever
knows them could foresee luck, as far as the information states of a seat tell them apart; take many.

**What a seat knows.** Its information state is all that it was told since the beginning, a digest of what it saw at each of
its decisions, what it chose, and a digest of what it sees now. Several who are asked at once are asked one after the other,
and none knows what the others have chosen. The observation tensor is `Game.observation`.

At the end the winner has 1, and the others share -1; nobody has anything if nobody has won, or after `most` decisions.
"""

from __future__ import annotations

from operator import index
from os import PathLike, fspath
from typing import Any

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ImportError("this needs OpenSpiel: pip install blazon-rules[spiel]") from error

from ._native import Game

__all__ = ["RulesGame", "RulesState", "load"]

_MOST_PLAYERS = 10
# Between the names of variants: OpenSpiel itself has commas between parameters.
_BETWEEN = "+"

_TYPE = pyspiel.GameType(
    short_name="python_blazon",
    long_name="A game written as Blazon rules",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=_MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "game": "salt-road",
        "variants": "",
        "setup": "",
        "seeds": 1000,
        "seed": 0,
        "most": 1000,
    },
)


def load(game: str | PathLike[str], **parameters: Any) -> pyspiel.Game:
    """A game of OpenSpiel. `game` is a name or a folder; `variants` a list of names, or a text with `+` between them.

    Raises as `blazon_rules.Game`; `ValueError` for a game for one, which is none of OpenSpiel's kinds of sums.
    """
    variants = parameters.get("variants", "")
    if not isinstance(variants, str):
        parameters["variants"] = _BETWEEN.join(variants)
    return RulesGame({"game": fspath(game), **parameters})


class RulesGame(pyspiel.Game):
    """The rules of a game, with what OpenSpiel wants to know of them."""

    def __init__(self, params: dict[str, Any] | None = None):
        given = {**_TYPE.parameter_specification, **(params or {})}
        unknown = set(given) - set(_TYPE.parameter_specification)
        if unknown:
            there = ", ".join(sorted(_TYPE.parameter_specification))
            raise ValueError(f"there is no parameter {sorted(unknown)[0]!r}; there are {there}")
        for name in ("seed", "seeds", "most"):
            given[name] = index(given[name])
        if given["seeds"] < 1 or given["most"] < 1:
            raise ValueError("`seeds` and `most` are numbers from 1 on")
        variants = [name.strip() for name in given["variants"].split(_BETWEEN) if name.strip()]
        self.seed, self.seeds, self.most = given["seed"], given["seeds"], given["most"]
        self.first = Game(given["game"], variants=variants, setup=given["setup"] or None, seed=self.seed)
        self.names = list(self.first.players)
        if len(self.names) > _MOST_PLAYERS:
            raise ValueError(f"{len(self.names)} players are more than {_MOST_PLAYERS}")
        if len(self.names) < 2:
            raise ValueError("this is a game for one: what one wins nobody loses, and OpenSpiel is told of zero sums")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.first.action_space_size,
            max_chance_outcomes=self.seeds,
            num_players=len(self.names),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.most,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> RulesState:
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> _Observer:
        return _Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class RulesState(pyspiel.State):
    """A game at a decision, at its end, or at the root, where its seed is drawn."""

    def __init__(self, game: RulesGame):
        super().__init__(game)
        self._names, self._first, self._seeds = game.names, game.first, game.seeds
        self._seed, self._most = game.seed, game.most
        self._game: Game | None = None
        self._seen: list[list[str]] = [[] for _ in self._names]
        self._told = 0

    def current_player(self) -> int:
        if self._game is None:
            return pyspiel.PlayerId.CHANCE
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return self._names.index(self._game.decider)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._game.actions(self._names[player]))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1.0 / self._seeds) for seed in range(self._seeds)]

    def _apply_action(self, action: int) -> None:
        if self._game is None:
            if not 0 <= action < self._seeds:
                raise ValueError(f"there is no outcome {action} of chance; there are {self._seeds}")
            self._game = self._first.new_game(self._seed + action)
        else:
            player = self.current_player()
            name = self._names[player]
            numbers = self._game.actions(name)
            if action not in numbers:
                raise ValueError(f"no open option of {name} has the number {action}")
            option = self._game.options(name)[numbers.index(action)]
            sees = self._game.view_digest(name)
            self._seen[player].append(f"sees {sees}, takes {option.id}: {option.label}")
            self._game.choose(option)
        self._hear()

    def _hear(self) -> None:
        """What each was told of what happened."""
        for player, name in enumerate(self._names):
            self._seen[player].extend(event["text"] for event in self._game.log(name, since=self._told))
        self._told = self._game.event_count

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed {self._seed + action}"
        name = self._names[player]
        numbers = self._game.actions(name)
        if action not in numbers:
            return f"number {action}"
        # Options that read alike, since he does not see the faces of what they mean, are told apart by their numbers.
        labels = [option.label for option in self._game.options(name)]
        label = labels[numbers.index(action)]
        return label if labels.count(label) == 1 else f"{label} ({action})"

    def is_terminal(self) -> bool:
        return self._game is not None and (self._game.is_over or self._game.decisions >= self._most)

    def returns(self) -> list[float]:
        winner = self._game.winner if self._game is not None else None
        # One who wins without a seat at the table leaves nothing to be shared.
        if winner not in self._names:
            return [0.0] * len(self._names)
        lost = -1.0 / (len(self._names) - 1)
        return [1.0 if name == winner else lost for name in self._names]

    def known(self, player: int) -> str:
        """The information state of a player."""
        if self._game is None:
            return f"{self._names[player]}: nothing yet"
        now = self._game.view_digest(self._names[player])
        return "\n".join([f"{self._names[player]}:", *self._seen[player], f"sees {now}"])

    def observed(self, player: int) -> str:
        """What a player sees now."""
        if self._game is None:
            return f"{self._names[player]}: nothing yet"
        return f"{self._names[player]}: {self._game.view(self._names[player])}"

    def __str__(self) -> str:
        if self._game is None:
            return "the seed is to be drawn"
        taken = "; ".join(f"{entry['player']}: {entry['option']} {entry['args']}" for entry in self._game.choices)
        return f"seed {self._game.seed}: {taken}"


class _Observer:
    """What a seat sees, as OpenSpiel asks for it."""

    def __init__(self, game: RulesGame, kind: Any, params: dict[str, Any] | None):
        if params:
            raise ValueError(f"there are no parameters of observations, such as {sorted(params)[0]!r}")
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("only all that one player knows is told, not what is public or private of it alone")
        self._recalls = kind.perfect_recall
        size = 0 if self._recalls else game.first.observation_size
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: RulesState, player: int) -> None:
        if self._recalls:
            return
        if state._game is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = state._game.observation(state._names[player])

    def string_from(self, state: RulesState, player: int) -> str:
        return state.known(player) if self._recalls else state.observed(player)


pyspiel.register_game(_TYPE, RulesGame)

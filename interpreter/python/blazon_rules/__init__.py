"""Board wargames written as rules text: play them, learn them, measure them.

    >>> from blazon_rules import Game
    >>> game = Game("salt-road", seed=7)
    >>> while not game.is_over:
    ...     option = game.options()[0]
    ...     game.choose(option)
    >>> game.winner in game.players
    True

`Game` is a game under way. `simulate` plays many between programs and answers tables that polars, pandas, pyarrow and DuckDB
take; `compare` says what a change of the rules does; `rollouts` plays as fast as it can. `blazon_rules.zoo`,
`blazon_rules.spiel` and `blazon_rules.vector` are environments for learners. Everything is told by names; what a seat may
not know no function tells it.
"""

from ._native import Game, Option, Simulation, Table, compare, games, rollouts, simulate
from .errors import Error, Fault, NotOpen, RulesError, SaveError, UnknownError

__all__ = [
    "Error",
    "Fault",
    "Game",
    "NotOpen",
    "Option",
    "RulesError",
    "SaveError",
    "Simulation",
    "Table",
    "UnknownError",
    "compare",
    "games",
    "rollouts",
    "simulate",
]

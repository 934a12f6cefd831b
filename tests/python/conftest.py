"""What the tests share: a small game with hidden things, and games somewhere in their course."""

from pathlib import Path

import pytest

from blazon_rules import Game

HERE = Path(__file__).parent
STONES = HERE / "rules" / "hidden-stones"
SACKS = HERE / "rules" / "sacks"
GAMES = ["salt-road", "richard-iii", "lionheart", STONES]


def names_of(game):
    return game if isinstance(game, str) else game.name


@pytest.fixture(params=GAMES, ids=names_of)
def rules(request):
    return request.param


@pytest.fixture
def game(rules):
    return Game(rules, seed=3)


def positions(rules, seeds, every=7, most=400):
    """Games at decisions here and there, played at random."""
    first = Game(rules)
    for seed in seeds:
        game = first.new_game(seed)
        for step in range(most):
            if game.is_over:
                break
            if (step + seed) % every == 0:
                yield game
            game.bot_move("random", player=game.decider)

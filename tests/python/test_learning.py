"""What a seat sees and may do, as arrays; and that nothing in them tells what it may not know."""

import collections
import sys

import pytest

from blazon_rules import Game, NotOpen

from conftest import GAMES, STONES, names_of, positions

np = pytest.importorskip("numpy")


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def as_offered(options):
    return [(option.id, option.name, option.args, option.label) for option in options]


@pytest.mark.parametrize("rules, seeds", [("salt-road", 20), ("richard-iii", 6), ("lionheart", 8), (STONES, 40)], ids=str)
def test_what_a_seat_may_not_know_shows_nowhere(rules, seeds):
    """Of positions that differ only in what a seat may not see, everything that it is told is the same."""
    looked = changed = 0
    for game in positions(rules, range(seeds), every=1 if rules == STONES else 5):
        for player in game.deciders:
            view, features = game.view(player), game.features(player)
            options, actions = as_offered(game.options(player)), game.actions(player)
            for seed in range(3):
                try:
                    guess = game.guess(player, seed=seed)
                except NotOpen:
                    continue
                assert guess.view(player) == view
                assert same(guess.features(player), features)
                assert np.array_equal(guess.observation(player), game.observation(player))
                assert as_offered(guess.options(player)) == options
                assert guess.actions(player) == actions
                looked += 1
                changed += guess.view(None) != game.view(None)
    assert looked > 50
    assert changed > 10, "the guesses are all the game itself: nothing was tried"


def test_features_are_what_the_view_says():
    """The arrays of a small game, looked up in the view by hand."""
    for game in positions(STONES, range(30), every=1):
        stones = [thing["name"] for thing in game.sheet()["kinds"][1]["things"] for _ in range(thing.get("copies", 1))]
        sides = game.players
        for player in sides:
            view, features = game.view(player), game.features(player)
            seen = view["kinds"]["stone"]["seen"]
            held = features["stone.held"]
            known = {
                (stones[row], sides[held[row]] if held[row] >= 0 else None)
                for row in range(4)
                if features["stone._seen"][row]
            }
            assert known == {(thing["name"], thing["states"]["held"]) for thing in seen}
            backs = view["kinds"]["stone"]["backs"]
            assert features["stone.back._there"].sum() == len(backs)
            assert list(features["stone.back.held"][: len(backs)]) == [
                -1 if back["held"] is None else sides.index(back["held"]) for back in backs
            ]
            assert (features["stone.back.held"][len(backs) :] == -1).all()
            assert features["side.stake"][0] == view["kinds"]["side"]["seen"][0]["states"]["stake"]
            assert features["_viewer"] == sides.index(player)


@pytest.mark.parametrize("rules", GAMES, ids=names_of)
def test_the_layout_hangs_on_the_rules_alone(rules):
    game = Game(rules)
    layout = game.observation_layout()
    fields = {field["name"]: field for field in layout["fields"]}
    assert len(fields) == len(layout["fields"])
    assert layout["size"] == game.observation_size == layout["fields"][-1]["observation"][1]
    for position in positions(rules, range(3), every=9):
        assert position.observation_layout() == layout
        for player in position.players:
            features = position.features(player)
            assert list(features) == list(fields)
            for name, array in features.items():
                field = fields[name]
                assert array.dtype == np.int32 and list(array.shape) == field["shape"]
                allowed = array[(array != field["nothing"]) & (array != -2)]
                if field["low"] is not None and field["holds"] != "set":
                    assert (allowed >= field["low"]).all()
                if field["high"] is not None:
                    assert (allowed <= field["high"]).all()
            vector = position.observation(player)
            assert vector.dtype == np.float32 and vector.shape == (layout["size"],)
            assert np.isfinite(vector).all()


def test_every_open_option_has_a_number_of_its_own(rules):
    for game in positions(rules, range(4), every=3):
        size = game.action_space_size
        assert size <= 65_536
        for player in game.players:
            numbers = game.actions(player)
            options = game.options(player)
            assert len(numbers) == len(set(numbers)) == len(options)
            mask = game.action_mask(player)
            assert mask.dtype == np.uint8 and mask.shape == (size,)
            assert sorted(np.flatnonzero(mask)) == sorted(numbers)
        player = game.decider
        option = game.options(player)[-1]
        number = game.action_of(option)
        other = game.clone()
        other.choose_action(number, player=player)
        game.clone().choose(option)
        assert other.decisions == game.decisions + 1
        assert game.actions_are_hashed == (rules == "lionheart")
        closed = int(np.flatnonzero(game.action_mask(player) == 0)[0])
        with pytest.raises(NotOpen, match="number"):
            game.choose_action(closed, player=player)


def test_a_number_means_the_same_everywhere():
    meanings = {}
    for game in positions("salt-road", range(30), every=3):
        for option, number in zip(game.options(), game.actions()):
            # What has a hidden thing among its arguments is told by its back, and by nothing else.
            meant = (game.prompt().split()[0], option.name, str(option.args))
            meanings.setdefault(number, set()).add(meant[1:])
    assert len(meanings) > 100
    several = [meant for meant in meanings.values() if len(meant) > 1]
    assert len(several) <= len(meanings) // 50, several[:5]


def test_without_numpy_it_says_how_to_mend_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    game = Game("salt-road")
    with pytest.raises(ImportError, match=r"pip install blazon-rules\[numpy\]"):
        game.features()


def test_what_is_kept_of_two_things_does_not_tell_look_alikes_apart(tmp_path):
    for page in STONES.iterdir():
        if page.is_file():
            text = page.read_text()
            text = text.replace("state raised: flag", "state raised: flag\nstate touched(stone, side): flag\nstate near(stone, stone): 0..9")
            text = text.replace("{ t.held := s }", "{ t.held := s; touched(t, s) := yes; near(t, t) := 3 }")
            (tmp_path / page.name).write_text(text)
    games = collections.defaultdict(list)
    for seed in range(40):
        game = Game(tmp_path, seed=seed)
        for player in game.players:
            games[player, game.view_digest(player)].append((game.features(player), game.observation(player)))
    pairs = [(first, other) for first, *others in games.values() for other in others]
    assert len(pairs) > 40
    for (features, observation), (others, other) in pairs:
        assert same(features, others) and np.array_equal(observation, other)
    assert any((features["touched(stone, side)"] == 1).any() for (features, _), _ in pairs)


def test_there_may_be_nothing_to_tell(tmp_path):
    """A kind without things, and rules that ask nobody."""
    (tmp_path / "blazon.ron").write_text('Game(name: "Empty", version: "1.0.0", player: "side", begins: "whole game")\n')
    rules = "kind side = North, South { state beans: 0..9 }\nkind token\nstate top: token?\n"
    rules += "setup Start (side: beans) { North: 1; South: 1 }\nstep whole game { ask; win(North) }\n"
    question = 'step ask { choose by North "?" { option a "a" { North.beans := 2 }; option b(t in tokens) "b {t}" { top := t } } }\n'
    for ask in (question, "step ask { North.beans := 2 }\n"):
        (tmp_path / "rules.blazon").write_text(rules + ask)
        game = Game(tmp_path, seed=1)
        assert game.observation("North").shape == (game.observation_size,)

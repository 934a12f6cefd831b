"""A game under way, by names."""

import copy
import pickle
import threading

import pytest

import blazon_rules
from blazon_rules import Error, Fault, Game, NotOpen, RulesError, SaveError, UnknownError

from conftest import SACKS, STONES, positions

KIND = "kind side = North, South { state beans: 0..9 }\nsetup Start (side: beans) { North: 1; South: 1 }\n"


def test_ten_lines_play_a_game(game):
    taken = 0
    while not game.is_over:
        player = game.decider
        options = game.options(player)
        assert options and all(option.player == player for option in options)
        game.choose(options[-1])
        taken += 1
    assert game.decisions == taken
    assert game.outcome["outcome"] in ("won", "drawn")
    assert game.winner is None or game.winner in game.players
    assert game.deciders == [] and game.decider is None and game.options() == []
    with pytest.raises(NotOpen, match="over"):
        game.choose(0)


def test_options_are_chosen_by_what_they_are():
    game = Game("salt-road", seed=7)
    option = game.options()[1]
    assert option.name == "march" and option.args == {"b": "Dune Riders", "to": "Kiln"}
    for how in (
        lambda other: other.choose(option),
        lambda other: other.choose(1),
        lambda other: other.choose("march", b="Dune Riders", to="Kiln"),
        lambda other: other.choose("March", args={"b": "dune riders", "to": "KILN"}, player="coast"),
    ):
        other = game.clone()
        how(other)
        assert other.decisions == 1
        assert other.choices[-1]["args"] == ["Dune Riders", "Kiln"]
    with pytest.raises(UnknownError, match="give more arguments"):
        game.choose("march", b="Dune Riders")
    with pytest.raises(NotOpen, match="march"):
        game.choose("sail")
    with pytest.raises(NotOpen, match="from 0 to"):
        game.choose(-1)
    with pytest.raises(TypeError):
        game.choose(1.5)
    with pytest.raises(UnknownError, match="beside"):
        game.choose(1, b="Dune Riders")
    game.choose(option)
    with pytest.raises(NotOpen, match="any more|not asked"):
        game.choose(option)


def test_what_is_closed_has_a_reason():
    refused = 0
    for game in positions("salt-road", range(20), every=2):
        for refusal in game.refusals()[:5]:
            why = game.why(refusal["option"], args=refusal["args"])
            assert why["standing"] == "refused" and why["reason"]
            with pytest.raises(NotOpen) as caught:
                game.choose(refusal["option"], args=refusal["args"])
            assert why["reason"] in str(caught.value)
            refused += 1
    assert refused > 0
    game = Game("salt-road", seed=7)
    assert game.why("march", b="Dune Riders", to="Kiln") == {"standing": "open"}
    assert game.why("march", b="Nobody") == {"standing": "outside"}


def test_what_there_is_not_says_what_there_is():
    game = Game("salt-road")
    for wrong, said in (
        (lambda: Game("salt-rod"), "salt-road"),
        (lambda: Game("salt-road", variants=["Flood"]), "Learned"),
        (lambda: Game("salt-road", setup="Winter"), "Carts"),
        (lambda: Game("salt-road", rulings={"luck": True}), "luck"),
        (lambda: game.view("Nobody"), "Coast.*Hills"),
        (lambda: game.bot_move("nobody"), "greedy"),
        (lambda: game.bot_move("greedy:nothing"), "no rule"),
        (lambda: game.play_out({"Nobody": "random"}), "Coast.*Hills"),
        (lambda: game.play_out(["random"] * 3), "Coast.*Hills"),
        (lambda: game.reset(1, setup="Winter"), "Carts"),
    ):
        with pytest.raises(ValueError, match=said) as caught:
            wrong()
        assert isinstance(caught.value, Error) and caught.value.code


def test_rules_with_errors_are_told_with_their_places(tmp_path):
    (tmp_path / "blazon.ron").write_text('Game(name: "Broken", player: "side", begins: "game")\n')
    (tmp_path / "broken.blazon").write_text(
        KIND + "step game { win(Nort) }\n"
    )
    with pytest.raises(RulesError) as caught:
        Game(tmp_path)
    text = str(caught.value)
    assert "win(Nort)" in text and "\x1b" not in text
    (first, *_) = caught.value.diagnostics
    assert first["line"] == 3 and first["file"].endswith("broken.blazon") and first["code"] and first["message"]
    assert {"column", "help"} <= first.keys()


def test_rules_without_end_are_stopped(tmp_path):
    (tmp_path / "blazon.ron").write_text('Game(name: "Endless", player: "side", begins: "game")\n')
    (tmp_path / "endless.blazon").write_text(
        KIND + 'state n: 0..9\nstep game { choose by North "?" {\n'
        'option stay "stay" { }\noption go "go" { while n < 2 { n := 1 } } } }\n'
    )
    game = Game(tmp_path)
    with pytest.raises(Fault, match="endless") as caught:
        game.choose("go")
    assert caught.value.code == "run::endless" and caught.value.diagnostics
    game.choose("stay")
    assert game.is_over


def test_a_seat_sees_its_own():
    game = Game(STONES, seed=5)
    everything, first = game.view(None), game.view("First")
    assert len(everything["kinds"]["stone"]["seen"]) == 4
    assert len(first["kinds"]["stone"]["seen"]) == 1
    assert len(first["kinds"]["stone"]["backs"]) == 3
    assert first["viewer"] == "First" and everything["viewer"] is None
    drawn = [event for event in game.log("First") if event["event"] == "drawn"]
    assert drawn and all("things" not in event or len(event["things"]) == 1 for event in drawn)
    assert sum("things" in event for event in game.log() if event["event"] == "drawn") == 2


def test_only_who_decided_is_told_that_he_had_no_choice():
    game = Game("salt-road", seed=5)
    for _ in range(60):
        if not game.is_over:
            game.choose(0)
    assert any(event.get("forced") for event in game.log())
    for seat in game.players:
        chosen = [event for event in game.log(seat) if event["event"] == "chosen"]
        assert chosen and all(("forced" in event) == (event["player"] == seat) for event in chosen)


def test_copies_go_their_own_way(game):
    for other in (game.clone(), copy.copy(game), copy.deepcopy(game), game.new_game(game.seed)):
        assert other.view(None) == game.view(None)
        other.choose(0, player=other.decider)
        assert other.decisions == 1 and game.decisions == 0


def test_saves_go_on(game):
    game.play_out(most=4)
    text = game.save()
    for other in (Game.load(text, game), Game.replay(text, game)):
        assert other.note is None
        assert other.view(None) == game.view(None)
        assert other.choices == game.choices
        # What programs chose before is not saved: these are made for the rest of the game.
        game_end, other_end = game.clone().play_out(seed=9), other.play_out(seed=9)
        assert game_end == other_end
    with pytest.raises(SaveError):
        Game.load(text[:-40], game)


def test_games_are_pickled(game):
    game.play_out(most=3)
    other = pickle.loads(pickle.dumps(game))
    assert other.view(None) == game.view(None) and other.choices == game.choices
    with pytest.raises(SaveError):
        pickle.dumps(game.guess(game.decider)) if game.decider else game.undo(1000)


def test_a_save_names_its_rules():
    game = Game("The Salt Road", seed=11)
    game.play_out(most=6)
    assert Game.load(game.save()).view(None) == game.view(None)


def test_decisions_are_taken_back(game):
    before = game.view(None)
    game.play_out(most=5)
    game.undo(min(5, game.decisions))
    assert game.view(None) == before and game.decisions == 0
    with pytest.raises(SaveError):
        game.undo()


def test_programs_play_the_same_of_the_same_seed(game):
    one, other = game.clone(), game.clone()
    assert one.play_out("random", seed=5) == other.play_out("random", seed=5)
    assert one.choices == other.choices
    option = game.bot_choice("greedy@20", player=game.decider)
    assert game.decisions == 0 and option == game.bot_move("greedy@20", player=game.decider)


@pytest.mark.parametrize("bot", ["greedy@60", "search@200"])
def test_programs_know_what_they_chose(bot):
    one, other, third = (Game(SACKS, seed=5) for _ in range(3))
    while not one.is_over:
        option = one.bot_choice(bot)
        assert option == one.bot_choice(bot) == one.clone().bot_move(bot) == one.bot_move(bot)
        assert one.decisions < 60, "it looks into the sack for ever"
    other.play_out(bot)
    while not third.is_over:
        third.play_out(bot, most=2)
    assert one.choices == other.choices == third.choices
    other.undo(2)
    assert other.bot_choice(bot) == other.bot_move(bot)


def test_a_guess_does_not_know_what_programs_know():
    game = Game("richard-iii", seed=3)
    for _ in range(6):
        game.bot_move("search@200", player=game.decider)
    saved = Game.load(game.save(), game)
    player = game.decider
    for seed in range(4):
        one, other = game.guess(player, seed=seed), saved.guess(player, seed=seed)
        one.play_out("search@200", most=8)
        other.play_out("search@200", most=8)
        assert one.view(None) == other.view(None)


def test_advice():
    game = Game("salt-road", seed=7)
    advice = game.advise("search@200")
    assert {option["id"] for option in advice["options"]} <= {option.id for option in game.options()}
    assert advice["positions"] > 0 and set(advice["outlook"]) == set(game.players)
    for option in advice["options"]:
        for player, then in option["outlook"].items():
            assert then - advice["outlook"][player] == pytest.approx(sum(option["clauses"][player].values()))
    with pytest.raises(UnknownError, match="does not search"):
        game.advise("greedy")


def test_other_threads_go_on():
    games = [Game("salt-road", seed=seed) for seed in range(4)]
    threads = [threading.Thread(target=game.play_out) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(game.is_over for game in games)


def test_guesses_have_no_log():
    game = Game("salt-road", seed=7)
    guess = game.guess(seed=1)
    assert guess.is_guess and guess.log() == [] and guess.choices == []
    assert guess.seed != game.seed and guess.about["seed"] == guess.seed, "by the seed the true cards could be dealt"
    assert game.guess(seed=1).seed == guess.seed
    with pytest.raises(SaveError):
        guess.save()
    with pytest.raises(SaveError):
        guess.undo()
    guess.play_out()
    assert guess.is_over and not game.is_over


def test_games_and_sheet():
    assert ("salt-road", "The Salt Road") in blazon_rules.games()
    game = Game("salt-road")
    assert game.title == "The Salt Road" and game.version and game.setups == [game.setup]
    assert any(kind["name"] == "block" for kind in game.sheet()["kinds"])
    assert game.about["players"] == game.players
    assert "The Salt Road" in repr(game)


def test_a_game_that_is_there_has_its_rules_already():
    game = Game("salt-road", seed=3)
    text = game.save()
    for read in (Game.load, Game.replay):
        assert read(text, game).seed == 3
        with pytest.raises(ValueError, match="already"):
            read(text, game, variants=["Learned"])
        with pytest.raises(ValueError, match="already"):
            read(text, game, rulings={})

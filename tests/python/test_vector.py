"""Many games stepped together."""

import multiprocessing
import os
import signal

import pytest

np = pytest.importorskip("numpy")

from blazon_rules import Fault, Game, NotOpen, UnknownError
from blazon_rules.vector import VectorGame

from conftest import GAMES, SACKS, names_of


def run(games, steps, seed=0):
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        actions = [open[rng.integers(len(open))] for open in games.actions]
        rewards, terminated, truncated = games.step(actions)
        told.append((rewards.tolist(), terminated.tolist(), truncated.tolist(), games.players.tolist(), games.seeds))
    return told


@pytest.mark.parametrize("rules", GAMES, ids=names_of)
def test_each_game_is_the_one_of_its_seed(rules):
    games = VectorGame(3, rules, seed=9)
    alone = [Game(rules, seed=seed) for seed in games.seeds]
    rng = np.random.default_rng(2)
    for _ in range(60):
        observations, masks = games.observations, games.masks
        assert observations.shape == (3, games.observation_size) and masks.shape == (3, games.action_space_size)
        actions = []
        for place, game in enumerate(alone):
            player = game.decider
            assert games.player_names[games.players[place]] == player
            assert np.array_equal(observations[place], game.observation(player))
            assert np.array_equal(masks[place], game.action_mask(player))
            assert games.actions[place] == game.actions(player)
            actions.append(int(rng.choice(np.flatnonzero(masks[place]))))
            game.choose_action(actions[-1], player=player)
        rewards, terminated, truncated = games.step(np.array(actions))
        for place, game in enumerate(alone):
            assert bool(terminated[place]) == game.is_over and not truncated[place]
            if game.is_over:
                wanted = [0 if game.winner is None else 1 if name == game.winner else -1 for name in game.players]
                assert rewards[place].tolist() == wanted
                game.reset(games.seeds[place])
            else:
                assert not rewards[place].any()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_on_any_number_of_threads(threads):
    one = VectorGame(8, "salt-road", seed=4, opponents={"Hills": "random"}, threads=threads)
    other = VectorGame(8, "salt-road", seed=4, opponents={"Hills": "random"})
    assert run(one, 100) == run(other, 100)
    assert (one.players == 0).all()
    one.reset()
    again = VectorGame(8, "salt-road", seed=4, opponents={"Hills": "random"})
    assert run(one, 40) == run(again, 40)


def test_games_are_cut_off():
    games = VectorGame(2, "richard-iii", most=5)
    cut = [truncated for _, _, truncated, _, _ in run(games, 5)]
    assert cut == [[0, 0]] * 4 + [[1, 1]]


def test_what_cannot_be_is_told():
    games = VectorGame(2, Game("salt-road"))
    with pytest.raises(NotOpen, match="game 1"):
        closed = int(np.flatnonzero(games.masks[1] == 0)[0])
        games.step([games.actions[0][0], closed])
    assert VectorGame(2, "salt-road").seeds == games.seeds
    with pytest.raises(UnknownError, match="2 games and 1"):
        games.step([0])
    with pytest.raises(UnknownError, match="nobody is left"):
        VectorGame(2, "salt-road", opponents={"Coast": "random", "Hills": "random"})
    with pytest.raises(UnknownError, match="Coast"):
        VectorGame(2, "salt-road", opponents={"Dale": "random"})
    with pytest.raises(UnknownError, match="0 games"):
        VectorGame(0, "salt-road")
    with pytest.raises(UnknownError, match="65536 are the most"):
        VectorGame(2**62, "salt-road")


def in_a_fork(games):
    return Game("salt-road", seed=1).play_out()["winner"], run(games, 3)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="nothing can be forked here")
@pytest.mark.filterwarnings("ignore")
def test_a_fork_has_threads_of_its_own():
    games = VectorGame(4, "salt-road", seed=3, threads=2)
    run(games, 2)
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        signal.alarm(60)
        os.write(write, repr(in_a_fork(games)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        said = told.read()
    assert os.waitpid(child, 0)[1] == 0, "it waited for threads that are not there"
    assert said == repr(in_a_fork(games))


@pytest.mark.parametrize("bot", ["greedy@60", "search@200"])
def test_opponents_know_what_they_chose(bot):
    games = VectorGame(2, SACKS, seed=3, opponents={"North": bot}, most=100)
    told = run(games, 60)
    assert not any(any(truncated) for _, _, truncated, _, _ in told), "it looks into the sack for ever"
    assert any(any(terminated) for _, terminated, _, _, _ in told)
    again = VectorGame(2, SACKS, seed=3, opponents={"North": bot}, most=100, threads=1)
    assert run(again, 60) == told


def test_a_game_that_fails_costs_the_others_nothing(tmp_path):
    (tmp_path / "blazon.ron").write_text('Game(name: "Toss", player: "side", begins: "game")\n')
    (tmp_path / "toss.blazon").write_text(
        "kind side = North, South\nstate n: 0..5\nsetup Fair { }\n"
        'step game { choose by North "?" { option toss "toss" { toss }; option spin "spin" { toss } } }\n'
        "step toss { let die = roll(d6); n := die; win(North) }\n"
    )
    games = VectorGame(12, tmp_path, seed=3)
    seeds = games.seeds
    with pytest.raises(Fault, match="cannot become 6") as caught:
        games.step([open[0] for open in games.actions])
    rewards, terminated, truncated = games.last_step
    failed = [place for place, cut in enumerate(truncated) if cut]
    assert 0 < len(failed) < 12 and (terminated + truncated == 1).all()
    assert f"game {failed[0]}, which had the seed {seeds[failed[0]]}" in str(caught.value)
    for place, reward in enumerate(rewards.tolist()):
        assert reward == ([0, 0] if place in failed else [1, -1])
    assert all(one != other for one, other in zip(seeds, games.seeds))

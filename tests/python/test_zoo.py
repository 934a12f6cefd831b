"""Games as environments of PettingZoo."""

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from pettingzoo.test import api_test, seed_test

from blazon_rules import Game, NotOpen, zoo

from conftest import GAMES, STONES, names_of


@pytest.mark.parametrize("rules", GAMES, ids=names_of)
@pytest.mark.filterwarnings("ignore")
def test_it_keeps_to_the_interface(rules):
    api_test(zoo.env(rules), num_cycles=1000 if rules in ("salt-road", STONES) else 120)


@pytest.mark.parametrize("rules", ["salt-road", STONES], ids=names_of)
def test_the_same_seed_is_the_same_game(rules):
    seed_test(lambda: zoo.env(rules), num_cycles=60)


def played(env, seed, pick):
    env.reset(seed=seed)
    total = {agent: 0.0 for agent in env.agents}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        env.step(None if termination or truncation else pick(observation["action_mask"]))
    return total


@pytest.mark.parametrize("rules", GAMES, ids=names_of)
def test_rewards_come_at_the_end(rules):
    env = zoo.env(rules)
    rng = np.random.default_rng(1)
    for seed in range(5):
        total = played(env, seed, lambda mask: rng.choice(np.flatnonzero(mask)))
        winner = env.unwrapped.game.winner
        wanted = {agent: 0.0 if winner is None else 1.0 if agent == winner else -1.0 for agent in total}
        assert total == wanted


def test_long_games_are_truncated():
    env = zoo.env("richard-iii", most=7)
    total = played(env, 3, lambda mask: np.flatnonzero(mask)[0])
    assert all(reward == 0 for reward in total.values())
    assert env.unwrapped.game.decisions == 7


def test_none_sees_what_another_chose_in_secret():
    """The first play of Richard III is a card from each, face-down."""
    env = zoo.raw_env("richard-iii")
    env.reset(seed=5)
    first, second = env.game.deciders
    seen = []
    for action in np.flatnonzero(env.observe(first)["action_mask"])[:3]:
        env.reset(seed=5)
        env.step(int(action))
        assert env.agent_selection == second
        seen.append(env.observe(second))
    for other in seen[1:]:
        assert np.array_equal(seen[0]["observation"], other["observation"])
        assert np.array_equal(seen[0]["action_mask"], other["action_mask"])


def test_what_cannot_be_is_told():
    with pytest.raises(ValueError, match="render mode"):
        zoo.env("salt-road", render_mode="rgb_array")
    env = zoo.raw_env(Game("salt-road", seed=2), render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(NotOpen):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))
    assert isinstance(env.render(), str)


def test_what_an_environment_was_made_with_stays():
    env = zoo.raw_env("richard-iii", seed=7)
    setup = env.game.setup
    env.reset()
    assert env.game.seed == 7
    env.reset(seed=2, options={"setup": "Bosworth"})
    assert env.game.setup == "Bosworth"
    env.reset()
    assert (env.game.seed, env.game.setup) == (3, setup)
    with pytest.raises(ValueError, match="'variants'"):
        zoo.raw_env(env.game, variants=["spies"])


def test_what_not_all_know_is_not_drawn():
    env = zoo.raw_env("richard-iii", render_mode="ansi", seed=0)
    env.reset()
    rng = np.random.default_rng(0)
    while not env.game.is_over:
        drawn = env.render().splitlines()
        secret = {event["text"] for event in env.game.log() if event.get("for")}
        told = {event["text"] for event in env.game.log() if not event.get("for")}
        assert not set(drawn) & (secret - told)
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))

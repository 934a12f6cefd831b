"""Games in OpenSpiel."""

import collections
import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")

import numpy as np

from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.algorithms.get_all_states import get_all_states

from blazon_rules import UnknownError, spiel

from conftest import GAMES, STONES, names_of


@pytest.mark.parametrize("rules", GAMES, ids=names_of)
def test_it_keeps_to_the_interface(rules):
    sims, most = {"salt-road": (10, 1000), STONES: (50, 1000)}.get(rules, (1, 60))
    pyspiel.random_sim_test(spiel.load(rules, seeds=20, most=most), num_sims=sims, serialize=True, verbose=False)


def test_it_is_found_by_its_name():
    game = pyspiel.load_game("python_blazon", {"game": "salt-road", "seeds": 3})
    assert game.num_players() == 2 and game.max_chance_outcomes() == 3
    state = game.new_initial_state()
    state.apply_action(2)
    assert state.current_player() == 0
    assert len(state.observation_tensor(0)) == game.observation_tensor_size()
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert len(clone.history()) == len(state.history()) + 1 and str(clone) != str(state)
    with pytest.raises(ValueError, match="salt-road"):
        spiel.load("salt-rod")
    with pytest.raises(ValueError, match="there is no parameter 'seedz'"):
        spiel.load("salt-road", seedz=3)


def decisions(game):
    states = get_all_states(game, include_terminals=False, include_chance_states=False, to_string=lambda state: str(state.history()))
    return list(states.values())


def test_information_states_are_what_they_should_be():
    """Of all states of a small game: those of one information state offer the same, are recalled alike, and are several."""
    game = spiel.load(STONES, seeds=40)
    sets = collections.defaultdict(list)
    for state in decisions(game):
        sets[state.information_state_string()].append(state)
    for known, states in sets.items():
        assert len({tuple(state.legal_actions()) for state in states}) == 1
        assert len({state.current_player() for state in states}) == 1
        assert len({tuple(state.observation_tensor()) for state in states}) == 1
        player = states[0].current_player()
        assert len({tuple(own_course(game, state, player)) for state in states}) == 1, known
    # First knows one of three stones, Second that and how much was raised: nothing else.
    first = [states for states in sets.values() if states[0].current_player() == 0]
    second = [states for states in sets.values() if states[0].current_player() == 1]
    assert len(first) == 3 and sum(map(len, first)) == 40
    assert len(second) == 6 and sum(map(len, second)) == 80


def own_course(game, state, player):
    """The information states and actions of a player on the way to a state."""
    walk, course = game.new_initial_state(), []
    for action in state.history():
        if walk.current_player() == player:
            course.append((walk.information_state_string(player), action))
        walk.apply_action(action)
    return course


def test_it_can_be_solved():
    game = spiel.load(STONES, seeds=24)
    solver = cfr.CFRPlusSolver(game)
    uniform = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    for _ in range(40):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < min(0.05, uniform / 4)


def test_it_is_an_environment_of_learners():
    env = rl_environment.Environment(spiel.load("salt-road", seeds=5))
    step = env.reset()
    rng = np.random.default_rng(3)
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([int(rng.choice(step.observations["legal_actions"][player]))])
    assert sorted(step.rewards) == [-1, 1]


def test_variants_are_given_by_name():
    with pytest.raises(UnknownError, match="Learned"):
        spiel.load("salt-road", variants="Flood")
    spiel.load("salt-road", variants="Learned")


def test_several_variants_go_around_with_a_game():
    game = spiel.load("richard-iii", variants=["spies", "steadfast"], seeds=3, most=40)
    assert str(pyspiel.load_game(str(game))) == str(game)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    # Options that read alike have strings of their own, which OpenSpiel asks for.
    pyspiel.random_sim_test(game, 1, False, False)


def test_wrong_numbers_are_told(tmp_path):
    state = spiel.load("salt-road", seeds=5).new_initial_state()
    with pytest.raises(ValueError, match="there are 5"):
        state._apply_action(99)
    state.apply_action(0)
    with pytest.raises(ValueError, match="has the number"):
        state._apply_action(65_000)
    with pytest.raises(TypeError):
        spiel.load("salt-road", seeds=3.5)
    (tmp_path / "blazon.ron").write_text('Game(name: "Alone", version: "1.0.0", player: "side", begins: "whole game")\n')
    rules = "kind side = North { state beans: 0..9 }\nsetup Start (side: beans) { North: 1 }\nstep whole game { win(North) }\n"
    (tmp_path / "rules.blazon").write_text(rules)
    with pytest.raises(ValueError, match="a game for one"):
        spiel.load(tmp_path)

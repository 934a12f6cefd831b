"""Games as environments of PettingZoo: `pip install blazon-rules[zoo]`.

    >>> from blazon_rules import zoo
    >>> env = zoo.env("salt-road")
    >>> env.reset(seed=7)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     if termination or truncation:
    ...         env.step(None)
    ...     else:
    ...         env.step(env.action_space(agent).sample(observation["action_mask"]))
"""

from __future__ import annotations

from os import PathLike
from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("this needs PettingZoo: pip install blazon-rules[zoo]") from error

from ._native import Game

__all__ = ["RulesEnv", "env", "raw_env"]


class RulesEnv(AECEnv):
    """A game whose agents are its players, by their names.

    Who is asked is the agent to act; where the rules ask several at once, they are asked one after the other, and none sees
    what another has chosen. An observation is a dictionary: `observation` is `Game.observation` of that player (float32),
    `action_mask` is `Game.action_mask` (int8). An action is the number of an option.

    Rewards come at the end: 1 for who has won, -1 for the others, 0 for all if nobody has. After `most` decisions the game
    is truncated.
    """

    metadata = {"name": "blazon_rules_v0", "render_modes": ["human", "ansi"], "is_parallelizable": False}

    def __init__(self, game: str | PathLike[str] | Game, *, render_mode: str | None = None, most: int = 10_000, **options: Any):
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode {render_mode!r}; there are 'human' and 'ansi'")
        self.render_mode = render_mode
        self.most = most
        if isinstance(game, Game):
            if options:
                raise ValueError(f"a game under way takes no {sorted(options)[0]!r}: give it to `Game(…)`")
            self.game = game.new_game(game.seed)
        else:
            self.game = Game(game, **options)
        self._seed = self.game.seed
        self._setup = self.game.setup
        self._played = False
        self.possible_agents = list(self.game.players)
        self.agents = list(self.possible_agents)
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (self.game.observation_size,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.game.action_space_size,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(self.game.action_space_size) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew. With a seed the game has it; without, the first game has the one that the environment was made
        with, and each further one the seed after the last one's.

        `options` may have `setup`, the name of one for this game; other games have that with which the environment was made.
        Whatever else stands there is nothing to this environment, as PettingZoo's own tests want it.
        """
        setup = (options or {}).get("setup") or self._setup
        self._seed = int(seed) if seed is not None else self._seed + self._played
        self._played = True
        self.game.reset(self._seed, setup=setup)
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def observe(self, agent: str) -> dict[str, Any]:
        return {
            "observation": self.game.observation(agent),
            "action_mask": self.game.action_mask(agent).astype(np.int8),
        }

    def step(self, action: int | None) -> None:
        """Takes the option of a number for the agent whose turn it is.

        Raises `NotOpen` if no open option has it, `Fault` if the rules fail.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.choose_action(int(action), player=agent)
        self._settle()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _settle(self) -> None:
        """Whose turn it is, or how it ended."""
        if self.game.is_over:
            winner = self.game.winner
            for agent in self.agents:
                self.terminations[agent] = True
                self.rewards[agent] = 0.0 if winner is None else 1.0 if agent == winner else -1.0
        elif self.game.decisions >= self.most:
            self.truncations = {agent: True for agent in self.agents}
        else:
            self.agent_selection = self.game.decider

    def render(self) -> str | None:
        """The last lines of the log as everybody may know them: printed, or as a text."""
        if self.render_mode is None:
            return None
        # What some know less of than others is left out.
        lines = [event["text"] for event in self.game.log() if not event.get("for")]
        text = "\n".join(lines[-12:])
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        pass


def raw_env(game: str | PathLike[str] | Game, *, render_mode: str | None = None, **options: Any) -> RulesEnv:
    """A game as an environment; `options` are those of `RulesEnv` and of `Game`."""
    return RulesEnv(game, render_mode=render_mode, **options)


def env(game: str | PathLike[str] | Game, *, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The same with PettingZoo's wrappers, which tell what is called in the wrong order.

    An action that is not open ends the game: who took it loses.
    """
    made: AECEnv = raw_env(game, render_mode=render_mode, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)

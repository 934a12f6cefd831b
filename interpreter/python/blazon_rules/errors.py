"""What can go wrong, as exceptions. All are an `Error`; nothing has changed when one is raised."""

from __future__ import annotations

from typing import Any

__all__ = ["Error", "Fault", "NotOpen", "RulesError", "SaveError", "UnknownError"]


class Error(Exception):
    """Whatever this package raises of its own.

    `code` says what sort of thing it is, such as `run::range`: `blazon explain CODE` has its page. `diagnostics` tells the
    same as dictionaries, with `severity`, `code`, `message`, `file`, `line`, `column`, `label`, `related`, `help` and
    `fixes`, as `blazon check --json` does.
    """

    code: str
    diagnostics: list[dict[str, Any]]

    def __init__(self, text: str, *, code: str = "", diagnostics: list[dict[str, Any]] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.diagnostics = diagnostics or []


class RulesError(Error):
    """The rules have errors. The text shows each with its place in the rules and how to mend it."""


class Fault(Error):
    """The rules failed while a game was played: a value out of its range, a game without end, too much memory."""


class UnknownError(Error, ValueError):
    """Something was asked for that there is not: a game, a player, a setup, a program. The text says what there is."""


class NotOpen(Error, ValueError):
    """An option is not open, or nobody is asked. The text says which need refuses it."""


class SaveError(Error, ValueError):
    """A saved game is damaged or belongs to other rules, or a game cannot be saved or taken back."""

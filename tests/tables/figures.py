"""What the two readers share: how a folder of tables is described, what a figure is, and whether figures are right.

A figure is a name and a list of rows of whole numbers and texts, so that two programs that read the same tables come to
the very same figures.
"""

import json
import sys
from pathlib import Path


class Tables:
    """A folder that `blazon simulate --data` has written."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.manifest = json.loads((self.folder / "schema.json").read_text(encoding="utf-8"))
        if self.manifest["blazon_tables"] != 1:
            sys.exit("these tables are of a later version: see interpreter/study/TABLES.md")
        self.format = self.manifest["format"]

    def __iter__(self):
        """For each table its name, its file, and its columns with their types: integer, flag or text."""
        for name, table in self.manifest["tables"].items():
            types = {column["name"]: column["type"] for column in table["columns"]}
            yield name, str(self.folder / table["file"]), types

    def rows(self, name):
        return self.manifest["tables"][name]["rows"]

    def first_count(self):
        """The column that says how far a game is: how often its outermost step was done."""
        columns = self.manifest["tables"]["games"]["columns"]
        return next(column["name"] for column in columns if column["name"].startswith("count_"))


def show(title, heads, rows):
    print(title)
    cells = [[str(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(len(row[place]) for row in cells) for place in range(len(heads))]
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print()


def check(tables, figures, summary):
    """Holds figures against the manifest, and against what `blazon simulate --json` said of the same games."""

    def same(what, found, told):
        if found != told:
            sys.exit(f"{what}: the tables say {found}, the summary says {told}")

    games = sum(games for _, _, games in figures["won"])
    same("games", games, tables.manifest["games"])
    for name, rows in figures["rows"]:
        same(f"rows of {name}", rows, tables.rows(name))
    if summary is None:
        return
    told = json.loads(Path(summary).read_text(encoding="utf-8"))
    same("games", games, told["games"])
    for player in told["players"]:
        won = sum(games for _, winner, games in figures["won"] if winner == player["name"])
        same(f"games that {player['name']} won", won, player["won"])
    for ending in told["endings"]:
        ended = sum(games for step, _, games in figures["won"] if step == ending["step"])
        same(f"games ended in {ending['step']}", ended, ending["games"])
    decisions = sum(decisions for _, decisions, _ in figures["offered"])
    same("decisions", decisions, round(told["lengths"][0]["mean"] * told["over"]))
    same("events of an end", figures["ends"][0][0], told["over"])


def finish(tables, figures, summary, out):
    show("Games by the step that ended them", ["ended in", "winner", "games"], figures["won"])
    shares = [[name, taken, f"{100 * by / taken:.1f} %"] for name, taken, by in figures["options"]]
    show("Options, and who took them", ["option", "taken", "by the winner"], shares)
    means = [[turn, many, f"{offered / many:.2f}"] for turn, many, offered in figures["offered"]]
    show("How much is open", [tables.first_count(), "decisions", "options on average"], means)
    show("Dice", ["die", "fell", "times"], figures["dice"])
    check(tables, figures, summary)
    if out is not None:
        Path(out).write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")

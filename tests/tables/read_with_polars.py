"""Reads a folder of tables with Polars: read_with_polars.py FOLDER [SUMMARY [FIGURES]]

FOLDER is what `blazon simulate --data FOLDER` wrote, SUMMARY what it said with `--json`, which is held against the
tables, FIGURES a file for what comes out.
"""

import sys

import polars as pl

from figures import Tables, finish

TYPES = {"integer": pl.Int64, "flag": pl.Boolean, "text": pl.String}


def frame(path, format, columns):
    """A table as a frame, by the types of its manifest: guessing would make a number of the paragraph 5.3."""
    schema = {column: TYPES[type] for column, type in columns.items()}
    match format:
        case "csv":
            return pl.read_csv(path, schema=schema)
        case "jsonl":
            return pl.read_ndjson(path, schema=schema)
        case "parquet":
            return pl.read_parquet(path)


def main(folder, summary=None, out=None):
    tables = Tables(folder)
    frames = {name: frame(path, tables.format, columns) for name, path, columns in tables}
    games, decisions, events = frames["games"], frames["decisions"], frames["events"]
    turn = tables.first_count()

    won = games.group_by("ended_in", "winner").len().sort("ended_in", "winner", nulls_last=False)
    options = (
        decisions.join(games.filter(outcome="won"), on="game")
        .group_by("option")
        .agg(pl.len().alias("taken"), (pl.col("player") == pl.col("winner")).sum().alias("by_winner"))
        .sort(["taken", "option"], descending=[True, False])
    )
    offered = decisions.group_by(turn).agg(pl.len(), pl.col("offered").sum()).sort(turn)
    dice = (
        events.filter(kind="rolled")
        .select("what", fell=pl.col("results").str.json_decode(pl.List(pl.Int64)))
        .explode("fell")
        .drop_nulls()
        .group_by("what", "fell")
        .len()
        .sort("what", "fell")
    )
    figures = {
        "rows": [[name, frame.height] for name, frame in frames.items()],
        "won": [list(row) for row in won.rows()],
        "options": [list(row) for row in options.rows()],
        "offered": [list(row) for row in offered.rows()],
        "dice": [list(row) for row in dice.rows()],
        "ends": [[events.filter(kind="over").height]],
    }
    finish(tables, figures, summary, out)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Reads a folder of tables with DuckDB: read_with_duckdb.py FOLDER [SUMMARY [FIGURES]]

FOLDER is what `blazon simulate --data FOLDER` wrote, SUMMARY what it said with `--json`, which is held against the
tables, FIGURES a file for what comes out.
"""

import sys

import duckdb

from figures import Tables, finish

TYPES = {"integer": "bigint", "flag": "boolean", "text": "varchar"}


def view(con, name, path, format, columns):
    """A table as a view, by the types of its manifest: guessing would make a number of the paragraph 5.3."""
    quoted = path.replace("'", "''")
    types = ", ".join(f'"{column}": \'{TYPES[type]}\'' for column, type in columns.items())
    reader = {
        "csv": f"read_csv('{quoted}', header = true, auto_detect = false, columns = {{{types}}})",
        "jsonl": f"read_json('{quoted}', format = 'newline_delimited', columns = {{{types}}})",
        "parquet": f"read_parquet('{quoted}')",
    }[format]
    con.execute(f'create view "{name}" as select * from {reader}')


def main(folder, summary=None, out=None):
    tables = Tables(folder)
    con = duckdb.connect()
    for name, path, columns in tables:
        view(con, name, path, tables.format, columns)
    turn = tables.first_count()

    def ask(question):
        return [list(row) for row in con.execute(question).fetchall()]

    figures = {
        "rows": [[name, ask(f"select count(*) from {name}")[0][0]] for name, _, _ in tables],
        "won": ask("""
            select ended_in, winner, count(*) from games
            group by all order by all nulls first
        """),
        "options": ask("""
            select option, count(*) as taken, count(*) filter (player = winner)
            from decisions join games using (game) where outcome = 'won'
            group by option order by taken desc, option
        """),
        "offered": ask(f"""
            select d."{turn}" as turn, count(*), sum(offered)::bigint
            from decisions d group by turn order by turn
        """),
        "dice": ask("""
            with fallen as (
              select what, unnest(from_json(results, '["bigint"]')) as fell from events where kind = 'rolled'
            )
            select what, fell, count(*) from fallen group by all order by all
        """),
        "ends": ask("select count(*) from events where kind = 'over'"),
    }
    finish(tables, figures, summary, out)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Many games: tables that other packages take, counts, comparisons."""

import pytest

import blazon_rules
from blazon_rules import Game, UnknownError, compare, rollouts, simulate


@pytest.fixture(scope="module")
def many():
    return simulate("salt-road", games=60, seed=4)


def test_tables_hang_together(many):
    assert len(many) == len(many.games) == 60
    games, decisions, events = (table.to_pydict() for table in (many.games, many.decisions, many.events))
    assert games["game"] == list(range(60))
    assert sum(games["decisions"]) == len(many.decisions)
    assert events["kind"].count("chosen") == len(many.decisions) + events["forced"].count(True)
    assert sum(many.winners.values()) == 60 - many.faults - many.limits
    assert many.winners["Coast"] == games["winner"].count("Coast")
    assert list(games) == many.games.columns
    assert many.games["winner"][0] == many.games[0]["winner"] == games["winner"][0]
    assert many.games[-1]["game"] == 59
    assert many.games.meanings["winner"] == "who has won"
    with pytest.raises(KeyError, match="winner"):
        many.games["loser"]
    with pytest.raises(IndexError):
        many.games[60]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_same_on_any_number_of_threads(many, threads):
    again = simulate("salt-road", games=60, seed=4, threads=threads)
    for name in ("games", "decisions", "events"):
        assert getattr(again, name).to_pydict() == getattr(many, name).to_pydict()


def test_what_was_not_asked_for_is_told(many):
    only = simulate(Game("salt-road"), games=5, tables=["games"])
    assert len(only.games) == 5
    with pytest.raises(UnknownError, match="tables"):
        only.decisions
    with pytest.raises(UnknownError, match="decisions"):
        simulate("salt-road", games=5, tables=["moves"])
    with pytest.raises(UnknownError, match="already"):
        simulate(Game("salt-road"), variants=["Learned"])
    assert len(simulate("salt-road", games=0)) == 0


def test_polars(many):
    pl = pytest.importorskip("polars")
    games = pl.DataFrame(many.games)
    assert games.columns == many.games.columns and games.height == 60
    assert games.schema["seed"] == pl.Int64 and games["decisions"].sum() == len(many.decisions)
    joined = pl.DataFrame(many.decisions).join(games, on="game")
    assert joined.height == len(many.decisions)


def test_pyarrow_pandas_duckdb(many):
    pa = pytest.importorskip("pyarrow")
    table = pa.table(many.events)
    assert table.num_rows == len(many.events)
    assert table.to_pydict() == many.events.to_pydict()
    assert table.schema.field("forced").type == pa.bool_()
    assert pa.schema(many.events) == table.schema
    duckdb = pytest.importorskip("duckdb")
    table_of_games = pa.table(many.games)
    won = dict(duckdb.sql("select winner, count(*) from table_of_games where winner is not null group by all").fetchall())
    assert won == {name: games for name, games in many.winners.items() if name and games}
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame.from_arrow(many.games)
    assert len(frame) == 60 and list(frame.columns) == many.games.columns


def test_duckdb_takes_a_table_as_it_is(many):
    duckdb = pytest.importorskip("duckdb")
    games = many.games
    assert duckdb.sql("select count(*) from games").fetchall() == [(60,)]


def test_rollouts_play_the_games_of_simulate(many):
    counts = rollouts("salt-road", games=60, seed=4)
    assert counts["games"] == 60 and counts["decisions"] == len(many.decisions)
    assert counts["winners"] == many.winners
    assert counts == rollouts("salt-road", games=60, seed=4, threads=1)


def test_compare_finds_what_a_variant_does():
    # By its outlook alone this variant differs, by which only those play who judge.
    found = compare("salt-road", variants=["Learned"], players="greedy@20", pairs=128, until_sure=False)
    assert found["pairs"] == 128
    assert any(player["won_by_change"] or player["lost_by_change"] for player in found["players"])
    assert [player["player"] for player in found["players"]] == ["Coast", "Hills"]
    for player in found["players"]:
        assert player["verdict"] in ("more", "less", "same", "open")
        won = player["won"]
        assert won[1] - won[0] == player["won_by_change"] - player["lost_by_change"]
    with pytest.raises(UnknownError, match="nothing is changed"):
        compare("salt-road")


def test_tables_in_the_package():
    assert {"simulate", "rollouts", "compare"} <= set(blazon_rules.__all__)

"""A program at the door: it reads, amends, tests, compares, plays, asks why, and keeps what it made."""

import json
import subprocess

import pytest

from conftest import BLAZON, Refused

# Carts that always arrive: one side never pays for a lost company.
GIFT = "replace rule wealth(s: side): number = 9\n  except poor: 0 if s = Hills\n"


def code(refused):
    return refused.value.told["code"]


def test_tools_say_what_they_take(umpire):
    async def story(ask):
        tools = (await ask.session.list_tools()).tools
        assert len(tools) == 21
        for tool in tools:
            assert tool.description, tool.name
            schema = tool.input_schema
            assert schema.get("additionalProperties") is False, tool.name
            for name, about in schema.get("properties", {}).items():
                assert about.get("description"), (tool.name, name)

    umpire(story, "salt-road")


def test_the_description_names_each_tool(umpire):
    async def story(ask):
        with open("interpreter/cli/UMPIRE.md", encoding="utf-8") as page:
            rows = [line for line in page if line.startswith("| `")]
        named = [name.strip("` ") for row in rows for name in row.split("|")[1].split(",")]
        for tool in (await ask.session.list_tools()).tools:
            assert tool.name in named, tool.name

    umpire(story, "salt-road")


def test_pages_are_read_a_piece_at_a_time(umpire):
    async def story(ask):
        about = await ask("rules")
        assert about["players"] == ["Coast", "Hills"]
        pages = {page["page"]: page["lines"] for page in about["pages"]}
        text, line = [], 1
        while line:
            part = await ask("read", page="language/tour.md", **{"from": line, "lines": 100})
            text.append(part["text"])
            line = part.get("next")
        assert len("\n".join(text).split("\n")) == pages["language/tour.md"]
        found = await ask("find", words="TURN LETTER")
        assert any("turn letter" in one["text"] for one in found["found"])
        with pytest.raises(Refused) as refused:
            await ask("read", page="language/tor.md")
        assert "language/tour.md" in refused.value.told["message"]
        for page in ("../../etc/passwd", "/etc/passwd"):
            with pytest.raises(Refused) as refused:
                await ask("read", page=page)
            assert code(refused) == "mcp::page"

    umpire(story, "salt-road")


def test_an_amendment_is_written_mended_tested_and_compared(umpire, tmp_path):
    kept = tmp_path / "gift"

    async def story(ask):
        wrong = await ask("amend", page="gift.blazon", text=GIFT.replace("poor: 0", "poor: nought"))
        assert not wrong["whole"] and wrong["diagnostics"][0]["code"] == "names::unknown"
        assert "nought" in wrong["drawn"]
        page = await ask("explain", code=wrong["diagnostics"][0]["code"])
        assert "nothing has" in page["text"]
        with pytest.raises(Refused) as refused:
            await ask("begin")
        assert code(refused) == "names::unknown"

        whole = await ask("amend", page="gift.blazon", find="nought", **{"with": "0"})
        assert whole["whole"], whole["drawn"]
        await ask(
            "amend",
            page="tests/gift.blazon",
            text='test "Coast is rich" {\n  expect Coast.wealth = 9\n}\n',
        )
        tests = await ask("test", only="rich")
        assert (tests["passed"], tests["failed"]) == (1, 0), tests

        seen = []

        async def progress(done, total, message):
            seen.append((done, total, message))

        result = await ask.session.call_tool("compare", {"seed": 3, "pairs": 1000}, progress_callback=progress)
        found = result.structured_content
        (level,) = found["levels"]
        coast = level["players"][0]
        assert (coast["player"], coast["verdict"]) == ("Coast", "more"), coast
        assert coast["interval"][0] > 0.02
        assert level["causes"], "the lines that do it are named"
        assert seen and seen[-1][1] == 1000

        files = {file["file"]: file["text"] for file in (await ask("amendment"))["files"]}
        assert set(files) == {"blazon.ron", "gift.blazon", "tests/gift.blazon"}
        assert (await ask("keep"))["files"] == ["blazon.ron", "gift.blazon", "tests/gift.blazon"]
        assert (kept / "gift.blazon").read_text() == files["gift.blazon"]
        await ask("amend", page="tests/gift.blazon")
        await ask("keep")
        assert not (kept / "tests/gift.blazon").exists()
        (kept / "mine.txt").write_text("mine")
        with pytest.raises(Refused) as refused:
            await ask("keep")
        assert code(refused) == "mcp::keep" and "mine.txt" in refused.value.told["message"]
        (kept / "mine.txt").unlink()
        # What somebody has written into a page that was kept is not written over.
        page = kept / "gift.blazon"
        page.write_text(page.read_text() + "-- mine\n")
        with pytest.raises(Refused) as refused:
            await ask("keep")
        assert "`gift.blazon`, which was changed" in refused.value.told["message"]
        assert page.read_text().endswith("-- mine\n")
        page.write_text(files["gift.blazon"])
        assert (await ask("keep"))["whole"] is True

    umpire(story, "salt-road", "--keep", str(kept))
    # What was kept is a variant like any other, and the command line finds the same.
    told = subprocess.run(
        [BLAZON, "compare", "salt-road", "-V", kept, "--levels", "random", "--seed", "3", "-n", "1000", "--json"],
        check=True,
        capture_output=True,
        text=True,
    )
    coast = json.loads(told.stdout)["levels"][0]["players"][0]
    assert coast["verdict"] == "more"


def test_a_game_is_played_and_reasons_are_given(umpire):
    async def story(ask):
        with pytest.raises(Refused) as refused:
            await ask("asked")
        assert code(refused) == "mcp::table"
        news = await ask("begin", seed=7, players=["Coast=you", "Hills=greedy"])
        assert news["game"]["seed"] == 7
        (question,) = news["asked"]
        assert question["player"] == "Coast" and question["open"]["march"] == 16
        only = await ask("asked", only="march", **{"from": 15})
        assert [option["id"] for option in only["asked"][0]["options"]] == [15]

        option = question["options"][0]
        would = await ask("attempt", id=option["id"])
        assert would["chance"] or would["changes"]
        standing = await ask("why", option=option["option"], args=option["args"])
        assert standing["standing"] == "open"
        with pytest.raises(Refused) as refused:
            await ask("choose", option="march", args={"b": "Drovers", "to": "Pool"})
        assert code(refused) == "run::illegal"
        before = await ask("save")
        news = await ask("choose", option=option["option"], args=option["args"])
        assert news["events"][0]["option"] == "march"
        value = await ask("ask_rules", question="wealth(Coast)", depth=1)
        assert value["traced"][0]["rule"] == "wealth"

        blocks = (await ask("view", player="Hills"))["kinds"]["block"]
        names = {block["name"] for block in blocks["seen"]}
        assert "Dune Riders" not in names and "Drovers" in names
        everything = (await ask("view"))["kinds"]["block"]
        assert "Dune Riders" in {block["name"] for block in everything["seen"]}

        assert (await ask("back", decisions=0))["decisions"] == 0
        assert (await ask("save")) == before
        await ask("choose", id=0)
        assert (await ask("load", text=before["text"]))["decisions"] == 0
        with pytest.raises(Refused) as refused:
            await ask("load", text="Save(")
        assert code(refused) == "save::damaged"

    umpire(story, "salt-road")


def test_a_game_under_way_keeps_its_rules_until_it_is_played_again(umpire):
    async def story(ask):
        await ask("begin", seed=7)
        for _ in range(6):
            await ask("choose", id=0)
        await ask("amend", page="gift.blazon", text=GIFT)
        old = await ask("ask_rules", question="wealth(Coast)")
        again = await ask("again")
        assert again["again"] == {"whole": True, "decisions": 6}
        assert "Amendment" in again["game"]["played"]
        new = await ask("ask_rules", question="wealth(Coast)")
        assert new["traced"][0]["value"]["value"] == 9 != old["traced"][0]["value"]["value"]
        # A town that cannot be reached: the same choices are not open any more.
        await ask("amend", page="gift.blazon", text="in rule range { replace except slow: 0 }\n")
        parted = await ask("again")
        assert not parted["again"]["whole"] and parted["again"]["parted"]

    umpire(story, "salt-road")


def test_programs_play_whole_games(umpire):
    async def story(ask):
        for _ in range(2):
            news = await ask("begin", seed=5, players=["random"])
            assert news["asked"] == [] and news["end"]["outcome"] == "won"
            assert len(news["events"]) <= 200 and news["events"][-1]["event"] == "over"
        with pytest.raises(Refused) as refused:
            await ask("begin", players=["human"])
        assert code(refused) == "mcp::request" and "`you`" in refused.value.told["message"]

    umpire(story, "salt-road")


def test_where_the_rules_fail_the_game_stands_to_be_asked(umpire):
    async def story(ask):
        # More coins than there may be, in the first evening.
        await ask("amend", page="gift.blazon", text=GIFT.replace("9", "99"))
        with pytest.raises(Refused) as refused:
            await ask("begin", seed=5, players=["random"])
        assert code(refused) == "run::range" and refused.value.told["stack"]
        assert (await ask("asked"))["decisions"] > 0
        value = await ask("ask_rules", question="wealth(Coast)")
        assert value["traced"][0]["value"]["value"] == 99

    umpire(story, "salt-road")


def test_nothing_is_written_unless_it_is_allowed(umpire):
    async def story(ask):
        await ask("amend", page="gift.blazon", text=GIFT)
        with pytest.raises(Refused) as refused:
            await ask("keep")
        assert code(refused) == "mcp::keep"
        for page in ("../gift.blazon", "blazon.ron", "map.svg", "tests/../../gift.blazon"):
            with pytest.raises(Refused) as refused:
                await ask("amend", page=page, text="")
            assert code(refused) == "mcp::amendment", page

    umpire(story, "salt-road")


def test_unknown_arguments_are_refused(umpire):
    async def story(ask):
        with pytest.raises(Refused) as refused:
            await ask("begin", sed=7)
        assert "sed" in str(refused.value.told)
        with pytest.raises(Refused) as refused:
            await ask("choose", id=0, option="march")
        assert code(refused) == "mcp::request"

    umpire(story, "salt-road")


def test_what_lies_there_is_read_again(umpire, tmp_path):
    subprocess.run([BLAZON, "new", "game", "Beans"], cwd=tmp_path, check=True, capture_output=True)
    game = tmp_path / "beans"

    async def story(ask):
        assert (await ask("check"))["whole"]
        (game / "9-broken.blazon").write_text("rule x: number = nothing such\n")
        broken = await ask("check")
        assert not broken["whole"] and "9-broken.blazon" in broken["drawn"]

    umpire(story, str(game))

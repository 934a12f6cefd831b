#!/usr/bin/env python3
"""Works out the figures of a report of `blazon compare` once more, with nothing of Blazon's: plain Python 3.

    python3 tests/report/check.py report.html [compare.json]

It reads the tables of the report (`data-table`, and `data-v` for figures in full precision) and derives from the counts in
them every share, difference, interval and verdict, by formulae that are written here anew from the papers that the Rust
names. With the object that `compare --json` writes for the same command it holds the counts against that, too. Whatever
does not agree is told, and the exit is 1; so it is if there was nothing to check.
"""

import functools
import html.parser
import json
import math
import statistics
import sys

Z95 = statistics.NormalDist().inv_cdf(0.975)


class Page(html.parser.HTMLParser):
    """The tables of each level: name, sums, rows of cells; a cell is a number, a text or None."""

    def __init__(self):
        super().__init__()
        self.levels, self.tables, self.spans = [], [], []
        self.table = self.row = self.cell = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "article":
            self.tables = []
            self.levels.append((attributes["data-level"], self.tables))
        elif tag == "table":
            self.table = {"name": attributes.get("data-table"), "sums": numbers(attributes.get("data-sums")), "rows": []}
            self.tables.append(self.table)
        elif tag == "tr" and self.table is not None:
            self.row = {"sums": numbers(attributes.get("data-sums")), "cells": [], "head": False}
        elif tag in ("td", "th") and self.row is not None:
            self.row["head"] |= attributes.get("scope") == "col"
            self.cell = [float(attributes["data-v"]) if "data-v" in attributes else None, ""]
        elif "data-longer" in attributes:
            self.tables.append({"name": "longer", "sums": numbers(attributes["data-longer"]), "rows": [], "mean": float(attributes["data-v"])})
        elif "data-count" in attributes:
            self.tables.append({"name": attributes["data-count"], "sums": [], "rows": [], "count": float(attributes["data-v"])})

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[1] += data

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            figure, text = self.cell
            self.row["cells"].append(figure if figure is not None else text or None)
            self.cell = None
        elif tag == "tr" and self.row is not None:
            if not self.row["head"]:
                self.table["rows"].append(self.row)
            self.row = None
        elif tag == "table":
            self.table = None


def numbers(text):
    return [float(part) for part in text.split()] if text else []


class Check:
    def __init__(self):
        self.held, self.failed, self.where = 0, 0, ""

    def same(self, what, told, worked_out, near=1e-9):
        both_nothing = told is None and worked_out is None
        if both_nothing or (told is not None and worked_out is not None and (
                told == worked_out if isinstance(told, str) else math.isclose(told, worked_out, rel_tol=near, abs_tol=near))):
            self.held += 1
            return
        self.failed += 1
        print(f"{self.where}: {what}: the report says {told!r}, worked out {worked_out!r}", file=sys.stderr)

    def holds(self, what, is_true):
        self.held += bool(is_true)
        self.failed += not is_true
        if not is_true:
            print(f"{self.where}: {what}: does not hold", file=sys.stderr)


def ratio(hits, of):
    return hits / of if of else 0.0


def wilson(hits, of):
    """Wilson (1927): the shares p with |hits/of - p| <= z sqrt(p (1 - p) / of), the roots of a quadratic."""
    if of == 0:
        return 0.0, 1.0
    share, a = hits / of, 1 + Z95**2 / of
    b, c = -(2 * share + Z95**2 / of), share**2
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    least, most = (-b - root) / (2 * a), (-b + root) / (2 * a)
    return (0.0 if hits == 0 else least), (1.0 if hits == of else most)


def matched(won, even, lost):
    """Agresti and Min (2005): half a pair more in each of the four ways in which two games can come out."""
    n, d = won + even + lost + 2, won - lost
    half = Z95 * math.sqrt(won + lost + 1 - d * d / n) / n
    return max(d / n - half, -1.0), min(d / n + half, 1.0)


def moments(won, even, lost):
    n = won + even + lost
    mean = (won - lost) / n
    return n, mean, (won + lost) / n - mean**2


def bets(matters):
    """The bets that the stake is spread over: three quarters on less than half of what may be bet, evenly by the logarithm
    of the odds from what tells half of what matters; one quarter on more than half, up to 4.5. A quarter apart, or less."""
    least = min(max(matters / 2, 1e-6), 0.4)
    found = []
    for low, high, share in ((math.log(least / (1 - least)), 0.0, 0.75), (0.0, 4.5, 0.25)):
        count = max(math.ceil((high - low) / 0.25), 1)
        for step in range(count):
            odds = math.exp(low + (high - low) * (step + 0.5) / count)
            found.append((odds / (1 + odds), share / count))
    return found


def stake(parts, won, even, lost, mean):
    """What a stake of 1 has become by bets that the mean is greater than this one."""
    total = 0.0
    for part, share in parts:
        money = math.log(share)
        for value, count in ((1, won), (0, even), (-1, lost)):
            if count:
                money += count * math.log(1 + part * (value - mean) / (mean + 1))
        total += math.exp(min(money, 700))
    return total


def least(won, even, lost, matters, error):
    """The least mean against which nobody has made his stake 2 / error times as much (Ville), by bisection."""
    parts, refused, held = bets(matters), -1.0, (won - lost) / (won + even + lost)
    for _ in range(60):
        middle = (refused + held) / 2
        if middle > -1 and stake(parts, won, even, lost, middle) < 2 / error:
            held = middle
        else:
            refused = middle
    return held


def interval(ends, matters, error):
    """What was refused at no moment: below by what had been counted when the last mean below was, above likewise."""
    below, above = ends[:3], ends[3:]
    low = least(*below, matters, error) if sum(below) else -1.0
    high = -least(above[2], above[1], above[0], matters, error) if sum(above) else 1.0
    return low, high


def verdict(low, high, matters):
    if low > 0:
        return "more"
    if high < 0:
        return "less"
    return "same" if -matters < low and high < matters else "open"


def needed(variance, matters, error):
    if variance <= 0:
        return None
    normal = statistics.NormalDist()
    z = normal.inv_cdf(1 - error / 2) + normal.inv_cdf(1 - error)
    return z * z * variance / matters**2


def mean_and_half(count, total, squares):
    if count == 0:
        return None, None
    mean = total / count
    if count < 8:
        return mean, None
    return mean, student(count - 1) * math.sqrt(max(squares / count - mean**2, 0) / (count - 1))


@functools.cache
def student(free):
    """The 97.5th percentile of Student's distribution: how far the integral of its density must go (Simpson's rule)."""
    scale = math.exp(math.lgamma((free + 1) / 2) - math.lgamma(free / 2)) / math.sqrt(free * math.pi)

    def density(t):
        return scale * (1 + t * t / free) ** (-(free + 1) / 2)

    def area(to, parts=400):
        step = to / parts
        inner = sum((4 if place % 2 else 2) * density(place * step) for place in range(1, parts))
        return step / 3 * (density(0) + inner + density(to))

    low, high = 1.9, 2.5
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if area(middle) < 0.475 else (low, middle)
    return low


def wins(check, table):
    for row in table["rows"]:
        name, *cells = row["cells"]
        for which, at in (("base", 0), ("changed", 5)):
            won, games, share, least, most = cells[at:at + 5]
            low, high = wilson(won, games)
            check.same(f"{name}, {which}: share", share, ratio(won, games))
            check.same(f"{name}, {which}: from", least, low)
            check.same(f"{name}, {which}: to", most, high)
    for which, at in (("base", 1), ("changed", 6)):
        check.same(f"{which}: every game comes out somehow", sum(row["cells"][at] for row in table["rows"]), table["rows"][0]["cells"][at + 1])


ENDED_OTHERWISE = "the rules failed", "stopped, too long"


def outcomes(check, table, won, differences, counts):
    """From how each pair came out: who won how often, by how much it differs, and how many came out otherwise."""
    pairs = [(row["cells"][0], row["cells"][1], row["cells"][2]) for row in table["rows"]]
    for at, of in ((0, 0), (1, 5)):
        for name, row in won.items():
            check.same(f"{name}: pairs", sum(pair[2] for pair in pairs if pair[at] == name), row[of])
        check.holds("nobody wins who is in no table", {pair[at] for pair in pairs} <= set(won))
    for name, (gained, _, lost) in differences.items():
        check.same(f"{name}: won instead", sum(n for base, changed, n in pairs if base != name == changed), gained)
        check.same(f"{name}: lost instead", sum(n for base, changed, n in pairs if base == name != changed), lost)
    broken = [n for base, changed, n in pairs if base in ENDED_OTHERWISE or changed in ENDED_OTHERWISE]
    other = [n for base, changed, n in pairs if base != changed and base not in ENDED_OTHERWISE and changed not in ENDED_OTHERWISE]
    check.same("pairs that came out otherwise", counts["otherwise"], float(sum(other)))
    check.same("pairs with a game that came to no end", counts.get("broken", 0.0), float(sum(broken)))


def bounds(name, pairs):
    """The least and the most that a player's differences come to: a game that came to no end was anybody's."""
    found = [[0, 0, 0], [0, 0, 0]]
    for base, changed, count in pairs:
        before, after = ((0, 1) if way in ENDED_OTHERWISE else (int(way == name),) * 2 for way in (base, changed))
        for counts, difference in zip(found, (after[0] - before[1], after[1] - before[0])):
            counts[1 - difference] += count
    return found


def differences(check, table, shares, pairs):
    matters, error, _, is_apart = table["sums"]
    for row in table["rows"]:
        name, won, even, lost, mean, low_told, high_told, said, *rest = row["cells"]
        n, average, variance = moments(won, even, lost)
        check.same(f"{name}: difference", mean, average)
        if name in shares:
            base, games, _, _, _, changed, *_ = shares[name]
            check.same(f"{name}: difference of the shares", mean, ratio(changed, games) - ratio(base, games))
        low, high = interval(row["sums"], matters, error)
        check.same(f"{name}: from", low_told, low, 1e-6)
        check.same(f"{name}: to", high_told, high, 1e-6)
        # What is counted now refuses nothing that was not refused before. Games that came to no end count against whatever
        # is claimed.
        below, above = bounds(name, pairs) if pairs else [(won, even, lost)] * 2
        now = least(*below, matters, error), -least(*reversed(above), matters, error)
        check.holds(f"{name}: no wider than by what is counted now", low_told >= now[0] - 1e-6 and high_told <= now[1] + 1e-6)
        check.holds(f"{name}: `{said}` with {low_told} to {high_told}", {
            "more": low_told > 0,
            "less": high_told < 0,
            "same": -matters < low_told and high_told < matters,
            "open": verdict(low_told, high_told, matters) == "open",
        }[said])
        after, sure_won, sure_even, sure_lost, paired, apart = rest
        if said != "open":
            check.same(f"{name}: pairs when it was sure", after, sure_won + sure_even + sure_lost)
        # No number of pairs tells what games that came to no end hide.
        broken = sum(count for base, changed, count in pairs if {base, changed} & set(ENDED_OTHERWISE))
        hidden = broken > matters * n > 0
        check.same(f"{name}: pairs needed", paired, None if hidden or is_apart else needed(variance, matters, error), 1e-6)
        if name in shares:
            base, games, _, _, _, changed, of, *_ = shares[name]
            two = sum(ratio(w, g) * (1 - ratio(w, g)) for w, g in ((base, games), (changed, of)))
            check.same(f"{name}: games needed without pairing", apart, None if hidden else needed(two, matters, error), 1e-6)


def measures(check, table):
    for row in table["rows"]:
        name, count, mean, half = row["cells"]
        average, width = mean_and_half(*row["sums"])
        check.same(f"{name}: games", count, row["sums"][0])
        check.same(f"{name}: mean", mean, average)
        check.same(f"{name}: half", half, width, 2e-4)
    base, changed, apart = (row["cells"][2] for row in table["rows"])
    check.same("of the same pairs", len({row["sums"][0] for row in table["rows"]}), 1)
    if apart is not None:
        check.same("difference of the means", apart, changed - base)


def shares(check, table, columns):
    """Each column of shares is one count through another."""
    for row in table["rows"]:
        cells = row["cells"]
        for share, hits, of in columns:
            if cells[share] is not None:
                check.same(f"{cells[0]}: column {share}", cells[share], ratio(cells[hits], cells[of]))


def subtracted(check, table, column, base, changed):
    for row in table["rows"]:
        cells = row["cells"]
        if cells[column] is not None:
            check.same(f"{cells[0]}: column {column}", cells[column], cells[changed] - cells[base])


def lengths(check, table, games):
    for column, total in ((2, games[0]), (3, games[1])):
        check.same(f"games in column {column}", sum(row["cells"][column] for row in table["rows"]), total)


def places(check, table):
    """Means by game and how sure their differences are: what two games of a pair have in common is taken off, with two
    made-up pairs that differ as much as the others that do. What is counted in parts is made whole first."""
    *games, unit = table["sums"]
    rows = table["rows"]
    for row in rows:
        name, base, changed, difference, half, sure = row["cells"]
        found = []
        for at, told in ((0, base), (1, changed)):
            total, squares = row["sums"][2 * at] / unit, row["sums"][2 * at + 1] / unit**2
            if told is None:
                continue
            mean = total / games[at]
            variance = max(squares / games[at] - mean**2, 0.0) / max(games[at] - 1, 1)
            check.same(f"{name}: mean", told, mean)
            found.append((mean, variance))
        if difference is not None:
            (one, variance), (other, variance_of_other) = found
            cross, otherwise = row["sums"][4] / unit**2, row["sums"][5]
            common = (cross / games[0] - one * other) / max(games[0] - 1, 1)
            few = (max(otherwise, 1) + 2) / max(otherwise, 1)
            apart = other - one
            width = None
            if games[0] >= 8:
                width = student(games[0] - 1) * math.sqrt(max(variance + variance_of_other - 2 * common, 0.0) * few)
            check.same(f"{name}: difference", difference, apart)
            # What is left of great sums that cancel is not known to the last digit.
            check.same(f"{name}: half", half, width, 2e-4)
            check.same(f"{name}: sure", sure or "", "yes" if half is not None and abs(difference) > half else "")


def level(check, name, tables):
    check.where = name
    of = {}
    for table in tables:
        of.setdefault(table["name"], []).append(table)
    won = {row["cells"][0]: row["cells"][1:] for row in of["wins"][0]["rows"]}
    games = next(iter(won.values()))
    games = games[1], games[6]
    for kind, all_of_kind in of.items():
        for table in all_of_kind:
            check.where = f"{name}, table {kind}"
            if kind == "wins":
                wins(check, table)
            elif kind == "differences":
                differences(check, table, won, [row["cells"][:3] for found in of.get("outcomes", []) for row in found["rows"]])
            elif kind == "measures":
                measures(check, table)
            elif kind == "lengths":
                lengths(check, table, table["sums"])
            elif kind == "longer":
                base, changed, apart = (table["sums"][at:at + 3] for at in (0, 3, 6))
                check.same("mean", table["mean"], mean_and_half(*apart)[0])
                check.same("difference of the means", table["mean"], mean_and_half(*changed)[0] - mean_and_half(*base)[0])
            elif kind == "outcomes":
                apart = {row["cells"][0]: row["cells"][1:4] for row in of["differences"][0]["rows"]}
                counts = {name: of[name][0]["count"] for name in ("otherwise", "broken") if name in of}
                outcomes(check, table, won, apart, counts)
            elif kind == "leading":
                shares(check, table, [(4, 2, 3), (6, 5, 2), (9, 7, 8), (11, 10, 7)])
            elif kind == "decided":
                shares(check, table, [(3, 2, 1), (6, 5, 4)])
            elif kind == "endings":
                for row in table["rows"]:
                    _, _, base, share, changed, other, difference = row["cells"]
                    check.same("share", share, ratio(base, games[0]))
                    check.same("share", other, ratio(changed, games[1]))
                    check.same("difference", difference, other - share)
                for column, total in ((2, games[0]), (4, games[1])):
                    check.same("all games end somewhere", sum(row["cells"][column] for row in table["rows"]), total)
            elif kind == "causes":
                for row in table["rows"]:
                    check.same(f"{row['cells'][0]}: share", row["cells"][4], ratio(row["cells"][3], table["sums"][0]))
            elif kind == "options":
                shares(check, table, [(4, 3, 2), (7, 6, 5), (10, 9, 8), (13, 12, 11)])
                subtracted(check, table, 14, 4, 10)
                subtracted(check, table, 15, 7, 13)
            elif kind == "setups":
                shares(check, table, [(4, 2, 3), (7, 5, 6)])
                subtracted(check, table, 8, 4, 7)
                for row in table["rows"]:
                    least_told, most_told = row["cells"][9:11]
                    low, high = matched(*row["sums"])
                    check.same("from", least_told, low)
                    check.same("to", most_told, high)
                    won, _, lost = row["sums"]
                    check.same("difference of the pairs", row["cells"][8], (won - lost) / sum(row["sums"]))
            elif kind in ("stood", "met", "left", "walked"):
                places(check, table)


def against_json(check, told, levels):
    """The counts of the report against the object for programs."""
    check.same("levels", float(len(told["levels"])), float(len(levels)))
    for one, (name, tables) in zip(told["levels"], levels):
        check.where = f"{name}, json"
        of = {table["name"]: table for table in tables}
        won = {row["cells"][0]: row["cells"] for row in of["wins"]["rows"]}
        apart = {row["cells"][0]: row["cells"] for row in of["differences"]["rows"]}
        for player in one["players"]:
            row, difference = won[player["player"]], apart[player["player"]]
            check.same("won, base", row[1], float(player["won"][0]))
            check.same("won, changed", row[6], float(player["won"][1]))
            check.same("won instead of lost", difference[1], float(player["won_by_change"]))
            check.same("lost instead of won", difference[3], float(player["lost_by_change"]))
            check.same("difference", difference[4], player["difference"])
            check.same("verdict", difference[7], player["verdict"])
            if player["interval"]:
                check.same("from", difference[5], player["interval"][0])
                check.same("to", difference[6], player["interval"][1])
            check.same("sure after", difference[8], None if player["sure_after"] is None else float(player["sure_after"]))
        check.same("came out otherwise", of["otherwise"]["count"], float(one["otherwise"]))
        check.same("with a game that came to no end", of["broken"]["count"] if "broken" in of else 0.0, float(one["broken"]))
        for option in one["options"]:
            rows = [row["cells"] for row in of["options"]["rows"] if row["cells"][:2] == [option["option"], option["step"]]]
            for at, which in ((2, "base"), (8, "changed")):
                fared = option[which]
                if rows and fared:
                    check.same(f"{option['option']}: open, {which}", rows[0][at], float(fared["offered_to_end"]))
                    check.same(f"{option['option']}: taken, {which}", rows[0][at + 1], float(fared["to_end"]))


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    page = Page()
    with open(arguments[1], encoding="utf-8") as file:
        page.feed(file.read())
    check = Check()
    for name, tables in page.levels:
        level(check, name, tables)
    if len(arguments) == 3:
        with open(arguments[2], encoding="utf-8") as file:
            against_json(check, json.load(file), page.levels)
    if check.failed or check.held == 0:
        print(f"{check.failed} of {check.failed + check.held} figures do not agree", file=sys.stderr)
        return 1
    print(f"{len(page.levels)} levels, {check.held} figures worked out once more: all agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

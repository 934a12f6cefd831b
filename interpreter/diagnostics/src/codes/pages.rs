//! The pages themselves. To add a code, add a page beside its family; the tests of the parent module check its form.

use super::Explanation;

/// Makes the table of pages: `"code", "title", "text";`, the text beginning on the line after its opening quote.
macro_rules! pages {
    ($($code:literal, $title:literal, $text:literal;)*) => {
        /// All pages, by family.
        pub(super) const PAGES: &[Explanation] =
            &[$(Explanation { code: $code, title: $title, text: $text.trim_ascii_start() }),*];
    };
}

pages! {
"syntax::expected", "Something else belongs here", r#"
The text was understood up to the underlined word, and there something else
should stand. The message lists what could follow, and what was found instead.

    rule range(b block): number = 2
                 ^^^^^ expected `:`, found `block`

The cause is often a little earlier: a sign left out, or two names that touch.
A name is a run of words, so two names always need a sign between them.

To mend it, write one of the things the message lists. Here:

    rule range(b: block): number = 2
"#;

"syntax::brace", "A bracket is not closed, or closed twice", r#"
Every `{`, `(` and `[` needs its partner further down. This one has none, or
it is closed by a bracket of another sort.

    step muster(s: side) {
      for b in s.reserve {
        b.at := Mill
    }                          -- closes `for`; nothing closes `step`

To mend it, count the brackets from the line that is shown, and add the
missing one or remove the one too many. Lines indented to match their brackets
make the gap easy to see.
"#;

"syntax::brackets", "Brackets are missing", r#"
Two signs stand beside each other whose order not every reader knows. The
machine has an order for them, but the page must say what is meant.

    rule weak(p: piece): flag = p.strength = 1 or p.tired and p.strength = 2
    rule left(a: area): number = count a.pieces - a.guests
    rule near: set of road = all r in Mill.roads + Ford.roads where r.open

Brackets are asked for where `and` stands beside `or`; around what a query goes
through, sums up or follows (behind `in`, `by`, `within`) where `+`, `-` or `&`
joins it; and where one of these signs follows a query without a variable.

Behind the `by` of `most`, `least`, `highest` and `lowest` a comma brings
another key. Where commas separate values, too, the query stands in brackets:

    for p in (least p in s.army by p.strength, p.steps), Lancers { rest(p) }

To mend it, put what belongs together in brackets:

    rule weak(p: piece): flag = p.strength = 1 or (p.tired and p.strength = 2)
    rule left(a: area): number = count (a.pieces - a.guests)
    rule near: set of road = all r in (Mill.roads + Ford.roads) where r.open
"#;

"syntax::tab", "A tab where only spaces may stand", r#"
Tabs have a different width in every program that shows them, so columns that
line up for you would be crooked for others. Tables are therefore aligned with
spaces.

    table area
      | name | port |
      | Mill⇥| yes  |          -- ⇥ is a tab

To mend it, replace each tab by spaces. Most editors can be told to write
spaces when you press the tab key.
"#;

"syntax::text", "A text in quotes is not closed, or its gap is not", r#"
A text begins and ends with `"` on the same line. Inside it, `{` and `}`
enclose a gap that is filled in while playing, and what stands in the gap must
be complete.

    say "{b} marches to {to"          -- the gap is not closed
    say "{b} marches to {to}          -- the text is not closed

To mend it, add the missing `"` or `}`:

    say "{b} marches to {to}"
"#;

"syntax::item", "This line does not begin anything", r#"
Outside brackets, every line begins something the language knows: `kind`,
`fact`, `state`, `rule`, `step`, `table`, `links`, `setup`, `ruling`,
`whenever`, `test`, or a change to the book such as `in`, `before`, `replace`,
`under`. This one begins with something else.

    roll range(b: block): number = 2          -- `rule` was meant

To mend it, correct the first word. If the line belongs to what stands above
it, a bracket was probably closed too early.
"#;

"syntax::depth", "Too many brackets inside each other", r#"
Brackets may be nested only so deep, so that no file can exhaust the program
that reads it. Nothing a person writes comes near the limit.

    ((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))) ...

To mend it, give the inner part a name of its own with `let` or as a `rule`,
and use the name. If the file was made by a program, that program has gone
astray.
"#;

"syntax::hole", "A text that is always the same has a hole in it", r#"
What a test expects to be said, the name of a test, the question of a ruling,
the title of a setup, what is omitted and the name of a file are the same
whenever they are read: nothing is filled in.

    test "no room" {
      refuse Red: march(Lancers, Ford) "{Ford} is full"
    }

To mend it, write the words as whoever plays reads them:

    refuse Red: march(Lancers, Ford) "the Ford is full"

A brace that is meant is written twice, `{{` and `}}`.
"#;

"syntax::reserved", "This word cannot be part of a name", r#"
A few words hold sentences together and can stand in no name: `and or not in
where by within otherwise if else beats`. Some more, such as `all any every
count first lowest for let choose option needs`, cannot begin one.

    state losses by fire: 0..4        -- `by` cannot stand in a name
    rule count of foot: number = 2    -- `count` cannot begin a name

To mend it, choose other words, or put what is printed on a component in
single quotes:

    state fire losses: 0..4
    kind card = 'All or Nothing'
"#;

"files::ending", "A file that might be a page and is none", r#"
A page of rules is a file that ends in `.blazon`. The name of this one has that
in it, but something else behind it, as some editors put it there. It is not
read, and so nothing that it says holds.

    2-turn.blazon.txt

To mend it, call it `2-turn.blazon`, or keep it elsewhere.
"#;

"files::missing", "A file or folder is not there", r#"
A file that was asked for, or that another file names, does not exist.
Capitals count, even if your computer treats them as equal.

    outline: "Outline.txt",        -- the file is called outline.txt

To mend it, correct the name, or add the file. Names are relative to the
folder of the game or variant.
"#;

"files::manifest", "blazon.ron cannot be understood", r#"
Each game and each variant has a file `blazon.ron` that says what it is
called, what it builds on, and where it begins. Here an entry is missing,
unknown, or of the wrong sort. A comma forgotten at the end of a line is the
usual cause.

    Game(
      name: "Two Rivers"           -- no comma
      version: "1.0.0",
      player: "side",
    )

To mend it, compare the file with the one of a game that works. Texts stand in
double quotes, lists in `[ ]`, and every entry ends with a comma.

It is a warning where a variant names another in its lists `after` or
`excludes` and there is none of that name: the entry does nothing then.
"#;

"files::unreadable", "A file cannot be read", r#"
The file is there, but it cannot be opened, or it is not plain text in the
encoding UTF-8. Files saved by a word processor are not plain text.

    rules.blazon: byte 1042 is not UTF-8

To mend it, save the file again as "plain text, UTF-8" in a text editor. If
the message speaks of permission, allow your user to read the file.
"#;

"files::outside", "A path leaves the folder of the rules", r#"
Rules come from strangers, so a game may read only files in its own folder and
the library. Paths with `..`, paths from the root, and links that lead
elsewhere are refused.

    table hex "../other-game/map.tsv"

To mend it, copy the file into the folder of the game and name it from there:

    table hex "map.tsv"
"#;

"looks::part", "What cannot be drawn there", r#"
A look says which facts and states of a kind are drawn, and each part of a look
takes facts or states of its own sort: pips are a state that is a number and the
fact that it begins as.

    look piece pips: steps

To mend it, name what the part takes:

    look piece pips: strength, steps

`none` draws nothing: `look piece pips: none`. A look that draws nothing and
does not say so is a warning: of a part that nothing on the board has, of marks
beside names on a grid, of ground where there is no grid, or of a sign by which
nothing of that name is drawn, such as `look Plain: anchor` where `Plain` is a
ground. So is `none` for a state that is told only where a part of its kind
draws it: say `look piece pips: none` there.
"#;

"looks::sign", "No such sign", r#"
Whatever bears a name is drawn by one of the signs that there are: tinctures,
glyphs, grounds, lines, colours of lines. The reference lists them in 4.6.

    look Red: scarlet

To mend it, take one of them:

    look Red: gules
"#;

"looks::point", "Two places are drawn at one point", r#"
A board without a drawn map shows each place at the point that is printed for
it. A blank cell is the point 0, 0; two places at one point cover each other,
and nobody can tell or click them apart.

    kind area { fact drawn at: point }
    table area
      | name | drawn at |
      | Mill | 120, 80  |
      | Ford |          |
      | Hill |          |

To mend it, print where each stands, across and down:

    | Ford | 200, 140 |
    | Hill | 260, 90  |
"#;

"map::unreadable", "The drawn map cannot be read", r#"
`map.svg` is an SVG of at most 3 MB that says how large it is, with groups and
shapes whose numbers and transforms can be read.

    <svg xmlns="http://www.w3.org/2000/svg"> … </svg>

To mend it, save it as plain SVG, and give it a `viewBox`:

    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600"> … </svg>
"#;

"map::element", "This may not stand in a map", r#"
A map comes from strangers and is shown to everybody, so it has groups and
shapes only. What could run, or read something outside the file, is refused:
scripts, pictures, links, attributes such as `onclick`.

    <image href="https://example.org/map.png"/>

To mend it, take it out. A picture that was traced is not needed any more.
"#;

"map::unknown", "A shape that is nothing in the rules", r#"
In the layer of a kind every shape is a thing of that kind, by its label.

    <g id="area"><path d="…"><title>Mil</title></path></g>

To mend it, label the shape as the thing is called, or move what is only
decoration out of the layer:

    <g id="area"><path d="…"><title>Mill</title></path></g>
"#;

"map::twice", "Two shapes for one thing", r#"
A thing is drawn by one shape, which may have several parts.

    <g id="area"><path id="Mill" d="…"/><path inkscape:label="Mill" d="…"/></g>

To mend it, join the shapes to one path (in Inkscape: Path, Combine), or label
one of them otherwise.
"#;

"map::missing", "A thing without a shape", r#"
The map has a layer for a kind, and no shape in it bears the name of this thing.
It is drawn as a disc amid its neighbours.

    <g id="area"> … no shape called Mill … </g>

To mend it, draw it in the layer of its kind, and label it with its name.
"#;

"names::unknown", "A name that nothing has", r#"
Nothing of this name can be asked for here. Usually it is a slip of the pen,
and the message says which name was probably meant. Small words and capitals
are part of a name: `points left` and `Points Left` are different.

    option play(c in s.hnad) "Play {c}"
                       ^^^^ did you mean `hand`?

To mend it, correct the name, or declare what is missing. A name from the
library needs its module in the list `uses` of blazon.ron.
"#;

"names::ambiguous", "A name that could mean several things", r#"
Things of different kinds may share a name. Normally the kind that is expected
decides, but here more than one fits. The message lists them.

    say "{Harbour} is lost"           -- the area or the card `Harbour`?

To mend it, put the kind in brackets behind the name:

    say "{Harbour (area)} is lost"

Things of one kind that look alike (`copies` in their table) share a name, too.
It is the set of them all; where one must stand, say which:

    load(Cart)                        -- which of the three carts?
    load(first Cart)                  -- the first in printed order
    for w in Cart { load(w) }         -- each

As a warning: `neighbours` follows the first kind of links that joins two
things, and there is another. Say which is meant:

    b.at.neighbours                   -- by road, or by river, too?
    b.at.road neighbours

Or two variants that do not know each other: what one hangs on a step speaks of
a rule or state, and the body that the other puts has a variable called so.

    in step levy { option bribe "Bribe for {fee}" { … } }   -- the rule `fee`
    replace step levy(s: side) { let fee = 1; … }           -- another variant

Give the variable another name; or let the manifest of the first name the second
in `after:`, if the variable is meant.
"#;

"names::twice", "The same name is declared twice", r#"
Within one kind, and among the rules that are asked of the same kinds, a name
may be given only once. Otherwise nobody could tell which of the two is meant.
Both places are shown.

    kind area = Mill, Harbour, Mill

Two tests that show the same are told apart by nobody, either.

As a warning: a variable is called as another that is known there. From here on
the name means the second, and the first cannot be asked for.

    for b in s.army {
      if any b in b.at.pieces where b.side = s.foe { fight(b) }
    }                                 -- which `b` is in the fight?

To mend it, remove one or rename it. A game may complete a kind of the
library, but not repeat what the library already says; to change that, write
`replace`.
"#;

"names::scope", "A state is used outside the step that it lives in", r#"
A state that is `fresh each` step and has no starting value exists only while
that step runs. Outside it there is nothing to read. The same is true inside,
as long as nothing was put there.

    state attacker: side, fresh each battle
    rule leader: side = attacker      -- also asked when there is no battle

To mend it, ask only inside the step, hand the value over as a parameter, or
let the state be optional, so that everybody must say what holds otherwise:

    state attacker: side?, fresh each battle

A flag, a number, or what may be absent is there at any time; but what is set
and read where none of its steps is under way is not made fresh there. That is
a warning. To mend it, name the other step, too:

    state tired(piece): flag, fresh each turn, parade

`can OPTION` asks from elsewhere only for what is known everywhere, not for what
a `let`, a loop or a condition around the choice lets the option know. To mend
it, let the option ask a rule of its own that says what holds elsewhere, or ask
beside it, in what another option of the same choice needs.
"#;

"names::unused", "A name that is never used", r#"
This is declared, but nothing in the rules, tests or library looks at it. A
state may be set and never asked for; a step or rule may not ask for one of its
parameters. The game can be played, but a rule may have been forgotten, or the
name is written differently where it should be used.

    let losses = count b in hits where b.broken
    reduce(s, 2)                      -- `losses` was meant to be used here
    step pay(s: side, n: 0..9) { s.coins -= 1 }       -- `n` was

To mend it, use it or delete it.
"#;

"types::mismatch", "A different sort of thing is needed here", r#"
Every place expects things of a certain sort: an area, a number, yes or no.
What stands here is of another sort, so the comparison or the change could
never make sense.

    b.at := Red                       -- `at` holds an area, Red is a side

To mend it, write a thing of the sort the message names, or ask the thing you
have for it:

    b.at := Red.base
"#;

"types::absent", "Something may be missing where it is required", r#"
A type with `?` may be empty: a block in the reserve stands in no area. Here
one thing is required, and the rules do not say what happens when there is
none.

    rule ground(b: block): area = b.at
                                  ^^^^ may be absent here

To mend it, say what holds otherwise, pass the question on to those who ask,
or ask first whether it is there:

    rule ground(b: block): area = b.at otherwise Harbour
    rule ground(b: block): area? = b.at
    if any b.at { enter(b.at) }

`with a = b.at { ... }` is done if there is an area, and passed over if not.

What is asked of something absent is absent itself, wherever that stands: where
`b.at` may be missing, so may `distance(b.at, Harbour)`. Say it of the answer:

    rule far(b: block): flag = (distance(b.at, Harbour) otherwise 9) > 3
"#;

"types::arity", "Too many or too few values in the brackets", r#"
A rule or step is asked with exactly the values its heading lists, in that
order. Here the number differs.

    rule may cross(b: block, to: area): permission
    needs may cross(b)                -- to where?

To mend it, give one value for each parameter. A value before the dot counts
as the first one: `b.may cross(to)` and `may cross(b, to)` are the same.
"#;

"types::not-a-set", "A set is needed, and this is a single value", r#"
Words such as `all`, `any`, `count`, `first` and `for` go through the members
of a set. A number, a text or a flag has no members.

    for p in points left { draw card(s) }

To mend it, name the set. To do something a number of times, go through the
numbers:

    for p in 1..points left { draw card(s) }
"#;

"types::range", "A number that never fits its range", r#"
A range such as `0..4` is kept: by states, by the parameters of rules and steps,
by what rules give and steps return. Here a number is given that lies outside
in every case, or a state whose range leaves 0 out does not say where it begins.

    rule three: 0..1 = 3
    step shout(n: 0..1) { }           -- done with `shout(7)`
    state turn number: 1..7           -- a number begins at 0

To mend it, give another number, widen the range where it is declared, or write
the start of the state behind its range:

    state turn number: 1..7 = 1
"#;

"types::number-of-set", "Many numbers where one is needed", r#"
Asked of a set, a question gives one answer for each member. For numbers it is
not clear which is meant: the sum, the highest, or how many there are.

    rule firepower(s: side): number = s.army.strength

To mend it, say it:

    rule firepower(s: side): number = total b in s.army by b.strength

`count s.army` is the number of members, `max b in s.army by b.strength` the
highest of the numbers, `most b in s.army by b.strength` those that have it. A
yes or no is asked by `any b in s.army where b.moved` or `every b in s.army:
b.moved`.
"#;

"types::not-assignable", "This cannot be changed", r#"
Only a `state` can be changed with `:=`, `+=` or `-=`. A `fact` is printed on
the component, a `rule` is worked out anew each time, and names made with
`let` or in a heading stay what they are.

    rule strength(b: block): number = b.steps - b.hits
    strength(b) -= 1                  -- worked out, cannot be set

To mend it, change the state that the rule is worked out from, or declare one:

    b.hits += 1
"#;

"tables::empty", "A table or a list of links without rows", r#"
A file that a table names has no row, or a table or a list of links has nothing
below its heading line. A file may be empty by mistake, or hold nothing but
comments; the kind would then have no things of this table, and nobody would
know.

    table area "map.tsv"          -- a file of 0 bytes

To mend it, write a heading and its rows, one on each line, in a file with a
tab between one cell and the next, or below the line:

    table area
      | name | ground |
      | Mill | river  |

Where a variant brings all rows, let it bring the table, too.
"#;

"tables::title", "A title does not belong to this table alone", r#"
A table may have a title, the one that is printed above it. It is how the table
is asked for by itself, so no two tables have the same, and only a rule that is
a table has one.

    rule losses(die: 1..6): number "Losses"
    rule sunk(die: 1..6): number "Losses"

To mend it, change one of the two, or take it out:

    rule sunk(die: 1..6): number "Losses at sea"
"#;

"tables::columns", "The columns of a table do not fit", r#"
A heading names no fact of this kind, stands there twice, or a row has more or
fewer cells than the heading row.

    table area
      | name    | port | owner |
      | Harbour | yes  |              -- the third cell is missing

To mend it, correct the heading or complete the row. Empty cells are written
too:

      | Harbour | yes  |       |
"#;

"tables::cell", "This cell does not hold what its column needs", r#"
Each column takes values of one type: a number within its range, a thing of a
certain kind, `yes` or nothing. The text in this cell is none of these.

    fact steps: 1..4
    table block
      | name    | steps |
      | Lancers | 5     |             -- at most 4

To mend it, correct the cell, or widen the type if the component really says
so.
"#;

"tables::gap", "The table has no line for some case", r#"
A rule written as a table must answer whenever it is asked. For the values
shown in the message there is no row, column or range.

    rule losses(odds: -2..2): number
      | ..-1 | 1.. |
      | 2    | 0   |                  -- what about 0?

To mend it, add the missing column or row, or widen one that stands there,
such as `0..` for "0 or more".
"#;

"tables::overlap", "Two lines of the table fit the same case", r#"
For the values shown in the message two rows, columns or ranges apply, so it
is not clear which one counts.

    rule losses(roll: 1..6): number
      | 1..3 | 3..6 |                 -- 3 stands in both
      | 0    | 1    |

To mend it, make the ranges meet without sharing a number: `1..3` and `4..6`.
A variant that wants another row writes `replace` in front of it.
"#;

"grid::number", "Places of a grid whose numbers say not where they lie", r#"
A grid is laid out by the printed numbers of its hexes: the first two digits
are the column, the last two the row. Where two have the same number one would
lie on top of the other.

    | name    | number |
    | Rouen   | 1804   |
    | Evreux  | 1804   |

To mend it, correct one of them. A place whose number is blank is not on the
grid. A number of more than four digits is read by no grid: give the places one
of four in a fact of its own.
"#;

"grid::astray", "The number of a place of a grid looks wrong", r#"
The number says where a place lies. This one lies where it touches no other, or
is called by another number than the one that is printed for it, while most of
the others are called by theirs. It is played so; but whoever misprints a number
moves a place away from its neighbours.

    table hex
      | name   | number |
      | '0102' | 0102   |
      | '0103' | 1003   |

To mend it, print the right number. A place that lies on no map needs none:
declare the fact as `0..9999?` and leave its cell blank.
"#;

"grid::apart", "These two places of a grid do not touch", r#"
A grid joins what touches, and nothing else. A list of links of that kind only
adds facts, such as rivers, to the sides that are there.

    grid hexside by number, even columns low
    links hexside (river)
      Rouen - Poitiers

To mend it, correct one of the two places: the message lists what the first
one touches. If all of a list seems to be shifted, the grid may be staggered
the other way: `odd columns low`.
"#;

"setup::place", "This cannot be placed there", r#"
A setup says `thing: place` for the states named in its heading. Here the
thing is of another kind than the setup places, or the place is no value of
any of the states listed.

    setup Border War (block: side, at) {
      Red { First Foot: Reserve }     -- `Reserve` is a status, not an area
    }

To mend it, correct the name, or list the state that it is a value of:

    setup Border War (block: side, at, status) {
"#;

"setup::missing", "The setup leaves something out", r#"
At the start every piece must be somewhere, and every state without a starting
value must be given one. The message names what has no place or value.

    setup Border War (block: side, at, status) {
      Red { First Foot: Mill }        -- the Lancers are nowhere
    }

To mend it, place what is missing, give all the rest one place with `others:`,
or give the state a starting value where it is declared.

    others: Reserve
"#;

"setup::twice", "The setup says the same thing twice", r#"
A piece can stand in only one place, and a state can start with only one
value. Both lines are shown.

    Red {
      First Foot, Lancers: Mill
      Lancers: Harbour                -- the Lancers stand in the Mill
    }

To mend it, delete one of the lines. If there really are two such pieces, give
them two names, or a number of `copies` in their table.
"#;

"rules::promise", "A promise of the library is not kept", r#"
A library may leave a rule open: it is declared without an answer, and the
game must give one. This game uses the library, but does not answer.

    rule turn letter(b: block): letter            -- in the library
    rule turn letter(b: block): letter = b.rating.letter      -- in the game

To mend it, write a rule with this name and these parameters in the game, as
in the second line. If there already is one, compare the kinds in its
brackets.
"#;

"rules::no-value", "A rule has no value", r#"
A rule has exceptions, or a heading alone, and nothing says what it gives where
no exception holds.

    rule speed(p: piece): number
      except tired: 1 if p.tired

To mend it, write the value behind the heading:

    rule speed(p: piece): number = 2
      except tired: 1 if p.tired

In a library it would be a promise, which the game has to keep.
"#;

"rules::heading", "A rule that is asked by its name has another heading", r#"
Two rules are asked by their names and not by other rules: `chooser` says who
decides for a player, `outlook` how things look for him. Each is asked with
one player. With another heading nobody would ask it, and nobody would say so.

    rule outlook: number = 3 * vp(Red)           -- for whom?
    rule outlook(s: side): number = 3 * s.vp

To mend it, write the heading that the help shows, with the kind that decides,
or give the rule another name.
"#;

"rules::clash", "Two exceptions can hold together and disagree", r#"
When two exceptions to a rule hold at the same time and give different values,
the rule has no answer. Here they hold under the same condition, so it is seen
when the rules are read. The message shows both.

    rule range(b: block): number = 2
      except horse: 3 if b.class = Horse
      except tired: 1 if b.class = Horse    -- and which of them?

To mend it, make the conditions exclude each other, or say which one wins:

      except tired beats horse: 1 if b.class = Horse

Whether two different conditions meet is mostly seen only when a game is
played: then the game stops there, with `run::clash`.
"#;

"rules::cycle", "A rule that asks itself", r#"
To answer this rule, the same rule must be answered first, directly or by way
of others. It would never end. The message shows the way round.

    rule supplied(a: area): flag =
        a.depot or any n in a.neighbours where n.supplied

To mend it, say how far the question spreads with `reach`, which goes from one
to the next until nothing new is found:

    rule supply net: set of area =
        reach a in depots by a.neighbours
    rule supplied(a: area): flag = a in supply net
"#;

"rules::dead", "This can never be used", r#"
The condition here can never hold, or something above it always comes first.
The line has no effect on the game, so it probably does not say what was
meant.

    rule range(b: block): number = 2
      except far: 3 if b.class = Horse and b.class = Foot

A law, `needs` between the heading of a step and its body, is the same where no
option does the step: there is nobody whom it could refuse. Where a change adds
an option to a step, a `needs` behind the option's block is such a law of the
step; what the option needs stands before its block.

To mend it, correct the condition, or put the law on the step that the option
does; what shall end a step can be asked before it, `before fire { if … {
return } }`. If the rule is really no longer needed,
delete it.
"#;

"rules::effect", "A rule may only answer, not change anything", r#"
Rules are looked up at any time, also to find out what is allowed, and may be
asked often or not at all. So a rule cannot change a state, roll dice, draw
cards, ask a player or call a step that does.

    rule losses(s: side): number = roll(d6)

To mend it, do it in a step, and hand the result to the rule:

    step fire(s: side) {
      let pips = roll(d6)
      s.hits += losses(pips)
    }
"#;

"steps::cycle", "A step that calls itself", r#"
This step is begun again before it has ended, directly or by way of others. A
game in progress must stay small enough to be saved and copied, so steps may
not do that. The message shows the way round.

    step retreat(b: block) {
      b.at := b.refuge
      if b.at.full { retreat(b) }
    }

To mend it, repeat with `while`, or go through a set with `for`:

    while b.at.full { b.at := b.refuge }
"#;

"steps::choice-empty", "A choice may come up with nothing to choose", r#"
Each option here is open only under conditions. If none is open, the game
would have nothing to offer and no way to go on.

    choose by s "Who leads?" {
      option lead(b in s.leaders) { leader := b }     -- and without leaders?
    }

To mend it, say what happens then, or add an option that is always open:

    choose by s "Who leads?" {
      option lead(b in s.leaders) { leader := b }
    } else { surrender(s) }
"#;

"steps::case", "The cases are not complete, or one stands there twice", r#"
A `case` must have a `when` for every value that can occur, and each value may
occur only once. The message lists those that are missing or repeated.

    case weather {
      when Fair { march(s) }
      when Rain { rest(s) }           -- what about Snow?
    }

To mend it, add a `when` for each missing value, or catch all the rest at the
end with `else { ... }`.
"#;

"steps::answer", "A step that can end without its answer", r#"
A step with a type returns an answer of it, and whoever does the step goes on
with that answer. Here there is a way through it on which nothing is returned.

    step listen(s: side): flag {
      choose by s "They call for a parley" {
        option listen "Listen" { return yes }
        option decline "Refuse" { }               -- and now?
      }
    }

To mend it, write `return` with an answer on that way, or as the last line of
the step: `option decline "Refuse" { return no }`.
"#;

"steps::unreachable", "This is never reached", r#"
The option is never open, or the line is never reached, because what stands
before it always ends the step or the game, or because its condition can never
hold. What is hung behind the step with which a game begins is not done if that
step ends with a win.

    step rest(s: side) {
      return
      s.fatigue := 0                  -- the step has already ended
    }

In a choice of several at once, `choose by each`, all answers are carried out
one after another: `stop` or `return` in one block would let the next never be
reached. Note in a state what was answered, and ask it behind the choice.

To mend it, change the order, correct the condition, or delete what is not
needed.
"#;

"steps::endless", "This goes round for ever", r#"
Nothing inside this `while` changes what its condition looks at, and nothing
leaves it: neither here nor in the steps that it does, nor in what happens
`whenever` something comes true. Once begun, it would never end.

    while s.hits > 0 {
      say "{s} takes a loss"          -- but `hits` stays the same
    }

To mend it, change what the condition looks at, or leave with `stop`, `return`,
a win, or a choice that does:

    while s.hits > 0 {
      say "{s} takes a loss"
      s.hits -= 1
    }
"#;

"amend::missing", "There is nothing here to change", r#"
`in`, `replace`, `remove`, `waive`, `before` and `after` speak of something
that is already in the book. Nothing of this name is there.

    in rule range { remove clause mudd }          -- it is called `mud`

To mend it, correct the name; the message lists what is there. It may also be
that another variant, which comes before this one, has removed it.
"#;

"amend::exists", "This is already in the book", r#"
What is written plainly inside `in ... { }` is added, and adding something
that is already there would silently hide one of the two.

    in rule range { except mud: 1 if b.at.muddy } -- there is an exception `mud`

To mend it, say `replace` if the old one should give way, or choose another
label:

    in rule range { replace except mud: 1 if b.at.muddy }
"#;

"amend::clash", "Two changes fight over one part", r#"
Both changes shown here put something in one and the same place, or one of
them takes out what the other changes, and nothing says which has the last
word. In which order variants are asked for says nothing.

    in setup Border War { replace turns := 4 }    -- variant Short War
    in setup Border War { replace turns := 9 }    -- variant Long War

To mend it, let one come after the other, in its blazon.ron, or do not play
them together. Whoever comes after has the last word:

    after: ["Short War"],

A new body keeps what others hung on a rule, step or option. If that finds no
hold, because the option or choice that it names is not there any more, keep
them in the new body, or let what hangs there go:

    replace whole step turn(s: side) { say "nobody moves" }

Two changes of one part under conditions, be it a body, a clause or an option,
need conditions that exclude each other:

    under storm           { replace step march(p: piece) { } }
    under fog and not storm { replace step march(p: piece) { stumble(p) } }
"#;

"amend::ambiguous", "Several parts could be meant", r#"
A change adds an option to a step that has several choices, or names an option
of which the step has several, and nothing says which is meant. Where they
stand on the page says nothing.

    in step council { option shout "Shout" { } }

To mend it, name something that stands beside it, or give the choice a name
and open that:

    in step council { option shout beside rise "Shout" { } }
    in step council { in choice talks { option shout "Shout" { } } }

The choice has its name where it is written: `choose talks by s { … }`.
"#;

"amend::cycle", "Variants that wait for each other", r#"
Each of these variants says that it comes after the next one, all the way
round, so none can be first. The message shows the circle.

    name: "Night", after: ["Fog"]
    name: "Fog",   after: ["Night"]

To mend it, remove one of the entries in the lists `after`.
"#;

"amend::version", "Made for another version", r#"
This variant was written for another version of the game. What it changes may
be called differently now, or may have gone.

    Variant(name: "Night Marches", game: "Two Rivers", game_version: "1.0.0", …)
    -- but Two Rivers is at version 2.0.0

To mend it, get the version of the variant that belongs to this game, or run
its tests against the new one, correct what fails, and change the number.
"#;

"amend::order", "Two variants that run at one place", r#"
Both variants hang statements on one step, before it or after it, and one
reads or sets what the other sets, or both of them ask, roll or draw. Or one
sets a state in a setup by what the other sets there. They run in the order of
their names, which decides something.

    after march { marches left += 1 }      -- variant Fresh Horses
    after march { marches left := 0 }      -- variant Hard Ground

To mend it, say that this is meant, or turn it round: let one come after the
other, in its blazon.ron:

    after: ["Hard Ground"],
"#;

"amend::excludes", "Two variants that cannot be played together", r#"
The manifest of one of the variants names the other in its list `excludes`, with
the reason, which the message shows.

    Variant(
        name: "Long Night",
        game: "The Ford",
        excludes: [("Short Night", "one night cannot be both")],
    )

To mend it, leave one of the two out.
"#;

"amend::needs", "A variant without one that it is written on", r#"
The manifest of a variant names another in its list `needs`. Whoever asks for it
gets the other, too, if that lies in the folder `variants` of the game or is
asked for beside it. This one is in neither place, or several have its name.

    Variant(
        name: "Deep Snow",
        game: "The Ford",
        needs: ["Long Winter"],
    )

To mend it, put the other into that folder, name its path beside this one
(`-V PATH`), or, if the change goes without the other as well, name it in
`after` instead.
"#;

"amend::condition", "A change that cannot hang on a condition", r#"
A change under a condition holds only while the condition does. Clauses, needs,
options, whole rules and whole steps can be changed in that way; rows, things,
links, setups and states are what they are for the whole game.

    under season = Winter {
      in table area { | Frozen Lake | yes | }      -- an area cannot come and go
    }

To mend it, change a rule that looks at the row, or take the change out of the
condition.
"#;

"cites::unknown", "A paragraph that the rulebook does not have", r#"
`@5.21` at the end of a line says which paragraph of the rulebook it carries
out. The outline of this game lists no such paragraph.

    rule limit(w: road): number = 2               @5.211

To mend it, correct the number, or add the paragraph to the outline file if it
was forgotten there.
"#;

"cites::uncited", "A paragraph that no rule carries out", r#"
The outline lists this paragraph, but no line of the rules or the library
cites it. Either the rule is missing, or only the mark is.

    5.3 Forced marches                -- in the outline, and nowhere else

To mend it, write `@5.3` at the end of the line that carries it out. If
nothing needs to be done for it, say so and why:

    omitted @5.3 "Advice to the players, not a rule."
"#;

"cites::omitted", "A paragraph without a rule that has one", r#"
`omitted` accounts for a paragraph of the outline that needs no rule, and says
why. Here a line of the rules cites that paragraph all the same; or nothing
stands between the quotes.

    rule limit(w: road): number = 2               @5.3
    omitted @5.3 "Advice to the players, not a rule."

To mend it, take the paragraph out of one of the two lines, or write the reason.
A variant may cite what its game has omitted.
"#;

"cites::twice", "A paragraph that stands twice", r#"
The outline, or the file of statements, lists a paragraph twice, and only one of
the two titles is ever shown; or two lines `omitted` account for one paragraph.

    5.3 Forced marches
    5.3 Marches at night                          -- 5.4 is meant

To mend it, take one of the two out, or correct its number.
"#;

"cites::comment", "A citation inside a comment", r#"
A comment goes on to the end of its line, so what looks like a citation behind
it is one of its words: the paragraph counts as uncited, and nobody who asks
why is shown it.

    state followed : flag -- by his company               @7.2

To mend it, write the citation before the comment:

    state followed : flag                                 @7.2 -- by his company

If no paragraph is meant, leave the `@` out.
"#;

"hidden::leak", "A player would learn what is hidden", r#"
What a player is offered, told or asked here, or that something happens at all,
hangs on the face of a thing that he may not see, such as a card in another
hand. An option that is missing gives the secret away as well as a text.

    choose by s "Attack?" {
      option attack(b in s.foe.army) "{b}, {b.class}"     -- face down!
        needs weak: b.strength < 2 else "too strong"      -- likewise
      { fight(b) }
    } else { }

The message shows the way that the secret takes, from where it is read to where
it shows. To mend it,

* ask only for what everybody sees: whether there are any, how many there are,
  and what the line `back:` lists; a mark that lies on a piece for all to see
  belongs there;
* make it seen first, where the rulebook says so: `b.shown := yes`;
* where the printed game tells it, say so. A rule whose answer everybody learns
  has a line below it, with the paragraph:

      rule votes(s: side): number = count b in blocks where b.votes for(s)
        known to all                                              @8.2

  `announce "{b} is dead"` names a thing aloud, and whoever says a name from a
  list takes an option over names: `option ask(named b in …)`.

`blazon check --told` lists all places where a game tells what not all see.
"#;

"lint::settled", "A comparison that has only one answer", r#"
Every number lies in a range, and where the ranges of both sides lie apart a
comparison is settled before it is asked: what hangs on it always happens, or
never. So is `any` of something that is always there, and what is compared with
itself; of two halves that are the same one says nothing, and of two that ask
whether one thing is this and that only one can hold. A state that begins in
summer, and is never set to winter, never is.

    state strength: 0..4
    except routed: 0 if p.strength > 4       -- never holds
    needs foot: p.class = Foot or any Guns   -- always holds
    needs apart: p.at != p.at                -- never holds
    + both: 1 if c = Foot and c = Guns       -- never holds
    + cold: 1 if season = Winter             -- never holds, if nothing sets it

To mend it, compare with a number in that range, or widen the range where it
is declared; what is one of several things is asked by `p.class in [Foot,
Guns]`. Where a check is not needed at all, take it out.
"#;

"lint::may-not-fit", "Dice that may fall outside a range", r#"
What is rolled here goes to something that takes a range of numbers, and some of
the falls lie outside of it. When one of them comes up, the game stops
(`run::range`). That is said only where it is sure: of dice that no condition of
the step looks at; and where something else is added to them, only if the range
has no room for all falls whatever that is, or if that is a rule of which one
clause alone leads beyond it.

    rule mud(die: 1..6): number "Mud"
    let die = roll(d6)
    let stuck = mud(die - 2)                 -- 1 falls on -1
    let stuck = mud(die + p.weight)          -- 6 and `+ guns: 1` fall on 7

To mend it, widen the range where it is declared, in a table by one more heading
(`..0`), or say what happens with the rest:

    let stuck = mud(max(1, die - 2))
    if die > 2 { mire(mud(die - 2)) }
"#;

"lint::may-not-end", "A turn of a loop can change nothing", r#"
On some way through this loop nothing is set, nobody is asked and nothing is
rolled. The turn after it goes the same way, and so do all others: the game
stops in the end (`run::endless`).

    while (count s in sides where not s.passed) > 1 {
      if not turn.passed {                   -- whoever has passed stays on turn
        choose by turn "Bid?" { … }
      }
    }

To mend it, let that way go on, too, or leave the loop there:

      if not turn.passed { … }
      turn := turn.left

    choose by s "Play a card" { … } else { stop }
"#;

"lint::unseated", "All sides are asked, and not all have a player", r#"
The manifest seats some of the sides, and the page goes through all of them. Who
has no player cannot be asked: there the game stops (`run::seat`). Nor should
somebody win who does not play.

    for s in sides { choose by s "Bid?" { … } }
    win(highest s in sides by s.gold)

To mend it, go through those who play:

    for s in players { choose by s "Bid?" { … } }
    win(highest s in players by s.gold)

or say who decides for the others: `rule chooser(s: side): side`.
"#;

"lint::taken-twice", "Two who are asked at once may take the same", r#"
In a `choose by each` all are asked by the position as it stands, and then their
blocks are done one after the other. Here an option is open for what nobody has
yet, and its block gives it to who chose it: of two who want the same the later
one takes it from the other.

    choose by each s in players "Which ship?" {
      option take(h in ships where h.owner = none) "{h}" { h.owner := s }
    }

To mend it, ask once more where it is done, and say what then:

    { if h.owner = none { h.owner := s } else { say "{s} comes too late" } }

or let each choose from what is his alone. Of look-alikes each gets another one,
as long as there are some.
"#;

"lint::absent-equals", "Two things that may both be missing are compared", r#"
`=` between two things that may be absent holds also when both are. That is
seldom meant: a block from no town is not "at home" in an area without a town.

    + home: 1 if b.town = here.town

To mend it, ask first whether one of them is there:

    + home: 1 if any b.town and here.town = b.town
"#;

"lint::loop-of-one", "A loop goes through one thing", r#"
`for` goes through several. What is one, or at most one, is named instead: a
reader looks for the second turn of a loop.

    for a in b.at { a.visited := yes }

To mend it, write `with`, which does its block if the thing is there, and may
have an `else`:

    with a = b.at { a.visited := yes }

What is never absent needs no braces: `let a = b.home`.
"#;

"lint::same-for-each", "A condition that does not ask of what it is for", r#"
What stands behind `where`, `by` or the colon of a query is asked of each thing
that is gone through. Here it does not name the variable, so its answer is the
same for all of them: either all are meant or none.

    count p in s.army where s.fatigue > 2     -- all of them, or 0

To mend it, ask something of the variable; what hangs on something else is asked
beside it:

    count p in s.army where p.fatigue > 2
    if raining { for p in s.army { … } }      -- not: for … where raining

A `where` reaches as far as it can. Behind `not any` that matters:

    not any p in s.army where p.tired and raining     -- is so in the dry, too
    raining and not any p in s.army where p.tired
"#;

"lint::never-set", "A state that nothing sets", r#"
The rules ask for this state, but no step and no setup sets it: it stays as it
starts for the whole game. Either a line that sets it is missing, or it sets
another state of nearly the same name; or all that set it set it to what it
begins as. What a test sets is not counted.

    state tired(piece): flag
    needs rested: not p.tired         -- and nobody is ever tired

To mend it, set it where the rulebook says so. What never changes is a fact, a
column of a table, or a rule:

    rule longest march: number = 4
"#;

"lint::unwatched", "A watch comes too late", r#"
A `whenever` looks when a step ends that sets something of what it reads, and
before each choice that stands in such a step. Here only one step sets it, and
when that ends there is nothing left to see: it is the step with which the game
begins, so that all is over; or the state is fresh each such step.

    step whole game { for n in 1..9 { year := n; turns } }
    whenever reinforcements: year = 3 { … }          -- year is 9 by then

To mend it, set the state in a step of its own, which ends each time:

    step whole game { for n in 1..9 { next year(n); turns } }
    step next year(n: number) { year := n }

What is to be seen of a state that is fresh each step is set in a step that this
one does; or what is to happen stands where it is set.
"#;

"lint::changes-nothing", "A change changes nothing", r#"
The braces of `in … { }` are empty, or a state is set to what it is, or set
anew before anything has read what it was set to. Or a need is hung beside one
that asks for as much already: both must hold.

    b.steps := b.steps                -- `b.size` was meant
    before turn { marches := 5 }      -- the first line of `turn` sets it to 2
    in step march { needs space: count to.force < 5 }    -- beside `… < 3`

To mend it, write what changes, or take the line out; what is to be another
stands in the place of the first:

    in step march { replace needs room: count to.force < 5 else "full" }

If `in` only gives paragraphs to what a layer below declares, say so:

    cite rule pinned @5.22
    cite option march in give orders @5.2
"#;

"run::range", "A value left its range", r#"
A state was to be set to a number that its type does not allow; or a parameter,
or the answer of a rule or step, came to lie outside its range. The game stays
at the last decision.

    state strength: 0..4
    b.strength -= 2                   -- with 1 left
    rule losses(hits: 0..3): number = hits * 2
    losses(count b.hits)              -- with 4 of them

To mend it, check before, or let it stop at the border:

    b.strength := max(0, b.strength - 2)
"#;

"run::endless", "The rules went on without asking anybody", r#"
Between two decisions the rules may do a great many things, but not without
end. The limit was reached, most likely in a `while` whose condition never
ceases to hold. The message shows which steps were running.

    while any s.reserve { say "{s} musters" }     -- the reserve never shrinks

To mend it, see that every round brings the end nearer. The game stays at the
last decision and can be saved.
"#;

"run::depth", "Too many steps and rules inside each other", r#"
Rules and steps that call others, which call others again, were nested deeper
than allowed. The message shows the whole chain, the innermost last.

    turn -> orders -> march -> arrival -> battle -> round -> fire -> ...

To mend it, let a step end before the next one begins, for instance with a
`while` in the outer step. The game stays at the last decision and can be
saved.
"#;

"run::memory", "The game has grown too large", r#"
The rules gather more and more, so that the game in progress has become larger
than allowed. It must stay small, so that it can be copied and saved.

    choose by s {
      option plan(a in areas, b in areas, c in areas, d in areas) { ... }
    }                                 -- millions of options at once

To mend it, ask in several small choices instead of a single large one, and
put needs on what may be chosen. The game stays at the last decision.

The same is said of what rules tell before the next decision, where a loop
says, rolls or draws without end: the step that the message names does it too
often. And it is said when the rules are read, of a fact or state with too
many values: `fact y(card, card, card)` has one for every three cards. Ask it
of fewer things at once.
"#;

"run::invariant", "What must always hold does not", r#"
Invariants are looked at wherever somebody is asked, by `blazon test`, by
`blazon simulate`, and by `blazon play --invariants`. After this decision one of
them does not hold: the message names it, its paragraph and the decision. The
game stays at the decision before.

    invariant standing: not any p in pieces where any p.at and p.strength = 0
      else "a piece without strength is on the map"

    the invariant `standing` does not hold after `Red: suffer(Militia)`:
    a piece without strength is on the map

To mend it, look for what that decision does: a step has forgotten something
that the rulebook says. Or the invariant asks for too much: then say of it when
it holds.
"#;

"run::empty-choice", "A choice came up with nothing to choose", r#"
No option was open, and the choice has no `else`. The game stays at the last
decision. The message lists the options and why each of them is closed.

    choose by s "Retreat where?" {
      option retreat(b, to in b.refuges) { b.at := to }   -- there were none
    }

To mend it, add `else { ... }` to say what the rulebook does in this case.
"#;

"run::seat", "Somebody was asked who does not sit at the table", r#"
The manifest says which things of the kind that decides have a player:
`players: ["Red", "Blue"]`. The rules asked another one, and nothing says who
decides for him. The game stays at the last decision.

    choose by Green "Which way?" { ... }      -- Green has no seat

To mend it, seat him, in the manifest of the game or of the variant that brings
him (`players: ["Green"]`), or say who decides for him:

    rule chooser(s: side): side = s
      except green: Red if s = Green
"#;

"run::script", "A test's dice or cards do not fit", r#"
A test says which dice fall and which cards are drawn. The rules came to roll a
die that has not so many sides, or to draw from a kind, or a set, in which the
next name is not. The test stops there.

    test "a shot" { from Dawn; dice 9; play shoot(Guns) }   -- it rolls a d6

To mend it, write what can fall or be drawn at that place, in the order in which
it is asked for:

    test "a shot" { from Dawn; dice 6; play shoot(Guns) }
"#;

"run::clash", "Two exceptions met and disagreed", r#"
In this position two exceptions to one rule hold together and give different
values. It could not be seen when the rules were read, because their
conditions depend on the course of the game. The message shows both. The game
stays at the last decision.

    rule losses(s: side): number = 1
      except storm:    2 if s.at sea
      except veterans: 0 if s.veterans = count s.army

To mend it, say which one wins, and cite the paragraph:

      except veterans beats storm: 0 if s.veterans = count s.army
"#;

"run::internal", "The interpreter made a mistake", r#"
The checker, the compiler or the machine found something that cannot be if
they keep what they promise each other. Your rules need not be wrong, and
nothing that was played is lost: the game stays at the last decision.

    step muster {
      stop                  -- say, with a message that it stands in no loop
    }

To mend it, report it with the rules and the game's list of choices. Until
then, writing the place that is named in another way often helps.
"#;

"tests::cycle", "A scene that begins with itself", r#"
A scene stands in the place of the `from` that names it, with all of its lines.
This one leads back to itself, directly or by way of others, and would never
end.

    scene The March { from The Feint; Red: march(Lancers, Hill) }
    scene The Feint { from The March; Blue: done }

To mend it, let one of them begin with a setup:

    scene The Feint { from Border War; play turn(Blue); Blue: done }
"#;

"tests::long", "Too many lines of scenes", r#"
A scene stands in the place of the `from` that names it, with all of its lines.
Where each of many scenes takes up another one twice, the last is longer than
any memory; so of a game and its variants 200,000 lines are taken up, and no
more.

    scene Second { from First; from First }
    scene Third { from Second; from Second }

To mend it, let a scene begin with one other, and tests with the scene that
comes nearest to what they try.
"#;

"tests::empty", "Nothing in a test can fail", r#"
A test begins somewhere and then does nothing, or is empty. It passes whatever
the rules are.

    test "a march into the enemy" { from Border War; Lancers.at := Ford }

To mend it, let it play something, and say what is expected then:

    test "a march into the enemy" {
      from Border War
      play turn(Red)
      Red: march(Lancers, Hill)
      expect Hussars.strength = 2
    }
"#;

"tests::nowhere", "A test asks where things are, and has placed none", r#"
Every setup must say a state that has nothing to begin with. A test without
`from` places nothing, and asks for such a state all the same: it would see the
first thing of the kind, whatever the setups say.

    state side(piece): side
    test "the guard is blue" { expect Guard.side = Blue }

To mend it, begin with a setup or a scene, or set the state first:

    test "the guard is blue" { from Border War; expect Guard.side = Blue }
"#;

"tests::game", "The game and its tests are mixed", r#"
The pages in the folder `tests` lie beside the game: who plays does without
them. So nothing that stands there may change the game, and no page of the game
may ask for what is declared there. Otherwise the tests would pass on a game
that nobody plays.

    before whole game { win(Blue) }             -- in tests/first.blazon

To mend it, put it on a page of the game. What only tests need may be rules,
steps, states, setups and scenes among them: a step is done by `play`.

    step take the hill { Lancers.at := Hill }   -- in tests/first.blazon
    test "a hill is worth two" {
      from Border War
      play take the hill
      expect worth(Red) = 2
    }
"#;

"tests::needless", "A test that need not be taken out", r#"
A variant says with `replace test` or `remove test` that a test of its game
does not hold any more. This one does: with the variant alone it passes as it is
printed.

    remove test "a march into the enemy"      -- it passes all the same

To mend it, take the line out. If the variant was meant to change what the test
shows, it does not do so yet.
"#;

"serve::address", "The server cannot listen there", r#"
Another program listens at this port of this address, or the address is none
of this machine's.

    blazon serve --port 4711

To mend it, stop the other program, take another port, or leave `--port` out:
then the first free one from 4711 on is taken.
"#;

"serve::folder", "The folder of tables cannot be used", r#"
Tables are kept in a folder that the server writes to, and that one server has
for itself.

    blazon serve --data /media/cdrom/tables

To mend it, name another folder with `--data`, allow your user to write to
this one, or stop the other server that has it.
"#;

"serve::kept", "A choice cannot be written down", r#"
Every choice is on the disk before anybody sees what it did. The disk did not
take this one: it is full, or can only be read. Or the table's log is as long
as a log may be that is read again when the server starts. So nothing was done,
and the game stands as it did.

    nothing was done: it cannot be written down (No space left on device)

To mend it, make room on the disk, or allow the server's user to write to the
folder of tables; then choose again. Where the log is full, begin another table:
this one can be looked at, taken back and given up.
"#;

"serve::damaged", "A table's files are not as they were written", r#"
The server makes a game again from its log. The log is not there, a line of it
was changed by hand, or does not hold by these rules; nothing is guessed, and
nothing is written over it. What was cut off at its end is no damage: it was
never answered.

    line 12 of the table's log is not as it was written

To mend it, put the file `log.jsonl` back as it was. If it is lost, load the
copy `save.game` beside it in the lobby: the game goes on from there.
"#;

"serve::game", "A game that is not served", r#"
A table, or a saved game, belongs to a game that this server was not given.

    blazon serve my-game

To mend it, name the game's folder to `blazon serve`, beside the others.
"#;

"serve::table", "There is nothing under this link", r#"
The table is not there, or the link is not whole, or a newer link for the seat
has taken its place.

    http://127.0.0.1:4711/join/kd9f6vjb/8c73zwpv

To mend it, copy the whole link, or ask whoever sent it for a new one.
"#;

"serve::seat", "This browser has no such seat", r#"
A seat belongs to the browsers that have opened its secret link.

    http://127.0.0.1:4711/t/kd9f6vjb/?seat=North

To mend it, open the link that was sent for the seat in this browser. It does
not come along to another browser, or to a window that forgets its cookies.
"#;

"serve::webhook", "An address that is not called", r#"
A seat can be called when it is its turn, at an address that takes messages,
but only at hosts that whoever runs the server has allowed.

    blazon serve --webhook-host discord.com

To mend it, name an address at one of these hosts, or ask for yours.
"#;

"serve::host", "The server does not go by that name", r#"
Whatever changes something must come from a page of this server, and the
server must be called by an address, by `localhost`, or by a name that it
knows. Otherwise a stranger's page could play for you.

    blazon serve --address 0.0.0.0 --host games.example

To mend it, name the host with `--host`, or with `--public` if another server
stands before this one.
"#;

"serve::limit", "Too much at once", r#"
There are so many tables, open pages, and requests a second, and no more, so
that one guest cannot keep the others waiting.

    too many pages are open; close some of them

To mend it, wait a moment, or close what is not needed.
"#;

"serve::refused", "That cannot be done now", r#"
What was asked for does not fit how things stand: the game is over, or not
yet; the seat is taken, or a bot plays it; there is nothing to take back.

    there is nothing to take back: not past dice, draws, faces that were shown

To mend it, look at the table again: the page shows how it stands.
"#;

"serve::secret", "That would tell what others keep secret", r#"
A saved game holds everything, the cards in all hands and the dice to come. So
it is told when the game is over, or where all seats are one browser's or
bots'. Where somebody was told, nobody else may sit down; and whoever goes on
from a saved game, or from a copy of a table, has been told from its beginning.
A bot's hand is told to nobody either: once others sit at the table and somebody
has chosen, its seat stays with bots.

    POST /t/kd9f6vjb/save

To mend it, wait until the game is over, or begin another with the players.
"#;

"serve::stale", "That was asked before", r#"
Each decision has a number. A page that was left open, or a second tab, answers
what has been answered already.

    {"number": 53, "option": 4}

To mend it, choose again: the page has been told what is asked now.
"#;

"serve::parted", "The game parts under the changed rules", r#"
The rules were changed while the game was under way. Played again under the new
ones it does not come to where it stood: one of its choices cannot be taken any
more. The board shows the position there, and the page says which change did it.

    it is refused: only the defender may retreat here @5.3

To mend it, press one of the buttons: go on from here, stay with the old rules,
or take the choice out.
"#;

"serve::request", "This is not what is wanted here", r#"
A request has another form than the server takes, or names an option, a
variant or a setup that there is not. Pages of the server do not do that.

    {"number": 53, "option": 999}

To mend it, load the page again; a program finds the form in SERVING.md.
"#;

"compare::setup", "There is no setup that both rule sets have", r#"
Pairs of games are compared that begin in the same way by the rules as they were
and by the changed ones. The setup that the rules as they were begin with is
gone, or has another name by the changed rules, so there is nothing to compare.
Setups are found by their names.

    setup Long (piece: side, at) { … }        -- by the rules as they were
    remove setup Long                         -- in the variant

To mend it, name a setup that both have (`-s Short`), or take all that both have
(`--each-setup`). If the variant puts another setup in the place of one, let it
have the same name.
"#;

"save::foreign", "This save belongs to another game", r#"
The save was made with other rules: another game, another choice of variants
and rulings, or another text, and the message says which. It was not loaded,
and nothing was changed. Comments, citations, the words of texts and the layout
of a page may change; what is played may not.

    game: "Two Rivers" 1.0.0, variants: ["Fog"]   -- in the save
    game: "Two Rivers" 1.0.0                      -- here

To mend it, load it with the rules it names. If the rules were only improved,
play its choices again under the new ones, as far as they still fit:

    blazon replay a.game --save b.game
"#;

"save::damaged", "This save is not complete", r#"
Something in the file is missing, was changed by hand, or was only half
written, so what it says cannot be trusted. It was not loaded, and nothing was
changed.

    turn: 4, points left: 12          -- only 0 to 9 are possible

To mend it, take an earlier save or a copy. A save is always written
completely before it replaces the old one, so a crash of the program does not
cause this.
"#;

"save::format", "This save was written by a newer program", r#"
Saved games say in which format they are written. This program reads the
formats of programs before it, but it cannot know those that came later.

    format: 3      -- in the save; this program reads 1 and 2

To mend it, take a newer version of blazon.
"#;

}

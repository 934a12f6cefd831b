//! Golden renders.

use super::*;
use crate::{Fix, SourceId};

const PLAIN: Style = Style { color: false, unicode: true, width: 80 };
const ASCII: Style = Style { color: false, unicode: false, width: 80 };

/// Two files, and three things wrong with them in no particular order.
fn example() -> (Sources, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let turns = sources.add("2-turns.blazon", "step play {\n  option play(c in s.hnad)\n  -- end\n}\n");
    let things = sources.add("1-things.blazon", "kind area = Mühle, Höhe, Mühle\n\nstate at: area\n");
    let at = |source: SourceId, word: &str, skip: usize| {
        let (start, _) = sources.get(source).text.match_indices(word).nth(skip).unwrap();
        Span::new(source, start, start + word.len())
    };
    let diagnostics = vec![
        Diagnostic::error("names::twice", at(things, "Mühle", 1), "`Mühle` is declared twice")
            .label("again here")
            .related(at(things, "Mühle", 0), "first here"),
        Diagnostic::error("names::unknown", at(turns, "hnad", 0), "a side has nothing called `hnad`")
            .label("no such thing")
            .related(at(things, "state at", 0), "states are declared like this")
            .help("did you mean `hand`?")
            .fix(Fix::rename(at(turns, "hnad", 0), "hand")),
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::global("cites::uncited", "no rule cites @5.3")
        },
    ];
    (sources, diagnostics)
}

#[test]
fn human_with_line_characters() {
    let (sources, diagnostics) = example();
    let shown = render(&diagnostics, &sources, Format::Human, PLAIN);
    let expected = "\
warning[cites::uncited]

  ⚠ no rule cites @5.3

error[names::unknown]

  × a side has nothing called `hnad`
   ╭─[2-turns.blazon:2:22]
 1 │ step play {
 2 │   option play(c in s.hnad)
   ·                      ──┬─
   ·                        ╰── no such thing
 3 │   -- end
   ╰────
  help: did you mean `hand`?

Advice:
  ☞ states are declared like this
   ╭─[1-things.blazon:3:1]
 2 │
 3 │ state at: area
   · ────────
   ╰────

error[names::twice]

  × `Mühle` is declared twice
   ╭─[1-things.blazon:1:26]
 1 │ kind area = Mühle, Höhe, Mühle
   ·             ──┬──        ──┬──
   ·               │            ╰── again here
   ·               ╰── first here
 2 │
   ╰────

2 errors, 1 warning
";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn human_in_ascii() {
    let (sources, diagnostics) = example();
    let shown = render(&diagnostics[..1], &sources, Format::Human, ASCII);
    let expected = "\
error[names::twice]

  x `Mühle` is declared twice
   ,-[1-things.blazon:1:26]
 1 | kind area = Mühle, Höhe, Mühle
   :             ^^|^^        ^^|^^
   :               |            `-- again here
   :               `-- first here
 2 |
   `----

1 error
";
    assert_eq!(shown, expected, "{shown}");
}

#[test]
fn colour_only_when_asked_for() {
    let (sources, diagnostics) = example();
    let coloured = render(&diagnostics, &sources, Format::Human, Style { color: true, ..PLAIN });
    assert!(coloured.contains("\u{1b}[31m"), "{coloured}");
    for format in Format::ALL {
        assert!(!render(&diagnostics, &sources, format, PLAIN).contains('\u{1b}'), "{format}");
    }
}

#[test]
fn short_lines() {
    let (sources, mut diagnostics) = example();
    diagnostics[0].message.push_str("\n  and on a second line");
    let expected = "\
warning[cites::uncited]: no rule cites @5.3
2-turns.blazon:2:22: error[names::unknown]: a side has nothing called `hnad`
1-things.blazon:1:26: error[names::twice]: `Mühle` is declared twice and on a second line
";
    assert_eq!(render(&diagnostics, &sources, Format::Short, PLAIN), expected);
}

#[test]
fn json_as_promised() {
    let (sources, diagnostics) = example();
    let expected = concat!(
        r#"{"schema":1,"diagnostics":["#,
        r#"{"severity":"warning","code":"cites::uncited","message":"no rule cites @5.3","file":null,"line":null,"#,
        r#""column":null,"start":null,"end":null,"label":null,"related":[],"help":null,"fixes":[]},"#,
        r#"{"severity":"error","code":"names::unknown","message":"a side has nothing called `hnad`","#,
        r#""file":"2-turns.blazon","line":2,"column":22,"start":33,"end":37,"label":"no such thing","#,
        r#""related":[{"file":"1-things.blazon","line":3,"column":1,"start":35,"end":43,"#,
        r#""label":"states are declared like this"}],"help":"did you mean `hand`?","fixes":[{"title":"write `hand`","#,
        r#""edits":[{"file":"2-turns.blazon","line":2,"column":22,"start":33,"end":37,"replacement":"hand"}]}]},"#,
        r#"{"severity":"error","code":"names::twice","message":"`Mühle` is declared twice","#,
        r#""file":"1-things.blazon","line":1,"column":26,"start":27,"end":33,"label":"again here","#,
        r#""related":[{"file":"1-things.blazon","line":1,"column":13,"start":12,"end":18,"label":"first here"}],"#,
        r#""help":null,"fixes":[]}]}"#,
        "\n"
    );
    assert_eq!(render(&diagnostics, &sources, Format::Json, PLAIN), expected);
}

#[test]
fn json_survives_control_characters() {
    let all: String =
        (0..0x20).filter_map(char::from_u32).chain("\"\\/\u{7f}\u{85}\u{2028}".chars()).collect();
    let mut sources = Sources::default();
    let id = sources.add(all.as_str(), all.as_str());
    let d = Diagnostic::error("syntax::text", Span::new(id, 0, 5), all.as_str())
        .label(all.as_str())
        .help(all.as_str());
    let json = render(&[d], &sources, Format::Json, PLAIN);
    assert_eq!(json.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    for field in ["message", "file", "label", "help"] {
        assert_eq!(value["diagnostics"][0][field], all.as_str(), "{field}");
    }
}

#[test]
fn nothing_to_say() {
    let sources = Sources::default();
    assert_eq!(render(&[], &sources, Format::Human, PLAIN), "");
    assert_eq!(render(&[], &sources, Format::Short, PLAIN), "");
    assert_eq!(render(&[], &sources, Format::Json, PLAIN), "{\"schema\":1,\"diagnostics\":[]}\n");
    assert_eq!(summary(&[]), "");
}

#[test]
fn order_is_by_place_and_otherwise_as_given() {
    let mut sources = Sources::default();
    let (a, b) = (sources.add("a", "one two three"), sources.add("b", "one two three"));
    let error = |source, start, message: &str| {
        Diagnostic::error("names::twice", Span::new(source, start, 5), message)
    };
    let given = [error(b, 0, "4"), error(a, 4, "2"), error(a, 4, "3"), error(a, 0, "1")];
    let shown = render(&given, &sources, Format::Short, PLAIN);
    let order: String = shown.lines().filter_map(|line| line.chars().last()).collect();
    assert_eq!(order, "1234");
}

/// The line under the excerpt line that ends with `text`.
fn underline(shown: &str, text: &str) -> String {
    let mut lines = shown.lines().skip_while(|line| !line.ends_with(text));
    lines.nth(1).unwrap_or_else(|| panic!("no `{text}` in\n{shown}")).to_owned()
}

#[test]
fn tabs_are_four_columns_wide() {
    let mut sources = Sources::default();
    let id = sources.add("a.blazon", "\tx\tMill");
    let d = Diagnostic::error("syntax::tab", Span::new(id, 2, 3), "a tab");
    let shown = render(std::slice::from_ref(&d), &sources, Format::Human, ASCII);
    assert!(shown.contains(" 1 |     x   Mill\n"), "{shown}");
    assert_eq!(underline(&shown, "Mill"), "   :      ^^^");
    assert!(shown.contains("[a.blazon:1:3]"), "{shown}");
    assert!(render(&[d], &sources, Format::Short, ASCII).starts_with("a.blazon:1:3: "));
}

#[test]
fn wide_and_combined_characters_are_underlined_where_they_stand() {
    let mut sources = Sources::default();
    let text = "東京 e\u{301} Mill";
    let id = sources.add("a.blazon", text);
    let start = text.find("Mill").unwrap();
    let d = Diagnostic::error("names::unknown", Span::new(id, start, text.len()), "unknown");
    let shown = render(&[d], &sources, Format::Human, ASCII);
    assert_eq!(underline(&shown, "Mill"), "   :        ^^^^", "{shown}");
    assert!(shown.contains("[a.blazon:1:7]"), "columns count characters: {shown}");
}

#[test]
fn the_end_of_the_file_can_be_shown() {
    let mut sources = Sources::default();
    let id = sources.add("a.blazon", "step a {\n  win(s)\n\n");
    let end = sources.get(id).text.len();
    let d = Diagnostic::error("syntax::brace", Span::new(id, end, end), "`{` is not closed")
        .label("file ends here");
    let shown = render(&[d], &sources, Format::Human, ASCII);
    assert!(shown.contains("file ends here") && shown.contains("win(s)"), "{shown}");
}

#[test]
fn tall_places_are_cut_and_far_ones_stay_apart() {
    let mut sources = Sources::default();
    let text: String = (1..=300).map(|line| format!("line {line}\n")).collect();
    let id = sources.add("a.blazon", text.as_str());
    let at = |line: &str| Span::new(id, text.find(line).unwrap(), text.find(line).unwrap() + line.len());
    let d = Diagnostic::error("names::twice", at("line 200").to(at("line 300")), "twice")
        .label("this")
        .related(at("line 100"), "and that");
    let shown = render(&[d], &sources, Format::Human, ASCII);
    assert!(shown.lines().count() < 20, "{shown}");
    assert!(shown.contains("and that") && shown.contains("line 100"), "{shown}");
    assert_eq!(underline(&shown, "line 200"), "     : ^^^^|^^^", "{shown}");
}

#[test]
fn strangers_cannot_steer_the_terminal() {
    let mut sources = Sources::default();
    let text = "a \u{1b}[31mred\r \u{9b}1m \u{202e}x Mill\r\nnext";
    let id = sources.add("\u{1b}[2Ja.blazon", text);
    let start = text.find("Mill").unwrap();
    let d = Diagnostic::error("names::unknown", Span::new(id, start, start + 4), "no \u{1b}[0m\u{7}")
        .label("\u{1b}")
        .related(Span::new(id, 0, 1), "\u{9b}")
        .help("\r\u{202e}");
    for format in Format::ALL {
        let shown = render(std::slice::from_ref(&d), &sources, format, PLAIN);
        if format != Format::Json {
            assert!(!shown.contains(steers), "{shown:?}");
        }
    }
    let shown = render(&[d], &sources, Format::Human, ASCII);
    let line = shown.lines().find(|line| line.ends_with("Mill")).unwrap();
    let column = line[..line.find("Mill").unwrap()].chars().count();
    assert_eq!(underline(&shown, "Mill").chars().skip(column).take(4).collect::<String>(), "^^|^", "{shown}");
}

/// Every pair of offsets, in and beyond texts with everything that is hard about texts.
#[test]
fn no_span_panics() {
    for text in ["", "\n", "ü", "aü\r\n\t東\n\n", "a\rb\n", "e\u{301}\n\u{1b}x\r\n", "|\tx\n\n\nü\n\n\n\n\nb"]
    {
        let mut sources = Sources::default();
        let id = sources.add("a", text);
        let other = sources.add("b", "");
        let beyond = text.len() + 3;
        for start in 0..=beyond {
            for end in 0..=beyond {
                let (span, back) = (Span::new(id, start, end), Span::new(id, end, start));
                let d = Diagnostic::error("syntax::expected", span, "m")
                    .label("l\nm")
                    .related(back, "r")
                    .related(Span::new(other, start, end), "")
                    .related(Span::new(SourceId(9), 0, 1), "nowhere");
                for style in [PLAIN, Style { width: 0, ..ASCII }] {
                    let shown = render(std::slice::from_ref(&d), &sources, Format::Human, style);
                    assert!(!shown.contains("Failed to read"), "{text:?} {start} {end}\n{shown}");
                    assert!(shown.contains("error[syntax::expected]"), "{text:?} {start} {end}\n{shown}");
                }
                render(std::slice::from_ref(&d), &sources, Format::Short, PLAIN);
                let json = render(&[d], &sources, Format::Json, PLAIN);
                assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            }
        }
    }
}

#[test]
fn unknown_sources_have_no_place() {
    let d = Diagnostic::error("files::missing", Span::new(SourceId(7), 1, 2), "gone")
        .related(Span::default(), "x");
    let sources = Sources::default();
    assert_eq!(
        render(std::slice::from_ref(&d), &sources, Format::Short, PLAIN),
        "error[files::missing]: gone\n"
    );
    assert!(render(std::slice::from_ref(&d), &sources, Format::Human, PLAIN).contains("× gone"));
    assert!(render(&[d], &sources, Format::Json, PLAIN).contains(r#""file":null"#));
}

#[test]
fn formats_have_names() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let unknown = "shrot".parse::<Format>().unwrap_err().to_string();
    assert_eq!(unknown, "`shrot` is no format: write `human`, `short` or `json` (did you mean `short`?)");
}

#[test]
fn of_many_alike_some_are_drawn_and_the_others_counted() {
    let mut sources = Sources::default();
    let page = sources.add("page.blazon", "x\n".repeat(40));
    let mut all: Vec<Diagnostic> = (0..40)
        .map(|line| Diagnostic::error("names::twice", Span::new(page, 2 * line, 2 * line + 1), "twice"))
        .collect();
    all.push(Diagnostic::warning("names::unused", Span::new(page, 0, 1), "unused"));
    let shown = render(&all, &sources, Format::Human, PLAIN);
    assert_eq!(shown.matches("× twice").count(), 10);
    assert_eq!(shown.matches("⚠ unused").count(), 1);
    assert!(
        shown.ends_with("… and 30 more like it: error[names::twice]\n\n40 errors, 1 warning\n"),
        "{shown}"
    );
    assert_eq!(render(&all, &sources, Format::Short, PLAIN).lines().count(), 41);
}

#[test]
fn lines_too_long_to_draw_are_named() {
    for length in [3_999, 5_000, 65_536, 200_000] {
        let mut sources = Sources::default();
        let page = sources.add("page.blazon", format!("{}\nhere", "x".repeat(length)));
        let error = Diagnostic::error(
            "names::unknown",
            Span::new(page, length + 1, length + 5),
            "nothing is called so",
        );
        let shown = render(&[error], &sources, Format::Human, PLAIN);
        assert_eq!(shown.contains("page.blazon:2:1: error[names::unknown]"), length > 4000, "{length}");
    }
}

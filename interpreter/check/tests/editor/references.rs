//! From uses to definitions and back.

use blazon_check::project::{ParseCache, Parsed, Project, parse_anyway};
use blazon_check::{Checked, Definition, DefinitionKind, Settings, analyse};
use blazon_diagnostics::{SourceId, Span};

use crate::loading::{ford, ford_varied, ford_with, game};

struct Looked {
    parsed: Parsed,
    checked: Checked,
}

impl Looked {
    fn at(project: &Project) -> Self {
        let parsed = parse_anyway(project, &mut ParseCache::default());
        let checked = analyse(&parsed, &Settings::default());
        Self { parsed, checked }
    }

    fn page(&self, page: &str) -> SourceId {
        self.parsed.sources.iter().find(|(_, source)| source.name.ends_with(page)).unwrap().0
    }

    /// The place of a word: that of `^` in a piece of a page.
    fn place(&self, page: &str, marked: &str) -> (SourceId, u32) {
        let page = self.page(page);
        let text = &self.parsed.sources.get(page).text;
        let at = marked.find('^').unwrap();
        (page, (text.find(&marked.replacen('^', "", 1)).expect(marked) + at) as u32)
    }

    /// What a marked word means, each as its sort and the line of its definition, from its name on.
    fn meaning(&self, page: &str, marked: &str) -> Vec<(DefinitionKind, String)> {
        let (source, offset) = self.place(page, marked);
        let from_there = |span: Span| {
            let text = &self.parsed.sources.get(span.source).text[span.start as usize..];
            text.lines().next().unwrap_or_default().chars().take(14).collect::<String>()
        };
        let found = self.checked.references.at(source, offset);
        found.iter().map(|definition| (definition.kind, from_there(definition.span))).collect()
    }

    fn means(&self, page: &str, marked: &str, sort: DefinitionKind, there: &str) {
        let found = self.meaning(page, marked);
        assert!(
            found.iter().any(|(other, text)| *other == sort && text.starts_with(there)),
            "{marked}: {found:?}"
        );
    }
}

#[test]
fn names_lead_to_their_definitions() {
    let looked = Looked::at(&ford());
    for (marked, sort, there) in [
        ("rule rival(s: ^side)", DefinitionKind::Kind, "side    = Red"),
        ("except blue: ^Blue if", DefinitionKind::Thing, "Blue"),
        ("Blue if ^s = Red", DefinitionKind::Variable, "s: side): side"),
        ("all p in ^pieces where p.owner = s", DefinitionKind::Kind, "piece   {"),
        ("where p.^owner = s", DefinitionKind::Fact, "owner    : sid"),
        ("where ^p.owner = s", DefinitionKind::Variable, "p in pieces"),
        ("any p in s.^army where", DefinitionKind::Rule, "army(s: side)"),
        ("number = p.^strength", DefinitionKind::State, "strength : 0.."),
        ("a.^hill  ", DefinitionKind::Fact, "hill: flag"),
        ("sides { ^turn(s) }", DefinitionKind::Step, "turn(s: side)"),
        ("option march(p in ^s.army", DefinitionKind::Variable, "s: side) {"),
        ("{ march(p, ^to) }", DefinitionKind::Variable, "to in p.at.nei"),
        ("p.at.^neighbours", DefinitionKind::Kind, "road    = area"),
        ("  Ford - ^Mill, Ford", DefinitionKind::Thing, "Mill   |"),
        ("setup Dawn (piece: ^at)", DefinitionKind::State, "at       : are"),
        ("Guard: ^Ford", DefinitionKind::Thing, "Ford   |"),
        ("  ^Levy: Chapel", DefinitionKind::Thing, "Levy   |"),
        ("| name   | ^owner", DefinitionKind::Fact, "owner    : sid"),
        ("| Guard  | ^Red", DefinitionKind::Thing, "Red, Blue"),
        ("  | ^Snow | 3", DefinitionKind::Thing, "Snow"),
        ("  | ^w    | 1..2", DefinitionKind::Variable, "w: weather"),
        ("{p} to {^to}", DefinitionKind::Variable, "to in p.at"),
        ("links ^road (width", DefinitionKind::Kind, "road    = area"),
        ("links road (^width", DefinitionKind::Fact, "width: 1..3"),
    ] {
        looked.means("ford.blazon", marked, sort, there);
    }
}

#[test]
fn uses_under_rulings_and_beside_holes_count() {
    let project = ford_with(
        "  except blue: Blue if s = Red",
        "  except blue: Blue if s = Red and fog = Thin and s.army = s.nothing\n\
         ruling fog: Thick or Thin \"Which?\"\n\
         step unread { if fog = Thin { for x in nowhere {\n      march(any, x)\n      wound(Guard)\n    } } }",
    );
    let looked = Looked::at(&project);
    looked.means("ford.blazon", "and ^fog = Thin", DefinitionKind::Ruling, "fog: Thick");
    looked.means("ford.blazon", "fog = ^Thin and", DefinitionKind::RulingValue, "Thin \"Which");
    looked.means("ford.blazon", "s.^army = s.nothing", DefinitionKind::Rule, "army(s: side)");
    looked.means("ford.blazon", "Thin and ^s.army", DefinitionKind::Variable, "s: side): side");
    looked.means("ford.blazon", "  ^wound(Guard)", DefinitionKind::Step, "wound(p: piece");
    looked.means("ford.blazon", "wound(^Guard)", DefinitionKind::Thing, "Guard  |");
}

#[test]
fn amendments_and_tests_lead_to_what_they_change() {
    let looked = Looked::at(&ford_varied(
        "in rule power {\n  remove clause hill\n}\n\
         in step turn {\n  in option march {\n    waive peace\n  }\n}\n\
         replace step march(p: piece, to: area) { p.at := to }\n\
         before wound { march(p, Mill) }\n\
         test \"a march\" @1 {\n  from Dawn\n  Red: march(Guard, Beacon)\n  expect Guard.at = Beacon\n}\n",
    ));
    for (marked, sort, there) in [
        ("in rule ^power", DefinitionKind::Rule, "power(p: piece"),
        ("clause ^hill", DefinitionKind::Clause, "hill: 1 if"),
        ("in step ^turn", DefinitionKind::Step, "turn(s: side)"),
        ("in option ^march", DefinitionKind::Option, "march(p in s"),
        ("waive ^peace", DefinitionKind::Clause, "peace: not to"),
        ("replace step ^march", DefinitionKind::Step, "march(p: piece"),
        ("before ^wound", DefinitionKind::Step, "wound(p: piece"),
        ("march(^p, Mill)", DefinitionKind::Variable, "p: piece) {"),
        ("from ^Dawn", DefinitionKind::Setup, "Dawn (piece"),
        ("  ^Red: march", DefinitionKind::Thing, "Red, Blue"),
        ("Red: ^march(Guard", DefinitionKind::Option, "march(p in s"),
        ("march(^Guard, Beacon", DefinitionKind::Thing, "Guard  |"),
        ("expect Guard.^at", DefinitionKind::State, "at       : are"),
    ] {
        looked.means("variant-1/page.blazon", marked, sort, there);
    }
}

#[test]
fn clauses_of_who_sees_lead_to_what_they_name() {
    let hidden = "-- An order.\nkind order = Attack, Hold {\n  state held: side?\n  -- Since when?\n  \
                  state known: flag\n  seen by v: v = order.held\n    -- Once it is known.\n    \
                  except open: yes if order.known\n  back: held\n    + known: known\n}\n";
    let project = ford_with("step game {", &format!("{hidden}step game {{"));
    let looked = Looked::at(&project);
    for (marked, sort, there) in [
        ("seen by v: ^v = order", DefinitionKind::Variable, "v: v = order"),
        ("open: yes if order.^known", DefinitionKind::State, "known: flag"),
        ("back: ^held", DefinitionKind::State, "held: side?"),
        ("+ known: ^known", DefinitionKind::State, "known: flag"),
    ] {
        looked.means("ford.blazon", marked, sort, there);
    }
}

#[test]
fn a_family_holds_all_that_a_new_name_touches() {
    let looked = Looked::at(&ford_varied("replace step march(p: piece, to: area) { p.at := to }\n"));
    let (page, offset) = looked.place("ford.blazon", "{ ^march(p, to) }");
    let used = looked.checked.references.at(page, offset);
    let [definition] = used[..] else { panic!("one step: {used:?}") };
    assert_eq!(definition.span.source, looked.page("variant-1/page.blazon"), "what stands there now");
    let family = looked.checked.references.family(definition);
    let texts: Vec<&str> = family.iter().map(|span| looked.parsed.sources.slice(*span)).collect();
    assert_eq!(texts, ["march", "march", "march"], "the use, the step of the game, the step of the variant");
    let again = looked.checked.references.definition_at(definition.span.source, definition.span.start);
    assert_eq!(again, Some(definition));
    assert_eq!(looked.checked.references.uses_of(definition).count(), 1);
}

#[test]
fn every_use_says_what_it_means_in_all_games() {
    let varied = ("richard-iii", &["commission"][..]);
    for (name, variants) in [("richard-iii", &[][..]), varied, ("lionheart", &[]), ("salt-road", &[])] {
        let looked = Looked::at(&game(name, variants));
        assert!(looked.checked.book.is_some(), "{name}");
        let sources = &looked.parsed.sources;
        let mut count = 0;
        for (span, definition) in looked.checked.references.iter() {
            let (used, declared) = (sources.slice(span), sources.slice(definition.span));
            assert!(!used.is_empty() && !declared.is_empty(), "{name}: {}", sources.place(span));
            // A variable is always written as it is declared.
            if definition.kind == DefinitionKind::Variable && used != declared {
                let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(plain(used), plain(declared), "{}", sources.place(span));
            }
            count += 1;
        }
        assert!(count > 500, "{name}: {count}");
    }
}

/// Names mean the same in an item whether the rest of the game is looked at or not.
#[test]
fn what_is_looked_at_by_itself_means_what_it_means_in_the_whole() {
    let replaced = ford_varied("replace step march(p: piece, to: area) { p.at := to }\n");
    let varied = game("richard-iii", &["commission"]);
    for (project, every) in [(ford(), 1), (replaced, 1), (game("salt-road", &[]), 5), (varied, 60)] {
        let whole = Looked::at(&project);
        let items = whole.parsed.files.iter().flat_map(|(_, file)| &file.items);
        let mut count = 0;
        for item in items.step_by(every) {
            let settings = Settings { within: Some(vec![item.span]), ..Settings::default() };
            let alone = analyse(&whole.parsed, &settings);
            assert!(alone.book.is_none(), "what was not looked at is not played");
            let inside = |checked: &Checked| -> Vec<(Span, Definition)> {
                let is_inside = |span: Span| {
                    span.source == item.span.source
                        && item.span.start <= span.start
                        && span.end <= item.span.end
                };
                checked.references.iter().filter(|(span, _)| is_inside(*span)).collect()
            };
            let place = whole.parsed.sources.place(item.span);
            assert_eq!(inside(&alone), inside(&whole.checked), "{place}");
            count += inside(&alone).len();
        }
        assert!(count > 20, "{count} names");
    }
}

//! A fix does what it says: the text parses at least as well, and what was wrong is not wrong any more.

use blazon_check::project::{Page, ParseCache, Project, parse_anyway};
use blazon_check::{Settings, check};
use blazon_diagnostics::{Diagnostic, Fix, Sources};

use crate::loading::{fixtures, ford_with};

fn said(project: &Project) -> (std::sync::Arc<Sources>, Vec<Diagnostic>) {
    let parsed = parse_anyway(project, &mut ParseCache::default());
    (parsed.sources.clone(), check(&parsed, &Settings::default()).diagnostics)
}

fn mended(project: &Project, sources: &Sources, fix: &Fix) -> Project {
    let mut project = project.clone();
    let folders = std::iter::once(&mut project.game).chain(&mut project.variants);
    for folder in folders {
        let files = folder.pages.iter_mut().chain(&mut folder.data).chain(&mut folder.manifest);
        for Page { name, text } in files {
            // The pages of a folder whose manifest cannot be read are none.
            if let Some((id, _)) = sources.iter().find(|(_, source)| *source.name == **name) {
                *text = fix.apply(id, text);
            }
        }
    }
    project
}

fn syntax_errors(diagnostics: &[Diagnostic]) -> usize {
    diagnostics.iter().filter(|d| d.code.starts_with("syntax::")).count()
}

#[test]
fn every_fix_of_every_fixture_mends() {
    let mut count = 0;
    for (name, project) in fixtures() {
        let (sources, before) = said(&project);
        for diagnostic in &before {
            for fix in &diagnostic.fixes {
                let (_, after) = said(&mended(&project, &sources, fix));
                assert!(syntax_errors(&after) <= syntax_errors(&before), "{name}: {}", fix.title);
                let still = after.iter().any(|d| {
                    (d.code, d.span.map(|s| s.start), &d.message)
                        == (diagnostic.code, diagnostic.span.map(|s| s.start), &diagnostic.message)
                });
                assert!(!still, "{name}: {} leaves `{}`", fix.title, diagnostic.message);
                count += 1;
            }
        }
    }
    assert!(count >= 5, "{count} fixes");
}

#[test]
fn a_help_that_names_a_name_writes_it() {
    for (name, project) in fixtures() {
        for diagnostic in said(&project).1 {
            let help = diagnostic.help.unwrap_or_default();
            let near = help.strip_prefix("did you mean `").and_then(|rest| rest.strip_suffix("`?"));
            let Some(near) = near.filter(|_| diagnostic.span.is_some()) else { continue };
            let written = diagnostic.fixes.iter().flat_map(|fix| &fix.edits);
            assert!(
                written.clone().any(|edit| edit.replacement.contains(near)),
                "{name}: {} names `{near}` and writes {written:?}",
                diagnostic.message,
                written = written.collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn a_misspelt_name_is_written_anew() {
    let project = ford_with("number = p.strength", "number = p.strenght");
    let (sources, before) = said(&project);
    let fix = &before[0].fixes[0];
    assert_eq!(fix.title, "write `strength`");
    assert_eq!(sources.slice(fix.edits[0].span), "strenght");
    assert_eq!(said(&mended(&project, &sources, fix)).1, []);
}

#[test]
fn a_name_that_a_module_has_is_not_written_anew() {
    let mut project = ford_with("number = p.strength", "number = p.strenght");
    let text = "rule strenght(p: piece): number = 1\n".to_owned();
    project.library.push(Page { name: "stdlib/spare.blazon".to_owned(), text });
    let (_, said) = said(&project);
    let help = "the module `spare` of the library has `strenght`: name it in `uses`, or declare it here";
    assert_eq!(said[0].help.as_deref(), Some(help), "{said:#?}");
    assert_eq!(said[0].fixes, []);
}

/// A need is part of an option: a module that has a rule of its name would not help.
#[test]
fn of_a_missed_need_no_module_is_named() {
    let mut project =
        ford_with("step wound", "in step turn { in option march { waive strenght } }\nstep wound");
    let text = "rule strenght(p: piece): number = 1\n".to_owned();
    project.library.push(Page { name: "stdlib/spare.blazon".to_owned(), text });
    let (_, said) = said(&project);
    assert_eq!(said[0].code, "amend::missing", "{said:#?}");
    assert!(!said[0].help.as_deref().unwrap_or_default().contains("module"), "{said:#?}");
}

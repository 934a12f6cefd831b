//! What has been: a line of play, a look back, the dice that a display recalls.

use std::collections::BTreeMap;
use std::path::Path;

use super::{hall, hall_of, play, table, told};
use crate::problem::Problem;
use crate::table::Sitting;

#[test]
fn a_line_of_play_leads_step_by_step_to_what_is_seen_now() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    for game in ["richard-iii", "salt-road"] {
        let table = table(&hall, game);
        runtime.block_on(play(&hall, &table, 30));
        // Where each answers by himself, an answer is no step before all have answered.
        let is_amid = || {
            let saved = runtime.block_on(table.with(&hall, |sitting| sitting.live.saved()));
            !saved.expect("a saved game").pending.is_empty()
        };
        while is_amid() {
            runtime.block_on(play(&hall, &table, 1));
        }
        let looked = table.with(&hall, move |sitting| {
            for viewer in [Some(0), Some(1), None] {
                let read = |text: String| serde_json::from_str::<serde_json::Value>(&text).expect("JSON");
                let pieces = |update: &serde_json::Value| -> BTreeMap<String, String> {
                    let fragments = update["fragments"].as_array().expect("fragments").iter();
                    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
                    fragments.map(|part| (text(&part[1]), text(&part[2]))).collect()
                };
                let choices = sitting.live.standing.choices;
                let mut page = pieces(&read(sitting.replay(viewer, choices - 12, false)?));
                let mut log = read(sitting.replay(viewer, choices - 12, false)?)["log"]["lines"].clone();
                let steps = read(sitting.line_of_play(viewer, choices - 12)?);
                for step in steps.as_array().expect("steps").iter().map(|step| &step[1]) {
                    assert!(step["decision"].is_null());
                    page.extend(pieces(step));
                    let log = log.as_array_mut().expect("lines");
                    log.truncate(step["log"]["from"].as_u64().expect("a number") as usize);
                    log.extend(step["log"]["lines"].as_array().expect("lines").iter().cloned());
                }
                page.retain(|_, html| !html.is_empty());
                let now = read(sitting.update(viewer, 0)?);
                assert_eq!((page, &log), (pieces(&now), &now["log"]["lines"]), "{game} {viewer:?}");
                assert!(steps.as_array().is_some_and(|steps| steps.len() > 3), "{game} {viewer:?}");
            }
            Ok(())
        });
        runtime.block_on(looked).expect("a line of play");
    }
}

#[test]
fn looking_back_shows_what_was_shown() {
    type Shown = (usize, BTreeMap<String, String>, serde_json::Value);
    let shown = |text: String| -> Shown {
        let update: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let parts = update["fragments"].as_array().expect("fragments").iter();
        let parts = parts.map(|part| (text(&part[1]), text(&part[2]))).filter(|(_, html)| !html.is_empty());
        let choices = update["choices"].as_u64().expect("a number") as usize;
        (choices, parts.collect(), update["log"]["lines"].clone())
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    for game in ["richard-iii", "salt-road"] {
        let table = table(&hall, game);
        let see = move |sitting: &mut Sitting<'_>| {
            Ok([Some(0), Some(1), None].map(|viewer| sitting.update(viewer, 0).map(shown)))
        };
        // What only some have answered stands in no log yet.
        let is_amid = |sitting: &mut Sitting<'_>| Ok(!sitting.live.saved()?.pending.is_empty());
        let mut seen: Vec<[Shown; 3]> = Vec::new();
        for _ in 0..40 {
            if !runtime.block_on(table.with(&hall, is_amid)).expect("a saved game") {
                let now = runtime.block_on(table.with(&hall, see)).expect("a view");
                seen.push(now.map(|seen| seen.expect("a view")));
            }
            runtime.block_on(play(&hall, &table, 1));
        }
        let looked = table.with(&hall, move |sitting| {
            let save = sitting.live.saved()?;
            assert!(save.log.iter().any(|entry| entry.forced), "{game}: no choice was the only one");
            for (place, then) in seen.iter().enumerate() {
                for (viewer, then) in [Some(0), Some(1), None].into_iter().zip(then) {
                    let back = shown(sitting.replay(viewer, then.0, false)?);
                    assert_eq!(&back, then, "{game}, {} of {}, {viewer:?}", then.0, seen.len());
                }
                // Between two of them nobody had a choice, or others have not answered yet: each step there shows something.
                let (at, next) = (then[0].0, seen.get(place + 1).map_or(then[0].0, |next| next[0].0));
                let mut way = vec![(at, then[2].1.clone())];
                while let Some((here, shown_here)) = way.last().filter(|(here, _)| *here < next).cloned() {
                    let (on, pieces, lines) = shown(sitting.replay(None, here + 1, false)?);
                    assert!(here < on && on <= next, "{game}: on from {here} to {on}");
                    let is_told = on == next || save.log[at..on].iter().any(|entry| entry.forced);
                    assert!(is_told || lines == then[2].2, "{game}: told at {on}, before all have answered");
                    assert!(
                        on == next || pieces != shown_here,
                        "{game}: nothing changes from {here} to {on}"
                    );
                    way.push((on, pieces));
                }
                let mut back = next;
                while back > at {
                    let to = shown(sitting.replay(None, back - 1, true)?).0;
                    assert!(at <= to && to < back, "{game}: back from {back} to {to}");
                    back = to;
                }
            }
            Ok(())
        });
        runtime.block_on(looked).expect("a look back");
    }
}

#[test]
fn a_display_recalls_the_last_dice_as_each_reads_them() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let hall = hall(folder.path());
    for game in ["richard-iii", "salt-road"] {
        let table = table(&hall, game);
        let mut recalled = 0;
        for _ in 0..400 {
            if recalled > 12 || runtime.block_on(play(&hall, &table, 5)).is_empty() {
                break;
            }
            let looked = table.with(&hall, move |sitting| {
                let mut found = 0;
                for viewer in [Some(0), Some(1), None] {
                    let update = told(sitting, viewer);
                    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
                    let log: String =
                        update["log"]["lines"].as_array().expect("lines").iter().map(text).collect();
                    for part in update["fragments"].as_array().expect("fragments") {
                        let html = text(&part[2]);
                        let Some((_, last)) = html.split_once(r#"<ol class="last">"#) else { continue };
                        let last = last.split("</ol>").next().unwrap_or_default();
                        assert_eq!(part[0], "scene", "{game}");
                        assert!(log.contains(last) && last.contains(r#"class="dice""#), "{game}: {last}");
                        // No later dice are left out.
                        let after = log.rsplit_once(last).map_or("", |(_, after)| after);
                        assert!(!after.contains(r#"class="dice""#), "{game}: {after}");
                        found += 1;
                    }
                }
                Ok(found)
            });
            recalled += runtime.block_on(looked).expect("what is seen");
        }
        assert!(recalled > 0, "{game}: nothing was displayed");
    }
}

#[test]
fn a_display_recalls_what_fell_there_before_its_first_question_and_nothing_of_elsewhere() {
    const FIGHTS: &str = r#"
kind side = Red, Blue
kind area = Mill, Ford, Hill
kind road = area - area
links road
  Mill - Ford, Ford - Hill
kind piece = Foot, Horse { state at: area?; state side: side }
state field: area, fresh each fight
state bold: side, fresh each fight
state meek: side, fresh each fight
setup Start (piece: side, at) { Foot: Red, Mill; Horse: Blue, Mill }
step game {
  choose by Red "March?" { option march "March" { let toll = roll(d6); say "toll {toll}" }; option wait "Wait" { } }
  fight(Mill)
  fight(Ford)
  mourn
  fight(Hill)
  win(Red)
}
step mourn { choose by Red "Mourn?" { option mourn "Mourn" { let tears = roll(d6); say "tears {tears}" }; option go on "Go on" { } } }
step fight(a: area) {
  field := a
  bold := Red
  meek := Blue
  if a != Hill { volley(a) }
  choose by Red "Press on?" { option press "Press" { volley(a) }; option wait "Wait" { } }
}
step volley(a: area) { let hits = roll(d6); say "volley at {a}: {hits}" }
"#;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let game = written(folder.path(), FIGHTS);
    let data = folder.path().join("data");
    let hall = hall_of(&data, std::slice::from_ref(&game));
    let table = table(&hall, &game);
    let recalled = || {
        let looked = table.with(&hall, |sitting| {
            let update = told(sitting, None);
            let parts = update["fragments"].as_array().expect("fragments").iter();
            let scenes = parts.filter_map(|part| part[2].as_str().filter(|_| part[0] == "scene"));
            Ok(scenes.map(str::to_owned).collect::<String>())
        });
        let scene = runtime.block_on(looked).expect("what is seen");
        let last = scene.split_once(r#"<ol class="last">"#).map(|(_, last)| last.to_owned());
        (!scene.is_empty()).then(|| last.unwrap_or_default())
    };
    let choose = || assert_eq!(runtime.block_on(play(&hall, &table, 1)).len(), 1);
    assert_eq!(recalled(), None, "nothing goes on");
    choose();
    let mill = recalled().expect("a fight at the mill");
    assert!(mill.contains("dice") && mill.contains("volley at <b") && !mill.contains("toll"), "{mill}");
    choose();
    // The volley of the mill and the first one of the ford came of one choice: what the ford's is nothing tells.
    assert_eq!(recalled().as_deref(), Some(""), "the ford");
    choose();
    assert_eq!(recalled(), None, "who mourns does not fight");
    choose();
    assert_eq!(recalled().as_deref(), Some(""), "tears do not fall at the hill");
}

/// A game of one page in a folder: its path.
fn written(folder: &Path, page: &str) -> String {
    let game = folder.join("written");
    std::fs::create_dir(&game).expect("a folder");
    let manifest = r#"Game(name: "Written", player: "side", begins: "game")"#;
    std::fs::write(game.join("blazon.ron"), manifest).expect("a manifest");
    std::fs::write(game.join("written.blazon"), page).expect("a page");
    game.display().to_string()
}

#[test]
fn looking_back_ends_where_somebody_first_had_a_choice() {
    const FORCED: &str = r#"
kind side = Red, Blue
setup Start { }
step game {
  for s in sides { choose by s "Begin" { option begin "Begin" { } } }
  for s in sides { choose by s "Go on" { option march "March" { }; option wait "Wait" { } } }
  win(Red)
}
"#;
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let folder = tempfile::tempdir().expect("a folder");
    let game = written(folder.path(), FORCED);
    let hall = hall_of(&folder.path().join("data"), std::slice::from_ref(&game));
    let table = table(&hall, &game);
    assert_eq!(runtime.block_on(play(&hall, &table, 1)).len(), 1);
    let looked = table.with(&hall, |sitting| {
        let mut at = |choices: usize, back: bool| {
            let update = sitting.replay(None, choices, back)?;
            let update: serde_json::Value = serde_json::from_str(&update).expect("JSON");
            Ok((update["choices"].as_u64(), update["log"]["lines"].as_array().map(Vec::len)))
        };
        [(0, true), (0, false), (1, true), (2, true), (3, true), (9, true)]
            .into_iter()
            .map(|(choices, back)| at(choices, back))
            .collect::<Result<Vec<_>, Problem>>()
    });
    let (begun, now) = ((Some(2), Some(2)), (Some(3), Some(3)));
    let looked = runtime.block_on(looked).expect("a look back");
    assert_eq!(looked, [begun, begun, begun, begun, now, now]);
}

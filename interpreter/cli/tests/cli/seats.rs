//! Seats and sides: a side without a seat that wins or is asked, a variant that seats it, a side for which another
//! decides.

use crate::common::{Room, Run};

const GAME: &str = r#"
kind side = Red, Blue, Green
kind crown = The Crown { state held: side? }
setup Start "the start" (crown: held) { The Crown: Red }
step race {
  case roll(d6) {
    when 1..2 { win(Red) }
    when 3..4 { win(Blue) }
    else      { win(Green) }
  }
}
step council {
  for s in sides {
    choose by s "Who shall win?" {
      option oneself "I" { win(s) }
      option pass "Another" { }
    }
  }
  win(Green)
}
"#;

/// The game of three sides, two of them at the table, which begins with a step.
fn crowns(begins: &str, page: &str) -> Room {
    let room = Room::new();
    let manifest = format!(
        r#"Game(name: "Three Crowns", player: "side", players: ["Red", "Blue"], begins: "{begins}")"#
    );
    room.write("crowns/blazon.ron", manifest);
    room.write("crowns/1-play.blazon", format!("{GAME}{page}"));
    let variant = r#"Variant(name: "Green", game: "Three Crowns", players: ["Green"])"#;
    room.write("crowns/variants/green/blazon.ron", variant);
    room.write("crowns/variants/green/green.blazon", "-- Green has a seat.\n");
    room
}

fn simulate(room: &Room, args: &[&str]) -> Run {
    let mut all = vec!["simulate", "crowns", "--games", "600", "--seed", "4"];
    all.extend(args);
    room.run(&all, "")
}

/// The games that the line of a name counts, and who plays it.
fn line<'t>(out: &'t str, name: &str) -> Option<(&'t str, u64)> {
    let line = out.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")))?;
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    Some((cells[1], cells[2].replace(',', "").parse().expect("a number")))
}

#[test]
fn victories_of_a_side_without_a_seat_are_counted() {
    let run = simulate(&crowns("race", ""), &[]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let lines =
        ["Red", "Blue", "Green"].map(|name| line(&run.out, name).unwrap_or_else(|| panic!("{}", run.out)));
    assert_eq!(lines.map(|(plays, _)| plays), ["random", "random", "no seat"]);
    assert!(lines.iter().all(|(_, won)| *won > 100), "{}", run.out);
    assert_eq!(lines.iter().map(|(_, won)| won).sum::<u64>(), 600, "{}", run.out);
    let json: serde_json::Value =
        serde_json::from_str(&simulate(&crowns("race", ""), &["--json"]).out).expect("JSON");
    assert_eq!(json["players"][2]["plays"], "no seat");
    assert_eq!(json["players"][2]["won"], lines[2].1);
    assert_eq!(json["endings"][0]["won"]["Green"], lines[2].1);
}

#[test]
fn a_side_without_a_seat_is_not_asked_in_silence() {
    let run = simulate(&crowns("council", ""), &[]);
    let said = "run::seat";
    assert!(run.out.contains(said) || run.err.contains(said), "{}{}", run.out, run.err);
    assert!(run.out.contains("Green is asked and does not sit at the table"), "{}{}", run.out, run.err);
}

#[test]
fn a_variant_seats_a_player() {
    let run = simulate(&crowns("council", ""), &["--variant", "green"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(line(&run.out, "Green").map(|(plays, _)| plays), Some("random"), "{}", run.out);
}

#[test]
fn another_may_decide_for_a_side_without_a_seat() {
    let run = simulate(
        &crowns("council", "rule chooser(s: side): side = s\n  except green: Red if s = Green\n"),
        &[],
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let won: u64 =
        ["Red", "Blue", "Green"].iter().filter_map(|name| line(&run.out, name)).map(|(_, won)| won).sum();
    assert_eq!(won, 600, "{}", run.out);
}

#[test]
fn nobody_sits_down_on_a_seat_that_there_is_not() {
    let run = simulate(&crowns("race", ""), &["--players", "Green=greedy"]);
    assert_ne!(run.code, 0);
    assert!(run.err.contains("Red") && run.err.contains("Blue"), "{}", run.err);
}

#[test]
fn a_variant_that_seats_nobody_known_is_refused() {
    let room = crowns("race", "");
    let variant = r#"Variant(name: "Green", game: "Three Crowns", players: ["Grene"])"#;
    room.write("crowns/variants/green/blazon.ron", variant);
    let run = simulate(&room, &["--variant", "green"]);
    assert_ne!(run.code, 0);
    let said = "the manifest of `Green` names `Grene` as a player, but no side is called so";
    assert!(run.err.contains(said), "{}", run.err);
}

#[test]
fn a_variant_unseats_a_player() {
    let room = crowns("race", "");
    room.write(
        "crowns/variants/duel/blazon.ron",
        r#"Variant(name: "Alone", game: "Three Crowns", unseats: ["Blue"])"#,
    );
    room.write("crowns/variants/duel/duel.blazon", "-- Blue has no seat.\n");
    let run = simulate(&room, &["--variant", "duel"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(line(&run.out, "Blue").map(|(plays, _)| plays), Some("no seat"), "{}", run.out);
    assert_eq!(line(&run.out, "Red").map(|(plays, _)| plays), Some("random"), "{}", run.out);
    // Whoever one variant seats another may unseat, if it knows of that one.
    room.write(
        "crowns/variants/duel/blazon.ron",
        r#"Variant(name: "Alone", game: "Three Crowns", needs: ["Green"], unseats: ["Blue", "Green"])"#,
    );
    let run = simulate(&room, &["--variant", "duel"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(line(&run.out, "Green").map(|(plays, _)| plays), Some("no seat"), "{}", run.out);
    // And whoever knows of that one may seat again.
    room.write(
        "crowns/variants/back/blazon.ron",
        r#"Variant(name: "Back", game: "Three Crowns", needs: ["Alone"], players: ["Blue"])"#,
    );
    room.write("crowns/variants/back/back.blazon", "-- Blue is back.\n");
    let run = simulate(&room, &["--variant", "back"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let plays = ["Red", "Blue", "Green"].map(|name| line(&run.out, name).map(|(plays, _)| plays));
    assert_eq!(plays, [Some("random"), Some("random"), Some("no seat")], "{}", run.out);
}

//! Who is let in, and who is not.

use serde_json::json;

use crate::client::{Answer, Browser};
use crate::server::{Server, command, two_rivers};

fn begin(data: &tempfile::TempDir, args: &[&str]) -> Server {
    Server::start(&two_rivers().display().to_string(), data.path(), args)
}

fn told(answer: &Answer) -> (u16, String) {
    (answer.status, answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_stranger_gets_nothing_of_a_table() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    let stranger = Browser { cookie: None, ..north.clone() };
    let forged = Browser { cookie: Some(format!("blazon={}", "a".repeat(26))), ..north.clone() };
    for browser in [&stranger, &forged] {
        for what in [
            "update",
            "events",
            "why",
            "try?number=1&option=0",
            "replay/0",
            "line/0",
            "bot",
            "save",
            "paragraph/2",
        ] {
            let answer = browser.ask(what);
            assert_eq!(
                told(&answer),
                (403, if what == "save" { "serve::secret" } else { "serve::seat" }.to_owned()),
                "{what}"
            );
        }
        assert_eq!(browser.ask("").status, 403);
        for what in ["choose", "undo", "resign", "bot", "fork", "save"] {
            let body = json!({"number": 1, "option": 0, "at": 0, "seat": "North", "bot": "random"});
            assert_eq!(browser.tell(what, &body).unwrap().status, 403, "{what}");
        }
    }
    // Nor a player anything of the other's.
    let south = Browser { seat: "South".to_owned(), ..north.clone() };
    assert_eq!(told(&south.ask("update")), (403, "serve::seat".to_owned()));
    assert_eq!(told(&south.ask("replay/0")), (403, "serve::seat".to_owned()));
    // A spectator may look, and do nothing.
    let watch = server.follow(1);
    assert_eq!(watch.update()["decision"]["yours"], false);
    assert_eq!(watch.tell("resign", &json!({})).unwrap().status, 403);
    let lobby = Browser::new(server.port).get("/");
    assert_eq!(lobby.status, 200);
    let name = north.table.trim_matches('/').trim_start_matches("t/");
    assert!(!lobby.body.contains(name), "nor does the lobby tell of it");
    assert_eq!(Browser::new(server.port).get(&format!("/join/{name}/{}", "a".repeat(26))).status, 404);
}

#[test]
fn pages_of_others_change_nothing() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    let before = north.update();
    let path = format!("{}resign?seat=North", north.table);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"] {
        let answer = north.send("POST", &path, &[("Origin", origin)], "{}").unwrap();
        assert_eq!(told(&answer), (403, "serve::host".to_owned()), "{origin}");
    }
    assert_eq!(told(&north.send("POST", &path, &[], "{}").unwrap()), (403, "serve::host".to_owned()));
    // A stranger's name that was made to mean this machine.
    let host = format!("evil.example:{}", server.port);
    let answer = north.send("GET", "/", &[("Host", &host)], "").unwrap();
    assert_eq!(told(&answer), (421, "serve::host".to_owned()));
    let own = format!("localhost:{}", server.port);
    assert_eq!(north.send("GET", "/", &[("Host", &own)], "").unwrap().status, 200);
    assert_eq!(north.update(), before);
}

/// A port that is free now.
fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

#[test]
fn behind_a_proxy_that_calls_it_otherwise_pages_may_act() {
    let data = tempfile::tempdir().unwrap();
    let (game, port) = (two_rivers().display().to_string(), free_port().to_string());
    let public = format!("https://games.example:{port}");
    let args = [game.as_str(), "--port", &port, "--public", &public, "--hotseat"];
    let server = Server::of(&mut command(data.path(), &args));
    let north = server.player();
    let path = format!("{}link?seat=North", north.table);
    // It is called by its own address, and the page is one of the proxy's.
    let renewed = north.send("POST", &path, &[("Origin", &public)], "{}").unwrap();
    assert_eq!(renewed.status, 200, "{renewed:?}");
    assert!(renewed.body.contains(&format!("{public}/join/")), "links are those of the proxy: {renewed:?}");
    assert!(!renewed.body.contains("this machine alone"), "{renewed:?}");
    for other in ["https://games.example", &format!("http://games.example:{port}"), "https://evil.example"] {
        let answer = north.send("POST", &path, &[("Origin", other)], "{}").unwrap();
        assert_eq!(told(&answer), (403, "serve::host".to_owned()), "{other}");
    }
}

#[test]
fn whoever_is_turned_away_reads_why_and_how_it_is_mended() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let browser = Browser::new(server.port);
    let page = [("Origin", "https://games.example"), ("Accept", "text/html,*/*")];
    let answer = browser.send("POST", "/new", &page, "").unwrap();
    assert_eq!(answer.status, 403);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    let host = format!("127.0.0.1:{}", server.port);
    let typed = |text: &str| format!("<code>{text}</code>");
    for part in [&*typed("https://games.example"), &typed(&host), "--public", "serve::host", "All tables"] {
        assert!(answer.body.contains(part), "{part}: {}", answer.body);
    }
    let strange = format!("https://{}\"><b>", "x".repeat(900));
    let answer = browser.send("POST", "/new", &[("Origin", &strange), page[1]], "").unwrap();
    assert!(answer.status == 403 && !answer.body.contains("<b>") && answer.body.len() < 2500, "{answer:?}");
    // What a table refuses leads back to it, as the seat that asked.
    let north = server.player();
    let stranger = Browser { cookie: None, ..north.clone() };
    let path = format!("{}save?seat=North&from=%22%3Cb%3E", north.table);
    let answer = stranger.send("GET", &path, &[page[1]], "").unwrap();
    let back = format!("<a href=\"{}?seat=North&amp;from=%22%3Cb%3E\">To the table</a>", north.table);
    assert!(answer.status == 403 && answer.body.contains(&back), "{answer:?}");
    let answer = stranger.send("GET", &north.table, &[page[1]], "").unwrap();
    assert!(answer.status == 403 && answer.body.contains("<a href=\"/\">All tables</a>"), "{answer:?}");
    let answer = browser.send("GET", "/", &[("Host", "games.example"), page[1]], "").unwrap();
    assert_eq!(answer.status, 421);
    assert!(
        answer.body.contains(&typed("games.example")) && answer.body.contains("--host"),
        "{}",
        answer.body
    );
}

#[test]
fn links_that_mean_another_machine_to_others_say_so() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let renewed = server.player().tell("link", &json!({})).unwrap();
    assert!(
        renewed.body.contains("open on this machine alone") && renewed.body.contains("--address 0.0.0.0")
    );
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat", "--address", "0.0.0.0"]);
    // Whoever started it goes by the name that always leads to it.
    assert!(server.links[0].starts_with("http://localhost:"), "{}", server.said);
    let player = server.player();
    let called = format!("localhost:{}", server.port);
    let path = format!("{}link?seat=North", player.table);
    let origin = format!("http://{called}");
    let renewed = player.send("POST", &path, &[("Host", &called), ("Origin", &origin)], "{}").unwrap().body;
    let front = server.links[1].split("/join/").next().unwrap();
    assert!(server.said.lines().any(|line| line.ends_with(&format!("people: {front}/"))), "{}", server.said);
    assert!(renewed.contains(&format!("{front}/join/")), "{renewed}");
    // A machine in no net has no address there.
    assert_eq!(renewed.contains("this machine alone"), front.contains("localhost"), "{renewed}");
}

#[test]
fn every_answer_says_what_browsers_must_not_do() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    for answer in [
        north.ask(""),
        north.ask("update"),
        north.get("/"),
        north.get("/nowhere"),
        north.get("/web/board.css"),
    ] {
        let policy = answer.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
    }
    let page = north.ask("");
    assert_eq!(page.header("cache-control"), Some("no-store"));
    for forbidden in [" style=\"", "<style", " onclick", "javascript:", "<script>"] {
        assert!(!page.body.contains(forbidden), "{forbidden}");
    }
    let file = north.get("/web/board.css");
    let tag = file.header("etag").expect("a tag").to_owned();
    let again = north.send("GET", "/web/board.css", &[("If-None-Match", &tag)], "").unwrap();
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    for outside in ["/web/../Cargo.toml", "/web/..%2fCargo.toml", "/web/tests/x.js", "/web/table.html"] {
        assert_eq!(north.get(outside).status, 404, "{outside}");
    }
}

#[test]
fn too_much_is_refused() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    let long = north.tell("choose", &json!({"number": "x".repeat(20_000)})).unwrap();
    assert_eq!(long.status, 413, "{long:?}");
    for body in ["nonsense", "{\"number\":-1}", "[]", "{\"number\":1e99,\"option\":0}"] {
        let origin = format!("http://127.0.0.1:{}", server.port);
        let path = format!("{}choose?seat=North", north.table);
        let answer = north.send("POST", &path, &[("Origin", &origin)], body).unwrap();
        assert_eq!(told(&answer), (400, "serve::request".to_owned()), "{body}");
    }
    let streams: Vec<_> = (0..32).map(|_| north.listen()).map(|mut events| (events.next(), events)).collect();
    assert_eq!(told(&north.ask("events")), (429, "serve::limit".to_owned()));
    drop(streams);
    let refused = (0..10_000).any(|_| north.get("/web/board.css").status == 429);
    assert!(refused, "so many at once are too many");
}

#[test]
fn one_address_does_not_make_all_the_tables_there_are() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let north = server.player();
    let origin = format!("http://127.0.0.1:{}", server.port);
    let headers = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let make = |_| north.send("POST", "/new", &headers, "game=nothing").unwrap();
    let refused = (0..250).map(make).find(|answer| answer.status == 429).expect("there is an end");
    assert_eq!(told(&refused), (429, "serve::limit".to_owned()));
    assert!(refused.body.contains("so many new tables at once"), "{refused:?}");
    assert_eq!(north.ask("update").status, 200, "who plays plays on");
}

#[test]
fn links_can_be_renewed_and_seats_given_to_bots() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let renewed = north.tell("link", &json!({})).unwrap();
    assert_eq!(renewed.status, 200);
    let at = renewed.body.find("/join/").expect("a link");
    let link: String = renewed.body[at..].chars().take_while(|letter| *letter != '<').collect();
    let mut phone = Browser::new(server.port);
    phone.follow(&link);
    assert_eq!(phone.update()["decision"]["yours"], true);
    let answer = north.tell("bot", &json!({"seat": "South", "bot": "random"})).unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(north.tell("bot", &json!({"seat": "South", "bot": "deep"})).unwrap().status, 400);
    let update = north.update();
    let rest =
        update["decision"]["options"].as_array().unwrap().iter().position(|option| option[2] == "Rest");
    assert_eq!(north.choose(&update, rest.unwrap()).status, 200);
    let before = update["choices"].as_u64().expect("a number");
    let after = north.wait_for_turn()["choices"].as_u64().expect("a number");
    assert!(after > before + 1, "the bot has moved");
}

#[test]
fn a_new_game_is_begun_from_the_form() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let mut host = Browser::new(server.port);
    let form = host.get("/").body;
    for part in
        ["name=\"seat.North\"", "name=\"ruling.crowds\"", "May two armies of one realm stand in one place?"]
    {
        assert!(form.contains(part), "{part}");
    }
    let origin = format!("http://127.0.0.1:{}", server.port);
    let game =
        form.split("name=\"game\" value=\"").nth(1).unwrap().split('"').next().unwrap().replace('/', "%2F");
    let post = |browser: &Browser, body: &str| {
        browser
            .send(
                "POST",
                "/new",
                &[("Origin", &origin), ("Content-Type", "application/x-www-form-urlencoded")],
                body,
            )
            .unwrap()
    };
    let begun = post(&host, &format!("game={game}&ruling.crowds=yes&seat.North=mine&seat.South=open"));
    assert_eq!(begun.status, 303, "{begun:?}");
    host.cookie = begun.header("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    let (table, seat) = begun.header("location").unwrap().split_once("?seat=").unwrap();
    (host.table, host.seat) = (table.to_owned(), seat.to_owned());
    assert_eq!(host.update()["decision"]["yours"], true);
    // Whoever comes takes the open seat, once.
    let lobby = Browser::new(server.port).get("/").body;
    assert!(lobby.contains("Sit down as South"));
    let mut guest = Browser::new(server.port);
    (guest.table, guest.seat) = (host.table.clone(), "South".to_owned());
    let sat = guest.tell("sit", &json!({})).unwrap();
    assert_eq!(sat.status, 303, "{sat:?}");
    guest.cookie = sat.header("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned);
    assert_eq!(guest.update()["decision"]["yours"], false);
    let late = Browser { cookie: None, ..guest.clone() };
    assert_eq!(late.tell("sit", &json!({})).unwrap().status, 409);
    // And the host does not come in behind.
    let behind = Browser { seat: "South".to_owned(), ..host.clone() };
    assert_eq!(behind.tell("link", &json!({})).unwrap().status, 403);
    for wrong in
        ["game=nothing", &format!("game={game}&variant=%2Fetc"), &format!("game={game}&setup=x"), "what=1"]
    {
        let status = post(&host, wrong).status;
        assert!((400..500).contains(&status), "{wrong}: {status}");
    }
}

#[test]
fn tables_of_one_game_are_told_apart_in_the_lobby() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &[]);
    let first = server.player();
    let lobby = || first.get("/").body;
    let game = lobby();
    let game =
        game.split("name=\"game\" value=\"").nth(1).unwrap().split('"').next().unwrap().replace('/', "%2F");
    let origin = format!("http://127.0.0.1:{}", server.port);
    let new = |seats: &str| {
        let form = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
        let begun = first.send("POST", "/new", &form, &format!("game={game}&{seats}")).unwrap();
        begun.header("location").unwrap().split_once("?seat=").unwrap().0.to_owned()
    };
    let waiting = new("seat.North=greedy&seat.South=mine");
    let mine = new("seat.North=mine&seat.South=open");
    let row = |table: &str| {
        let name = table.trim_matches('/').trim_start_matches("t/").to_owned();
        let page = lobby();
        let row = page.split("<li>").find(|row| row.contains(&format!("table {name}"))).expect("a row");
        row.split("</li>").next().unwrap().to_owned()
    };
    // Nobody has been there yet: whose turn it is is not known.
    assert!(!row(&mine).contains("your turn"), "{}", row(&mine));
    assert!(row(&mine).contains("North: you · South: nobody yet · begun just now"), "{}", row(&mine));
    assert!(row(&waiting).contains("North: a bot that looks ahead · South: you"), "{}", row(&waiting));
    assert_eq!(Browser { table: mine.clone(), ..first.clone() }.update()["decision"]["yours"], true);
    assert!(row(&mine).contains("your turn"), "{}", row(&mine));
    // What waits for somebody comes first.
    let page = lobby();
    let at = |table: &str| page.find(table.trim_matches('/')).expect("a link");
    assert!(at(&mine) < at(&waiting), "{page}");
    // Of the others' tables a stranger hears what everybody sees, and of those without an open seat nothing.
    let strange = Browser::new(server.port).get("/").body;
    assert!(strange.contains("North: somebody · South: nobody yet"), "{strange}");
    assert!(!strange.contains(waiting.trim_matches('/').trim_start_matches("t/")), "{strange}");
}

#[test]
fn a_seat_that_is_handed_over_shows_nothing_before() {
    let data = tempfile::tempdir().unwrap();
    let server = begin(&data, &["--hotseat"]);
    let north = server.player();
    let south = Browser { seat: "South".to_owned(), ..north.clone() };
    let covered = |browser: &Browser| browser.ask("").body.contains("<body class=\"passing\"");
    assert!(!covered(&north) && covered(&south), "North is asked, at one screen");
    let mut phone = Browser::new(server.port);
    let renewed = north.tell("link", &json!({})).unwrap().body;
    let link = renewed.split("/join/").nth(1).and_then(|rest| rest.split('<').next()).expect("a link");
    phone.follow(&format!("/join/{link}"));
    assert!(!covered(&phone));
}

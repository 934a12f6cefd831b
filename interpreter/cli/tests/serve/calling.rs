//! Whoever has named an address is called when it is his turn.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use crate::client::{Answer, Browser, options};
use crate::server::{Server, command, two_rivers};

/// Names an address for a seat, as the form does.
fn name(browser: &Browser, address: &str) -> Answer {
    let origin = format!("http://127.0.0.1:{}", browser.port);
    let headers = [("Origin", origin.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let path = format!("{}webhook?seat={}", browser.table, browser.seat);
    browser.send("POST", &path, &headers, &format!("address={address}")).expect("an answer")
}

#[test]
fn a_seat_is_called_when_its_turn_begins() {
    let chat = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = chat.local_addr().unwrap().to_string();
    let data = tempfile::tempdir().unwrap();
    let game = two_rivers().display().to_string();
    let server = Server::start(&game, data.path(), &["--hotseat", "--webhook-host", &host]);
    let north = server.player();
    let south = Browser { seat: "South".to_owned(), ..north.clone() };
    assert!(north.ask("").body.contains("webhook?seat=North"), "the page leads to the form");
    let address = format!("http://{host}/hook");
    assert_eq!(name(&south, &address).status, 303);
    assert!(south.ask("webhook").body.contains(&address));
    let other = name(&south, "http://127.0.0.1:1/hook");
    assert!(other.status == 422 && other.body.contains(&format!("calls only {host}")), "{other:?}");

    // Nobody but the seat's own browser names its address.
    let stranger = Browser { cookie: None, ..south.clone() };
    assert_eq!(name(&stranger, &address).status, 403);

    let waits = std::thread::spawn(move || {
        let (mut stream, _) = chat.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let (mut told, mut bytes) = (String::new(), [0; 4096]);
        while !told.ends_with('}') {
            let count = stream.read(&mut bytes).unwrap();
            assert!(count > 0, "{told}");
            told.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        }
        stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
        told
    });
    while let update = north.update()
        && update["decision"]["yours"] == true
    {
        assert_eq!(north.choose(&update, options(&update) - 1).status, 200);
    }
    let told = waits.join().unwrap();
    assert!(told.starts_with("POST /hook HTTP/1.1\r\n"), "{told}");
    let (_, body) = told.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["text"], "Two Rivers: it is your turn, South.");
    assert_eq!(body["url"], format!("http://127.0.0.1:{}{}?seat=South", server.port, south.table));

    for _ in 0..200 {
        if south.ask("webhook").body.contains("it was answered by 204") {
            assert_eq!(name(&south, "").status, 303);
            assert!(!south.ask("webhook").body.contains(&address), "it is forgotten");
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{}", south.ask("webhook").body);
}

#[test]
fn a_server_that_may_call_nobody_says_so() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(&two_rivers().display().to_string(), data.path(), &[]);
    let north = server.player();
    assert!(!north.ask("").body.contains("webhook"));
    assert!(north.ask("webhook").body.contains("--webhook-host"));
    let refused = name(&north, "https://chat.example/x");
    assert!(refused.status == 422 && refused.body.contains("serve::webhook"), "{refused:?}");
}

#[test]
fn a_host_is_no_address() {
    let data = tempfile::tempdir().unwrap();
    let wrong = command(data.path(), &["--webhook-host", "https://chat.example/x"]).output().unwrap();
    let said = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        said.contains("write the name alone, such as games.example, without https:// and without a path"),
        "{said}"
    );
}

//! URLs behind which no server is, or a hostile one.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use libtest_mimic::Trial;

use super::measured::handler;
use crate::support::trial;

/// What is said of each when it is asked to `initialize`.
const TARGETS: &[(&str, &str)] = &[
    ("refuses", "could not be connected to: Connection refused"),
    ("accepts-and-hangs", "did not answer within"),
    ("closes-without-an-answer", "closed the connection without an answer"),
    ("is-no-http", "answered with what is not HTTP: invalid HTTP version parsed"),
    ("is-another-site", "answered with status 404 Not Found: `nothing here`"),
    ("sends-headers-for-ever", "answered with what is not HTTP: message head is too large"),
    ("sends-a-body-for-ever", "answered with more than 4194304 bytes; no more are read"),
    ("sends-an-event-for-ever", "sent an event of more than 4194304 bytes"),
    ("sends-comments-for-ever", "did not answer within"),
    ("sends-notifications-for-ever", "flooded the stream with what nobody asked for; no more is read"),
];

const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

pub(super) fn trials() -> Vec<Trial> {
    let trials = TARGETS.iter().map(|(what, told)| {
        trial(format!("bad url/{what}"), move || {
            let measured = handler(&["--mcp-http", &url(what)], |_, _| {});
            measured.told(2, &format!("to `initialize` it {told}"));
            measured.is_bounded();
        })
    });
    trials.collect()
}

/// A URL behind which somebody does what the name says, for as long as this process lives.
fn url(what: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    if what != "refuses" {
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Who reads no longer is not written to.
                thread::spawn(move || behave(what, stream).unwrap_or_default());
            }
        });
    }
    url
}

fn behave(what: &str, mut stream: TcpStream) -> std::io::Result<()> {
    let _ = stream.read(&mut [0; 4096])?;
    let (begin, again) = match what {
        "closes-without-an-answer" => return Ok(()),
        "accepts-and-hangs" => {
            thread::sleep(Duration::from_secs(20));
            return Ok(());
        }
        "is-no-http" => return stream.write_all(b"220 mail.example ready\r\n"),
        "is-another-site" => {
            let page = "content-type: text/html\r\ncontent-length: 12\r\n\r\nnothing here";
            return stream.write_all(format!("HTTP/1.1 404 Not Found\r\n{page}").as_bytes());
        }
        "sends-headers-for-ever" => (JSON.to_owned(), "x-more: of the same\r\n".repeat(1000)),
        "sends-a-body-for-ever" => (format!("{JSON}\r\n{{\"jsonrpc\":\""), "2".repeat(1 << 16)),
        "sends-an-event-for-ever" => (format!("{EVENTS}data: \""), "x".repeat(1 << 16)),
        "sends-comments-for-ever" => (EVENTS.to_owned(), ": still there\n\n".repeat(4096)),
        "sends-notifications-for-ever" => {
            let notification = r#"data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}"#;
            (EVENTS.to_owned(), format!("{notification}\n\n").repeat(1000))
        }
        other => panic!("nobody does {other}"),
    };
    stream.write_all(begin.as_bytes())?;
    loop {
        stream.write_all(again.as_bytes())?;
    }
}

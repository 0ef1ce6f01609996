//! The record of an exchange: JSON lines, a header first, each message as it went over the wire, a footer last.
//! Without a footer the record is not whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The format's version, in the header.
const FORMAT: u32 = 1;

/// Where an exchange is written down, if it is.
pub(crate) struct Record {
    began: Instant,
    out: Mutex<Option<Out>>,
}

struct Out {
    file: BufWriter<File>,
    lines: u64,
    fault: Option<io::Error>,
}

/// A message on its way, as one line.
#[derive(Serialize)]
struct Line<'a> {
    at_ms: f64,
    link: u64,
    way: Way,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
}

/// Which way a message went.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Way {
    Sent,
    Received,
}

impl Record {
    /// A record that nobody keeps.
    pub(crate) fn none() -> Self {
        Self { began: Instant::now(), out: Mutex::new(None) }
    }

    /// A record of an exchange with this target.
    pub(crate) fn to(file: File, target: &str) -> Self {
        let out = Out { file: BufWriter::new(file), lines: 0, fault: None };
        let record = Self { began: Instant::now(), out: Mutex::new(Some(out)) };
        let version = env!("CARGO_PKG_VERSION");
        record.line(|_| {
            json!({ "record": "hookproof handler", "format": FORMAT, "version": version, "target": target })
        });
        record
    }

    /// A message as bytes, kept byte for byte where it is JSON in one line.
    pub(crate) fn message(&self, link: u64, way: Way, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes);
        let is_line = |text: &&str| !text.contains(['\n', '\r']);
        let message = text.ok().filter(is_line).and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
        self.line(|at_ms| Line {
            at_ms,
            link,
            way,
            message,
            text: text.ok().filter(|_| message.is_none()),
            bytes: text.is_err().then(|| bytes.escape_ascii().to_string()),
        });
    }

    /// What happened beside messages: a process that was started, a status that came.
    pub(crate) fn event(&self, link: u64, event: &str) {
        self.line(|at_ms| json!({ "at_ms": at_ms, "link": link, "event": event }));
    }

    /// Writes the footer and says whether all could be written.
    pub(crate) fn finish(&self, summary: &Value) -> io::Result<()> {
        let lines = self.locked(|out| out.lines);
        let Some(lines) = lines else { return Ok(()) };
        self.line(|at_ms| json!({ "end": true, "at_ms": at_ms, "lines": lines, "summary": summary }));
        let flushed = self.locked(|out| match out.fault.take() {
            Some(error) => Err(error),
            None => out.file.flush(),
        });
        flushed.unwrap_or(Ok(()))
    }

    fn at_ms(&self) -> f64 {
        (self.began.elapsed().as_secs_f64() * 1e6).round() / 1e3
    }

    fn line<T: Serialize>(&self, line: impl FnOnce(f64) -> T) {
        self.locked(|out| {
            let written = serde_json::to_writer(&mut out.file, &line(self.at_ms())).map_err(io::Error::from);
            match written.and_then(|()| out.file.write_all(b"\n")) {
                Ok(()) => out.lines += 1,
                Err(error) => {
                    out.fault.get_or_insert(error);
                }
            }
        });
    }

    fn locked<T>(&self, then: impl FnOnce(&mut Out) -> T) -> Option<T> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(then)
    }
}

//! A program that serves over HTTP, and says on standard error where.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;

/// A running program, ended when dropped.
pub(crate) struct Served {
    process: Child,
    pub(crate) url: String,
}

impl Served {
    pub(crate) fn start(command: &str, words: &[String]) -> Self {
        let mut start = Command::new(command);
        start.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = start.spawn().unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let mut said = String::new();
        let url = loop {
            let mut line = String::new();
            assert!(
                stderr.read_line(&mut line).unwrap() > 0,
                "it ended without saying where it serves: {said}"
            );
            if let Some(begin) = line.find("http://") {
                break line[begin..].trim().to_owned();
            }
            said += &line;
        };
        // What it says further is read, so that it never waits for a reader.
        thread::spawn(move || stderr.read_to_end(&mut Vec::new()));
        Self { process, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

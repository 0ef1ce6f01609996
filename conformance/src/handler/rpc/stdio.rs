//! A connection over the standard streams of a child process: one message a line, and nothing else.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, WeakUnboundedSender, unbounded_channel};

use super::MAX_MESSAGE;
use super::inbox::{Inbox, WireKind};
use super::record::{Record, Way};
use crate::process::Child;
use crate::words::quote;

/// How long what a server has written may still be on its way when it has ended.
const LAG: Duration = Duration::from_millis(500);
/// The most that may come on standard output beside messages, in bytes: a banner is told, a flood ends it.
const MAX_NOISE: usize = 1 << 20;

/// A running server.
pub(crate) struct Stdio {
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) child: Child,
    /// `None` once its standard input is closed.
    input: Option<UnboundedSender<Vec<u8>>>,
    number: u64,
    record: Arc<Record>,
}

impl Stdio {
    /// Starts a server.
    ///
    /// # Errors
    /// One clause that says why it could not be started.
    pub(crate) fn start(
        command: &str,
        args: &[String],
        number: u64,
        record: &Arc<Record>,
    ) -> Result<Self, String> {
        let (child, stdout, stdin) = Child::start(command, args)?;
        record.event(number, "started");
        let inbox = Arc::new(Inbox::default());
        let (input, lines) = unbounded_channel();
        tokio::spawn(write(stdin, lines));
        let reader =
            Reader { inbox: inbox.clone(), input: input.downgrade(), number, record: record.clone() };
        let (exited, waits) = (child.exited(), inbox.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = reader.read(stdout) => {}
                // What it has started may hold its standard output for ever.
                () = async { exited.await; tokio::time::sleep(LAG).await } => {
                    waits.end("has ended, while something that it started holds its standard output");
                }
            }
        });
        Ok(Self { inbox, child, input: Some(input), number, record: record.clone() })
    }

    /// Sends one line. What the server does not read stays in the pipe; nobody waits for it here.
    pub(crate) fn send(&self, line: &[u8]) {
        self.record.message(self.number, Way::Sent, line);
        if let Some(input) = &self.input {
            let _ = input.send([line, b"\n"].concat());
        }
    }

    /// Closes its standard input, the client's sign that it shall leave.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
        self.record.event(self.number, "standard input closed");
    }

    /// Ends it, whatever it takes.
    pub(crate) async fn end(mut self, patience: Duration) {
        self.close_input();
        self.child.end(tokio::time::Instant::now() + patience).await;
    }
}

async fn write(mut stdin: impl AsyncWrite + Unpin, mut lines: UnboundedReceiver<Vec<u8>>) {
    while let Some(line) = lines.recv().await {
        // Why it does not listen shows at its end.
        if stdin.write_all(&line).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

struct Reader {
    inbox: Arc<Inbox>,
    /// For answers to the server's own requests; it keeps nothing open.
    input: WeakUnboundedSender<Vec<u8>>,
    number: u64,
    record: Arc<Record>,
}

impl Reader {
    async fn read(self, stdout: impl AsyncRead + Unpin) {
        let ended = self.lines(BufReader::new(stdout)).await;
        let (Ok(why) | Err(why)) = &ended;
        self.record.event(self.number, why);
        match &ended {
            Ok(why) => self.inbox.end(why),
            Err(why) => self.inbox.give_up(why),
        }
    }

    /// Reads to the end of the stream, and says what that was.
    ///
    /// # Errors
    /// Why no more is read, though there may be more.
    async fn lines(&self, mut stdout: BufReader<impl AsyncRead + Unpin>) -> Result<String, String> {
        let mut line = Vec::new();
        let mut noise = 0;
        loop {
            let piece = match stdout.fill_buf().await {
                Ok([]) if line.is_empty() => return Ok("closed its standard output".to_owned()),
                Ok([]) => {
                    self.inbox
                        .fault(WireKind::Noise, format!("a last line without an end: {}", quote(&line)));
                    return Ok("closed its standard output in the middle of a line".to_owned());
                }
                Ok(piece) => piece,
                Err(error) => return Ok(format!("its standard output cannot be read: {error}")),
            };
            let (taken, ended) = match piece.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (piece.len(), false),
            };
            line.extend(piece.iter().take(taken));
            stdout.consume(taken);
            if line.len() > MAX_MESSAGE {
                let text = format!("a line of more than {MAX_MESSAGE} bytes: {}", quote(&line));
                self.inbox.fault(WireKind::Noise, text);
                return Err(format!("wrote a line of more than {MAX_MESSAGE} bytes; no more is read"));
            }
            if !ended {
                continue;
            }
            noise += self.line(line.trim_ascii_end());
            line.clear();
            if noise > MAX_NOISE || self.inbox.is_flooded() {
                return Err(
                    "flooded its standard output with what nobody asked for; no more is read".to_owned()
                );
            }
        }
    }

    /// Takes one line; how many of its bytes were no message.
    fn line(&self, line: &[u8]) -> usize {
        self.record.message(self.number, Way::Received, line);
        if let Some(answer) = self.inbox.receive(line)
            && let Some(input) = self.input.upgrade()
        {
            let answer = answer.to_string();
            self.record.message(self.number, Way::Sent, answer.as_bytes());
            let _ = input.send((answer + "\n").into_bytes());
        }
        if line.first() == Some(&b'{') { 0 } else { line.len() + 1 }
    }
}

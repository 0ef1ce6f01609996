//! The standard streams of a child on their way to and from rmcp: its output is watched, and a closed input
//! is no fault of its own.
//!
//! rmcp drops lines that are too long or no JSON, and a call then waits for ever. Seen from here, an endless
//! line or a flood of noise ends the connection, and a first line of noise is kept for the message.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::super::MAX_ANSWER;
use crate::words::quote;

/// A banner or two is harmless; this much is no banner.
const MAX_NOISE: usize = 1 << 20;
/// How much of the first line of noise is kept.
const KEPT: usize = 1 << 10;

/// What was seen on the stream.
#[derive(Clone, Default)]
pub(super) struct Seen(Arc<Mutex<Notes>>);

#[derive(Default)]
struct Notes {
    first_noise: Vec<u8>,
    fault: Option<String>,
}

impl Seen {
    /// Why the stream was ended from this side.
    pub(super) fn fault(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fault.clone()
    }

    /// The first line that is no JSON object, quoted.
    pub(super) fn noise(&self) -> Option<String> {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!notes.first_noise.is_empty()).then(|| quote(&notes.first_noise))
    }
}

/// A stream of lines, each one JSON-RPC message.
pub(super) struct Watched<R> {
    inner: R,
    seen: Seen,
    line: Line,
    length: usize,
    noise: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Line {
    Blank,
    Message,
    FirstNoise,
    Noise,
}

impl<R> Watched<R> {
    pub(super) fn new(inner: R) -> (Self, Seen) {
        let seen = Seen::default();
        (Self { inner, seen: seen.clone(), line: Line::Blank, length: 0, noise: 0 }, seen)
    }

    /// Takes note of one line, or of a part of one.
    fn see(&mut self, piece: &[u8]) {
        self.length += piece.len();
        if self.line == Line::Blank {
            self.line = match piece.iter().find(|byte| !byte.is_ascii_whitespace()) {
                None => Line::Blank,
                Some(b'{') => Line::Message,
                Some(_) if self.noise == 0 => Line::FirstNoise,
                Some(_) => Line::Noise,
            };
        }
        if self.line == Line::FirstNoise || self.line == Line::Noise {
            self.noise += piece.len();
        }
        let mut notes = self.seen.0.lock().unwrap_or_else(PoisonError::into_inner);
        if self.line == Line::FirstNoise {
            let room = KEPT.saturating_sub(notes.first_noise.len());
            notes.first_noise.extend(piece.iter().take(room));
        }
        if self.length > MAX_ANSWER {
            notes.fault = Some(format!("wrote a line of more than {MAX_ANSWER} bytes; no more is read"));
        } else if self.noise > MAX_NOISE {
            notes.fault =
                Some(format!("wrote over {MAX_NOISE} bytes to its standard output that are no messages"));
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.length > MAX_ANSWER || this.noise > MAX_NOISE {
            return Poll::Ready(Err(io::Error::other("the stream was given up")));
        }
        let before = buf.filled().len();
        ready!(Pin::new(&mut this.inner).poll_read(cx, buf))?;
        for piece in buf.filled().get(before..).unwrap_or_default().split_inclusive(|byte| *byte == b'\n') {
            this.see(piece);
            if piece.ends_with(b"\n") {
                this.line = Line::Blank;
                this.length = 0;
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The input of a child that may be gone. What it has written says more than that it reads no further, so it
/// is the end of its output that ends the connection.
pub(super) struct Input<W>(pub(super) W);

impl<W: AsyncWrite + Unpin> AsyncWrite for Input<W> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().0)
            .poll_write(cx, bytes)
            .map(|written| unless_closed(written, bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_flush(cx).map(|flushed| unless_closed(flushed, ()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().0).poll_shutdown(cx).map(|shut| unless_closed(shut, ()))
    }
}

fn unless_closed<T>(result: io::Result<T>, closed: T) -> io::Result<T> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(closed),
        result => result,
    }
}

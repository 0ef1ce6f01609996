//! Server-sent events, as much of them as MCP uses: the data of each event.

/// Reads a stream of events, piece by piece, in bounded memory.
#[derive(Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_cr: bool,
}

impl Events {
    /// Takes a piece of the stream; the data of each event that it completes.
    ///
    /// # Errors
    /// An event has more bytes than this.
    pub(crate) fn take(&mut self, piece: &[u8], max: usize) -> Result<Vec<Vec<u8>>, String> {
        let mut events = Vec::new();
        for byte in piece {
            let is_second_of_crlf = std::mem::replace(&mut self.after_cr, *byte == b'\r') && *byte == b'\n';
            if is_second_of_crlf {
                continue;
            }
            if *byte != b'\n' && *byte != b'\r' {
                self.line.push(*byte);
                if self.line.len() + self.data.len() > max {
                    return Err(format!("sent an event of more than {max} bytes"));
                }
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if line.is_empty() {
                let data = std::mem::take(&mut self.data);
                if std::mem::take(&mut self.has_data) {
                    events.push(data);
                }
            } else if let Some(data) = line.strip_prefix(b"data:") {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend(data.strip_prefix(b" ").unwrap_or(data));
            }
        }
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Events;

    #[rstest]
    #[case("data: {}\n\n", &["{}"])]
    #[case("data:a\r\ndata: b\r\n\r\nid: 7\n\n", &["a\nb"])]
    #[case(": keep alive\n\nevent: message\ndata: x\r\r", &["x"])]
    #[case("data: cut off", &[])]
    fn events_are_read_in_whichever_pieces_they_come(#[case] stream: &str, #[case] expected: &[&str]) {
        for size in 1..=stream.len() {
            let mut events = Events::default();
            let pieces = stream.as_bytes().chunks(size);
            let data: Vec<_> = pieces.flat_map(|piece| events.take(piece, 100).unwrap()).collect();
            assert_eq!(data, expected.iter().map(|data| data.as_bytes()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_event_without_an_end_is_given_up() {
        assert!(Events::default().take(&[b'x'; 101], 100).is_err());
    }
}

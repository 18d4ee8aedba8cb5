//! A decoder that splits the bytes of a stream into messages.

/// The framing of messages in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events: `data:` lines, with an empty line after each event.
    Events,
    /// One JSON text for each line.
    Lines,
}

/// A decoder that joins pieces of lines and extracts the messages.
#[derive(Debug)]
pub(super) struct Decoder {
    framing: Framing,
    line: Vec<u8>,
    data: Vec<u8>,
    is_foreign: bool,
}

/// The fields of server-sent events.
const FIELDS: [&[u8]; 4] = [b"data", b"event", b"id", b"retry"];

impl Decoder {
    pub(super) fn new(framing: Framing) -> Decoder {
        Decoder { framing, line: Vec::new(), data: Vec::new(), is_foreign: false }
    }

    /// Reads the next bytes, and returns the messages that they complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|it| *it == b'\n') {
            let (head, tail) = rest.split_at(at);
            self.line.extend_from_slice(head);
            rest = tail.get(1..).unwrap_or_default();
            messages.extend(self.end_line());
        }
        self.line.extend_from_slice(rest);
        messages
    }

    /// Ends the stream. Returns the last message if it has no line end, because some servers omit the last one.
    pub(super) fn end(&mut self) -> Option<Vec<u8>> {
        let last = if self.line.is_empty() { None } else { self.end_line() };
        last.or_else(|| self.end_event())
    }

    /// Returns whether there was a line that is not part of such a stream. An incomplete field name does not count.
    pub(super) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        if self.framing == Framing::Lines {
            self.is_foreign |= !matches!(line.trim_ascii_start().first(), Some(b'{') | None);
            return if line.is_empty() { None } else { Some(line.to_vec()) };
        }
        if line.is_empty() {
            return self.end_event();
        }
        // The other fields (`event`, `id`, `retry`) and comments repeat parts of the data.
        if let Some(data) = line.strip_prefix(b"data:") {
            if !self.data.is_empty() {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(data.strip_prefix(b" ").unwrap_or(data));
        }
        let field = line.split(|it| *it == b':').next().unwrap_or_default();
        self.is_foreign |= !FIELDS.iter().any(|it| it.starts_with(field));
        None
    }

    fn end_event(&mut self) -> Option<Vec<u8>> {
        let data = std::mem::take(&mut self.data);
        if data.is_empty() { None } else { Some(data) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(framing: Framing, parts: &[&[u8]]) -> Vec<String> {
        let mut decoder = Decoder::new(framing);
        let mut messages: Vec<Vec<u8>> = parts.iter().flat_map(|it| decoder.feed(it)).collect();
        messages.extend(decoder.end());
        messages.into_iter().map(|it| String::from_utf8(it).unwrap()).collect()
    }

    /// Checks the messages of a text, for every split in two and byte by byte.
    fn check(framing: Framing, text: &str, expected: &[&str]) {
        let bytes = text.as_bytes();
        for at in 0..=bytes.len() {
            let (one, two) = bytes.split_at(at);
            assert_eq!(decode(framing, &[one, two]), expected, "{text:?} at {at}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(framing, &single), expected, "{text:?}");
    }

    #[test]
    fn messages() {
        check(Framing::Events, "data: {\"ü\": 1}\n\ndata:b\n\n", &["{\"ü\": 1}", "b"]);
        check(
            Framing::Events,
            ": hi\r\nevent: x\r\nid: 7\r\ndata: a\r\ndata: b\r\n\r\n",
            &["a\nb"],
        );
        check(Framing::Events, "\n\n: ping\n\ndata: a\n\nretry: 5\n\ndata: b", &["a", "b"]);
        check(Framing::Lines, "{\"a\":1}\n\r\n{\"é\":2}\r\n3", &["{\"a\":1}", "{\"é\":2}", "3"]);
        check(Framing::Lines, "", &[]);
    }

    #[test]
    fn foreign_texts() {
        let check_in = |framing, text: &str, expected: bool| {
            let mut decoder = Decoder::new(framing);
            decoder.feed(text.as_bytes());
            decoder.end();
            assert_eq!(decoder.is_foreign(), expected, "{text:?}");
        };
        check_in(Framing::Lines, "<html>", true);
        check_in(Framing::Lines, "{\"a\":1}\n\n {\"b", false);
        let check = |text, expected| check_in(Framing::Events, text, expected);
        check("<html>\n", true);
        check("<html>", true);
        check("\n{\"error\": 1}", true);
        check("database: x\n", true);
        check(": ping\r\nevent: a\r\nid\r\nretry: 1\r\ndata: <html>", false);
        check("dat", false);
        check("", false);
    }
}

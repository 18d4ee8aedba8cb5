//! The outline of a message of JSON-RPC, read from its bytes, whatever else is wrong with them.

use serde_json::Value;

/// The maximum length of a key or an id, in bytes of JSON.
const MAX_TEXT: usize = 256;

/// The outline of a message, which gets its bytes in pieces. It keeps at most one key or id, and has no recursion.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about the bytes so far")]
pub(crate) struct Outline {
    /// The id, if it is a number or a short text.
    pub(crate) id: Option<Value>,
    has_id: bool,
    pub(crate) has_method: bool,
    pub(crate) has_result: bool,
    pub(crate) has_error: bool,
    depth: usize,
    is_object: bool,
    is_in_string: bool,
    is_escaped: bool,
    /// The key of the value that is read; `None` before the colon.
    key: Option<String>,
    /// The bytes of the key, or of the value at the top level.
    text: Vec<u8>,
}

impl Outline {
    /// Reads a whole message.
    pub(crate) fn of(message: &[u8]) -> Outline {
        let mut outline = Outline::default();
        outline.read(message);
        outline
    }

    /// Returns whether the message asks for an answer.
    pub(crate) fn is_request(&self) -> bool {
        self.has_method && self.has_id
    }

    /// Reads the next bytes.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.read_byte(*byte);
        }
    }

    fn read_byte(&mut self, byte: u8) {
        if self.is_in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_string = false,
                _ => {}
            }
            return self.keep(byte);
        }
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                // A value with parts is not an id.
                self.keep(byte);
                self.is_object = if self.depth == 0 { byte == b'{' } else { self.is_object };
                self.depth += 1;
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_value();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if self.depth == 1 => self.end_value(),
            b':' if self.depth == 1 && self.key.is_none() => {
                self.begin_value();
            }
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.keep(byte),
        }
    }

    /// Keeps a byte of the top level. One byte too many makes the text useless.
    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.text.len() <= MAX_TEXT {
            self.text.push(byte);
        }
    }

    fn begin_value(&mut self) {
        let key: String = serde_json::from_slice(&self.text).unwrap_or_default();
        if self.is_object {
            match key.as_str() {
                "id" => self.has_id = true,
                "method" => self.has_method = true,
                "result" => self.has_result = true,
                "error" => self.has_error = true,
                _ => {}
            }
        }
        self.key = Some(key);
        self.text.clear();
    }

    fn end_value(&mut self) {
        let key = self.key.take();
        if self.is_object && key.as_deref() == Some("id") {
            let is_whole = self.text.len() <= MAX_TEXT;
            let id = serde_json::from_slice::<Value>(&self.text).ok();
            self.id = id.filter(|it| is_whole && (it.is_number() || it.is_string()));
        }
        self.text.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::Outline;

    #[test]
    fn outlines_are_read_from_any_bytes() {
        let deep =
            format!(r#"{{"result":{}1{},"id":7}}"#, "[".repeat(100_000), "]".repeat(100_000));
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(300));
        let cases: [(&[u8], &str); 14] = [
            (br#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, "Some(Number(7)) method"),
            (br#"{"jsonrpc":"2.0","method":"ping"}"#, "None method"),
            (
                br#" { "id" : "a\"b" , "result" : {"id": 8, "error": 1} } "#,
                r#"Some(String("a\"b")) result"#,
            ),
            (br#"{"result":{},"error":{},"id":7}"#, "Some(Number(7)) result error"),
            (br#"{"\u0069d":7}"#, "Some(Number(7))"),
            (b"{\"result\":\"\xff\xfe\",\"id\":7}", "Some(Number(7)) result"),
            (br#"{"result":NaN,"id":7}"#, "Some(Number(7)) result"),
            (br#"{"result":"\ud800","id":7}"#, "Some(Number(7)) result"),
            (deep.as_bytes(), "Some(Number(7)) result"),
            (br#"{"id":{"a":1}}"#, "None"),
            (br#"{"id":null}"#, "None"),
            (long.as_bytes(), "None"),
            (br#"["id",7,{"id":7}]"#, "None"),
            (b"}]{{{,:\"", "None"),
        ];
        for (message, expected) in cases {
            for size in [1, 7, message.len()] {
                let mut outline = Outline::default();
                message.chunks(size).for_each(|it| outline.read(it));
                let mut shown = format!("{:?}", outline.id);
                let has = [
                    (outline.has_method, " method"),
                    (outline.has_result, " result"),
                    (outline.has_error, " error"),
                ];
                has.iter().filter(|it| it.0).for_each(|it| shown.push_str(it.1));
                assert_eq!(shown, expected, "{}", String::from_utf8_lossy(message));
            }
        }
    }
}

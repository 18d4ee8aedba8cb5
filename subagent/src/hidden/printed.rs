//! Hidden fields in printed text: JSON, and maps as programs print them, with or without quotes.

use std::ops::Range;

use ptc_lisp::Value;

/// Returns the ranges of the values of hidden fields in a printed text, in order.
///
/// A field follows a `{`, or a comma inside a map. In strings without quotes, the end of a value that contains a comma
/// or a bracket is ambiguous.
pub(super) fn hidden(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut rest = Scan { text, at: 0 };
    // True where a field may begin.
    let mut is_first = false;
    // The number of enclosing maps. Braces in other text may unbalance it.
    let mut open = 0usize;
    while let Some(c) = rest.peek() {
        match c {
            _ if c.is_whitespace() => rest.skip(c),
            '{' | ',' => {
                open += usize::from(c == '{');
                is_first = open > 0;
                rest.skip(c);
            }
            '}' => {
                open = open.saturating_sub(1);
                is_first = false;
                rest.skip(c);
            }
            ':' | '"' | '_' if is_first && rest.is_hidden_name() => {
                rest.name();
                rest.blanks();
                let start = rest.at;
                rest.value();
                if rest.at > start {
                    found.push(start..rest.at);
                }
                is_first = false;
            }
            // A string is scanned like other text, because it may contain a printed map.
            _ => {
                is_first = false;
                rest.skip(c);
            }
        }
    }
    found
}

/// Returns the texts in the value of a hidden field. These are quoted strings that are not keys, or the value itself if
/// it is a word.
pub(super) fn texts(value: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = Scan { text: value, at: 0 };
    // The enclosing brackets, and whether a key comes next.
    let (mut open, mut is_key) = (Vec::new(), false);
    while let Some(c) = rest.peek() {
        let start = rest.at;
        if c == '"' {
            rest.string();
            if !std::mem::take(&mut is_key) {
                let literal = value.get(start..rest.at).unwrap_or_default();
                let text = serde_json::from_str(literal).unwrap_or_else(|_| bare(literal));
                found.push(text);
            }
            continue;
        }
        rest.skip(c);
        match c {
            '#' if rest.peek() == Some('{') => {
                rest.skip('{');
                open.push('#');
            }
            '{' | '[' | '(' => open.push(c),
            '}' | ']' | ')' => drop(open.pop()),
            _ => {}
        }
        is_key = match c {
            '{' => true,
            ',' => open.last() == Some(&'{'),
            _ => is_key && c.is_whitespace(),
        };
    }
    let is_word = |c: char| !c.is_ascii_digit() && !"[({#-:\"".contains(c);
    if value.starts_with(is_word) {
        found.push(value.trim_end().to_string());
    }
    found
}

/// Returns a text as it appears inside a JSON string.
pub(super) fn in_json(text: &str) -> String {
    bare(&serde_json::Value::from(text).to_string())
}

/// Returns a text as it appears inside a string of a program.
pub(super) fn in_program(text: &str) -> String {
    bare(&ptc_lisp::print::readable(&Value::from(text)))
}

fn bare(literal: &str) -> String {
    let start = literal.strip_prefix('"').unwrap_or(literal);
    start.strip_suffix('"').unwrap_or(start).to_string()
}

/// A scanner over a text.
struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip(&mut self, c: char) {
        self.at += c.len_utf8();
    }

    fn skip_while(&mut self, is: impl Fn(char) -> bool) {
        let length = self.rest().find(|c| !is(c)).unwrap_or(self.rest().len());
        self.at += length;
    }

    fn is_hidden_name(&self) -> bool {
        let rest = self.rest().trim_start_matches([':', '\\', '"']);
        rest.starts_with('_')
    }

    /// Skips a name with its quotes and its colon.
    fn name(&mut self) {
        if self.peek() == Some('"') {
            self.string();
        } else {
            self.skip_while(|c| !c.is_whitespace() && !",{}[]()\"".contains(c));
        }
        self.skip_while(|c| c == ':');
    }

    fn blanks(&mut self) {
        self.skip_while(char::is_whitespace);
    }

    /// Skips a quoted string, or the rest of the text if the closing quote is missing.
    fn string(&mut self) {
        let mut is_escaped = true;
        while let Some(c) = self.peek() {
            self.skip(c);
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => return,
                _ => {}
            }
        }
    }

    /// Skips a value: a string, a bracketed group, or the rest of the entry.
    fn value(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.peek() {
            match c {
                '"' => self.string(),
                '[' | '{' | '(' => {
                    depth += 1;
                    self.skip(c);
                }
                ']' | '}' | ')' if depth == 0 => return,
                ']' | '}' | ')' => {
                    depth -= 1;
                    self.skip(c);
                }
                ',' | '\n' if depth == 0 => return,
                _ => self.skip(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, values: &[&str]) {
        let found: Vec<&str> = hidden(text).into_iter().filter_map(|it| text.get(it)).collect();
        assert_eq!(found, values, "{text}");
    }

    #[test]
    fn fields_of_printed_maps() {
        check("{:id 1, :_pin 1234, :_ok true}", &["1234", "true"]);
        check("x {\"_pin\" \"a \\\" }, b\", \"n\" 1} y", &["\"a \\\" }, b\""]);
        check("{_pin a b, n 1}", &["a b"]);
        check("[{:_k {:a [1 2], :_b #{3}}, :n 1}]", &["{:a [1 2], :_b #{3}}"]);
        check("{\"_pin\":12,\"n\":[1],\"_q\":[1,{\"a\":\"}\"}]}", &["12", "[1,{\"a\":\"}\"}]"]);
        check("{\n  \"_pin\": 12,\n  \"_q\": null\n}", &["12", "null"]);
        // A cut value, and texts that are not fields.
        check("{:_pin [1 2 …", &["[1 2 …"]);
        check("{:a :_pin, :b [:_x :y]} _z 1 :_w 2", &[]);
        check("so, _really_ good {:a 1}, _too_ good", &[]);
        check("{:_pin}", &[]);
        check("say \"hi {:_pin 1}", &["1"]);
    }

    #[test]
    fn texts_of_a_value() {
        assert_eq!(texts("{:a \"one \\\" two\", :b [\"three\"]}"), ["one \" two", "three"]);
        let keys = "{\"one\" {\"two\" \"x\", \"three\" [\"a\" \"b\"]}, \"four\" #{\"c\" \"d\"}}";
        assert_eq!(texts(keys), ["x", "a", "b", "c", "d"]);
        assert_eq!(texts("{\"one\":\"x\",\"two\":[\"a\",\"b\"]}"), ["x", "a", "b"]);
        assert_eq!(texts("word and word "), ["word and word"]);
        assert_eq!(texts("-12.5"), Vec::<String>::new());
        assert_eq!(in_program("a\n\"b\""), "a\\n\\\"b\\\"");
    }
}

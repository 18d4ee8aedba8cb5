//! Programs in colour, for terminals.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Comment,
    Text,
    Number,
    Keyword,
    /// The first word of a form.
    Head,
    /// A name of data, memory or a tool, which are outside the program.
    Outside,
}

impl Kind {
    fn colour(self) -> &'static str {
        match self {
            Kind::Plain => "",
            Kind::Comment => "\u{1b}[2m",
            Kind::Text => "\u{1b}[32m",
            Kind::Number => "\u{1b}[36m",
            Kind::Keyword => "\u{1b}[35m",
            Kind::Head => "\u{1b}[34m",
            Kind::Outside => "\u{1b}[33m",
        }
    }
}

/// Returns the lines of a program, each with its own escape sequences for colours.
pub(crate) fn lines(source: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (kind, token) in tokens(source) {
        for (at, part) in token.split('\n').enumerate() {
            if at > 0 {
                lines.push(String::new());
            }
            let Some(line) = lines.last_mut() else { continue };
            match kind.colour() {
                colour if !colour.is_empty() && !part.is_empty() => {
                    line.push_str(colour);
                    line.push_str(part);
                    line.push_str("\u{1b}[0m");
                }
                _ => line.push_str(part),
            }
        }
    }
    lines
}

/// Splits a text into tokens. Joined, they are the text again, even if it is not a valid program.
fn tokens(source: &str) -> Vec<(Kind, &str)> {
    let mut found = Vec::new();
    let mut rest = source;
    // Whether a form has just been opened.
    let mut is_head = false;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            ';' => (Kind::Comment, rest.find('\n').unwrap_or(rest.len())),
            '"' => (Kind::Text, text(rest)),
            _ if is_blank(first) || "()[]{}'`~@^#".contains(first) => {
                (Kind::Plain, first.len_utf8())
            }
            _ => {
                let end = |c: char| is_blank(c) || "()[]{}\";".contains(c);
                // A character literal may be a delimiter, such as `\(`.
                let skip =
                    if first == '\\' { rest.chars().take(2).map(char::len_utf8).sum() } else { 0 };
                let tail = rest.get(skip..).unwrap_or_default();
                let length = skip + tail.find(end).unwrap_or(tail.len());
                (word(rest.get(..length).unwrap_or_default(), is_head), length)
            }
        };
        let (token, others) = rest.split_at(length);
        found.push((kind, token));
        is_head = first == '(' || (is_head && is_blank(first));
        rest = others;
    }
    found
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// Returns the length in bytes of a string literal, which may have no end.
fn text(source: &str) -> usize {
    let mut escaped = false;
    for (at, c) in source.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    source.len()
}

fn word(word: &str, is_head: bool) -> Kind {
    let outside = ["ctx/", "memory/", "tool/"];
    let mut chars = word.trim_start_matches(['-', '+']).chars();
    match word {
        _ if word.starts_with(':') => Kind::Keyword,
        _ if word.starts_with('\\') => Kind::Text,
        "nil" | "true" | "false" => Kind::Number,
        _ if chars.next().is_some_and(|it| it.is_ascii_digit()) => Kind::Number,
        _ if outside.iter().any(|it| word.starts_with(it)) => Kind::Outside,
        _ if is_head => Kind::Head,
        _ => Kind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(Kind, &str)]) {
        let found = tokens(source);
        assert_eq!(found.iter().map(|it| it.1).collect::<String>(), source);
        let found: Vec<_> = found.into_iter().filter(|it| it.0 != Kind::Plain).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn kinds_of_tokens() {
        check(
            "(map :id ctx/rows) ; all\n(tool/x {:n -1.5 :t \"a \\\" ;\"})",
            &[
                (Kind::Head, "map"),
                (Kind::Keyword, ":id"),
                (Kind::Outside, "ctx/rows"),
                (Kind::Comment, "; all"),
                (Kind::Outside, "tool/x"),
                (Kind::Keyword, ":n"),
                (Kind::Number, "-1.5"),
                (Kind::Keyword, ":t"),
                (Kind::Text, "\"a \\\" ;\""),
            ],
        );
        // Texts that end too early or are not programs.
        check("(a \"ü\n\\", &[(Kind::Head, "a"), (Kind::Text, "\"ü\n\\")]);
        check(") \\( - nil", &[(Kind::Text, "\\("), (Kind::Number, "nil")]);
    }

    #[test]
    fn a_colour_ends_with_its_line() {
        assert_eq!(
            lines("\"a\n\nb\" c"),
            ["\u{1b}[32m\"a\u{1b}[0m", "", "\u{1b}[32mb\"\u{1b}[0m c"]
        );
    }
}

//! Programs in colour, for terminals.

use ptc_lisp::syntax::{Syntax, syntax};

/// Returns the colour of a part of a program. `is_head` says that it is the first word of a form.
fn colour(kind: Syntax, text: &str, is_head: bool) -> &'static str {
    let is_outside = || ["ctx/", "memory/", "tool/"].iter().any(|space| text.starts_with(space));
    match kind {
        Syntax::Comment => "\u{1b}[2m",
        Syntax::Text => "\u{1b}[32m",
        Syntax::Number | Syntax::Literal => "\u{1b}[36m",
        Syntax::Keyword => "\u{1b}[35m",
        // Data, memory and tools are outside the program.
        Syntax::Name if is_outside() => "\u{1b}[33m",
        Syntax::Name if is_head => "\u{1b}[34m",
        Syntax::Name | Syntax::Blank | Syntax::Mark => "",
    }
}

/// Returns the lines of a program, each with its own escape sequences for colours.
pub(crate) fn lines(source: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut is_head = false;
    for (kind, text) in syntax(source) {
        let colour = colour(kind, text, is_head);
        is_head =
            (kind == Syntax::Mark && text.ends_with('(')) || (is_head && kind == Syntax::Blank);
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                lines.push(String::new());
            }
            let Some(line) = lines.last_mut() else { continue };
            if colour.is_empty() || part.is_empty() {
                line.push_str(part);
            } else {
                line.push_str(colour);
                line.push_str(part);
                line.push_str("\u{1b}[0m");
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the painted text, with `<c …>` for the escape sequence of colour `c`.
    fn check(source: &str, expected: &str) {
        let painted = lines(source).join("\n");
        let painted = painted.replace("\u{1b}[0m", ">").replace("\u{1b}[", "<");
        assert_eq!(painted, expected);
    }

    #[test]
    fn parts_have_their_colours() {
        check(
            "(map :id ctx/rows) ; all\n(tool/x {:n -1.5 :t \"a \\\" ;\"})",
            "(<34mmap> <35m:id> <33mctx/rows>) <2m; all>\n\
             (<33mtool/x> {<35m:n> <36m-1.5> <35m:t> <32m\"a \\\" ;\">})",
        );
        // Texts that end too early or are not programs.
        check("(a \"ü\n\\", "(<34ma> <32m\"ü>\n<32m\\>");
        check(") \\( - nil", ") <32m\\(> - <36mnil>");
    }

    #[test]
    fn a_colour_ends_with_its_line() {
        check("\"a\n\nb\" c", "<32m\"a>\n\n<32mb\"> c");
    }
}

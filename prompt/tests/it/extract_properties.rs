//! Properties of extraction from any text.

use proptest::prelude::*;
use ptc_prompt::extract;

/// Generates pieces that matter to extraction, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "```",
        "````",
        "~~~",
        "clojure",
        "lisp",
        "json",
        "markdown",
        "\n",
        "\r\n",
        " ",
        "\t",
        "(",
        ")",
        "[",
        "{",
        "}",
        "\"",
        "\\",
        "'",
        "`",
        "“",
        "”",
        "\u{A0}",
        "\u{200B}",
        "（",
        ";",
        "a",
        "(f 1)",
        "<think>",
        "</think>",
        "<Thinking>",
        "</thinking>",
        "<",
        "é",
        "🦀",
        "</s>",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn never_panics(reply in any::<String>()) {
        let _ = extract(&reply);
    }

    #[test]
    fn never_panics_on_pieces(reply in pieces()) {
        let _ = extract(&reply);
    }

    /// Asserts that a program in a fence longer than any run of its backticks is extracted
    /// unchanged.
    #[test]
    fn fenced_program_survives(value in "[ -~\n]{0,60}") {
        let text = value.replace(['\\', '"', '`', '~'], "");
        let program = format!("(return \"{text}\")");
        let found = extract(&format!("```clojure\n{program}\n```")).map(|found| found.program);
        prop_assert_eq!(found, Ok(program));
    }
}

/// Extraction from hostile replies of a megabyte ends. Quadratic work on one would take hours and
/// block the run.
#[test]
fn long_replies_end() {
    for piece in [
        "```clojure\n(f \"\n",
        "```\n",
        "<think>\n",
        "<think></think>\n",
        "(((",
        "\"",
        "~~~lisp\n",
        "`",
    ] {
        let _ = extract(&piece.repeat(1_000_000 / piece.len()));
    }
}

//! The rules of words: white space, literals, plain names. Each has a bounded length.

use super::options::ReplyFormat;
use super::rule::{Part, Rule, all, any, char_except, char_of, many, maybe, repeat, rule, text};
use super::words::{FIRST, REST};

/// The maximum length of a string, a regular expression or a comment, in characters.
const TEXT: usize = 400;

/// The letters beyond ASCII in names: Latin, Greek, Cyrillic, kana and Han.
const LETTERS: &str = "À-ÖØ-öø-ɏΑ-ҁぁ-んァ-ヺ一-鿿";

/// Returns the rules of words that depend only on the format of the reply.
pub(super) fn rules(reply: ReplyFormat) -> Vec<Rule> {
    // Three backticks would close the block around the program.
    let fence = if reply == ReplyFormat::Fenced { "`" } else { "" };
    [blanks(fence), names(), numbers(), texts(fence)].concat()
}

fn token(name: &str, body: Part) -> Rule {
    Rule { name: name.to_owned(), token: true, body }
}

fn blank() -> Part {
    char_of(" ,")
}

fn hex() -> Part {
    char_of("0-9a-fA-F")
}

/// Returns the rules of white space and comments.
fn blanks(fence: &str) -> Vec<Rule> {
    vec![
        token(
            "ws",
            any([all([repeat(blank(), 1, Some(40)), maybe(rule("lines"))]), rule("lines")]),
        ),
        token("lines", repeat(rule("line"), 1, Some(12))),
        // A repeated part with a maximum is a rule of its own: llama.cpp copies the part that many
        // times, and refuses to copy long ones.
        token("line", all([maybe(rule("comment")), text("\n"), repeat(blank(), 0, Some(60))])),
        token(
            "comment",
            all([text(";"), repeat(char_except(&format!("\n{fence}")), 0, Some(TEXT))]),
        ),
        // At the end of the text, a comment needs no line end.
        token("rest", any([all([rule("ws"), maybe(rule("comment"))]), rule("comment")])),
    ]
}

fn names() -> Vec<Rule> {
    vec![
        token("more", repeat(rule("name-char"), 1, Some(48))),
        token("name-char", char_of(&format!("{LETTERS}{REST}"))),
        token(
            "name",
            any([
                all([
                    char_of(&format!("{LETTERS}{}", FIRST.trim_end_matches("+-"))),
                    maybe(rule("more")),
                ]),
                all([
                    char_of("+-"),
                    maybe(all([char_of(&format!("{LETTERS}{FIRST}")), maybe(rule("more"))])),
                ]),
            ]),
        ),
        // A name as data may also have a namespace or a package.
        token(
            "long-name",
            all([
                char_of(&format!("{LETTERS}{}", FIRST.trim_end_matches("+-"))),
                repeat(char_of(&format!("{LETTERS}{}", REST.replace("+-", "./+-"))), 0, Some(64)),
            ]),
        ),
        token(
            "group-key",
            all([
                text(":"),
                maybe(all([repeat(rule("name-char"), 1, Some(48)), text("/")])),
                any(["keys", "strs", "syms"].map(text)),
            ]),
        ),
        token(
            "keyword",
            all([
                text(":"),
                repeat(char_of(&format!("{LETTERS}{}", REST.replace("+-", "./+-"))), 1, Some(64)),
            ]),
        ),
    ]
}

fn numbers() -> Vec<Rule> {
    let digits = |most: usize| repeat(char_of("0-9"), 1, Some(most));
    let exponent = || all([char_of("eE"), maybe(char_of("+-")), digits(3)]);
    let in_base =
        |base: &str, digits: &str| all([text(base), repeat(char_of(digits), 1, Some(64))]);
    vec![
        token(
            "number",
            all([
                maybe(char_of("+-")),
                any([
                    all([
                        any([
                            text("0"),
                            all([char_of("1-9"), repeat(char_of("0-9"), 0, Some(60))]),
                        ]),
                        maybe(any([
                            text("N"),
                            all([text("/"), char_of("1-9"), repeat(char_of("0-9"), 0, Some(20))]),
                            exponent(),
                            all([
                                text("."),
                                repeat(char_of("0-9"), 0, Some(30)),
                                maybe(exponent()),
                            ]),
                        ])),
                    ]),
                    all([text("0"), char_of("xX"), repeat(hex(), 1, Some(16))]),
                    in_base("0", "0-7"),
                    in_base("2r", "01"),
                    in_base("8r", "0-7"),
                    in_base("16r", "0-9a-fA-F"),
                    // An `N` at the end is not a digit.
                    in_base("36r", "0-9a-zA-MO-Z"),
                ]),
            ]),
        ),
        token("float-name", all([text("##"), any([text("Inf"), text("-Inf"), text("NaN")])])),
    ]
}

/// Returns the rules of characters, strings and regular expressions.
fn texts(fence: &str) -> Vec<Rule> {
    // A surrogate, half of a character beyond 16 bits, never occurs alone.
    let unicode = || {
        all([
            text("u"),
            any([
                all([char_of("0-9a-cA-CefEF"), hex(), hex(), hex()]),
                all([char_of("dD"), char_of("0-7"), hex(), hex()]),
            ]),
        ])
    };
    let pair = || {
        let high = [text("u"), char_of("dD"), char_of("89abAB"), hex(), hex()];
        let low = [text("\\u"), char_of("dD"), char_of("c-fC-F"), hex(), hex()];
        all(high.into_iter().chain(low))
    };
    let octal = || all([char_of("0-3"), char_of("0-7"), char_of("0-7")]);
    vec![
        token(
            "char",
            all([
                text("\\"),
                any([
                    any(["newline", "space", "tab", "return", "backspace", "formfeed"].map(text)),
                    unicode(),
                    char_except(&format!(" \t\r\n{fence}")),
                ]),
            ]),
        ),
        token("string", all([text("\""), repeat(rule("string-char"), 0, Some(TEXT)), text("\"")])),
        token(
            "string-char",
            any([
                char_except(&format!("\"\\{fence}")),
                all([text("\\"), any([char_of("ntrbf\"\\"), unicode(), pair(), octal()])]),
            ]),
        ),
        token("regex", all([text("#\""), repeat(rule("regex-char"), 0, Some(TEXT)), text("\"")])),
        token(
            "regex-char",
            any([
                char_except(&format!("\"\\{fence}")),
                all([text("\\"), char_except(&format!("\n{fence}"))]),
            ]),
        ),
    ]
}

/// Returns the rule of the whole reply. `form` names the rule of a top-level form.
pub(super) fn reply(reply: ReplyFormat, form: &str) -> Rule {
    let forms = all([rule(form), many(all([rule("ws"), rule(form)]))]);
    let body = match reply {
        ReplyFormat::Bare => all([maybe(rule("ws")), forms, maybe(rule("rest"))]),
        ReplyFormat::Fenced => all([
            text("```clojure\n"),
            maybe(rule("ws")),
            forms,
            rule("end-of-line"),
            text("```"),
            maybe(text("\n")),
        ]),
    };
    Rule { name: "root".to_owned(), token: false, body }
}

/// Returns the rules of blanks that end with a line end, so that the closing fence begins a line.
pub(super) fn end_of_line(reply: ReplyFormat) -> Vec<Rule> {
    let line = all([repeat(blank(), 0, Some(40)), maybe(rule("comment")), text("\n")]);
    let rules = [("end-of-line", repeat(rule("last-line"), 1, Some(12))), ("last-line", line)];
    let rules = rules.into_iter().filter(|_| reply == ReplyFormat::Fenced);
    rules.map(|(name, body)| Rule { name: name.to_owned(), token: true, body }).collect()
}

//! Tests of the English of documents, comments and messages.

use std::path::PathBuf;

use ptc_tests::{assert_no_problems, files, root};

/// The files whose English is checked: a file or a folder, and an extension. In Markdown the test
/// checks the text outside code and tables, in Rust the doc comments.
const PROSE: &[(&str, &str)] = &[
    ("docs", "md"),
    ("README.md", "md"),
    ("ARCHITECTURE.md", "md"),
    ("CONTRIBUTING.md", "md"),
    ("CHANGELOG.md", "md"),
    ("bench/README.md", "md"),
    ("signatures", "rs"),
    ("lisp", "rs"),
    ("prompt", "rs"),
    ("openapi", "rs"),
    ("subagent", "rs"),
    ("mcp", "rs"),
    ("view", "rs"),
    ("cli", "rs"),
    ("python", "rs"),
    ("python", "md"),
    ("node/src", "rs"),
    ("node/README.md", "md"),
    ("tests/src", "rs"),
    ("bench", "rs"),
];

/// The maximum length of a sentence, in words. Code in backticks is one word, and so is a list of
/// names in code.
const WORDS: usize = 30;

/// Phrases that make a sentence hard to read, each with a preceding word that makes it correct.
const PHRASES: &[(&str, Option<&str>)] = &[
    ("are no", Some("there")),
    ("came to", None),
    ("come to", None),
    ("comes to", None),
    ("gone on with", None),
    ("held against", None),
    ("in place of", None),
    ("in the place of", None),
    ("is no", Some("there")),
    ("lie", None),
    ("lies", None),
    ("of which", None),
    ("stands", None),
    ("that which", None),
    ("was no", Some("there")),
    ("were no", Some("there")),
    ("whoever", None),
    ("whomever", None),
];

/// Words that begin a clause where a sentence needs a noun.
const OPENINGS: &[&str] =
    &["by what", "for what", "for whom", "from what", "in what", "of what", "what", "whatever"];

/// A sentence: the line where it starts, and its words. Code in backticks is one word.
type Sentence = (usize, Vec<String>);

/// Returns the sentences of Markdown outside code and tables.
fn sentences(markdown: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    // The text since the last blank line or marker, with its first line.
    let mut block = (1, String::new());
    let mut fence = None;
    for (at, line) in markdown.lines().enumerate() {
        let text = line.trim_start();
        let ticks = text.len() - text.trim_start_matches('`').len();
        let info = &text[ticks..];
        let marker = if fence.is_some() || ticks >= 3 {
            match fence {
                None => fence = Some(ticks),
                Some(open) if ticks >= open && info.is_empty() => fence = None,
                Some(_) => {}
            }
            None
        } else if text.is_empty() || text.starts_with(['|', '<']) {
            None
        } else if text.starts_with("- ") || text.starts_with("* ") || text.starts_with('#') {
            text.find(' ')
        } else {
            let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let numbered = digits > 0 && text[digits..].starts_with(". ");
            Some(if numbered { digits + 1 } else { 0 })
        };
        if marker != Some(0) {
            split(&block, &mut found);
            block = (at + 1, String::new());
        }
        if let Some(marker) = marker {
            block.1 += &text[marker..];
            block.1.push('\n');
        }
        if text.starts_with('#') {
            split(&block, &mut found);
            block = (at + 2, String::new());
        }
    }
    split(&block, &mut found);
    found
}

/// Splits a paragraph into its sentences.
fn split((start, text): &(usize, String), found: &mut Vec<Sentence>) {
    let mut line = *start;
    let mut sentence: Sentence = (line, Vec::new());
    let mut word = String::new();
    // The number of backticks that opened the current code, and the number just read.
    let (mut open, mut ticks) = (0, 0);
    for c in text.chars() {
        if c == '`' {
            ticks += 1;
        } else if ticks > 0 {
            open = if open == ticks { 0 } else { open.max(ticks) };
            ticks = 0;
        }
        if !c.is_whitespace() {
            word.push(c);
        } else if open > 0 {
            word.push(' ');
        } else if !word.is_empty() {
            if sentence.1.is_empty() {
                sentence.0 = line;
            }
            let ends = word.trim_end_matches(['"', ')', '*', '_']).ends_with(['.', '!', '?']);
            sentence.1.push(std::mem::take(&mut word));
            if ends {
                found.push(std::mem::take(&mut sentence));
            }
        }
        line += usize::from(c == '\n');
    }
    if !sentence.1.is_empty() {
        found.push(sentence);
    }
}

/// Returns the problems of one sentence.
fn problems((_, words): &Sentence) -> Vec<String> {
    let plain = |word: &String| {
        let word = word.split("](").next().unwrap_or_default();
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '`').to_lowercase()
    };
    let words: Vec<String> = words.iter().map(plain).filter(|word| !word.is_empty()).collect();
    let mut problems = Vec::new();
    let is_name = |word: &str| word.len() > 1 && word.starts_with('`') && word.ends_with('`');
    let repeats = words.windows(2).filter(|pair| pair.iter().all(|word| is_name(word))).count();
    let count = words.len() - repeats;
    if count > WORDS {
        problems.push(format!("{count} words, {WORDS} at most"));
    }
    let split = |phrase: &'static str| phrase.split(' ').collect::<Vec<_>>();
    for (phrase, right_after) in PHRASES {
        let parts = split(phrase);
        let places = words.windows(parts.len()).enumerate().filter(|(_, window)| *window == parts);
        for (at, _) in places {
            let before = at.checked_sub(1).map(|before| words[before].as_str());
            if before.is_none() || before != *right_after {
                problems.push(format!("`{phrase}`"));
            }
        }
    }
    let opens = |opening: &&&'static str| {
        let parts = split(opening);
        words.len() >= parts.len() && words[..parts.len()] == parts
    };
    problems.extend(OPENINGS.iter().find(opens).map(|it| format!("`{it}` opens the sentence")));
    problems
}

/// Returns the doc comments of Rust source as Markdown, line for line.
fn doc_comments(source: &str) -> String {
    let comment = |line: &str| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        text.unwrap_or_default().to_owned() + "\n"
    };
    source.lines().map(comment).collect()
}

/// Returns the problems of a text, each with the file, the line and the sentence.
fn unclear(name: &str, markdown: &str) -> Vec<String> {
    let mut found = Vec::new();
    for sentence in sentences(markdown) {
        for problem in problems(&sentence) {
            found.push(format!("{name}:{}: {problem}: {}", sentence.0, sentence.1.join(" ")));
        }
    }
    found
}

#[test]
fn prose_is_plain() {
    let root = root();
    let mut problems = Vec::new();
    for (place, extension) in PROSE {
        let place = root.join(place);
        assert!(place.exists(), "{} is missing", place.display());
        let all: Vec<PathBuf> = if place.is_dir() { files(&place, extension) } else { vec![place] };
        for path in all {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            let text = std::fs::read_to_string(&path).unwrap();
            let text = if *extension == "rs" { doc_comments(&text) } else { text };
            problems.extend(unclear(&name, &text));
        }
    }
    assert_no_problems(&problems);
}

/// Tests the check of prose itself: its messages, and the text that it skips.
#[test]
fn unclear_prose_is_found() {
    let source = "\
//! # What of it
//! It lies in
//! `whoever` (it\u{201d}s no
//! tool). There is no tool, it is
//! no tool; [it stands](whoever.md).

fn f() {} // whoever
/// - Of which
///   there are two.
/// 1. What `a b` does.
/// | whoever | stands |
///
/// ```
/// whoever
/// ```
/// one two three four five six seven eight nine ten one two three four five six seven eight nine ten
/// `one two three` two three four five six seven eight nine ten
/// eleven
";
    let found = unclear("a.rs", &doc_comments(source));
    let long = "one two three four five six seven eight nine ten";
    let expected = [
        "a.rs:1: `what` opens the sentence: What of it".to_owned(),
        "a.rs:2: `lies`: It lies in `whoever` (it\u{201d}s no tool).".to_owned(),
        "a.rs:4: `is no`: There is no tool, it is no tool; [it stands](whoever.md).".to_owned(),
        "a.rs:4: `stands`: There is no tool, it is no tool; [it stands](whoever.md).".to_owned(),
        "a.rs:8: `of which`: Of which there are two.".to_owned(),
        "a.rs:10: `what` opens the sentence: What `a b` does.".to_owned(),
        format!(
            "a.rs:15: 31 words, 30 at most: {long} {long} `one two three` two three four five \
             six seven eight nine ten eleven"
        ),
    ];
    assert_eq!(found, expected);
}

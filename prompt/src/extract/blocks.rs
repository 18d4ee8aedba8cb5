//! Finds fenced blocks: their beginning, their end and their language.

use super::lexer::{Lexer, first_code, has_code};

/// A parsed reply.
pub(super) struct Page {
    pub(super) blocks: Vec<Block>,
    /// The text outside blocks.
    pub(super) prose: String,
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) language: Language,
    pub(super) text: String,
    pub(super) end: End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Language {
    /// A name of the language of programs.
    Program,
    /// No name.
    Unnamed,
    /// An unknown name, which may still mark a program.
    Unknown(String),
    /// The name of another language.
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Fence,
    /// The text ended, or the next program began, before a closing fence.
    Missing,
}

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        !has_code(&self.text)
    }

    /// Returns whether a block without a known language begins like a program.
    pub(super) fn looks_like_program(&self) -> bool {
        let plain = matches!(self.language, Language::Unnamed | Language::Unknown(_));
        plain
            && first_code(&self.text).is_some_and(|code| {
                let code = after_language_line(code).map_or(code, str::trim_start);
                let begins = code.starts_with(['(', '（', '[', '{', '#', '\''])
                    || code.starts_with("ctx/")
                    || code.starts_with("memory/");
                begins && !is_json_object(code)
            })
    }
}

/// Parses a text with `\n` as line ends.
pub(super) fn read(text: &str) -> Page {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut page = Page { blocks: Vec::new(), prose: String::new() };
    // The number of times that a block may be read to the end of the text in search of a fence
    // outside a string. The bound keeps the time linear, and more programs than this are refused
    // anyway.
    let mut searches_left = 4_u32;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let Some(open) = opening(line) else {
            page.prose.push_str(line);
            page.prose.push('\n');
            at += 1;
            continue;
        };
        page.prose.push_str(open.before);
        page.prose.push('\n');
        // A block of Markdown wraps the whole reply, so its fences are ignored.
        if matches!(&open.language, Language::Other(name) if name == "markdown" || name == "md") {
            at += 1;
            continue;
        }
        // So is a fence without a name directly above a fence that names a program.
        let below = lines.get(at + 1).and_then(|line| opening(line));
        if open.language == Language::Unnamed
            && open.code.is_empty()
            && below.is_some_and(|below| below.language == Language::Program)
        {
            at += 1;
            continue;
        }
        let (block, next, after) = body(&lines, at, &open, &mut searches_left);
        // A duplicate fence makes an empty block, which is dropped.
        let is_doubled = block.end == End::Missing && block.is_empty() && next < lines.len();
        if !is_doubled {
            page.blocks.push(block);
        }
        page.prose.push_str(after);
        page.prose.push('\n');
        at = next;
    }
    page
}

struct Opening<'a> {
    before: &'a str,
    fence: char,
    length: usize,
    indent: usize,
    language: Language,
    /// The code on the line of the fence itself.
    code: &'a str,
}

/// Parses a fence that opens a block: at the beginning of a line, or after prose if it names the
/// language of programs.
fn opening(line: &str) -> Option<Opening<'_>> {
    let start = line.trim_start();
    let fence = if start.starts_with("```") {
        '`'
    } else if start.starts_with("~~~") {
        '~'
    } else {
        let at = line.find("```")?;
        let open = fence_at(line.get(at..)?, '`')?;
        let before = line.get(..at)?;
        return (open.language == Language::Program).then_some(Opening { before, ..open });
    };
    let indent = line.len() - start.len();
    fence_at(start, fence).map(|open| Opening { indent, ..open })
}

fn fence_at(text: &str, fence: char) -> Option<Opening<'_>> {
    let info = text.trim_start_matches(fence);
    let length = text.len() - info.len();
    let info = info.trim_start().trim_start_matches("{.");
    let word = info.find(|c: char| !(c.is_alphanumeric() || "-_+".contains(c)));
    let (word, rest) = info.split_at_checked(word.unwrap_or(info.len()))?;
    let rest = rest.trim_start();
    let code = rest.starts_with(['(', '[', '#', '\'', ';', fence])
        || ["{:", "{\"", "ctx/"].iter().any(|begin| rest.starts_with(begin));
    Some(Opening {
        before: "",
        fence,
        length,
        indent: 0,
        language: language(&word.to_lowercase()),
        code: if code { rest } else { "" },
    })
}

/// Returns the text after a line that only names the language. Such a line remains where a fence
/// was removed, or where the name follows the fence on a line of its own.
pub(super) fn after_language_line(text: &str) -> Option<&str> {
    let (first, rest) = text.trim_start().split_once('\n')?;
    (language(&first.trim().to_lowercase()) == Language::Program).then_some(rest)
}

fn language(word: &str) -> Language {
    match word {
        "clojure" | "lisp" | "clj" | "ptc-lisp" | "ptc_lisp" | "ptclisp" => Language::Program,
        "" => Language::Unnamed,
        word if OTHER.contains(&word) => Language::Other(word.to_owned()),
        word => Language::Unknown(word.to_owned()),
    }
}

const OTHER: [&str; 38] = [
    "bash",
    "c",
    "console",
    "cpp",
    "csharp",
    "css",
    "csv",
    "diff",
    "elixir",
    "go",
    "graphql",
    "html",
    "http",
    "ini",
    "java",
    "javascript",
    "js",
    "json",
    "jsonc",
    "jsonl",
    "kotlin",
    "log",
    "markdown",
    "md",
    "output",
    "php",
    "py",
    "python",
    "ruby",
    "rust",
    "sh",
    "shell",
    "sql",
    "toml",
    "ts",
    "typescript",
    "xml",
    "yaml",
];

/// Parses the text of a block. Returns the block, the index of the line to continue with, and the
/// text after the closing fence.
fn body<'a>(
    lines: &[&'a str],
    at: usize,
    open: &Opening<'a>,
    searches_left: &mut u32,
) -> (Block, usize, &'a str) {
    let program = open.language == Language::Program;
    let mut lexer = Lexer::new();
    let mut plain: Option<Stop<'a>> = None;
    let mut stop = None;
    for (i, line) in lines.iter().enumerate().skip(at) {
        let line = if i == at { open.code } else { line };
        let found = match closing(line, &mut lexer, open, i > at) {
            Closing::None => continue,
            Closing::Fence { before, after, sure } => {
                (Stop { line: i, before, after, next: i + 1, end: End::Fence }, sure)
            }
            Closing::Interrupted { sure } => {
                (Stop { line: i, before: "", after: "", next: i, end: End::Missing }, sure)
            }
        };
        let (this, sure) = found;
        // After a fence that may be inside a string, only a fence after a balanced program counts.
        let believed = sure && (plain.is_none() || (lexer.depth == 0 && this.end == End::Fence));
        if believed || !program || (plain.is_none() && *searches_left == 0) {
            stop = Some(this);
            break;
        }
        if plain.is_none() {
            *searches_left = searches_left.saturating_sub(1);
            plain = Some(this);
        }
    }
    let end =
        Stop { line: lines.len(), before: "", after: "", next: lines.len(), end: End::Missing };
    let stop = stop.or(plain).unwrap_or(end);
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate().skip(at).take((stop.line + 1).saturating_sub(at)) {
        let line = if i == stop.line {
            stop.before
        } else if i == at {
            open.code
        } else {
            line
        };
        text.push_str(unindent(line, open.indent));
        text.push('\n');
    }
    let block = Block { language: open.language.clone(), text, end: stop.end };
    (block, stop.next, stop.after)
}

/// The end of a block.
struct Stop<'a> {
    line: usize,
    /// The beginning of that line, which belongs to the block.
    before: &'a str,
    after: &'a str,
    next: usize,
    end: End,
}

enum Closing<'a> {
    None,
    Fence {
        before: &'a str,
        after: &'a str,
        sure: bool,
    },
    /// Another program begins before this block is closed.
    Interrupted {
        sure: bool,
    },
}

/// Searches a line for the end of the block, and advances the lexer over the line. `whole` means
/// that the line is a full line of the reply, not the rest of the opening line.
fn closing<'a>(line: &'a str, lexer: &mut Lexer, open: &Opening<'_>, whole: bool) -> Closing<'a> {
    let trimmed = line.trim();
    let rest = trimmed.trim_start_matches(open.fence);
    let sure = !lexer.in_string();
    if trimmed.len() - rest.len() >= open.length {
        if rest.is_empty() {
            // A block that the same fence line opens and closes ("```clojure```") is empty.
            return Closing::Fence { before: "", after: "", sure };
        }
        if whole && opening(line).is_some_and(|other| other.language == Language::Program) {
            return Closing::Interrupted { sure };
        }
    }
    let mut run = 0;
    for (at, c) in line.char_indices() {
        let in_string = lexer.in_string();
        lexer.step(c);
        run = if c == '`' && open.fence == '`' && !in_string { run + 1 } else { 0 };
        let (before, after) = line.split_at_checked(at + 1).unwrap_or((line, ""));
        let ends = after.trim().is_empty();
        let program = open.language == Language::Program && !lexer.in_comment();
        if run >= open.length && !after.starts_with('`') && (ends || program) {
            let before = before.trim_end_matches('`');
            return Closing::Fence { before, after, sure: true };
        }
    }
    lexer.step('\n');
    Closing::None
}

/// Removes the indentation of the opening fence from a line.
fn unindent(line: &str, indent: usize) -> &str {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(indent.min(blank)..).unwrap_or(line)
}

/// Returns whether the code is a JSON object. JSON has a colon directly after the key, which no
/// program has.
fn is_json_object(code: &str) -> bool {
    let key = code.strip_prefix('{').map(str::trim_start).and_then(|code| code.strip_prefix('"'));
    let rest = key.and_then(|key| key.split_once('"'));
    rest.is_some_and(|(_, rest)| rest.starts_with(':'))
}

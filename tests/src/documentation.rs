//! Examples in documentation: fenced blocks of programs with answers as comments.
//!
//! A block fenced as `clojure` is run form by form in one session; one fenced as `clojure no-run`
//! is not. A comment after a form states its outcome: `; => value`, `; error: code`,
//! `; prints: text`, `; returns: value`, `; fails: value`.
//!
//! At its start a block may have `; ctx: JSON`, `; conversation: JSON` and `; tool: name => JSON`. A tool with `error text`
//! instead of JSON fails, and one with `planning` may not be called.

/// The outcome that a comment asserts of the form before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expect {
    /// The readable value.
    Value(String),
    /// The code of the diagnostic.
    Error(String),
    /// A printed line.
    Prints(String),
    /// The value given to `return`.
    Returns(String),
    /// The value given to `fail`.
    Fails(String),
}

/// A form of a block.
#[derive(Debug, Clone)]
pub struct Form {
    /// The line of the file where it starts.
    pub line: usize,
    /// The text.
    pub source: String,
    /// The expected outcomes.
    pub expects: Vec<Expect>,
}

/// A block to run.
#[derive(Debug, Clone)]
pub struct Block {
    /// The data of the session.
    pub ctx: String,
    /// The messages of the conversation, as JSON.
    pub conversation: String,
    /// The tools, each with its JSON answer.
    pub tools: Vec<(String, String)>,
    /// The forms, in order.
    pub forms: Vec<Form>,
}

/// Returns all blocks of a Markdown text that are run.
pub fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // The fence of the open block. Only a fence of the same length ends it, so a block may show
    // other blocks.
    let mut open: Option<(usize, bool, usize, String)> = None;
    for (at, line) in markdown.lines().enumerate() {
        let info = line.trim_start().trim_start_matches('`');
        let ticks = line.trim_start().len() - info.len();
        match (&mut open, Some(info).filter(|_| ticks >= 3)) {
            (None, Some(info)) => {
                open = Some((ticks, info.trim() == "clojure", at + 2, String::new()));
            }
            (Some((fence, run, start, text)), Some("")) if ticks >= *fence => {
                if *run {
                    blocks.push(block(text, *start));
                }
                open = None;
            }
            (Some((.., text)), _) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

/// A word at the start of a comment, and the constructor of its expectation.
type Mark = (&'static str, fn(String) -> Expect);

fn block(text: &str, start: usize) -> Block {
    let (ctx, conversation) = ("{}".to_owned(), "[]".to_owned());
    let mut block = Block { ctx, conversation, tools: Vec::new(), forms: Vec::new() };
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let line = start + text[..text.len() - rest.len()].matches('\n').count();
        if rest.is_empty() {
            return block;
        }
        let length = if rest.starts_with(';') {
            let length = rest.find('\n').unwrap_or(rest.len());
            comment(rest[..length].trim_start_matches(';').trim(), &mut block);
            length
        } else {
            let length = form_length(rest);
            let source = rest[..length].to_owned();
            block.forms.push(Form { line, source, expects: Vec::new() });
            length
        };
        rest = &rest[length..];
    }
}

fn comment(text: &str, block: &mut Block) {
    if let Some(messages) = text.strip_prefix("conversation:") {
        messages.trim().clone_into(&mut block.conversation);
        return;
    }
    if let Some(ctx) = text.strip_prefix("ctx:") {
        ctx.trim().clone_into(&mut block.ctx);
        return;
    }
    if let Some((name, answer)) = text.strip_prefix("tool:").and_then(|tool| tool.split_once("=>"))
    {
        block.tools.push((name.trim().to_owned(), answer.trim().to_owned()));
        return;
    }
    let kinds: [Mark; 5] = [
        ("=>", Expect::Value),
        ("error:", Expect::Error),
        ("prints:", Expect::Prints),
        ("returns:", Expect::Returns),
        ("fails:", Expect::Fails),
    ];
    for (mark, make) in kinds {
        if let (Some(text), Some(form)) = (text.strip_prefix(mark), block.forms.last_mut()) {
            form.expects.push(make(text.trim().to_owned()));
            return;
        }
    }
}

/// Returns the length of the form at the start of a text: up to white space outside every
/// delimiter.
fn form_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => {
                while let Some((_, c)) = chars.next() {
                    match c {
                        '\\' => drop(chars.next()),
                        '"' => break,
                        _ => {}
                    }
                }
            }
            '\\' => drop(chars.next()),
            ';' if depth == 0 => return at,
            ';' => drop(chars.find(|(_, c)| *c == '\n')),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            c if c.is_whitespace() && depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

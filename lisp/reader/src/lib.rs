//! Reads text into forms.
//!
//! Nom parses atoms (`atom.rs`). Nesting is kept on an explicit stack, so no depth of parentheses
//! reaches the native stack. Reading continues after a bad token, so independent problems are
//! reported together.

#![expect(missing_docs, reason = "a part of `ptc-lisp`, which documents what it re-exports")]

mod atom;
mod balance;
mod datum;
mod form;
mod names;
mod tokens;

use std::sync::Arc;

use balance::MAX_PROBLEMS;
use ptc_values::Diagnostic;
use ptc_values::code::{Code, Span};
use ptc_values::limits::Limits;

pub use form::{Core, Form, FormId, FormKind, Forms};
pub use names::Name;
pub use tokens::{Class, Kind, Token, Tokens, name_of, tokens};
pub use tokens::{Syntax, syntax};

/// The limit of regular expressions in a source, in units of work. They are compiled before the
/// program runs, which takes no fuel.
const MAX_REGEX_UNITS: u64 = 1_000_000;

/// The source and the forms read from it.
pub struct Source {
    pub text: Arc<str>,
    pub forms: Forms,
    pub top: Vec<FormId>,
    /// The units of work that compiling its regular expressions takes.
    pub regex_units: u64,
    /// Whether it contains a tag.
    pub tags: bool,
}

/// A form that is not complete yet.
#[derive(Clone, Copy)]
struct Open {
    kind: OpenKind,
    span: Span,
    /// The index of its first item in [`Reader::items`].
    items: usize,
}

#[derive(Clone, Copy)]
enum OpenKind {
    /// `(`, `[`, `{`, `#{`, `#(`: ends at a delimiter.
    Delimited(Class, FormKind),
    /// `'`, `@`, `#'`: complete with the next form.
    Prefix(FormKind),
    /// `#_`: the next form is dropped.
    Discard,
    /// `^`: the next form is dropped, and the one after it is kept.
    Meta,
    /// `#name`: complete with the next form, in data.
    Tag(Name),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Text {
    Program,
    /// Data with all notations of programs, and with tags.
    Data,
    /// Data without the notations of programs.
    Edn,
}

/// Returns whether a text reads as one name, in data as in a program.
pub fn is_plain_name(text: &str) -> bool {
    atom::plain_symbol(text, 0) == Some(text)
}

/// Reads a whole source.
///
/// # Errors
/// Returns the independent problems in order, at most five.
pub fn read(source: &str, limits: &Limits) -> Result<Source, Vec<Diagnostic>> {
    let text: Arc<str> = source.into();
    if source.len() > limits.source_bytes as usize {
        return Err(vec![
            Diagnostic::new(
                Code::SourceSizeLimit,
                format!(
                    "the program is {} bytes long, more than the limit of {} bytes",
                    source.len(),
                    limits.source_bytes
                ),
            )
            .with_help("write a shorter program, or raise the limit `source_bytes`"),
        ]);
    }
    let mut reader = Reader::new(source, Text::Program, limits);
    reader.run(usize::MAX);
    if reader.problems.is_empty() {
        let Reader { forms, items: top, regex_units, tags, .. } = reader;
        Ok(Source { text, forms, top, regex_units, tags })
    } else {
        let problems = explained_by_indentation(source, reader.problems);
        Err(problems.into_iter().map(|problem| problem.in_source(&text)).collect())
    }
}

/// Replaces the delimiter problems of a program by ones that take its indentation into account.
/// They are the last problems, because reading ends with them.
fn explained_by_indentation(source: &str, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if let Some(Code::UnclosedDelimiter | Code::UnexpectedDelimiter) =
        problems.last().map(Diagnostic::code_value)
    {
        // An unclosed string has swallowed the delimiters after it.
        let string = problems.iter().position(|it| it.code_value() == Code::UnclosedString);
        problems.truncate(string.map_or(problems.len() - 1, |string| string + 1));
        if string.is_none() {
            problems.extend(balance::problems(source));
        }
    }
    if let Some(last) = problems.last_mut()
        && last.code_value() == Code::UnclosedString
        && let Some(explained) = balance::unclosed_string(source)
    {
        *last = explained;
    }
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// Reads the first form of a text that is not a program, and ignores the rest.
///
/// # Errors
/// Returns the first problem, with a place in that text.
pub fn read_first(source: &str, what: Text, limits: &Limits) -> Result<Source, Diagnostic> {
    let mut reader = Reader::new(source, what, limits);
    reader.run(1);
    if reader.forms.has_own_keywords() {
        let message = "a keyword with two colons needs a namespace, and a text has none";
        return Err(Diagnostic::new(Code::BadToken, message).with_help("write one colon"));
    }
    match reader.problems.into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(Source {
            text: source.into(),
            forms: reader.forms,
            top: reader.items,
            regex_units: reader.regex_units,
            tags: reader.tags,
        }),
    }
}

struct Reader<'a> {
    text: &'a str,
    what: Text,
    at: usize,
    nesting: usize,
    forms: Forms,
    open: Vec<Open>,
    /// The number of prefixes among them.
    prefixes: usize,
    /// The top-level forms, then the items of open forms, outer forms first.
    items: Vec<FormId>,
    regex_units: u64,
    /// Whether a tag was read.
    tags: bool,
    problems: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, what: Text, limits: &Limits) -> Reader<'a> {
        Reader {
            text,
            what,
            at: 0,
            nesting: limits.source_nesting as usize,
            forms: Forms::for_source(text.len()),
            open: Vec::with_capacity(16),
            prefixes: 0,
            items: Vec::with_capacity(64),
            regex_units: 0,
            tags: false,
            problems: Vec::new(),
        }
    }

    fn problem(&mut self, diagnostic: Diagnostic) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(diagnostic);
        }
    }

    /// Counts a regular expression. Reports and returns true if all together are too large.
    fn exceeds_regex_limit(&mut self, text: Name, span: Span) -> bool {
        // Compiling an invalid expression reports it later.
        self.regex_units += ptc_values::Pattern::units(self.forms.text(text)).unwrap_or(0);
        if self.regex_units <= MAX_REGEX_UNITS {
            return false;
        }
        self.problem(
            Diagnostic::new(
                Code::BadRegex,
                format!("the regular expressions of the program have more than {MAX_REGEX_UNITS} parts in total, including 1000 for each expression"),
            )
            .with_help("define one with `def` and use it again; the limit cannot be raised")
            .at(span),
        );
        true
    }

    /// Reads until there are `most` forms at the top.
    fn run(&mut self, most: usize) {
        while !self.open.is_empty() || self.items.len() < most {
            self.at = atom::skip(self.text, self.at);
            let fatal = match &self.text.as_bytes()[self.at..] {
                [] => break,
                _ if let Some(symbol) = atom::plain_symbol(self.text, self.at) => {
                    let name = self.forms.intern(symbol);
                    self.name(FormKind::Symbol(name), symbol.len())
                }
                [b'(', ..] => self.open(FormKind::List, Class::Paren, 1),
                [b'[', ..] => self.open(FormKind::Vector, Class::Bracket, 1),
                [b'{', ..] => self.open(FormKind::Map, Class::Brace, 1),
                [b')', ..] => self.close(Class::Paren),
                [b']', ..] => self.close(Class::Bracket),
                [b'}', ..] => self.close(Class::Brace),
                [b'#', b'a'..=b'z' | b'A'..=b'Z', ..] if self.what != Text::Program => self.tag(),
                [b'@' | b'`' | b'~', ..] | [b'#', b'(' | b'\'' | b'"', ..]
                    if self.what == Text::Edn =>
                {
                    self.not_edn()
                }
                [b':', ..] if let Some(keyword) = atom::plain_symbol(self.text, self.at + 1) => {
                    let name = self.forms.intern(keyword);
                    self.name(FormKind::Keyword(name), keyword.len() + 1)
                }
                [b'\'', ..] => self.prefix(OpenKind::Prefix(FormKind::Quote), 1),
                [b'@', ..] => self.prefix(OpenKind::Prefix(FormKind::Deref), 1),
                [b'^', ..] => self.prefix(OpenKind::Meta, 1),
                [b'#', b'{', ..] => self.open(FormKind::Set, Class::Brace, 2),
                [b'#', b'(', ..] => self.open(FormKind::ShortFn, Class::Paren, 2),
                [b'#', b'_', ..] => self.prefix(OpenKind::Discard, 2),
                [b'#', b'\'', ..] => self.prefix(OpenKind::Prefix(FormKind::Var), 2),
                _ => self.atom(),
            };
            if fatal {
                return;
            }
        }
        self.end();
    }

    /// Reads an atom. Returns true if reading cannot continue.
    fn atom(&mut self) -> bool {
        let start = self.at;
        match atom::atom(&self.text[start..], &mut self.forms) {
            Ok((kind, length)) => {
                self.at += length;
                if let FormKind::Regex(text) = kind
                    && self.exceeds_regex_limit(text, Span::new(start, self.at))
                {
                    return true;
                }
                self.leaf(kind, Span::new(start, self.at));
            }
            Err(wrong) => {
                self.at += wrong.length;
                let mut problem = Diagnostic::new(wrong.code, wrong.message)
                    .at(Span::new(start, start + wrong.shown));
                if let Some(help) = wrong.help {
                    problem = problem.with_help(help);
                }
                // A program with the token never runs, so nothing catches its problem.
                if let Some(class) = wrong.class
                    && self.what != Text::Program
                {
                    problem = problem.with_class(class);
                }
                self.problem(problem);
                // A placeholder keeps the surrounding forms intact.
                self.leaf(FormKind::Nil, Span::new(start, self.at));
            }
        }
        false
    }

    /// Adds a name that is `length` bytes long.
    fn name(&mut self, kind: FormKind, length: usize) -> bool {
        let start = self.at;
        self.at += length;
        self.leaf(kind, Span::new(start, self.at));
        false
    }

    /// Opens a delimited form. Returns true if reading cannot continue.
    fn open(&mut self, kind: FormKind, class: Class, length: usize) -> bool {
        let span = Span::new(self.at, self.at + length);
        if self.open.len() >= self.nesting {
            self.too_deep(span);
            return true;
        }
        self.at += length;
        let items = self.items.len();
        self.open.push(Open { kind: OpenKind::Delimited(class, kind), span, items });
        false
    }

    #[cold]
    fn too_deep(&mut self, span: Span) {
        self.problems.insert(
            0,
            Diagnostic::new(
                Code::SourceNestingLimit,
                format!("forms nest deeper here than the limit of {} levels", self.nesting),
            )
            .at(span)
            .with_help(
                "name inner parts with `let` or `defn`, or raise the limit `source_nesting`",
            ),
        );
    }

    fn prefix(&mut self, kind: OpenKind, length: usize) -> bool {
        let span = Span::new(self.at, self.at + length);
        if self.open.len() >= self.nesting {
            self.too_deep(span);
            return true;
        }
        self.at += length;
        self.prefixes += 1;
        self.open.push(Open { kind, span, items: self.items.len() });
        false
    }

    /// Reads a tag, which is complete with the next form.
    fn tag(&mut self) -> bool {
        match atom::plain_symbol(self.text, self.at + 1) {
            Some(symbol) => {
                let name = self.forms.intern(symbol);
                self.prefix(OpenKind::Tag(name), symbol.len() + 1)
            }
            None => self.atom(),
        }
    }

    /// Reports a notation of programs in EDN.
    #[cold]
    fn not_edn(&mut self) -> bool {
        let length = if self.text[self.at..].starts_with('#') { 2 } else { 1 };
        let span = Span::new(self.at, self.at + length);
        let found = &self.text[self.at..self.at + length];
        self.problem(
            Diagnostic::new(Code::BadToken, format!("`{found}` is not part of EDN"))
                .at(span)
                .with_help("data has numbers, texts, names, lists, vectors, maps and sets"),
        );
        true
    }

    /// Closes a delimited form. Returns true if reading cannot continue: nothing is certain after a
    /// mismatched delimiter.
    fn close(&mut self, class: Class) -> bool {
        let span = Span::new(self.at, self.at + 1);
        self.at += 1;
        match self.open.pop() {
            Some(Open { kind: OpenKind::Delimited(opener, kind), span: opened, items })
                if opener == class =>
            {
                let whole = opened.to(span);
                let inside = self.items.get(items..).unwrap_or_default();
                if matches!(kind, FormKind::Map) && inside.len() % 2 == 1 {
                    let key = inside.last().map_or(whole, |key| self.forms.get(*key).span);
                    self.problem(
                        Diagnostic::new(
                            Code::OddMap,
                            "a map needs a value for every key; this key has none",
                        )
                        .at(key)
                        .with_help("add the value after the key, or remove the key"),
                    );
                }
                let inside = self.items.get(items..).unwrap_or_default();
                let id = self.forms.branch(kind, whole, inside);
                self.items.truncate(items);
                self.deliver(id);
                false
            }
            Some(Open { kind: OpenKind::Delimited(opener, _), span: opened, .. }) => {
                let (found, close) = (class.close(), opener.close());
                let (line, column) = self.place(opened);
                self.problem(
                    Diagnostic::new(
                        Code::UnexpectedDelimiter,
                        format!(
                            "`{found}` does not close the `{}` of line {line}, column {column}",
                            &self.text[opened.start as usize..opened.end as usize]
                        ),
                    )
                    .at(span)
                    .with_help(format!("close it with `{close}` first, or remove this `{found}`")),
                );
                true
            }
            Some(open) => {
                self.problem(dangling(&open, self.text));
                true
            }
            None => {
                let found = class.close();
                self.problem(
                    Diagnostic::new(Code::UnexpectedDelimiter, format!("`{found}` closes nothing"))
                        .at(span)
                        .with_help(format!(
                            "remove this `{found}`, or add the opening delimiter it belongs to"
                        )),
                );
                true
            }
        }
    }

    fn leaf(&mut self, kind: FormKind, span: Span) {
        let id = self.forms.leaf(kind, span);
        self.deliver(id);
    }

    /// Adds a form to its parent. Prefixes before it take it first.
    #[inline]
    fn deliver(&mut self, id: FormId) {
        if self.prefixes == 0 {
            self.items.push(id);
        } else {
            self.deliver_to_prefix(id);
        }
    }

    /// Adds a form where there are prefixes, perhaps of an outer form.
    fn deliver_to_prefix(&mut self, mut id: FormId) {
        loop {
            if let None | Some(Open { kind: OpenKind::Delimited(..), .. }) = self.open.last() {
                return self.items.push(id);
            }
            self.prefixes -= 1;
            match self.open.pop() {
                Some(Open { kind: OpenKind::Prefix(kind), span, .. }) => {
                    let whole = span.to(self.forms.get(id).span);
                    id = self.forms.branch(kind, whole, &[id]);
                }
                Some(Open { kind: OpenKind::Tag(name), span, .. }) => {
                    let whole = span.to(self.forms.get(id).span);
                    let head = self.forms.leaf(FormKind::Core(&datum::TAG), span);
                    let tag = self.forms.leaf(FormKind::Symbol(name), span);
                    id = self.forms.branch(FormKind::List, whole, &[head, tag, id]);
                    self.tags = true;
                }
                Some(Open { kind: OpenKind::Discard, .. }) => return,
                // The metadata becomes an item, which marks the form after it.
                Some(open @ Open { kind: OpenKind::Meta, .. })
                    if open.items == self.items.len() =>
                {
                    self.items.push(id);
                    self.prefixes += 1;
                    return self.open.push(open);
                }
                Some(Open { kind: OpenKind::Meta, items, .. }) => self.items.truncate(items),
                None | Some(Open { kind: OpenKind::Delimited(..), .. }) => {}
            }
        }
    }

    /// Reports an open form at the end of the text.
    fn end(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let OpenKind::Delimited(class, _) = open.kind else {
            return self.problem(dangling(&open, self.text));
        };
        let close = class.close();
        let missing: String = std::iter::once(close)
            .chain(self.open.iter().rev().filter_map(|open| match open.kind {
                OpenKind::Delimited(class, _) => Some(class.close()),
                _ => None,
            }))
            .take(20)
            .collect();
        let delimiter = &self.text[open.span.start as usize..open.span.end as usize];
        self.problem(
            Diagnostic::new(
                Code::UnclosedDelimiter,
                format!("this `{delimiter}` is never closed; the program ends first"),
            )
            .at(open.span)
            .with_help(if missing.len() == 1 {
                format!("close it with `{close}`")
            } else {
                format!("close it with `{close}`; at the very end `{missing}` would be needed")
            }),
        );
    }

    fn place(&self, span: Span) -> (usize, usize) {
        let before = &self.text[..span.start as usize];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

fn dangling(open: &Open, text: &str) -> Diagnostic {
    let prefix = &text[open.span.start as usize..open.span.end as usize];
    Diagnostic::new(Code::BadToken, format!("`{prefix}` needs a form after it"))
        .at(open.span)
        .with_help(format!("remove this `{prefix}`, or write a form after it"))
}

//! Explains mismatched delimiters by indentation.
//!
//! A reader that only counts reports a missing delimiter at the end of the text. A line that begins at or left of an
//! open form shows that the form should have ended before it.

use super::tokens::{Class, Kind, Token, name_of, tokens};
use ptc_values::Diagnostic;
use ptc_values::code::{Code, Span};

/// The number of problems reported for one source.
pub(crate) const MAX_PROBLEMS: usize = 5;

/// The number of forms named in a help line.
const MOST_NAMED: usize = 3;

/// Returns the delimiter problems of a text that has some, in order.
pub(super) fn problems(text: &str) -> Vec<Diagnostic> {
    let tokens = tokens(text).all;
    let plain = Walk::new(text, &tokens, false).run();
    // Indentation that causes many more problems than counting is not a guide.
    let guided = Walk::new(text, &tokens, true).run();
    let best = if guided.count > plain.count + 2 { plain } else { guided };
    best.found
}

/// Returns the problem of an unclosed string or regular expression. If a quote is missing, the next string starts where
/// this one ends, so the last string seems open instead.
pub(super) fn unclosed_string(text: &str) -> Option<Diagnostic> {
    let tokens = tokens(text).all;
    let is_string = |token: &Token| text[token.start..].starts_with(['"', '#']);
    let swallows = tokens.windows(2).find_map(|pair| match pair {
        [string, next]
            if string.kind == Kind::Atom
                && is_string(string)
                && string.line < string.end_line
                && next.kind == Kind::Atom
                && next.start == string.end =>
        {
            Some(string)
        }
        _ => None,
    });
    let string = swallows.or_else(|| tokens.last().filter(|last| is_string(last)))?;
    let quote = usize::from(text[string.start..].starts_with('#')) + 1;
    let what = if quote == 1 { "string" } else { "regular expression" };
    let rest = text[string.start + quote..].split('\n').next().unwrap_or_default().trim_end();
    let inside = rest.trim_end_matches([')', ']', '}']);
    let column = string.column as usize + quote + inside.chars().count();
    let delimiters = &rest[inside.len()..];
    let place = format!("line {}, column {column}", string.line);
    let message = match swallows {
        Some(_) => format!(
            "this {what} is not closed on its line; it continues to line {}, where the next one begins",
            string.end_line
        ),
        None => format!("this {what} is never closed; the program ends first"),
    };
    let help = if delimiters.is_empty() {
        format!("write `\"` where it ends, such as {place}, the end of its line")
    } else {
        format!("write `\"` where it ends, such as {place}, before `{delimiters}`")
    };
    Some(
        Diagnostic::new(Code::UnclosedString, message)
            .at(Span::new(string.start, string.start + quote))
            .with_help(help),
    )
}

struct Walk<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Whether the start columns of lines count.
    by_lines: bool,
    open: Vec<usize>,
    /// A closing delimiter that closed the last open form although the next line is indented: the form, the delimiter,
    /// that line.
    early: Option<(usize, usize, u32)>,
    /// The number of open forms of each class.
    classes: [usize; 3],
    found: Vec<Diagnostic>,
    /// The number of problems; only the first few are kept.
    count: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, tokens: &'a [Token], by_lines: bool) -> Walk<'a> {
        Walk {
            text,
            tokens,
            by_lines,
            open: Vec::new(),
            early: None,
            classes: [0; 3],
            found: Vec::new(),
            count: 0,
        }
    }

    fn problem(&mut self, problem: Diagnostic) {
        self.count += 1;
        if self.found.len() < MAX_PROBLEMS {
            self.found.push(problem);
        }
    }

    fn push(&mut self, open: usize, class: Class) {
        self.open.push(open);
        self.classes[class as usize] += 1;
    }

    fn pop(&mut self) -> Option<usize> {
        let open = self.open.pop()?;
        if let Some(class) = self.class(open) {
            self.classes[class as usize] -= 1;
        }
        Some(open)
    }

    /// Pops the innermost forms down to `keep`; returns them outermost first.
    fn pop_to(&mut self, keep: usize) -> Vec<usize> {
        let mut unclosed = Vec::new();
        while self.open.len() > keep {
            unclosed.extend(self.pop());
        }
        unclosed.reverse();
        unclosed
    }

    fn run(mut self) -> Walk<'a> {
        let mut last_top: Option<(usize, usize)> = None;
        for (at, token) in self.tokens.iter().enumerate() {
            let is_close = matches!(token.kind, Kind::Close(_));
            if self.by_lines && token.first && !is_close && at > 0 {
                let mut keep = self.open.len();
                while keep > 0 && self.column(self.open[keep - 1]) >= token.column {
                    keep -= 1;
                }
                if keep < self.open.len() {
                    let unclosed = self.pop_to(keep);
                    self.missing_before_line(&unclosed, at);
                }
                if let Some((opened, closed)) = last_top
                    && self.open.is_empty()
                    && token.column > self.column(opened)
                    && closed + 1 == at
                {
                    self.early = Some((opened, closed, token.line));
                }
            }
            match token.kind {
                Kind::Open(class) => self.push(at, class),
                Kind::Close(class) => {
                    let opened = self.close(at, class);
                    if self.open.is_empty()
                        && let Some(opened) = opened
                    {
                        last_top = Some((opened, at));
                    }
                }
                Kind::Prefix | Kind::Atom => {}
            }
        }
        if !self.open.is_empty() {
            let unclosed = self.pop_to(0);
            self.missing_at_end(&unclosed);
        }
        self
    }

    fn column(&self, token: usize) -> u32 {
        self.tokens.get(token).map_or(0, |token| token.column)
    }

    fn class(&self, token: usize) -> Option<Class> {
        match self.tokens.get(token)?.kind {
            Kind::Open(class) => Some(class),
            _ => None,
        }
    }

    fn span(&self, token: usize) -> Span {
        self.tokens.get(token).map_or(Span::default(), |token| Span::new(token.start, token.end))
    }

    /// Pops and returns the form that a closing delimiter closes.
    fn close(&mut self, at: usize, class: Class) -> Option<usize> {
        let Some(&top) = self.open.last() else {
            self.closes_nothing(at, class);
            return None;
        };
        if self.class(top) == Some(class) {
            return self.pop();
        }
        let below = self.open.len().checked_sub(2).and_then(|below| self.open.get(below).copied());
        let next = self.tokens.get(at + 1).map(|next| next.kind);
        let next_fits = below
            .and_then(|below| self.class(below))
            .is_some_and(|below| next == Some(Kind::Close(below)));
        // Searched forms are popped, which keeps the walk linear.
        if self.classes[class as usize] > 0 && !next_fits {
            let meant = self.open.iter().rposition(|open| self.class(*open) == Some(class));
            let unclosed = self.pop_to(meant.map_or(0, |meant| meant + 1));
            self.mismatch(at, class, &unclosed, true);
        } else {
            self.mismatch(at, class, &[top], false);
        }
        self.pop()
    }

    /// Returns the delimiters that close these forms, given outermost first.
    fn closers(&self, unclosed: &[usize]) -> String {
        unclosed.iter().rev().take(20).filter_map(|open| Some(self.class(*open)?.close())).collect()
    }

    fn named(&self, open: usize) -> String {
        let (line, column) = self.tokens.get(open).map_or((0, 0), |it| (it.line, it.column));
        format!("`{}` of line {line}, column {column}", name_of(self.text, self.tokens, open))
    }

    fn named_all(&self, unclosed: &[usize]) -> String {
        let mut names: Vec<String> =
            unclosed.iter().rev().take(MOST_NAMED).map(|open| self.named(*open)).collect();
        if unclosed.len() > MOST_NAMED {
            names.push(format!("{} more", unclosed.len() - MOST_NAMED));
        }
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, first)) => format!("{} and {last}", first.join(", ")),
            None => String::new(),
        }
    }

    fn missing_before_line(&mut self, unclosed: &[usize], next: usize) {
        let (Some(&inner), Some(line)) = (unclosed.last(), self.tokens.get(next)) else { return };
        let before = next.checked_sub(1).and_then(|before| self.tokens.get(before));
        let Some(before) = before else { return };
        let (end_line, end_column) = (before.end_line, before.end_column);
        self.problem(
            Diagnostic::new(
                Code::UnclosedDelimiter,
                format!(
                    "`{}` is never closed; line {} begins left of its inside, so it should end at line {end_line}, column {end_column}",
                    name_of(self.text, self.tokens, inner),
                    line.line,
                ),
            )
            .at(self.span(inner))
            .with_help(format!(
                "write `{}` at line {end_line}, column {end_column}; it closes {}",
                self.closers(unclosed),
                self.named_all(unclosed)
            )),
        );
    }

    fn missing_at_end(&mut self, unclosed: &[usize]) {
        let (Some(&inner), Some(last)) = (unclosed.last(), self.tokens.last()) else { return };
        self.problem(
            Diagnostic::new(
                Code::UnclosedDelimiter,
                format!(
                    "`{}` is never closed; the program ends first",
                    name_of(self.text, self.tokens, inner)
                ),
            )
            .at(self.span(inner))
            .with_help(format!(
                "write `{}` at the end, line {}, column {}; it closes {}",
                self.closers(unclosed),
                last.end_line,
                last.end_column,
                self.named_all(unclosed)
            )),
        );
    }

    fn mismatch(&mut self, at: usize, class: Class, unclosed: &[usize], before: bool) {
        let Some(&inner) = unclosed.last() else { return };
        let (found, wanted) = (class.close(), self.closers(unclosed));
        let help = if before {
            format!("write `{wanted}` before this `{found}`")
        } else {
            format!("write `{wanted}` instead of this `{found}`")
        };
        self.problem(
            Diagnostic::new(
                Code::UnexpectedDelimiter,
                format!("`{found}` does not close {}", self.named(inner)),
            )
            .at(self.span(at))
            .with_help(help),
        );
    }

    fn closes_nothing(&mut self, at: usize, class: Class) {
        let found = class.close();
        let problem = match self.early.take() {
            Some((opened, closed, line)) => {
                let (closer, this) = (self.span(closed), self.tokens.get(at));
                let closer_text = &self.text[closer.start as usize..closer.end as usize];
                let (this_line, this_column) = this.map_or((0, 0), |it| (it.line, it.column));
                Diagnostic::new(
                    Code::UnexpectedDelimiter,
                    format!(
                        "this `{closer_text}` closes {}, and line {line} is indented as a part of it",
                        self.named(opened)
                    ),
                )
                .at(closer)
                .with_help(format!(
                    "remove this `{closer_text}`: then the `{found}` of line {this_line}, column {this_column} closes the form, and now it closes nothing"
                ))
            }
            None => Diagnostic::new(
                Code::UnexpectedDelimiter,
                format!("`{found}` closes nothing: all forms before it are closed"),
            )
            .at(self.span(at))
            .with_help(format!("remove this `{found}`")),
        };
        self.problem(problem);
    }
}

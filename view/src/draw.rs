//! The drawing of problems, through miette.

use std::fmt;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, Severity,
    SourceCode, SourceSpan, SpanContents,
};

use ptc_signatures::shown::{escape, is_unsafe, push_escape};

/// The look of drawn problems.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Whether escape sequences colour the text.
    pub is_coloured: bool,
    /// The width at which lines are wrapped; `None` wraps none.
    pub width: Option<usize>,
}

impl Look {
    /// Draws a problem.
    pub fn draw(self, problem: &dyn miette::Diagnostic) -> String {
        let mut text = String::new();
        // If the report cannot be drawn, its message is shown.
        if self.handler().render_report(&mut text, problem).is_err() {
            text = format!("error: {problem}\n");
        }
        text
    }

    fn handler(self) -> GraphicalReportHandler {
        let theme = if self.is_coloured {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let handler = GraphicalReportHandler::new_themed(theme)
            .with_context_lines(1)
            .with_links(false)
            .with_cause_chain();
        match self.width {
            Some(width) => handler.with_width(width),
            None => handler.with_wrap_lines(false).with_width(usize::from(u16::MAX)),
        }
    }
}

/// A diagnostic of the language, with its source.
#[derive(Debug)]
pub struct Placed<'a> {
    diagnostic: &'a ptc_lisp::Diagnostic,
    source: &'a Text,
    /// The earlier program that has the problem, if it is not in `source`.
    earlier: Option<Text>,
    severity: Severity,
}

impl<'a> Placed<'a> {
    /// Makes an error.
    pub fn error(diagnostic: &'a ptc_lisp::Diagnostic, source: &'a Text) -> Placed<'a> {
        Placed { diagnostic, source, earlier: None, severity: Severity::Error }
    }

    /// Makes a warning: the source looks wrong, but may be right.
    pub fn warning(diagnostic: &'a ptc_lisp::Diagnostic, source: &'a Text) -> Placed<'a> {
        Placed { diagnostic, source, earlier: None, severity: Severity::Warning }
    }

    /// Looks for the problem in an earlier program too, because a program may call functions that an earlier one
    /// defined.
    #[must_use]
    pub fn or_earlier(mut self) -> Placed<'a> {
        let other = self.diagnostic.source().filter(|it| *it != self.source.content);
        self.earlier = other.map(|it| Text::new("an earlier program", it));
        self
    }

    fn text(&self) -> &Text {
        self.earlier.as_ref().unwrap_or(self.source)
    }
}

impl fmt::Display for Placed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(&self.diagnostic.to_string()))
    }
}

impl std::error::Error for Placed<'_> {}

impl miette::Diagnostic for Placed<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code()))
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.diagnostic.help_and_advice()?;
        Some(Box::new(escape(&help).into_owned()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.diagnostic
            .span()
            .filter(|_| !self.text().content.trim().is_empty())
            .map(|_| self.text() as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.text().label(self.diagnostic)?)))
    }
}

/// The longest line that is drawn whole, in bytes.
const MAX_WIDTH: usize = 160;
/// The number of bytes of a longer line that are drawn before and after the position.
const CONTEXT: usize = 60;

/// A named text. Only the relevant part of it is drawn: a program of one megabyte on one line is drawn as the few
/// words around the position. Characters that move or hide text on a terminal are drawn as escapes.
#[derive(Clone, Debug)]
pub struct Text {
    name: String,
    content: String,
    /// The text as it is drawn, if that differs from `content`.
    drawn: Option<String>,
}

impl Text {
    /// Makes a text with the name that reports show.
    pub fn new(name: &str, text: &str) -> Text {
        let drawn = text.contains(is_unsafe).then(|| escape(text).into_owned());
        Text { name: escape(name).into_owned(), content: text.to_owned(), drawn }
    }

    /// Converts a range of bytes of the text to a span of the drawn text.
    pub fn span(&self, start: usize, end: usize) -> SourceSpan {
        let place = |at: usize| {
            let at = floor_char_boundary(&self.content, at);
            if self.drawn.is_none() {
                return at;
            }
            // The rest is measured, because the character after `\r` decides how `\r` is drawn.
            let rest = self.content.get(at..).unwrap_or_default();
            escape(&self.content).len() - escape(rest).len()
        };
        let start = place(start);
        (start, place(end).saturating_sub(start)).into()
    }

    /// Returns the place of a problem in the text, with the functions that were being called.
    pub fn label(&self, problem: &ptc_lisp::Diagnostic) -> Option<LabeledSpan> {
        let span = problem.span()?;
        let range = self.first_line_of(span.start as usize, span.end as usize);
        let mut label = "here".to_owned();
        for (at, name) in problem.trace().iter().enumerate() {
            let how = if at == 0 { "in" } else { "called by" };
            label = format!("{label}, {how} `{}`", escape(name));
        }
        Some(LabeledSpan::new_with_span(Some(label), range))
    }

    /// Returns the drawn span of the first line of a range, cut to [`CONTEXT`] bytes.
    fn first_line_of(&self, start: usize, end: usize) -> SourceSpan {
        let place = self.content.get(start..end).unwrap_or_default();
        let line = place.split('\n').next().unwrap_or_default().trim_end();
        self.span(start, start + floor_char_boundary(line, CONTEXT))
    }

    fn drawn(&self) -> &str {
        self.drawn.as_deref().unwrap_or(&self.content)
    }

    /// Returns the column of the text, from 0, that is at a byte of the drawn text.
    fn column(&self, line_start: usize, at: usize) -> usize {
        let drawn = self.drawn().get(line_start..at).unwrap_or_default();
        if self.drawn.is_none() {
            return drawn.chars().count();
        }
        let line = self.drawn().get(..line_start).unwrap_or_default().matches('\n').count();
        let line = self.content.split('\n').nth(line).unwrap_or_default();
        let (mut left, mut column) = (drawn.len(), 0);
        for c in line.chars() {
            let mut one = String::new();
            if is_unsafe(c) {
                push_escape(&mut one, c);
            } else {
                one.push(c);
            }
            if one.len() > left {
                break;
            }
            (left, column) = (left - one.len(), column + 1);
        }
        column
    }
}

/// Returns the largest char boundary of `text` that is at most `at`.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0)
}

impl SourceCode for Text {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let text = self.drawn();
        let at = floor_char_boundary(text, span.offset());
        let line_start = text.get(..at).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        let line_end = text.get(at..).and_then(|it| it.find('\n')).map_or(text.len(), |it| at + it);
        let line = text.get(..line_start).unwrap_or_default().matches('\n').count();
        let contents = text.read_span(span, before, after)?;
        // miette asks for no context when it wants the position for the heading.
        let is_heading = before == 0 && after == 0;
        let column = if is_heading { self.column(line_start, at) } else { 0 };
        let longest = contents.data().split(|&it| it == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        if longest <= MAX_WIDTH {
            let contents = MietteSpanContents::new_named(
                self.name.clone(),
                contents.data(),
                *contents.span(),
                contents.line(),
                if self.drawn.is_some() { column } else { contents.column() },
                contents.line_count(),
            );
            return Ok(Box::new(contents));
        }
        // The line alone is drawn, and only the part of it around the position.
        let (start, end) = if line_end - line_start <= MAX_WIDTH {
            (line_start, line_end)
        } else {
            (
                floor_char_boundary(text, at.saturating_sub(CONTEXT).max(line_start)),
                floor_char_boundary(text, (at + span.len() + CONTEXT).min(line_end)),
            )
        };
        let data = text.as_bytes().get(start..end).unwrap_or_default();
        let span = (start, end - start).into();
        let contents =
            MietteSpanContents::new_named(self.name.clone(), data, span, line, column, 1);
        Ok(Box::new(contents))
    }
}

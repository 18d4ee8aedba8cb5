//! Diagnostics: one problem each, with a stable code, a place and a help text.
//!
//! One type has three renderings: for a terminal through [`miette`], for a model through [`Diagnostic::excerpt`] and
//! the texts, and as JSON through [`Diagnostic::to_json`].

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use arcstr::ArcStr;

use ptc_signatures::shown::escape_owned;

use super::class::Class;
use super::code::{Code, Kind, Span};
use super::value::{Diagnostic, Map, Problem, Value};

impl Diagnostic {
    /// Creates a diagnostic without a place.
    #[cold]
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic(Box::new(Problem {
            code,
            message: message.into(),
            help: None,
            advice: None,
            form: None,
            span: None,
            source: None,
            trace: Vec::new(),
            class: None,
            jvm_message: None,
            thrown: None,
            data: Value::Nil,
            nil_number: None,
        }))
    }

    /// Creates the problem of an uncaught exception that a program threw.
    #[cold]
    pub fn thrown(message: impl Into<String>, class: ArcStr, value: Value) -> Diagnostic {
        let mut problem = Diagnostic::new(Code::Thrown, message);
        problem.0.thrown = Some((class, value));
        problem
    }

    #[must_use]
    pub fn with_class(mut self, class: &'static str) -> Diagnostic {
        self.0.class = Some(class);
        self
    }

    /// Sets the message that a caught exception has in a program.
    #[must_use]
    pub fn with_jvm_message(mut self, message: impl Into<Option<String>>) -> Diagnostic {
        self.0.jvm_message = message.into();
        self
    }

    /// Returns the message of the caught exception: the JVM's where it is known.
    pub fn exception_message(&self) -> &str {
        self.0.jvm_message.as_deref().unwrap_or(&self.0.message)
    }

    #[must_use]
    pub fn with_data(mut self, data: Value) -> Diagnostic {
        self.0.data = data;
        self
    }

    pub fn data(&self) -> &Value {
        &self.0.data
    }

    #[must_use]
    pub fn with_nil_number(mut self, argument: usize) -> Diagnostic {
        self.0.nil_number = Some(argument);
        self
    }

    pub fn nil_number(&self) -> Option<usize> {
        self.0.nil_number
    }

    pub fn thrown_value(&self) -> Option<&Value> {
        self.0.thrown.as_ref().map(|(_, value)| value)
    }

    /// Returns the JVM class by which `catch` selects the problem; `None` if it cannot be caught.
    pub fn class(&self) -> Option<&str> {
        if let Some((class, _)) = &self.0.thrown {
            return Some(class);
        }
        if let Some(class) = self.0.class {
            return Some(class);
        }
        Some(match self.0.code {
            Code::WrongArity => "ArityException",
            Code::WrongType | Code::NotCallable => "ClassCastException",
            Code::DivideByZero => "ArithmeticException",
            Code::OutOfBounds => "IndexOutOfBoundsException",
            Code::NumberRange | Code::BadForm | Code::NoClause => "IllegalArgumentException",
            Code::BadRegex => "PatternSyntaxException",
            Code::BadNumber => "NumberFormatException",
            // Parsing a date sets its own class.
            Code::BadDate => "DateTimeException",
            Code::BadFormat | Code::BadJson => "IllegalArgumentException",
            Code::UnknownName => "IllegalStateException",
            Code::NotJson | Code::PayloadMisfit => "IllegalArgumentException",
            Code::PayloadDenied | Code::PayloadConflict | Code::MemoryConflict => {
                "IllegalStateException"
            }
            Code::ToolFailed
            | Code::ToolTimeout
            | Code::ToolMissing
            | Code::ToolOutput
            | Code::ToolTooLarge
            | Code::ToolPanicked
            | Code::ToolCancelled
            | Code::ToolUsedUp
            | Code::ToolDenied
            | Code::Unanswered
            | Code::AgentFailed
            | Code::AgentStopped
            | Code::ToolArguments
            | Code::ToolResult
            | Code::UnknownTool
            | Code::PlanningTool
            | Code::Thrown => "ExceptionInfo",
            _ => return None,
        })
    }

    /// Sets one concrete action for the program's author.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.0.help = Some(help.into());
        self
    }

    /// Sets one action for the mission's author, such as raising a limit. Models do not read it, because a program
    /// cannot do it.
    #[must_use]
    pub fn with_advice(mut self, advice: impl Into<String>) -> Diagnostic {
        self.0.advice = Some(advice.into());
        self
    }

    /// Sets the form that mends the value of the marked `return`. `%` is the value: `(first %)`.
    #[must_use]
    pub fn with_form(mut self, form: impl Into<String>) -> Diagnostic {
        self.0.form = Some(form.into());
        self
    }

    /// Returns the form that mends the value of the marked `return`. `%` is the value: `(first %)`.
    pub fn form(&self) -> Option<&str> {
        self.0.form.as_deref()
    }

    /// Changes the texts of the runtime. A message that a program threw is its own.
    #[must_use]
    pub(crate) fn with_texts(
        mut self,
        change: &dyn for<'t> Fn(&'t str) -> Cow<'t, str>,
    ) -> Diagnostic {
        let cover = |text: &mut String| {
            if let Cow::Owned(changed) = change(text) {
                *text = changed;
            }
        };
        if self.0.thrown.is_none() {
            cover(&mut self.0.message);
            if let Value::Map(data) = &self.0.data {
                let key = Value::keyword("message");
                let text = data.get(&key).and_then(Value::as_str).map(change);
                if let Some(Cow::Owned(text)) = text {
                    let mut data = data.clone();
                    Map::make_mut(&mut data).insert((key, Value::from(text)));
                    self.0.data = Value::Map(data);
                }
            }
        }
        let inner = &mut *self.0;
        [&mut inner.help, &mut inner.advice, &mut inner.jvm_message]
            .into_iter()
            .flatten()
            .for_each(cover);
        self
    }

    /// Sets the place, unless there is one already.
    #[must_use]
    pub fn at(mut self, span: Span) -> Diagnostic {
        self.0.span.get_or_insert(span);
        self
    }

    /// Returns the problem at a place of another source, which this one was made of.
    #[must_use]
    pub fn moved(mut self, span: Span) -> Diagnostic {
        (self.0.span, self.0.source) = (Some(span), None);
        self
    }

    #[must_use]
    pub fn in_source(mut self, source: &Arc<str>) -> Diagnostic {
        self.0.source.get_or_insert_with(|| source.clone());
        self
    }

    /// Returns the source of the span: the program, or an earlier one whose function failed.
    pub fn source(&self) -> Option<&str> {
        self.0.source.as_deref()
    }

    pub fn has_place(&self) -> bool {
        self.0.span.is_some()
    }

    #[must_use]
    pub fn has_trace(&self) -> bool {
        !self.0.trace.is_empty()
    }

    pub fn with_trace(mut self, trace: Vec<String>) -> Diagnostic {
        self.0.trace = trace;
        self
    }

    /// Returns the stable code as text.
    pub fn code(&self) -> &'static str {
        self.0.code.as_str()
    }

    /// Returns the stable code.
    pub fn code_value(&self) -> Code {
        self.0.code
    }

    /// Returns the broad kind.
    pub fn kind(&self) -> Kind {
        self.0.code.kind()
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns one concrete action for the program's author.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Returns one action for the mission's author.
    pub fn advice(&self) -> Option<&str> {
        self.0.advice.as_deref()
    }

    /// Returns the help and the advice as one text, for a person.
    pub fn help_and_advice(&self) -> Option<Cow<'_, str>> {
        match (self.help(), self.advice()) {
            (Some(help), Some(advice)) => Some(Cow::Owned(format!("{help}; or {advice}"))),
            (help, advice) => help.or(advice).map(Cow::Borrowed),
        }
    }

    /// Returns the place in the source.
    pub fn span(&self) -> Option<Span> {
        self.0.span
    }

    /// Returns the names of the functions being called, innermost first; at most ten.
    pub fn trace(&self) -> &[String] {
        &self.0.trace
    }

    /// Returns line and column of the place, both from 1; the column counts characters.
    pub fn line_column(&self) -> Option<(u32, u32)> {
        let source = self.0.source.as_ref()?;
        let before = source.get(..self.0.span?.start as usize)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..)?.chars().count();
        Some((before.matches('\n').count() as u32 + 1, column as u32 + 1))
    }

    /// Returns the line of the place with carets under it. Long lines are cut around the place.
    ///
    /// ```text
    /// 2 | (+ 1 x)
    ///   |      ^
    /// ```
    pub fn excerpt(&self) -> Option<String> {
        const WIDTH: usize = 100;
        let (line, column) = self.line_column()?;
        let source = self.0.source.as_ref()?;
        let span = self.0.span?;
        let text = source.split('\n').nth(line as usize - 1)?.trim_end_matches('\r');
        let column = column as usize - 1;
        let skip = if column > WIDTH - 30 { column - 40 } else { 0 };
        let chars: Vec<char> = text.chars().skip(skip).take(WIDTH).collect();
        let shown = |chars: &[char]| {
            let text: String = chars.iter().map(|c| if *c == '\t' { ' ' } else { *c }).collect();
            escape_owned(text)
        };
        let length = source.get(span.start as usize..span.end as usize).map_or(1, |place| {
            place.split('\n').next().unwrap_or_default().trim_end().chars().count()
        });
        let (before, marked) = chars.split_at((column - skip).min(chars.len()));
        let marked = marked.get(..length).unwrap_or(marked);
        let width = |chars: &[char]| shown(chars).chars().count();
        let carets = "^".repeat(width(marked).max(1));
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let pad = " ".repeat(width(before));
        Some(format!("{number} | {}\n{margin} | {pad}{carets}", shown(&chars)))
    }

    /// Returns the source of the span, shared with the program.
    pub fn shared_source(&self) -> Option<&Arc<str>> {
        self.0.source.as_ref()
    }

    /// Returns the diagnostic as data, without a thrown value; `source` represents its source.
    pub fn to_data(&self, source: Option<Value>) -> Value {
        let text = |text: Option<&str>| text.map_or(Value::Nil, Value::from);
        let number = |number: u32| Value::Int(number.into());
        let trace = self.0.trace.iter().map(|name| Value::from(name.as_str())).collect();
        let rows = [
            ("code", text(Some(self.code()))),
            ("message", text(Some(&self.0.message))),
            ("help", text(self.help())),
            ("advice", text(self.advice())),
            ("program", source.unwrap_or_default()),
            (
                "span",
                self.0.span.map_or(Value::Nil, |span| {
                    Value::vector(vec![number(span.start), number(span.end)])
                }),
            ),
            ("trace", if self.has_trace() { Value::vector(trace) } else { Value::Nil }),
            ("class", text(self.0.class)),
            ("jvm-message", text(self.0.jvm_message.as_deref())),
            ("data", self.0.data.clone()),
            ("nil-number", self.0.nil_number.map_or(Value::Nil, |it| number(it as u32))),
        ];
        let rows = rows.into_iter().filter(|(_, value)| !value.is_nil());
        Value::map(rows.map(|(key, value)| (Value::keyword(key), value)))
    }

    /// Reads a diagnostic from the data of [`Diagnostic::to_data`]; `None` if the data is something else.
    pub fn of_data(data: &Value, source: Option<Arc<str>>) -> Option<Diagnostic> {
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        let code = Code::ALL.iter().find(|code| text("code") == Some(code.as_str()))?;
        let number = |value: &Value| u32::try_from(value.as_int()?).ok();
        let mut problem = Diagnostic::new(*code, text("message")?);
        if let Some(span) = data.get("span") {
            let ends: Vec<u32> = span.items()?.map(number).collect::<Option<_>>()?;
            let [start, end] = ends[..] else { return None };
            let inside =
                source.as_ref().is_none_or(|it| it.get(start as usize..end as usize).is_some());
            problem.0.span = (inside && start <= end).then_some(Span { start, end });
            problem.0.span?;
        }
        if let Some(class) = text("class") {
            problem.0.class = Some(Class::find(class)?.name);
        }
        if let Some(trace) = data.get("trace") {
            let names = trace.items()?.map(|name| name.as_str().map(str::to_owned));
            problem.0.trace = names.collect::<Option<_>>()?;
        }
        if let Some(argument) = data.get("nil-number") {
            problem.0.nil_number = Some(number(argument)? as usize);
        }
        problem.0.source = source;
        problem.0.help = text("help").map(str::to_owned);
        problem.0.advice = text("advice").map(str::to_owned);
        problem.0.jvm_message = text("jvm-message").map(str::to_owned);
        problem.0.data = data.get("data").cloned().unwrap_or_default();
        Some(problem)
    }

    /// Returns `{"code", "kind", "message", "line", "column", "help"}`, with null for unknown fields. The help includes
    /// the advice.
    pub fn to_json(&self) -> serde_json::Value {
        let place = self.line_column();
        serde_json::json!({
            "code": self.code(),
            "kind": self.kind().as_str(),
            "message": self.message(),
            "line": place.map(|(line, _)| line),
            "column": place.map(|(_, column)| column),
            "help": self.help_and_advice(),
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.message())?;
        if let Some((line, column)) = self.line_column() {
            write!(f, " at {line}:{column}")?;
        }
        match self.help_and_advice() {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Diagnostic {}

impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.0.code.as_str()))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help_and_advice().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.0.source.as_ref().map(|source| source as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let span = self.0.span?;
        self.0.source.as_ref()?;
        let range = span.start as usize..span.end as usize;
        Some(Box::new(std::iter::once(miette::LabeledSpan::at(range, "here"))))
    }
}

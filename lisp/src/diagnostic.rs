//! Diagnostics: one problem each, with a stable code, a place and a help text.
//!
//! One type has three renderings: for a terminal through [`miette`], for a model through [`Diagnostic::excerpt`] and
//! the texts, and as JSON through [`Diagnostic::to_json`].

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::value::{Class, Ext, Value};

/// A range of bytes in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    pub(crate) fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Returns the smallest span that covers both.
    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The broad kind of a problem, as batch responses report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The text is not a program.
    Parse,
    /// An unknown name.
    Unresolved,
    /// A wrong number of arguments.
    Arity,
    /// A value of the wrong kind.
    Type,
    /// Arithmetic without a result.
    Arithmetic,
    /// A position that does not exist.
    Bounds,
    /// A tool that failed or may not be called.
    Tool,
    /// Data that does not match a signature.
    Signature,
    /// A limit.
    Limit,
    /// Anything else.
    Other,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Kind] = &[
        Kind::Parse,
        Kind::Unresolved,
        Kind::Arity,
        Kind::Type,
        Kind::Arithmetic,
        Kind::Bounds,
        Kind::Tool,
        Kind::Signature,
        Kind::Limit,
        Kind::Other,
    ];

    /// Returns the name used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Parse => "parse",
            Kind::Unresolved => "unresolved",
            Kind::Arity => "arity",
            Kind::Type => "type",
            Kind::Arithmetic => "arithmetic",
            Kind::Bounds => "bounds",
            Kind::Tool => "tool",
            Kind::Signature => "signature",
            Kind::Limit => "limit",
            Kind::Other => "other",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal, $kind:ident;)+) => {
        /// The stable code of a problem.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $doc])+ $name),+ }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            /// Returns the code as text; its meaning never changes.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $text),+ }
            }

            /// Returns the broad kind.
            pub fn kind(self) -> Kind {
                match self { $(Code::$name => Kind::$kind),+ }
            }
        }
    };
}

codes! {
    /// An opening delimiter without a closing one.
    UnclosedDelimiter = "unclosed-delimiter", Parse;
    /// A closing delimiter without an opening one, or of the wrong kind.
    UnexpectedDelimiter = "unexpected-delimiter", Parse;
    /// A string without a closing quote.
    UnclosedString = "unclosed-string", Parse;
    /// Text that is not a token of the language.
    BadToken = "bad-token", Parse;
    /// A map literal with a key and no value.
    OddMap = "odd-map", Parse;
    /// A form with misplaced parts.
    BadForm = "bad-form", Parse;
    /// A program without a form.
    EmptyProgram = "empty-program", Parse;
    /// An unknown name.
    UnknownName = "unknown-name", Unresolved;
    /// A name of Clojure or Java that the language leaves out.
    NotAvailable = "not-available", Unresolved;
    /// A `ctx/` key that the mission does not have.
    UnknownCtxKey = "unknown-ctx-key", Unresolved;
    /// A memory key without a value yet; a warning.
    UnsetMemory = "unset-memory", Unresolved;
    /// A local name that shadows a word of the mission; a warning.
    HiddenName = "hidden-name", Unresolved;
    /// A library that the language does not have; a warning.
    UnknownLibrary = "unknown-library", Unresolved;
    /// An option that the function does not have.
    UnknownOption = "unknown-option", Unresolved;
    /// A field that the record cannot have.
    UnknownField = "unknown-field", Unresolved;
    /// A tool that the mission does not have.
    UnknownTool = "unknown-tool", Unresolved;
    /// A function called with a wrong number of arguments.
    WrongArity = "wrong-arity", Arity;
    /// A value of the wrong kind.
    WrongType = "wrong-type", Type;
    /// A value that cannot be called as a function.
    NotCallable = "not-callable", Type;
    /// An integer divided by zero.
    DivideByZero = "divide-by-zero", Arithmetic;
    /// A number outside the range of an operation.
    NumberRange = "number-range", Arithmetic;
    /// A position outside a collection or string.
    OutOfBounds = "out-of-bounds", Bounds;
    /// A tool failed.
    ToolFailed = "tool-failed", Tool;
    /// A call of a tool that is shown for planning only.
    PlanningTool = "planning-tool", Tool;
    /// A tool that gave no result in time.
    ToolTimeout = "tool-timeout", Tool;
    /// A tool whose implementation is missing, such as its program file.
    ToolMissing = "tool-missing", Tool;
    /// A tool whose output is not a valid result, such as text that is not JSON.
    ToolOutput = "tool-output", Tool;
    /// A tool result above the size limit.
    ToolTooLarge = "tool-too-large", Tool;
    /// A tool that panicked.
    ToolPanicked = "tool-panicked", Tool;
    /// A cancelled tool call: the program no longer waits for it.
    ToolCancelled = "tool-cancelled", Tool;
    /// A tool called more often than a run allows.
    ToolUsedUp = "tool-used-up", Tool;
    /// A sub-agent that failed with a reason of its own.
    AgentFailed = "agent-failed", Tool;
    /// A sub-agent that was stopped before it had a value.
    AgentStopped = "agent-stopped", Tool;
    /// Arguments of a tool that do not match its signature.
    ToolArguments = "tool-arguments", Signature;
    /// A result of a tool that does not match its signature.
    ToolResult = "tool-result", Signature;
    /// A program that the policy of the mission refuses; no part of it ran.
    Policy = "policy", Other;
    /// A returned value that does not match the mission's signature.
    WrongReturn = "wrong-return", Signature;
    /// Fuel is used up.
    FuelLimit = "fuel-limit", Limit;
    /// The program keeps more memory than it may.
    MemoryLimit = "memory-limit", Limit;
    /// Calls nest too deep.
    CallDepthLimit = "call-depth-limit", Limit;
    /// Containers nest too deep.
    ValueDepthLimit = "value-depth-limit", Limit;
    /// The source is too long.
    SourceSizeLimit = "source-size-limit", Limit;
    /// The source nests too deep.
    SourceNestingLimit = "source-nesting-limit", Limit;
    /// Too many tool calls in one program.
    ToolCallLimit = "tool-call-limit", Limit;
    /// A sub-agent called below the deepest allowed level.
    NestingLimit = "nesting-limit", Limit;
    /// Evaluation took too long.
    TimeLimit = "time-limit", Limit;
    /// The result is too large.
    ResultSizeLimit = "result-size-limit", Limit;
    /// The memory kept between turns is too large.
    KeptMemoryLimit = "kept-memory-limit", Limit;
    /// A value without a JSON form at the boundary.
    NotJson = "not-json", Type;
    /// Text that is not a regular expression.
    BadRegex = "bad-regex", Other;
    /// Text that is not a number.
    BadNumber = "bad-number", Other;
    /// A format text or date pattern with an unknown directive, or one that does not fit its value.
    BadFormat = "bad-format", Other;
    /// Text that is not a date, or a date that does not exist.
    BadDate = "bad-date", Other;
    /// Text that is not JSON.
    BadJson = "bad-json", Other;
    /// No clause of a `case` or `condp` matches.
    NoClause = "no-clause", Other;
    /// An exception that nothing caught.
    Thrown = "thrown", Other;
    /// A request for all items of an endless sequence.
    EndlessSequence = "endless-sequence", Other;
    /// A request that the machine does not support.
    Unsupported = "unsupported", Other;
    /// A bug of the language; the program is not at fault.
    InvariantViolated = "invariant-violated", Other;
}

/// One problem: code, message, place, help.
///
/// One word wide, so that results of the machine stay small. A message is lower case without a final dot. It names the
/// cause, the expectation and the value found.
#[derive(Clone)]
pub struct Diagnostic(Box<Inner>);

#[derive(Clone)]
struct Inner {
    code: Code,
    message: String,
    help: Option<String>,
    /// An action for the mission's author, impossible for a program.
    advice: Option<String>,
    span: Option<Span>,
    source: Option<Arc<str>>,
    /// The names of the functions being called, innermost first.
    trace: Vec<String>,
    /// The JVM class of the exception, if the code alone does not determine it.
    class: Option<&'static str>,
    /// The JVM message of the exception, which a `catch` may compare.
    jvm_message: Option<String>,
    thrown: Option<Value>,
    /// The value of `ex-data` in a `catch`.
    data: Value,
    /// The index of the argument that is nil instead of a number.
    nil_number: Option<usize>,
}

impl Diagnostic {
    /// Creates a diagnostic without a place.
    #[cold]
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic(Box::new(Inner {
            code,
            message: message.into(),
            help: None,
            advice: None,
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
    pub(crate) fn thrown(message: impl Into<String>, value: Value) -> Diagnostic {
        let mut problem = Diagnostic::new(Code::Thrown, message);
        problem.0.thrown = Some(value);
        problem
    }

    #[must_use]
    pub(crate) fn with_class(mut self, class: &'static str) -> Diagnostic {
        self.0.class = Some(class);
        self
    }

    /// Sets the message that a caught exception has in a program.
    #[must_use]
    pub(crate) fn with_jvm_message(mut self, message: impl Into<Option<String>>) -> Diagnostic {
        self.0.jvm_message = message.into();
        self
    }

    /// Returns the message of the caught exception: the JVM's where it is known.
    pub(crate) fn exception_message(&self) -> &str {
        self.0.jvm_message.as_deref().unwrap_or(&self.0.message)
    }

    #[must_use]
    pub(crate) fn with_data(mut self, data: Value) -> Diagnostic {
        self.0.data = data;
        self
    }

    pub(crate) fn data(&self) -> &Value {
        &self.0.data
    }

    #[must_use]
    pub(crate) fn with_nil_number(mut self, argument: usize) -> Diagnostic {
        self.0.nil_number = Some(argument);
        self
    }

    pub(crate) fn nil_number(&self) -> Option<usize> {
        self.0.nil_number
    }

    pub(crate) fn thrown_value(&self) -> Option<&Value> {
        self.0.thrown.as_ref()
    }

    /// Returns the JVM class by which `catch` selects the problem; `None` if it cannot be caught.
    pub fn class(&self) -> Option<&str> {
        if let Some(Value::Ext(ext)) = &self.0.thrown
            && let Ext::Error(thrown) = &**ext
        {
            return Some(&thrown.class);
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
            Code::NotJson => "IllegalArgumentException",
            Code::ToolFailed
            | Code::ToolTimeout
            | Code::ToolMissing
            | Code::ToolOutput
            | Code::ToolTooLarge
            | Code::ToolPanicked
            | Code::ToolCancelled
            | Code::ToolUsedUp
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

    /// Sets the place, unless there is one already.
    #[must_use]
    pub(crate) fn at(mut self, span: Span) -> Diagnostic {
        self.0.span.get_or_insert(span);
        self
    }

    #[must_use]
    pub(crate) fn in_source(mut self, source: &Arc<str>) -> Diagnostic {
        self.0.source.get_or_insert_with(|| source.clone());
        self
    }

    /// Returns the source of the span: the program, or an earlier one whose function failed.
    pub fn source(&self) -> Option<&str> {
        self.0.source.as_deref()
    }

    pub(crate) fn has_place(&self) -> bool {
        self.0.span.is_some()
    }

    #[must_use]
    pub(crate) fn has_trace(&self) -> bool {
        !self.0.trace.is_empty()
    }

    pub(crate) fn with_trace(mut self, trace: Vec<String>) -> Diagnostic {
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
        let shown: String =
            text.chars().skip(skip).take(WIDTH).map(|c| if c == '\t' { ' ' } else { c }).collect();
        let length = source.get(span.start as usize..span.end as usize).map_or(1, |place| {
            place.split('\n').next().unwrap_or_default().trim_end().chars().count()
        });
        let room = shown.chars().count().saturating_sub(column - skip).max(1);
        let carets = "^".repeat(length.clamp(1, room));
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let pad = " ".repeat(column - skip);
        Some(format!("{number} | {shown}\n{margin} | {pad}{carets}"))
    }

    /// Returns the source of the span, shared with the program.
    pub(crate) fn shared_source(&self) -> Option<&Arc<str>> {
        self.0.source.as_ref()
    }

    /// Returns the diagnostic as data, without a thrown value; `source` represents its source.
    pub(crate) fn to_data(&self, source: Option<Value>) -> Value {
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
    pub(crate) fn of_data(data: &Value, source: Option<Arc<str>>) -> Option<Diagnostic> {
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

/// Finds the nearest of many names of the language, if it is a likely slip.
pub(crate) fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // A short name has many neighbours, and a wrong guess is worse than none.
    nearest_within(
        wanted,
        names,
        match wanted.chars().count() {
            0..=3 => 0,
            4..=5 => 1,
            6..=8 => 2,
            _ => 3,
        },
    )
}

/// Finds the nearest of a few names, such as the tools of a mission, with more tolerance.
pub(crate) fn nearest_of_few<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_within(
        wanted,
        names,
        match wanted.chars().count() {
            0..=2 => 1,
            3..=5 => 2,
            _ => 3,
        },
    )
}

fn nearest_within<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Option<&'a str> {
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(wanted.len()) <= most)
        .map(|name| {
            // Transposed letters are a typing slip at any length.
            let swapped = name.len() == wanted.len() && letters(name) == letters(wanted);
            let distance = strsim::damerau_levenshtein(wanted, name);
            (if swapped { distance.min(1).min(most) } else { distance }, name)
        })
        .filter(|(distance, name)| *distance <= most && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.to_lowercase().chars().collect();
    letters.sort_unstable();
    letters
}

//! Codes and kinds of problems, and spans of sources.

/// A range of bytes in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Returns the smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
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
    /// A name that the payload does not have.
    UnknownPayloadKey = "unknown-payload-key", Unresolved;
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
    /// A call that a person refused.
    ToolDenied = "tool-denied", Tool;
    /// A question that nobody can answer, or that has expired.
    Unanswered = "question-unanswered", Tool;
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
    /// A change of the payload that no grant allows.
    PayloadDenied = "payload-denied", Other;
    /// A change that does not fit the payload.
    PayloadMisfit = "payload-misfit", Type;
    /// Branches that change one part of the payload differently.
    PayloadConflict = "payload-conflict", Other;
    /// Two branches put different values into memory under one key.
    MemoryConflict = "memory-conflict", Other;
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

//! The options of a grammar.

/// The options of a grammar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrammarOptions {
    /// The maximum nesting of forms, in levels, at least 1. Arguments of tools nest a third as
    /// deep.
    pub depth: usize,
    /// The functions that a program may call besides builtins, forms and tools.
    pub functions: Functions,
    /// The format of the reply around the program.
    pub reply: ReplyFormat,
}

impl Default for GrammarOptions {
    fn default() -> Self {
        Self { depth: 8, functions: Functions::default(), reply: ReplyFormat::Fenced }
    }
}

/// The program's own functions that it may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Functions {
    /// Functions with these names.
    Named(Vec<String>),
    /// Functions with any name, except names of builtins, of forms, and of Clojure functions that
    /// the language leaves out.
    Any,
}

impl Default for Functions {
    fn default() -> Self {
        Functions::Named(OWN.map(str::to_owned).to_vec())
    }
}

/// Names that suit most helpers. There are few of them, to keep a small model from inventing
/// functions.
const OWN: [&str; 12] =
    ["f", "g", "h", "check", "go", "helper", "label", "one", "pick", "score", "step", "total"];

/// The format of a whole reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplyFormat {
    /// The program in one fenced code block, and nothing else.
    #[default]
    Fenced,
    /// The program alone.
    Bare,
}

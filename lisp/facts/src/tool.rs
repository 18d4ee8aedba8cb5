//! Tools, as programs know them.

use std::borrow::Cow;

use ptc_signatures::{Signature, SignatureMode};
use serde::{Deserialize, Serialize};

use ptc_values::print::literal;

/// The effect of calling a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// The tool only reads: calling it twice equals calling it once.
    Read,
    /// The tool changes something.
    Write,
}

impl Effect {
    /// Returns the word used in files and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
        }
    }
}

/// The declaration of a tool, as programs see it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDecl {
    /// The name of the tool.
    pub name: String,
    /// The types of the arguments and of the result.
    pub signature: Option<Signature>,
    /// The enforcement of the signature. Without a mode, arguments must match without conversion, and undeclared ones
    /// are accepted.
    pub mode: Option<SignatureMode>,
    /// The purpose of the tool.
    pub description: Option<String>,
    /// The effect of a call.
    pub effect: Effect,
    /// Whether a program may call the tool; a planning tool is only shown.
    pub callable: bool,
    /// Whether prompts and searches show the tool; those that a policy forbids are not shown.
    pub shown: bool,
    /// The cost of a call in a unit of the user's choice; `None` if cost does not matter.
    pub cost: Option<f64>,
}

impl ToolDecl {
    /// Creates a callable tool without a signature, description or cost.
    pub fn new(name: impl Into<String>, effect: Effect) -> ToolDecl {
        ToolDecl {
            name: name.into(),
            signature: None,
            mode: None,
            description: None,
            effect,
            callable: true,
            shown: true,
            cost: None,
        }
    }

    /// Returns the call and its result as one line: `search(query :string, limit :int?) -> [{id :int}]`. Hidden fields
    /// of the result are left out. Without a signature, arguments are any map and the result is any value.
    pub fn line(&self) -> String {
        match &self.signature {
            Some(signature) => format!("{}{}", self.written(), signature.redacted_for_calls()),
            None => format!("{}(args :map) -> :any", self.written()),
        }
    }

    /// Returns the bare name if it can be read unambiguously, else the string literal that a call uses.
    fn written(&self) -> Cow<'_, str> {
        if self.is_word() { self.name.as_str().into() } else { literal(&self.name).into() }
    }

    /// Returns whether a program can write `tool/name`.
    pub fn is_word(&self) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || "_*+!?<>=.$&-/:".contains(c);
        self.name.chars().all(is_part)
    }

    /// Returns the first sentence of the description; empty without one.
    pub fn summary(&self) -> &str {
        let text = self.description.as_deref().unwrap_or_default().trim();
        let line = text.lines().next().unwrap_or_default();
        line.split_inclusive(". ").next().unwrap_or_default().trim_end()
    }

    /// Returns everything a model reads about the tool: its [`ToolDecl::line`], description and effect.
    pub fn entry(&self) -> String {
        let mut text = self.line();
        if let Some(description) = &self.description {
            text.push('\n');
            text.push_str(description.trim());
        }
        text.push_str(match (self.callable, self.effect) {
            (false, _) => "\nFor planning only: a program that calls it is refused",
            (true, Effect::Read) => "\nEffect: read",
            (true, Effect::Write) => "\nEffect: write",
        });
        text
    }
}

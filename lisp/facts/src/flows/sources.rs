//! Labels as a host states them, and as the checker finds them.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::code::Span;
use ptc_values::{Value, json};

use super::kept::Kept;
use super::label::{Label, Mark};

/// The names of the labels of what programs read, by the place where they read it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    /// By the name of the tool.
    pub tools: Vec<(ArcStr, ArcStr)>,
    /// By the key of `ctx`.
    pub inputs: Vec<(ArcStr, ArcStr)>,
    pub payload: Vec<ArcStr>,
    /// The tools that may change the payload.
    pub payload_tools: Vec<ArcStr>,
    pub conversation: Vec<ArcStr>,
    /// The label of constants that are in no trusted text, with that text.
    pub literals: Option<(Label, Arc<str>)>,
}

/// The labels of a call of a tool.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallLabels {
    /// The label of each argument that the program names.
    pub arguments: Vec<(ArcStr, Label)>,
    /// The label of all other arguments.
    pub rest: Label,
    /// The label of the place: of the tests that decide whether the call is made.
    pub place: Label,
}

/// The labels of a session: those that the host states, and those of its state.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    pub sources: Arc<Sources>,
    pub kept: Arc<Kept>,
}

/// The labels of a program.
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// The calls that it may make: the tool, unless it is computed, the place in its source, and the labels.
    pub calls: Vec<(Option<ArcStr>, Span, CallLabels)>,
    /// The label of its value.
    pub value: Label,
    /// The label of what it prints.
    pub printed: Label,
    /// The label of everything that it reads, which the message of a problem may quote.
    pub met: Label,
    /// All labels.
    pub everything: Label,
    /// Whether the program is too complex to tell labels apart.
    pub is_coarse: bool,
    pub kept: Arc<Kept>,
}

impl CallLabels {
    /// Returns the label of an argument.
    pub fn argument(&self, name: &str) -> &Label {
        self.arguments.iter().find(|(it, _)| it == name).map_or(&self.rest, |(_, label)| label)
    }

    /// Returns the labels of one of two calls at the same place.
    #[must_use]
    pub fn or(&self, other: &CallLabels) -> CallLabels {
        let names = self.arguments.iter().chain(&other.arguments).map(|(name, _)| name);
        let mut arguments: Vec<(ArcStr, Label)> = Vec::new();
        for name in names {
            if arguments.iter().all(|(it, _)| it != name) {
                arguments.push((name.clone(), self.argument(name).or(other.argument(name))));
            }
        }
        let (rest, place) = (self.rest.or(&other.rest), self.place.or(&other.place));
        CallLabels { arguments, rest, place }
    }
}

impl Flows {
    /// Returns the labels of a call that the program makes. A call that was not found has all labels.
    pub fn call(&self, tool: &str, span: Span) -> CallLabels {
        let is_same = |name: &Option<ArcStr>| name.as_ref().is_none_or(|name| name == tool);
        let found = self.calls.iter().filter(|(name, at, _)| is_same(name) && *at == span);
        let found = found.map(|(.., labels)| labels.clone()).reduce(|a, b| a.or(&b));
        let all = || self.everything.clone();
        match found {
            Some(labels) if !self.is_coarse => labels,
            _ => CallLabels { arguments: Vec::new(), rest: all(), place: all() },
        }
    }
}

impl Sources {
    /// Makes constants of programs have a label unless a trusted text has them.
    pub fn suspect_literals(&mut self, label: Label, trusted: &str) {
        self.literals = Some((label, normal(trusted).into()));
    }

    /// Returns whether there is no label at all, so that nothing needs to be computed.
    pub fn is_empty(&self) -> bool {
        *self == Sources::default()
    }

    pub fn tool(&self, name: &str) -> Label {
        labels(&self.tools, name, "")
    }

    pub fn input(&self, key: &str) -> Label {
        labels(&self.inputs, key, "ctx/")
    }

    pub fn payload(&self) -> Label {
        self.payload.iter().map(|name| Mark::new(name.clone(), "payload".into())).collect()
    }

    pub fn conversation(&self) -> Label {
        self.conversation.iter().map(|it| Mark::new(it.clone(), "conversation".into())).collect()
    }

    /// Returns the label of a constant of a program: none if a trusted text has it.
    pub fn literal(&self, value: &Value) -> Label {
        match &self.literals {
            Some((label, trusted)) if !is_trusted(value, trusted) => label.clone(),
            _ => Label::default(),
        }
    }

    /// Returns all labels that a program may meet.
    pub fn everything(&self) -> Label {
        let mut all = Label::default();
        self.tools.iter().for_each(|(tool, _)| all.add(&self.tool(tool)));
        self.inputs.iter().for_each(|(key, _)| all.add(&self.input(key)));
        all.add(&self.payload());
        all.add(&self.conversation());
        if let Some((label, _)) = &self.literals {
            all.add(label);
        }
        all.perhaps()
    }
}

fn labels(all: &[(ArcStr, ArcStr)], key: &str, before: &str) -> Label {
    let of_key = all.iter().filter(|(it, _)| it == key);
    of_key.map(|(_, name)| Mark::new(name.clone(), format!("{before}{key}").into())).collect()
}

/// Returns a text as it is compared: in lower case, with one space between words.
pub(super) fn normal(text: &str) -> String {
    let lower = text.to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a trusted text has everything that a constant says.
fn is_trusted(value: &Value, trusted: &str) -> bool {
    let mut open = vec![value];
    while let Some(next) = open.pop() {
        let is_trusted = match next {
            Value::Nil | Value::Bool(_) | Value::Builtin(_) | Value::Function(_) => true,
            Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => has(trusted, text),
            Value::Int(0..=9) => true,
            Value::Int(_) | Value::Float(_) | Value::Big(_) => {
                json::write(next).is_ok_and(|text| has(trusted, &text))
            }
            Value::Map(map) => {
                map.iter().for_each(|(key, value)| open.extend([key, value]));
                true
            }
            Value::List(_) | Value::Vector(_) | Value::Set(_) => {
                open.extend(next.items().into_iter().flatten());
                true
            }
            // Of a pattern, the words count.
            Value::Ext(_) => {
                let text = next.to_string();
                let words = text.split(|it: char| !it.is_alphanumeric());
                words.filter(|word| word.len() > 2).all(|word| has(trusted, word))
            }
        };
        if !is_trusted {
            return false;
        }
    }
    true
}

/// Returns whether a trusted text has a text, not within a word. Signs and spaces alone say nothing.
fn has(trusted: &str, text: &str) -> bool {
    let text = normal(text);
    if !text.contains(char::is_alphanumeric) {
        return true;
    }
    let is_word = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    let cuts = |outer: Option<char>, own: Option<char>| is_word(outer) && is_word(own);
    trusted.match_indices(&text).any(|(at, _)| {
        let before = trusted.get(..at).unwrap_or_default();
        let after = trusted.get(at + text.len()..).unwrap_or_default();
        !cuts(before.chars().next_back(), text.chars().next())
            && !cuts(after.chars().next(), text.chars().next_back())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_trusted_by_what_they_say() {
        let trusted = "Do the  work\nof the Office: never pay 250 euros to boss@corp.example.";
        let text = |it: &str| Value::Str(it.into());
        let all = [
            (Value::Nil, true),
            (text("the work of"), true),
            (text("boss@corp.example"), true),
            (text("never"), true),
            (text("eve"), false),
            (text("ev"), false),
            (text("e"), false),
            (text(", "), true),
            (text(""), true),
            (Value::Keyword("pay".into()), true),
            (Value::Symbol("evil".into()), false),
            (Value::Int(7), true),
            (Value::Int(250), true),
            (Value::Int(25), false),
            (Value::Int(99), false),
            (Value::Float(2.5), false),
            (Value::vector(vec![text("pay"), text("eve")]), false),
            (Value::map([(text("eve"), Value::Int(1))]), false),
            (Value::map([(text("pay"), Value::Int(1))]), true),
        ];
        for (value, expected) in all {
            assert_eq!(is_trusted(&value, &normal(trusted)), expected, "{value}");
        }
    }
}

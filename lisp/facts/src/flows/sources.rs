//! Labels as a host states them, and as the checker finds them.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::code::Span;
use ptc_values::{Value, json};

use super::flow::{Flow, Key};
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
    pub conversation: Vec<ArcStr>,
    /// The tools that may change the payload: agents that share it.
    pub sharing: Vec<ArcStr>,
    /// The label of constants that are in no trusted text, with that text.
    pub literals: Option<(Label, Arc<str>)>,
    /// The names of the labels whose values the author of programs does not read.
    pub withheld: Vec<ArcStr>,
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

impl Labels {
    pub fn of_global(&self, global: u32) -> Label {
        self.kept.globals.get(&global).map_or_else(|| self.kept.unknown.clone(), Flow::deep)
    }

    /// Returns the label of the value of an earlier program; 0 is the last one.
    pub fn of_history(&self, back: usize) -> Label {
        self.kept.history.get(back).map(Flow::deep).unwrap_or_default()
    }

    pub fn of_input(&self, key: &str) -> Label {
        let mut label = self.sources.input(key);
        label.add(&self.kept.inputs.get(key).map(Flow::deep).unwrap_or_default());
        label
    }

    pub fn of_memory(&self) -> Label {
        self.kept.memory.deep()
    }

    pub fn of_memory_key(&self, key: &str) -> Label {
        self.kept.memory.get(&Key::Name(key.into())).deep()
    }

    pub fn of_payload(&self) -> Label {
        let mut label = self.kept.payload.deep();
        label.add(&self.sources.payload());
        label
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

    /// Returns whether the author of programs does not read a value with this label.
    pub fn withholds(&self, label: &Label) -> bool {
        label.iter().any(|mark| self.withheld.contains(&mark.name))
    }

    /// Returns a label without the marks that the author of programs does not read.
    pub fn shown(&self, label: &Label) -> Label {
        label.iter().filter(|mark| !self.withheld.contains(&mark.name)).cloned().collect()
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
            Some((label, trusted)) if !is_trusted(value, trusted) => {
                let (mut label, text) = (label.clone(), value.to_string());
                let span = Span { start: 0, end: text.len() as u32 };
                label.pass(&text.into(), span);
                label
            }
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
            Value::Ext(_) => words_of_pattern(&next.to_string()).iter().all(|it| has(trusted, it)),
        };
        if !is_trusted {
            return false;
        }
    }
    true
}

/// Returns what a pattern says: its words, without escapes, flags, counts, ranges of letters and single digits.
fn words_of_pattern(pattern: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut rest, mut in_class) = (pattern, false);
    while let Some(next) = rest.chars().next() {
        let behind = |ends: &str, is_sign: fn(char) -> bool| {
            let at = rest.get(1..)?.find(|it| !is_sign(it))?;
            rest.get(1 + at..)?.chars().next().filter(|it| ends.contains(*it)).map(|_| at + 2)
        };
        let mut letters = rest.chars();
        let sign = match next {
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            '{' => behind("}", |it| it.is_ascii_digit() || it == ',').unwrap_or(1),
            '(' => behind(":)", |it| it == '?' || it == '-' || "imsux".contains(it)).unwrap_or(1),
            it if it.is_alphanumeric() && in_class => match (letters.nth(1), letters.next()) {
                (Some('-'), Some(last)) if last.is_alphanumeric() => {
                    it.len_utf8() + 1 + last.len_utf8()
                }
                _ => 0,
            },
            it if it.is_alphanumeric() => 0,
            it => it.len_utf8(),
        };
        in_class = match next {
            '[' => true,
            ']' => false,
            _ => in_class,
        };
        if sign > 0 {
            words.push(String::new());
            rest = rest.get(sign..).unwrap_or_default();
            continue;
        }
        words.last_mut().into_iter().for_each(|word| word.push(next));
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    words.retain(|it| {
        !(it.is_empty() || it.len() == 1 && it.starts_with(|c: char| c.is_ascii_digit()))
    });
    words
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
    fn the_words_of_a_pattern() {
        let all = [
            (r"\S+@\S+", vec![]),
            (r"(?i)([a-z0-9]+) EUR", vec!["EUR"]),
            (r"\d{4}-\d{1,2}", vec![]),
            ("ev", vec!["ev"]),
            ("[evil]", vec!["evil"]),
            ("{evil}|(?:il)", vec!["evil", "il"]),
            ("invoice-2026", vec!["invoice", "2026"]),
            ("[é-x0-9_]+", vec![]),
        ];
        for (pattern, words) in all {
            assert_eq!(words_of_pattern(pattern), words, "{pattern}");
        }
    }

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

//! The tool calls of a program that messages to the model report.

use std::collections::BTreeMap;

use ptc_lisp::{Effect, Value};

/// The maximum number of calls in a message.
const MAX_CALLS: usize = 20;
/// The maximum number of warnings in a message.
const MAX_WARNINGS: usize = 5;

/// The text that a model reads of a value which is kept from it.
const NOT_SHOWN: &str = "[not shown]";

/// A tool call that a program made.
#[derive(Clone, Debug)]
pub struct CallMade {
    /// The name of the tool.
    pub name: String,
    /// The arguments, as a map.
    pub args: Value,
    /// The result, or the message of the error.
    pub outcome: Result<Value, String>,
    /// The effect of the tool. A `write` may have changed something.
    pub effect: Effect,
    /// The changes to the arguments or the result, and the mismatches that were accepted.
    pub warnings: Vec<String>,
    /// The number of equal calls of the run before this one, if it got the result of one of them.
    pub repeats: u32,
}

/// A summary of a program's tool calls: the first calls in full, and counts of the others.
#[derive(Clone, Debug, Default)]
pub struct CallsMade {
    /// The first calls, in order.
    pub(crate) first: Vec<CallMade>,
    /// The number of further calls.
    pub(crate) more: usize,
    /// Whether any call may have changed something.
    pub(crate) wrote: bool,
    /// The tool of the last call, if that call failed.
    pub(crate) failed: Option<String>,
    /// The first warnings, in the order of the calls.
    pub(crate) warnings: Vec<String>,
    /// The number of further warnings.
    pub(crate) more_warnings: usize,
}

impl CallsMade {
    /// Returns the calls without what their arguments, results and warnings say, for a model that does not read that.
    #[must_use]
    pub fn without_values(&self) -> CallsMade {
        let untold = || Value::Symbol(NOT_SHOWN.into());
        let mut all = self.clone();
        for call in &mut all.first {
            call.args = untold();
            call.outcome = match &call.outcome {
                Ok(_) => Ok(untold()),
                Err(_) => Err(NOT_SHOWN.to_owned()),
            };
        }
        all.warnings.fill(NOT_SHOWN.to_owned());
        all
    }

    /// Returns whether there are warnings.
    pub fn has_warnings(&self) -> bool {
        !self.warnings.is_empty()
    }

    /// Returns the calls with the warnings about their program, which come before those of the calls.
    #[must_use]
    pub fn with_warnings(&self, of_program: impl IntoIterator<Item = String>) -> CallsMade {
        let mut all = self.clone();
        all.warnings.splice(0..0, of_program);
        all.more_warnings += all.warnings.len().saturating_sub(MAX_WARNINGS);
        all.warnings.truncate(MAX_WARNINGS);
        all
    }
}

/// A collector of a program's calls, which may finish in any order. It keeps only the calls that a
/// message reports.
#[derive(Debug)]
pub struct CallCollector<P> {
    first: BTreeMap<P, CallMade>,
    more: usize,
    wrote: bool,
    /// The place of the last call, and its tool if it failed.
    last: Option<(P, Option<String>)>,
    warnings: BTreeMap<P, Vec<String>>,
    kept_warnings: usize,
    more_warnings: usize,
}

impl<P: Ord + Clone> CallCollector<P> {
    /// Creates a collector without calls.
    pub fn new() -> CallCollector<P> {
        CallCollector {
            first: BTreeMap::new(),
            more: 0,
            wrote: false,
            last: None,
            warnings: BTreeMap::new(),
            kept_warnings: 0,
            more_warnings: 0,
        }
    }

    /// Adds a call. `place` is its place in the program.
    pub fn add(&mut self, place: P, mut call: CallMade) {
        self.wrote |= call.effect == Effect::Write;
        if self.last.as_ref().is_none_or(|(last, _)| *last < place) {
            let failed = call.outcome.is_err().then(|| call.name.clone());
            self.last = Some((place.clone(), failed));
        }
        if !call.warnings.is_empty() {
            let warnings = std::mem::take(&mut call.warnings);
            self.kept_warnings += warnings.len();
            self.warnings.insert(place.clone(), warnings);
            self.drop_warnings();
        }
        self.first.insert(place, call);
        if self.first.len() > MAX_CALLS {
            self.first.pop_last();
            self.more += 1;
        }
    }

    /// Drops the last warnings that no message reports.
    fn drop_warnings(&mut self) {
        while let Some(last) = self.warnings.last_entry() {
            let count = last.get().len();
            if self.kept_warnings - count < MAX_WARNINGS {
                return;
            }
            last.remove();
            self.kept_warnings -= count;
            self.more_warnings += count;
        }
    }

    /// Returns the summary of the calls.
    pub fn finish(self) -> CallsMade {
        let mut warnings: Vec<String> = self.warnings.into_values().flatten().collect();
        let more_warnings = self.more_warnings + warnings.len().saturating_sub(MAX_WARNINGS);
        warnings.truncate(MAX_WARNINGS);
        CallsMade {
            first: self.first.into_values().collect(),
            more: self.more,
            wrote: self.wrote,
            failed: self.last.and_then(|(_, failed)| failed),
            warnings,
            more_warnings,
        }
    }
}

impl<P: Ord + Clone> Default for CallCollector<P> {
    fn default() -> CallCollector<P> {
        CallCollector::new()
    }
}

impl FromIterator<CallMade> for CallsMade {
    fn from_iter<I: IntoIterator<Item = CallMade>>(calls: I) -> CallsMade {
        let mut all = CallCollector::new();
        calls.into_iter().enumerate().for_each(|(place, call)| all.add(place, call));
        all.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates one of 25 calls. Every third has two warnings, and the last one fails.
    fn call(place: usize) -> CallMade {
        let outcome = if place == 24 { Err("no".to_owned()) } else { Ok(Value::Int(1)) };
        let warnings: &[usize] = if place.is_multiple_of(3) { &[1, 2] } else { &[] };
        CallMade {
            name: format!("tool-{place}"),
            args: Value::Nil,
            outcome,
            effect: if place == 23 { Effect::Write } else { Effect::Read },
            warnings: warnings.iter().map(|n| format!("{place}.{n}")).collect(),
            repeats: 0,
        }
    }

    #[test]
    fn summary_is_independent_of_the_order_of_completion() {
        let in_order: CallsMade = (0..25).map(call).collect();
        let names: Vec<&str> = in_order.first.iter().map(|it| it.name.as_str()).collect();
        let expected: Vec<String> = (0..20).map(|place| format!("tool-{place}")).collect();
        assert_eq!((names, in_order.more), (expected.iter().map(String::as_str).collect(), 5));
        assert_eq!(in_order.warnings, ["0.1", "0.2", "3.1", "3.2", "6.1"]);
        assert_eq!((in_order.more_warnings, in_order.wrote), (13, true));
        let more = in_order.with_warnings(["of the program".to_owned()]);
        assert_eq!((more.warnings.len(), more.more_warnings), (MAX_WARNINGS, 14));
        assert_eq!(more.warnings[0], "of the program");
        assert_eq!(in_order.failed.as_deref(), Some("tool-24"));
        for step in [2, 3, 7, 24] {
            let mut all = CallCollector::new();
            (0..25).map(|place| place * step % 25).for_each(|place| all.add(place, call(place)));
            assert_eq!(format!("{:?}", all.finish()), format!("{in_order:?}"), "{step}");
        }
    }
}

//! A search that goes on from match to match: what `re-matcher` makes.

use std::sync::{Arc, Mutex, PoisonError};

use arcstr::ArcStr;
use regex::Captures;

use super::pattern::after;
use super::{Pattern, Value};

/// An expression on its way through a text.
#[derive(Debug)]
pub struct Matcher {
    pattern: Arc<Pattern>,
    text: ArcStr,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Where the search goes on; none when it is over.
    next: Option<usize>,
    /// The last match, if there was one. It holds texts only, so it never leads back here.
    last: Option<Value>,
}

impl Matcher {
    pub(crate) fn new(pattern: Arc<Pattern>, text: ArcStr) -> Matcher {
        Matcher { pattern, text, state: Mutex::new(State { next: Some(0), last: None }) }
    }

    /// A search that goes on at a place, if that is one between two characters of the text, behind a last match.
    pub(crate) fn going_on(
        pattern: Arc<Pattern>,
        text: ArcStr,
        next: Option<usize>,
        last: Option<Value>,
    ) -> Option<Matcher> {
        let fits = next.is_none_or(|next| text.is_char_boundary(next));
        fits.then(|| Matcher { pattern, text, state: Mutex::new(State { next, last }) })
    }

    /// Its expression.
    pub(crate) fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Where the search goes on; none when it is over.
    pub(crate) fn next(&self) -> Option<usize> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).next
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Units of work for looking for the next match.
    pub(crate) fn cost(&self) -> u64 {
        self.pattern.search_cost(self.text.len())
    }

    /// Looks for the next match and gives its value, or nil.
    pub(crate) fn advance(&self, value: impl Fn(&Captures<'_>) -> Value) -> Value {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = state.next else {
            // As in Java, where an empty match at the end is still the last one, without its texts.
            state.last = match state.last.take() {
                Some(Value::Vector(groups)) => Some(Value::vector(vec![Value::Nil; groups.len()])),
                last => last.map(|_| Value::Nil),
            };
            return Value::Nil;
        };
        let found = self.pattern.find_at(&self.text, at);
        state.next = found.as_ref().and_then(|found| after(&self.text, found));
        state.last = found.as_ref().map(value);
        state.last.clone().unwrap_or_default()
    }

    /// The last match.
    pub(crate) fn last(&self) -> Option<Value> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).last.clone()
    }

    /// How many groups a match has, the whole text included.
    pub(crate) fn groups(&self) -> usize {
        self.pattern.groups()
    }
}

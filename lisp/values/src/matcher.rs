//! The matcher of `re-matcher`: a search that continues from match to match.

use std::sync::{Arc, Mutex, PoisonError};

use arcstr::ArcStr;
use regex::Captures;

use super::pattern::{Pattern, after, span};

/// An expression with its position in a text.
#[derive(Debug)]
pub struct Matcher<T> {
    pattern: Arc<Pattern>,
    text: ArcStr,
    state: Mutex<State<T>>,
}

#[derive(Debug)]
struct State<T> {
    /// The byte where the search continues; none at its end.
    next: Option<usize>,
    /// The last match, if any. It holds only texts, so it never refers back to the matcher.
    last: Option<T>,
}

impl<T: Clone + Default> Matcher<T> {
    pub fn new(pattern: Arc<Pattern>, text: ArcStr) -> Matcher<T> {
        Matcher { pattern, text, state: Mutex::new(State { next: Some(0), last: None }) }
    }

    /// Makes a matcher that continues at a byte, behind a last match. Returns none if the byte is
    /// not a character boundary of the text.
    pub fn going_on(
        pattern: Arc<Pattern>,
        text: ArcStr,
        next: Option<usize>,
        last: Option<T>,
    ) -> Option<Matcher<T>> {
        let fits = next.is_none_or(|next| text.is_char_boundary(next));
        fits.then(|| Matcher { pattern, text, state: Mutex::new(State { next, last }) })
    }

    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Returns the byte where the search continues; none at its end.
    pub fn next(&self) -> Option<usize> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).next
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the fuel for one search.
    pub fn cost(&self) -> u64 {
        self.pattern.search_cost(self.text.len())
    }

    /// Searches for the next match and returns its value, or nil. `emptied` makes the value of a match without its texts.
    pub fn advance(&self, value: impl Fn(&Captures<'_>) -> T, emptied: impl Fn(&T) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(at) = state.next else {
            // As in Java, an empty match at the end stays the last one, without its texts.
            state.last = state.last.as_ref().map(emptied);
            return T::default();
        };
        let found = self.pattern.find_at(&self.text, at);
        state.next = found.as_ref().and_then(|found| after(&self.text, &span(found)));
        state.last = found.as_ref().map(value);
        state.last.clone().unwrap_or_default()
    }

    pub fn last(&self) -> Option<T> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).last.clone()
    }

    /// Returns the number of groups of a match, including the whole match.
    pub fn groups(&self) -> usize {
        self.pattern.groups()
    }
}

//! Bounds of how often something can happen.

use std::fmt;
use std::sync::Arc;

/// A collection whose items are iterated over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// The name: ``ctx/orders``, ``the result of `list` ``.
    pub name: Arc<str>,
    /// The maximum number of items, if known before the program runs.
    pub len: Option<u64>,
}

/// A number of times per combination of items of some collections. Without collections, a plain number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The number of times.
    pub times: u64,
    /// The collections, outermost first; at most three.
    pub each: Vec<Collection>,
}

/// The maximum number of times that something can happen: a sum of terms, or no bound.
///
/// Prints as `once`, `at most 3 times`, `once for each item of ctx/orders (12)`, `any number of times`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// The terms of the sum; an empty sum means never.
    terms: Vec<Term>,
    unbounded: bool,
}

/// The number of collections in a term. A bound that nests deeper is unreadable, so it becomes unbounded.
const MAX_EACH: usize = 3;

/// The number of terms in a sum.
const MAX_TERMS: usize = 4;

impl Times {
    /// Any number of times.
    pub const UNBOUNDED: Times = Times { terms: Vec::new(), unbounded: true };

    /// Creates a plain bound.
    pub fn exactly(times: u64) -> Times {
        let terms = if times == 0 { Vec::new() } else { vec![Term { times, each: Vec::new() }] };
        Times { terms, unbounded: false }
    }

    /// Returns the terms of the sum; `None` if there is no bound.
    pub fn terms(&self) -> Option<&[Term]> {
        (!self.unbounded).then_some(self.terms.as_slice())
    }

    /// Returns the bound as a number; `None` if there is none, or if it depends on the result of a tool.
    pub fn at_most(&self) -> Option<u64> {
        let term = |term: &Term| {
            let each = |product: Option<u64>, of: &Collection| product?.checked_mul(of.len?);
            term.each.iter().fold(Some(term.times), each)
        };
        let add = |sum: Option<u64>, more: Option<u64>| sum?.checked_add(more?);
        if self.unbounded { None } else { self.terms.iter().map(term).fold(Some(0), add) }
    }

    /// Returns the bound of both happening.
    pub fn plus(self, other: &Times) -> Times {
        self.joined(other, u64::saturating_add)
    }

    /// Returns the bound of one or the other happening.
    pub fn or(self, other: &Times) -> Times {
        self.joined(other, u64::max)
    }

    fn joined(mut self, other: &Times, join: fn(u64, u64) -> u64) -> Times {
        if self.unbounded || other.unbounded {
            return Times::UNBOUNDED;
        }
        for term in &other.terms {
            match self.terms.iter_mut().find(|own| own.each == term.each) {
                Some(own) => own.times = join(own.times, term.times),
                None => self.terms.push(term.clone()),
            }
        }
        self.simplified()
    }

    /// Returns the bound for a repetition per item of a collection.
    pub fn for_each(mut self, of: &Collection) -> Times {
        for term in &mut self.terms {
            if term.each.len() == MAX_EACH {
                return Times::UNBOUNDED;
            }
            term.each.insert(0, of.clone());
        }
        self
    }

    /// Returns the bound for `count` repetitions.
    pub fn times(mut self, count: u64) -> Times {
        if count == 0 {
            return Times::default();
        }
        for term in &mut self.terms {
            term.times = term.times.saturating_mul(count);
        }
        self
    }

    /// Reduces a sum with too many terms to a number, or to no bound.
    fn simplified(self) -> Times {
        if self.terms.len() <= MAX_TERMS {
            return self;
        }
        self.at_most().map_or(Times::UNBOUNDED, Times::exactly)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            1 => f.write_str("once")?,
            2 => f.write_str("twice")?,
            times => write!(f, "{times} times")?,
        }
        for (at, of) in self.each.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { " for each item of " } else { " and of " }, of.name)?;
            if let Some(len) = of.len {
                write!(f, " ({len})")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.unbounded {
            return f.write_str("any number of times");
        }
        match self.terms.as_slice() {
            [] => f.write_str("never"),
            terms => {
                f.write_str("at most ")?;
                for (at, term) in terms.iter().enumerate() {
                    write!(f, "{}{term}", if at == 0 { "" } else { " and " })?;
                }
                Ok(())
            }
        }
    }
}

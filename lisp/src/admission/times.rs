//! How often something can happen at most.

use std::fmt;
use std::sync::Arc;

/// A collection that something is done for each item of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// What it is called: ``ctx/orders``, ``the result of `list` ``.
    pub name: Arc<str>,
    /// How many items it has at most, if that is known before the program runs.
    pub len: Option<u64>,
}

/// A number of times for every combination of items of some collections; of none, a plain number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The number.
    pub times: u64,
    /// The collections, outermost first; at most three.
    pub each: Vec<Collection>,
}

/// How often something can happen at most: a sum of terms, or no bound.
///
/// Prints as `once`, `at most 3 times`, `once for each item of ctx/orders (12)`, `any number of times`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// What is added up; nothing is never.
    terms: Vec<Term>,
    unbounded: bool,
}

/// Collections in one term; what is nested deeper has no bound that a person would read.
const MAX_EACH: usize = 3;

/// Terms of one sum.
const MAX_TERMS: usize = 4;

impl Times {
    /// Any number of times.
    pub(crate) const UNBOUNDED: Times = Times { terms: Vec::new(), unbounded: true };

    /// So many times.
    pub(crate) fn exactly(times: u64) -> Times {
        let terms = if times == 0 { Vec::new() } else { vec![Term { times, each: Vec::new() }] };
        Times { terms, unbounded: false }
    }

    /// What is added up; none if there is no bound.
    pub fn terms(&self) -> Option<&[Term]> {
        (!self.unbounded).then_some(self.terms.as_slice())
    }

    /// The greatest number; none if there is no bound, or one that depends on what a tool gives.
    pub fn at_most(&self) -> Option<u64> {
        let term = |term: &Term| {
            let each = |product: Option<u64>, of: &Collection| product?.checked_mul(of.len?);
            term.each.iter().fold(Some(term.times), each)
        };
        let add = |sum: Option<u64>, more: Option<u64>| sum?.checked_add(more?);
        if self.unbounded { None } else { self.terms.iter().map(term).fold(Some(0), add) }
    }

    /// One and the other.
    pub(crate) fn plus(mut self, other: &Times) -> Times {
        if self.unbounded || other.unbounded {
            return Times::UNBOUNDED;
        }
        for term in &other.terms {
            match self.terms.iter_mut().find(|own| own.each == term.each) {
                Some(own) => own.times = own.times.saturating_add(term.times),
                None => self.terms.push(term.clone()),
            }
        }
        self.few()
    }

    /// One or the other.
    pub(crate) fn or(mut self, other: &Times) -> Times {
        if self.unbounded || other.unbounded {
            return Times::UNBOUNDED;
        }
        for term in &other.terms {
            match self.terms.iter_mut().find(|own| own.each == term.each) {
                Some(own) => own.times = own.times.max(term.times),
                None => self.terms.push(term.clone()),
            }
        }
        self.few()
    }

    /// The same for each item of a collection that has a name.
    pub(crate) fn for_each(mut self, of: &Collection) -> Times {
        for term in &mut self.terms {
            if term.each.len() == MAX_EACH {
                return Times::UNBOUNDED;
            }
            term.each.insert(0, of.clone());
        }
        self
    }

    /// The same so many times over.
    pub(crate) fn times(mut self, count: u64) -> Times {
        if count == 0 {
            return Times::default();
        }
        for term in &mut self.terms {
            term.times = term.times.saturating_mul(count);
        }
        self
    }

    /// A sum that has grown too long to read becomes a number, if it is one.
    fn few(self) -> Times {
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

//! Patterns of paths.

use std::fmt::{self, Display, Formatter};

use super::path::{Path, PathError, Piece, pieces};
use super::tree::Segment;

/// The maximum number of steps of a pattern. With it, the states of a match fit 128 bits.
const MAX_STEPS: usize = 126;

/// A pattern of paths. It covers the paths that it matches, and all paths below them.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    text: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// A key, or an index in its decimal form.
    Name(String, Option<usize>),
    /// Any one step.
    Any,
    /// Any number of steps.
    Deep,
}

/// The relation between patterns and a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// A pattern matches the path, or the path to a value around it.
    Covered,
    /// A pattern may match a path below it.
    Around,
    /// No pattern matches the path or a path below it.
    Outside,
}

/// The positions that a match may have reached, one bit for each. All patterns are matched side by side, so the work
/// for a path is at most its steps times the steps of the pattern, whatever the wildcards.
#[derive(Clone, Copy)]
pub(super) struct States(u128);

impl Pattern {
    pub(super) fn parse(text: &str) -> Result<Pattern, PathError> {
        let mut pieces = pieces(text)?;
        // `a.*` is everything in `a`, which is `a`; `*` is everything.
        if pieces.last() == Some(&Piece::AnyKey) {
            pieces.pop();
        } else if pieces.is_empty() {
            return Err(PathError {
                expected: "a pattern, or `*` for everything".to_owned(),
                found: "an empty text".to_owned(),
            });
        }
        let mut steps: Vec<Step> = pieces.into_iter().map(Step::from).collect();
        steps.dedup_by(|one, other| *one == Step::Deep && *other == Step::Deep);
        if steps.len() > MAX_STEPS {
            return Err(PathError {
                expected: format!("a pattern of at most {MAX_STEPS} steps"),
                found: format!("{} steps", steps.len()),
            });
        }
        Ok(Pattern { text: text.to_owned(), steps })
    }

    /// Returns the states at the root.
    pub(super) fn start(&self) -> States {
        self.closed(1)
    }

    /// Returns the states after one more step of a path.
    pub(super) fn step(&self, states: States, segment: &Segment) -> States {
        let mut next = 0;
        for (at, step) in self.steps.iter().enumerate() {
            if states.0 >> at & 1 == 1 {
                next |= match step {
                    Step::Deep => 1 << at,
                    Step::Any => 2 << at,
                    Step::Name(name, index) => match segment {
                        Segment::Key(key) => u128::from(key == name) << at << 1,
                        Segment::Index(found) => u128::from(*index == Some(*found)) << at << 1,
                    },
                };
            }
        }
        self.closed(next)
    }

    /// Returns the relation of the pattern and a path with these states.
    pub(super) fn cover(&self, states: States) -> Cover {
        if states.0 >> self.steps.len() & 1 == 1 {
            Cover::Covered
        } else if states.0 == 0 {
            Cover::Outside
        } else {
            Cover::Around
        }
    }

    /// Returns the relation of the pattern and a path.
    pub(super) fn covers(&self, path: &Path) -> Cover {
        let mut states = self.start();
        for segment in path.segments() {
            if self.cover(states) != Cover::Around {
                break;
            }
            states = self.step(states, segment);
        }
        self.cover(states)
    }

    /// Adds the positions behind each `**`, which may match nothing.
    fn closed(&self, mut states: u128) -> States {
        for (at, step) in self.steps.iter().enumerate() {
            if *step == Step::Deep && states >> at & 1 == 1 {
                states |= 2 << at;
            }
        }
        States(states)
    }
}

impl From<Piece> for Step {
    fn from(piece: Piece) -> Step {
        match piece {
            Piece::Key(key) => {
                let index = key.parse().ok().filter(|it: &usize| it.to_string() == key);
                Step::Name(key.to_string(), index)
            }
            Piece::Index(index) => Step::Name(index.to_string(), Some(index)),
            Piece::AnyKey | Piece::AnyIndex => Step::Any,
            Piece::Deep => Step::Deep,
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Pattern) -> bool {
        self.text == other.text
    }
}

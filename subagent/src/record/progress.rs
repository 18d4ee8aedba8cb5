//! The progress of a call.

use std::fmt;

/// The progress of a call, as its tool reports it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallProgress {
    /// The amount of work that is done.
    pub done: f64,
    /// The amount of all work, if the tool knows it.
    pub total: Option<f64>,
    /// A message for people.
    pub message: Option<String>,
}

impl fmt::Display for CallProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.done)?;
        if let Some(total) = self.total {
            write!(f, "/{total}")?;
        }
        match &self.message {
            Some(message) => write!(f, " {message}"),
            None => Ok(()),
        }
    }
}

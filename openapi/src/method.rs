//! The methods of HTTP.

/// The method of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads, without a result.
    Head,
    /// Reads what the server allows.
    Options,
    /// Writes; a repeated request has no further effect.
    Put,
    /// Writes; a repeated request has no further effect.
    Delete,
    /// Writes.
    Post,
    /// Writes.
    Patch,
}

impl Method {
    /// The methods, in the order of a path's operations. `TRACE` calls nothing.
    pub const ALL: [Method; 7] = [
        Method::Get,
        Method::Head,
        Method::Options,
        Method::Post,
        Method::Put,
        Method::Patch,
        Method::Delete,
    ];

    /// Returns the method as requests have it.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Returns whether a request has no effect, by the definition of HTTP.
    pub fn is_safe(self) -> bool {
        matches!(self, Method::Get | Method::Head | Method::Options)
    }

    /// Returns whether two equal requests have the effect of one, by the definition of HTTP.
    pub fn is_idempotent(self) -> bool {
        self.is_safe() || matches!(self, Method::Put | Method::Delete)
    }

    /// Returns the key of a path's operation.
    pub(crate) fn key(self) -> &'static str {
        self.row().0
    }

    fn row(self) -> (&'static str, &'static str) {
        match self {
            Method::Get => ("get", "GET"),
            Method::Head => ("head", "HEAD"),
            Method::Options => ("options", "OPTIONS"),
            Method::Put => ("put", "PUT"),
            Method::Delete => ("delete", "DELETE"),
            Method::Post => ("post", "POST"),
            Method::Patch => ("patch", "PATCH"),
        }
    }
}

//! Media types.

/// A media type without its parameters, in lowercase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MediaType(pub(crate) String);

/// Returns the media type that a key of `content` names.
pub(crate) fn media_type(text: &str) -> MediaType {
    MediaType(text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}

impl MediaType {
    pub(crate) fn is_json(&self) -> bool {
        self.0 == "application/json" || self.0.ends_with("+json") || self.0 == "*/*"
    }

    pub(crate) fn is_text(&self) -> bool {
        self.0.starts_with("text/") && self.0 != "text/event-stream"
    }

    pub(crate) fn is_form(&self) -> bool {
        self.0 == "application/x-www-form-urlencoded"
    }

    pub(crate) fn is_multipart(&self) -> bool {
        self.0 == "multipart/form-data"
    }

    /// Returns the type in a request: a concrete one.
    pub(crate) fn concrete(&self) -> String {
        match self.0.as_str() {
            "*/*" => "application/json".to_string(),
            "text/*" => "text/plain".to_string(),
            other => other.to_string(),
        }
    }
}

//! A fault of a flow file.

use std::ops::Range;

/// A fault of a flow file, with its place.
#[derive(Debug)]
pub(crate) struct FlowFault {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    /// The bytes of the file that are wrong.
    pub(crate) place: Range<usize>,
}

impl FlowFault {
    pub(super) fn new(place: Range<usize>, message: impl Into<String>) -> FlowFault {
        FlowFault { message: message.into(), help: None, place }
    }

    pub(super) fn with_help(mut self, help: impl Into<String>) -> FlowFault {
        self.help = Some(help.into());
        self
    }
}

//! The answers of calls.

use ptc_lisp::json;

use crate::blob::Blob;
use crate::data::Data;
use crate::driver::Halt;
use crate::error::Error;
use crate::payload::View;
use crate::record::{RunError, RunId, ToolError};

/// The outcome of a call.
pub(super) struct Answer {
    pub(super) result: Result<Data, ToolError>,
    /// The warnings about arguments and result: changes to match the signature, and tolerated mismatches.
    pub(super) warnings: Vec<RunError>,
    /// The binary content of the result.
    pub(super) blobs: Vec<Blob>,
    /// The run of the sub-agent, if the tool is one.
    pub(super) run: Option<RunId>,
    /// Whether the result is from an equal call.
    pub(super) cached: bool,
    /// The payload of the sub-agent, if it has returned and shares the payload of its caller.
    pub(super) payload: Option<Box<Returned>>,
    /// Whether the sub-agent ends the loop of agents around it.
    pub(super) exits_loop: bool,
    /// The reason that the calling program must stop, if the run of the sub-agent has one.
    pub(super) halt: Option<Halt>,
    /// The reason that the calling run cannot continue.
    pub(super) broken: Option<Error>,
}

impl Answer {
    /// Makes an outcome without warnings.
    pub(super) fn new(result: Result<Data, ToolError>) -> Answer {
        let (warnings, blobs, run) = (Vec::new(), Vec::new(), None);
        let (payload, halt, broken) = (None, None, None);
        let (cached, exits_loop) = (false, false);
        Answer { result, warnings, blobs, run, cached, payload, exits_loop, halt, broken }
    }
}

/// The payload of a sub-agent at its end, to be merged into that of its caller.
pub(super) struct Returned {
    pub(super) view: View,
    pub(super) end: Data,
}

/// Returns arguments as text in which the keys of objects are sorted. Equal arguments have equal texts.
pub(super) fn canonical(args: &Data) -> String {
    let mut text = String::new();
    write(args.value(), &mut text);
    text
}

fn write(value: &ptc_lisp::Value, out: &mut String) {
    if let Some(map) = value.as_map() {
        let mut rows: Vec<_> = map.iter().collect();
        rows.sort_by_key(|(key, _)| key.name());
        out.push('{');
        for (key, value) in rows {
            write(key, out);
            out.push(':');
            write(value, out);
            out.push(',');
        }
        out.push('}');
    } else if let Some(items) = value.items() {
        out.push('[');
        for item in items {
            write(item, out);
            out.push(',');
        }
        out.push(']');
    } else {
        // Cannot fail, since arguments have a JSON form.
        out.push_str(&json::write(value).unwrap_or_default());
    }
}

//! Where the arguments of a run's calls came from.

use serde::Serialize;

use super::label_origin::LabelOrigin;
use super::names::CONFIRM;
use super::run::RunRecord;
use crate::data::Data;
use crate::error::{Error, ErrorKind};

/// A call of a run, with the origins of its arguments.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallOrigins {
    /// The turn.
    pub turn: u32,
    /// The id of the call; `None` if the rules for labels refused its program.
    pub call: Option<String>,
    /// The name of the tool.
    pub tool: String,
    /// The arguments; `None` if the program was refused.
    pub args: Option<Data>,
    /// The message of the problem, if the call failed or was refused.
    pub error: Option<String>,
    /// The labels, each with its origin.
    pub labels: Vec<LabelOrigin>,
}

impl RunRecord {
    /// Returns the origins of the arguments of a call, or of one argument. The call is named by its turn and its id, such
    /// as `2.1`, or by its tool, which gives all calls of the tool. Those of refused programs are among them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownCall`] if the run has no such call.
    pub fn why(&self, call: &str, argument: Option<&str>) -> Result<Vec<CallOrigins>, Error> {
        let all = self.origins();
        let is_meant = |it: &&CallOrigins| it.tool == call || it.name().as_deref() == Some(call);
        let mut found: Vec<CallOrigins> = all.iter().filter(is_meant).cloned().collect();
        if found.is_empty() {
            let message = format!("run {} has no call `{call}`", self.summary.run);
            let error = Error::new(ErrorKind::UnknownCall, message);
            let names = all.iter().filter_map(|it| Some(format!("{} ({})", it.name()?, it.tool)));
            let names: Vec<String> = names.collect();
            return Err(match names.as_slice() {
                [] => error,
                names => error.with_help(format!("it has {}", names.join(", "))),
            });
        }
        for one in &mut found {
            one.labels
                .retain(|it| argument.is_none_or(|name| it.argument.as_deref() == Some(name)));
        }
        // Of a refused call, only the labels that refused it are on record.
        found.retain(|it| it.call.is_some() || !it.labels.is_empty());
        Ok(found)
    }

    fn origins(&self) -> Vec<CallOrigins> {
        let mut all = Vec::new();
        for turn in &self.turn_records {
            for error in turn.rejection.iter().flatten() {
                all.extend(error.denied.iter().map(|it| CallOrigins {
                    turn: turn.turn,
                    call: None,
                    tool: it.tool.clone(),
                    args: None,
                    error: Some(error.message.clone()),
                    labels: it.labels.clone(),
                }));
            }
            let is_made = |id: &str| turn.calls.iter().any(|it| it.call == id);
            for call in &turn.calls {
                let asked = call.call.strip_suffix(".confirm").filter(|_| call.tool == CONFIRM);
                // The call that a person allowed has the same labels.
                if asked.is_some_and(is_made) {
                    continue;
                }
                let about = asked.and_then(|_| asked_about(&call.args));
                let (tool, args) = about.unwrap_or_else(|| (call.tool.clone(), call.args.clone()));
                all.push(CallOrigins {
                    turn: turn.turn,
                    call: Some(call.call.clone()),
                    tool,
                    args: Some(args),
                    error: call.error.as_ref().map(|it| it.message.clone()),
                    labels: call.labels.clone(),
                });
            }
        }
        all
    }
}

/// Returns the tool and the arguments that a question is about.
fn asked_about(args: &Data) -> Option<(String, Data)> {
    let args = args.value();
    let tool = args.get("tool")?.as_str()?.to_owned();
    Some((tool, Data::of_program(args.get("args")?).ok()?))
}

impl CallOrigins {
    fn name(&self) -> Option<String> {
        self.call.as_ref().map(|call| format!("{}.{call}", self.turn))
    }
}

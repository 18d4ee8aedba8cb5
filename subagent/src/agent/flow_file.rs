//! The flow file of a workflow: its text becomes the program of the agent.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::settings::Agent;
use super::source::{Source, place};
use super::workflow::{FlowSource, Workflow};
use crate::error::{Error, ErrorKind, line_column};
use crate::flow::{FlowFault, FlowFile, FlowScope, compile};

impl Agent {
    /// Returns whether it is a workflow that has no program yet.
    pub(super) fn is_unwritten(&self) -> bool {
        self.prompt.is_empty() && self.workflow.as_ref().is_some_and(|it| it.program.is_empty())
    }

    /// Returns the time limit that a step of the flow file sets for its calls.
    pub(crate) fn time_of_step(&self, step: &str) -> Option<Duration> {
        let steps = &self.flow.as_ref()?.steps;
        let seconds = steps.iter().find(|it| it.name == step)?.timeout?;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Makes the program of a flow file.
    fn compile(&mut self, path: &Path, text: &str, file: &FlowFile) -> Result<(), FlowFault> {
        let name = path.file_name().map(|it| it.to_string_lossy()).unwrap_or_default();
        let scope = FlowScope::new(&self.name, &self.tools, self.payload.is_some());
        let compiled = compile(file, &name, text, &scope)?;
        self.flow = Some(compiled.graph);
        let flow = FlowSource { places: compiled.places, text: text.to_string() };
        self.workflow = Some(Workflow {
            file: Some(path.to_path_buf()),
            flow: Some(Arc::new(flow)),
            ..Workflow::new(compiled.program)
        });
        Ok(())
    }

    /// Makes the program of a flow file whose tools the host adds one after another, once all are there.
    pub(super) fn compile_pending(&mut self) {
        let workflow = self.workflow.as_ref();
        let Some(text) = workflow.and_then(|it| it.pending.clone()) else { return };
        let path = workflow.and_then(|it| it.file.clone()).unwrap_or_default();
        if let Ok(file) = toml::from_str(&text) {
            // A check tells of a tool that is still missing.
            drop(self.compile(&path, &text, &file));
        }
    }

    /// Returns the fault of a flow file whose program is not made yet.
    pub(super) fn pending_fault(&self) -> Option<String> {
        let workflow = self.workflow.as_ref()?;
        let (text, path) = (workflow.pending.as_ref()?, workflow.file.clone().unwrap_or_default());
        let file = toml::from_str(text).ok()?;
        let fault = self.clone().compile(&path, text, &file).err()?;
        let (line, column) = line_column(text, fault.place.start);
        Some(format!("{}:{line}:{column}: {}", path.display(), fault.message))
    }
}

impl Source<'_> {
    /// Makes the program of an agent, whose tools and payload are known, of a flow file. A host may add tools later.
    pub(super) fn compile_flow(&self, agent: &mut Agent, path: &Path) -> Result<(), Error> {
        let text = self.program("flow", path)?;
        let source = Source { path, text: &text, is_json: false, in_code: None, ..*self };
        let file: FlowFile = source.parse()?;
        match agent.compile(path, &text, &file) {
            Err(fault) if fault.lacks_tool && self.in_code.is_some() => {
                let (file, pending) = (Some(path.to_path_buf()), Some(text.as_str().into()));
                agent.workflow = Some(Workflow { file, pending, ..Workflow::new("") });
                Ok(())
            }
            Err(fault) => {
                let error = Error::new(ErrorKind::AgentFile, fault.message);
                let error = match fault.help {
                    Some(help) => error.with_help(help),
                    None => error,
                };
                Err(place(error, path, &text, fault.place.start))
            }
            Ok(()) => Ok(()),
        }
    }
}

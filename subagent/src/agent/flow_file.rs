//! The flow file of a workflow: its text becomes the program of the agent.

use std::path::Path;
use std::sync::Arc;

use super::settings::Agent;
use super::source::{Source, place};
use super::workflow::{FlowSource, Workflow};
use crate::error::{Error, ErrorKind};
use crate::flow::{FlowFile, FlowScope, compile};

impl Agent {
    /// Returns whether it is a workflow that has no program yet.
    pub(super) fn is_unwritten(&self) -> bool {
        self.prompt.is_empty() && self.workflow.as_ref().is_some_and(|it| it.program.is_empty())
    }
}

impl Source<'_> {
    /// Makes the program of an agent, whose tools and payload are known, of a flow file.
    pub(super) fn compile_flow(&self, agent: &mut Agent, path: &Path) -> Result<(), Error> {
        let text = self.program("flow", path)?;
        let source = Source { path, text: &text, is_json: false, in_code: None, ..*self };
        let file: FlowFile = source.parse()?;
        let name = path.file_name().map(|it| it.to_string_lossy()).unwrap_or_default();
        let scope = FlowScope::new(&agent.name, &agent.tools, agent.payload.is_some());
        let compiled = compile(&file, &name, &text, &scope).map_err(|fault| {
            let error = Error::new(ErrorKind::AgentFile, fault.message);
            let error = match fault.help {
                Some(help) => error.with_help(help),
                None => error,
            };
            place(error, path, &text, fault.place.start)
        })?;
        for (name, limit) in compiled.timeouts {
            let Some(tool) = agent.tools.iter_mut().find(|it| it.name == name) else { continue };
            match tool.sub_agent() {
                Some(called) => *tool = tool.calling(Agent { timeout: limit, ..called.clone() }),
                None => tool.timeout = limit,
            }
        }
        agent.flow = Some(compiled.graph);
        let flow = Some(Arc::new(FlowSource { places: compiled.places, text: text.clone() }));
        agent.workflow =
            Some(Workflow { program: compiled.program, file: Some(path.to_path_buf()), flow });
        Ok(())
    }
}

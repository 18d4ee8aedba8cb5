//! The beginning of a run that follows an earlier run of its conversation.

use super::Programs;
use crate::error::{Error, ErrorKind};
use crate::record::{Earlier, RunCode, RunError};
use crate::run::continuation;

impl Programs<'_> {
    /// Begins with the messages and the state of an earlier run of the conversation. Returns warnings about what is lost
    /// of the state.
    ///
    /// # Errors
    ///
    /// The state on record cannot be read.
    pub(in crate::run) fn begin_after(
        &mut self,
        earlier: &Earlier,
    ) -> Result<Vec<RunError>, Error> {
        let run = &earlier.run;
        let mut lost: Vec<String> = earlier.lost.iter().cloned().collect();
        if let Some(state) = &earlier.state {
            let dropped = continuation::restore(&mut self.session, state).map_err(|error| {
                Error::new(ErrorKind::Replay, format!("the state after run {run}: {error}"))
            })?;
            lost.extend(dropped.iter().map(ToString::to_string));
        }
        let names = if self.style.writes_programs() { earlier.names() } else { Vec::new() };
        self.conversation.splice(0..0, earlier.list());
        self.session.set_conversation(self.conversation.clone());
        let (note, agent) = (self.style.conversation_note(), self.agent);
        self.earlier = earlier.section(&names, note, agent.transcript, &agent.prompt_limits);
        Ok(lost.into_iter().map(|it| RunError::new(RunCode::NotKept, it)).collect())
    }
}

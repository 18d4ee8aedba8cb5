//! The switches of an agent's system prompt: one for each instruction, and those of its answer style.

use std::collections::{BTreeMap, BTreeSet};

use ptc_prompt::DecisionSwitches;

use super::{Agent, Answers};

impl Agent {
    /// Returns the switches of its system prompt, each with its state. They are its instructions by name, and the parts
    /// that its answer style can leave out.
    ///
    /// ```
    /// use ptc_subagent::{Agent, Instruction};
    ///
    /// let mut agent = Agent::new("Answer.").with_instruction(Instruction::new("formal", "Be formal."));
    /// assert_eq!(agent.prompt_switches(), [("formal".to_string(), true)].into());
    /// assert!(agent.set_prompt_switch("formal", false));
    /// assert!(!agent.set_prompt_switch("frmal", false));
    /// assert_eq!(agent.prompt_switches(), [("formal".to_string(), false)].into());
    /// ```
    pub fn prompt_switches(&self) -> BTreeMap<String, bool> {
        let own = self.instructions.iter().map(|it| (it.name.clone(), it.is_on));
        let mut all: BTreeMap<String, bool> = own.collect();
        if let Answers::Decisions(style) = &self.answers {
            let switches = DecisionSwitches::ALL.iter().map(|it| it.name);
            all.extend(switches.map(|it| (it.to_string(), style.switches.is_on(it))));
        }
        all
    }

    /// Sets a switch of its system prompt. Returns whether there is one of this name.
    pub fn set_prompt_switch(&mut self, name: &str, is_on: bool) -> bool {
        if let Some(it) = self.instructions.iter_mut().find(|it| it.name == name) {
            it.is_on = is_on;
            return true;
        }
        match &mut self.answers {
            Answers::Decisions(style) => style.switches.set(name, is_on),
            _ => false,
        }
    }

    /// Returns why its instructions cannot be used, if they cannot.
    pub(super) fn fault_of_instructions(&self) -> Option<String> {
        let mut names = BTreeSet::new();
        for it in &self.instructions {
            let name = it.name.as_str();
            if name.trim().is_empty() {
                return Some("an instruction has no name".to_string());
            }
            if !names.insert(name) {
                return Some(format!("two instructions are named `{name}`"));
            }
            if DecisionSwitches::ALL.iter().any(|it| it.name == name) {
                return Some(format!(
                    "the instruction `{name}` has the name of a switch of decisions"
                ));
            }
            if let Err(error) = self.check_placeholders(&it.text) {
                return Some(format!("the instruction `{name}`: {error}"));
            }
        }
        None
    }

    /// Checks that the placeholders of a text name inputs. Without a signature the names of the input are unknown.
    pub(super) fn check_placeholders(&self, text: &str) -> Result<(), ptc_prompt::Error> {
        match self.input_signature() {
            Some(signature) => ptc_prompt::check_placeholders(text, &signature),
            None => ptc_prompt::placeholders(text).map(drop),
        }
    }
}

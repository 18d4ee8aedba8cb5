//! The switches of the prompt of decisions: one table, which agent files, prompts and documentation
//! read.

use std::collections::BTreeMap;

/// A switch of the prompt of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The key of `[decisions]` in an agent file.
    pub name: &'static str,
    /// The part of the prompt that the switch leaves out.
    pub part: &'static str,
    /// The switch that this one follows if it is not given.
    pub follows: Option<&'static str>,
}

const fn section(name: &'static str, part: &'static str) -> Switch {
    Switch { name, part, follows: None }
}

const fn keys(name: &'static str, part: &'static str, follows: &'static str) -> Switch {
    Switch { name, part, follows: Some(follows) }
}

/// The switches that an author has set. A switch that is not set is on, or follows another one.
///
/// ```
/// use ptc_prompt::DecisionSwitches;
///
/// let mut switches = DecisionSwitches::default();
/// assert!(switches.is_on("payload") && switches.is_on("payload_type"));
/// assert!(switches.set("payload", false));
/// assert!(!switches.is_on("payload") && !switches.is_on("payload_type"));
/// assert!(switches.set("payload_type", true));
/// assert!(!switches.is_on("payload") && switches.is_on("payload_type"));
/// assert!(!switches.set("pay", true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionSwitches([Option<bool>; DecisionSwitches::ALL.len()]);

impl DecisionSwitches {
    /// No switch is set, as by default.
    pub(super) const NONE: DecisionSwitches = DecisionSwitches([None; DecisionSwitches::ALL.len()]);

    /// All switches, in the order of the documentation.
    pub const ALL: &'static [Switch] = &[
        section("payload", "the payload, and how to change it"),
        keys("payload_type", "the key `payloadChangeRequest` of the format", "payload"),
        section("for_each", "the explanation of `ForEach`"),
        keys("for_each_type", "the type `ForEach` of the format", "for_each"),
        section("while", "the explanation of `While`"),
        keys("while_type", "the type `While` of the format", "while"),
        section("forms", "the forms of questions to the user"),
        keys("forms_type", "the key `responseForm` of the format", "forms"),
        section("commands", "the commands for the time after the mission"),
        keys("commands_type", "the keys of commands of the format", "commands"),
        section("references", "the references to items, payload and input in loops"),
    ];

    /// Sets a switch. Returns whether there is one of this name.
    pub fn set(&mut self, name: &str, is_on: bool) -> bool {
        let mut all = DecisionSwitches::ALL.iter().zip(&mut self.0);
        let found = all.find(|(switch, _)| switch.name == name);
        found.map(|(_, place)| *place = Some(is_on)).is_some()
    }

    /// Returns whether a part is in the prompt.
    pub fn is_on(&self, name: &str) -> bool {
        let mut all = DecisionSwitches::ALL.iter().zip(self.0);
        let Some((switch, given)) = all.find(|(switch, _)| switch.name == name) else {
            return true;
        };
        // No switch follows one that follows another.
        given.unwrap_or_else(|| switch.follows.is_none_or(|other| self.is_on(other)))
    }

    /// Returns the switches that are set.
    pub fn given(&self) -> BTreeMap<&'static str, bool> {
        let all = DecisionSwitches::ALL.iter().zip(self.0);
        all.filter_map(|(switch, given)| Some((switch.name, given?))).collect()
    }

    /// Returns all switches, as templates read them.
    pub(super) fn effective(self) -> BTreeMap<&'static str, bool> {
        DecisionSwitches::ALL.iter().map(|it| (it.name, self.is_on(it.name))).collect()
    }
}

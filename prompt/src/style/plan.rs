//! Plans: replies that are read as a program.

use ptc_lisp::{Value, json, print};

/// The program that a reply is read as.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// How the program ends the mission, if it does.
    pub end: Option<PlanEnd>,
    /// Notes about parts of the reply that were ignored or corrected.
    pub notes: Vec<String>,
}

/// The end of a mission by a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanEnd {
    /// The mission returns a value.
    Return(Value),
}

impl Plan {
    /// Creates the plan that returns a value.
    pub fn returning(value: &serde_json::Value) -> Plan {
        let end = Some(PlanEnd::Return(json::from_serde(value)));
        Plan { end, notes: Vec::new() }
    }

    /// Returns the source of the program.
    pub fn program(&self) -> String {
        match &self.end {
            Some(PlanEnd::Return(value)) => format!("(return {})", print::readable(value)),
            None => "nil".to_owned(),
        }
    }
}

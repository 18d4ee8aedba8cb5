//! The version of the semantics of programs, prompts and limits.

use serde_json::Value;

use crate::agent::RunBudget;

/// The version of the semantics. It covers the value, the prints and the fuel of a program, and the texts of prompts,
/// reports and feedback.
///
/// A record names the version that it was made with. Within one version, a replay is exact to the byte. Across
/// versions, a replay and a resumed run compare only the calls and the endings of turns and runs. Every other
/// difference is drift. The version increases with every release that changes any of this. Records of store versions up
/// to 5 name no version, which counts as 0.
pub const SEMANTICS: u32 = 8;

/// The first version in which a declared type decides on every field, and in which returns are held back.
pub(crate) const STRICT_FIELDS: u32 = 5;

/// The first version in which an integer of an input becomes a float if its type is one.
pub(crate) const FLOAT_INPUTS: u32 = 7;

/// Returns these limits without those that the record does not have, which were added after it.
pub(crate) fn limits_on_record(recorded: &Value, limits: &Value) -> Value {
    let (Some(old), Some(new)) = (recorded.as_object(), limits.as_object()) else {
        return limits.clone();
    };
    let known = new.iter().filter(|(name, _)| old.contains_key(*name));
    known.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Removes the limits that a recorded definition of an agent does not have, also from its sub-agents. Fills in the depth of
/// a budget that earlier versions recorded where it is the default.
pub(crate) fn keep_limits_on_record(recorded: &Value, definition: &mut Value) {
    match (recorded, definition) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in new {
                let Some(old) = old.get(name) else { continue };
                match name.as_str() {
                    "limits" => *value = limits_on_record(old, value),
                    "budget" => keep_default_depth(old, value),
                    _ => keep_limits_on_record(old, value),
                }
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            old.iter().zip(new).for_each(|(old, new)| keep_limits_on_record(old, new));
        }
        _ => {}
    }
}

fn keep_default_depth(recorded: &Value, budget: &mut Value) {
    let default = Value::from(RunBudget::DEFAULT_DEPTH);
    if recorded.get("depth") == Some(&default)
        && let Some(budget) = budget.as_object_mut()
    {
        budget.entry("depth").or_insert(default);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::keep_limits_on_record;

    #[test]
    fn limits_that_were_added_do_not_differ() {
        let agent =
            |limits| json!({"limits": limits, "tools": [{"agent": {"limits": {"fuel": 1}}}]});
        let recorded = agent(json!({"fuel": 1, "memory": 2}));
        let mut now = agent(json!({"fuel": 3, "memory": 2, "added": 4}));
        now["tools"][0]["agent"]["limits"]["added"] = json!(4);
        keep_limits_on_record(&recorded, &mut now);
        assert_eq!(now, agent(json!({"fuel": 3, "memory": 2})));
    }

    #[test]
    fn a_depth_that_was_recorded_as_the_default_does_not_differ() {
        let agent = |own, below| json!({"budget": own, "tools": [{"agent": {"budget": below}}]});
        let recorded = agent(json!({"turns": 5, "depth": 3}), json!({"turns": 5, "depth": 2}));
        let mut now = agent(json!({"turns": 5}), json!({"turns": 5}));
        keep_limits_on_record(&recorded, &mut now);
        assert_eq!(now, agent(json!({"turns": 5, "depth": 3}), json!({"turns": 5})));
        let mut now = agent(json!({"turns": 5, "depth": 4}), json!({"turns": 5, "depth": 2}));
        keep_limits_on_record(&recorded, &mut now);
        assert_eq!(now, agent(json!({"turns": 5, "depth": 4}), json!({"turns": 5, "depth": 2})));
    }
}

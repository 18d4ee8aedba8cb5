//! The definition of an agent on record. Each record has it, so a run can be replayed without the agent's file and its
//! tools.

use serde::Deserialize as _;
use serde_json::Value;

use super::Agent;
use crate::error::{Error, ErrorKind};

impl Agent {
    /// Returns the parts of the definition that replay needs, as the JSON of a record.
    pub(crate) fn definition(&self) -> Value {
        // Cannot fail: all keys are strings, and a definition has no numbers that JSON lacks.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Makes an agent from a record. Its tools can be called, but every call fails.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if the JSON is not a definition.
    pub(crate) fn from_definition(json: &Value) -> Result<Agent, Error> {
        Agent::deserialize(json).map_err(|why| {
            Error::new(ErrorKind::Replay, format!("the agent on record cannot be read: {why}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use std::time::Duration;

    use ptc_lisp::Limits;
    use ptc_prompt::{Instruction, PromptPart, Reference};
    use ptc_signatures::SignatureMode;

    use super::*;
    use crate::agent::PayloadDef;
    use crate::agent::recorded_forms::MAX_MEMORY;
    use crate::agent::{Answers, RunBudget};
    use crate::payload::{EndCheck, StartCheck};
    use crate::policy::{Ask, Policy};
    use crate::provider::Cost;
    use crate::tool::{Effect, ToolDef};

    /// Returns an agent without defaults.
    fn agent_without_defaults() -> Agent {
        let child = Agent::new("Look at {{n}}.").with_name("child").with_answers(Answers::Json);
        let mut limits = Limits::default();
        (limits.fuel, limits.memory, limits.calls_in_flight) = (7, 8 << 20, 3);
        limits.program_time = Duration::from_secs(2);
        let tool = ToolDef::planning("plan")
            .with_signature("(n :int) -> [:string]")
            .expect("a signature")
            .with_signature_mode(SignatureMode::Strict)
            .with_description("Plans.")
            .with_effect(Effect::Write)
            .with_max_calls(4)
            .with_idempotent(true)
            .with_repeat(true)
            .with_confirm(true);
        let cost = Cost::from_dollars(0.5).expect("an amount");
        Agent::new("Do {{n}}.")
            .with_name("whole")
            .with_description("Does it.")
            .with_signature("(n :int, _key :string?) -> {a :float}")
            .expect("a signature")
            .with_signature_mode(SignatureMode::Warn)
            .with_max_turns(9)
            .with_retry_turns(2)
            .with_fallback(true)
            .with_snapshots(true)
            .with_repair(false)
            .with_can_ask(true)
            .with_images(true)
            .with_timeout(Duration::from_millis(1500))
            .with_limits(limits)
            .with_budget(RunBudget::default().with_tokens(5).with_cost(cost).with_depth(1))
            .with_reference(Reference::Full)
            .with_section(PromptPart::Role, "You {{ section }}")
            .expect("a template")
            .with_instruction({
                let mut house = Instruction::new("house", "Amounts are in EUR.");
                (house.order, house.is_on) = (-3, false);
                house
            })
            .with_policy(
                Policy::default()
                    .read_only()
                    .with_max_calls("plan", 2)
                    .with_ask(Ask::Always)
                    .with_yes("plan(city :enum[Graz])".parse().unwrap()),
            )
            .with_payload(payload_without_defaults())
            .with_tool(tool)
            .with_tool(ToolDef::agent(child).with_cache(true))
            .with_tool(ToolDef::itself("again"))
    }

    fn payload_without_defaults() -> PayloadDef {
        PayloadDef::new()
            .with_start(json!({"order": {"total": 1}}))
            .and_then(|it| it.with_signature("{order {total :int}}"))
            .map(|it| it.with_check_start(StartCheck::Warn).with_check_end(EndCheck::Retry, 5))
            .and_then(|it| it.with_scope("/order"))
            .and_then(|it| it.with_reads(["total"]))
            .and_then(|it| it.with_writes(["total:update"]))
            .expect("a payload")
    }

    #[test]
    fn a_definition_round_trips() {
        for agent in [agent_without_defaults(), Agent::new("p")] {
            let definition = agent.definition();
            let copy = Agent::from_definition(&definition).expect("is whole");
            assert_eq!(copy.definition(), definition);
            assert_eq!(copy.limits, agent.limits);
            assert_eq!(copy.budget, agent.budget);
            assert_eq!(copy.sections, agent.sections);
            assert_eq!(copy.instructions, agent.instructions);
            assert_eq!(copy.payload, agent.payload);
            let callable = |agent: &Agent| -> Vec<bool> {
                agent.tools.iter().map(ToolDef::is_callable).collect()
            };
            assert_eq!(callable(&copy), callable(&agent));
        }
    }

    /// Changes one field of a definition, and compares the error of reading it.
    fn check(pointer: &str, value: Value, expected: &str) {
        let mut definition = agent_without_defaults().definition();
        *definition.pointer_mut(pointer).expect(pointer) = value;
        let error = Agent::from_definition(&definition).expect_err(pointer);
        assert_eq!(error.message(), format!("the agent on record cannot be read: {expected}"));
    }

    #[test]
    fn a_foreign_definition_is_checked() {
        let styles = "`program`, `json`, `tools`, `react`, `decisions`";
        let unknown = format!("unknown variant `poem`, expected one of {styles}");
        check("/answers", json!("poem"), &unknown);
        check("/tools/0/kind", json!("magic"), "`magic` is not a kind of tool");
        check(
            "/tools/2/effect",
            json!("both"),
            "unknown variant `both`, expected `read` or `write`",
        );
        check(
            "/timeout",
            json!(-1.0),
            "cannot convert float seconds to Duration: value is negative",
        );
        check("/sections", json!({"end": "x"}), "`end` is not a section of a prompt");
        let mut definition = agent_without_defaults().definition();
        definition["limits"]["memory"] = json!(u64::MAX);
        definition["limits"]["call_depth"] = json!(u64::MAX);
        let agent = Agent::from_definition(&definition).expect("is bounded");
        assert_eq!((agent.limits.memory, agent.limits.call_depth), (MAX_MEMORY, u32::MAX));
    }
}

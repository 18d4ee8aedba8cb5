//! Agents: the list, and one with its signature, tools and prompt.

use std::sync::Arc;

use hyper::StatusCode;
use ptc_subagent::{Agent, Data, Mission};
use serde_json::{Value, json};

use crate::access::{self, Action, Level};
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;
use crate::state::blocking;

/// Lists the agents that the caller may see.
pub(crate) async fn list(request: Request) -> Result<Answer, Problem> {
    let all = request.state.host.agents();
    let seen = all.filter(|it| access::allow(&request.caller, Action::View, &it.name).is_ok());
    let agents = seen.map(|it| {
        let mut json = summary(it);
        json["level"] = json!(request.caller.level(&it.name).map(Level::as_str));
        json
    });
    let agents: Vec<Value> = agents.collect();
    Ok(Answer::json(StatusCode::OK, json!({"agents": agents})))
}

/// Shows one agent.
pub(crate) async fn one(request: Request) -> Result<Answer, Problem> {
    let agent = request.state.agent(&request.caller, Action::View, request.named())?;
    let agent = Arc::clone(agent);
    // The default input is in a file.
    let level = json!(request.caller.level(&agent.name).map(Level::as_str));
    let data = blocking(move || whole(&agent)).await?;
    Ok(Answer::json(StatusCode::OK, data.with("level", level)))
}

fn whole(agent: &Agent) -> Data {
    let mut json = summary(agent);
    let schema = agent.tool_schema();
    json["input"] = schema.input;
    json["output"] = schema.output;
    json["tools"] = agent
        .tools
        .iter()
        .map(|it| {
            json!({
                "name": it.name,
                "description": it.description,
                "signature": it.signature.as_ref().map(ToString::to_string),
                "effect": it.effect().as_str(),
                "confirm": it.confirm,
            })
        })
        .collect();
    if let Some(workflow) = &agent.workflow {
        json["program"] = json!(workflow.program);
    }
    let example = || agent.signature.as_ref().map(|it| Data::from(it.example_input()));
    let input = agent.default_input().ok().flatten().or_else(example);
    let input = input.unwrap_or_else(|| json!({}).into());
    Data::from(json).with("prompt", prompt(agent, &input)).with("example", input)
}

fn summary(agent: &Agent) -> Value {
    json!({
        "name": agent.name,
        "description": agent.tool_schema().description,
        "signature": agent.signature.as_ref().map(ToString::to_string),
        "model": agent.model.as_ref().map(ToString::to_string),
        "is_workflow": agent.workflow.is_some(),
        "message": agent.message_input(),
    })
}

/// Returns the sections of the prompt with their sizes; null for a workflow, which has none, and for an agent whose
/// prompt cannot be shown without an input.
fn prompt(agent: &Agent, input: &Data) -> Data {
    if agent.workflow.is_some() {
        return Data::default();
    }
    let Ok(prompt) = Mission::new(agent, input).system_prompt() else {
        return Data::default();
    };
    let section = |title: &str, text: &str| {
        let tokens = ptc_prompt::tokens(text).count;
        json!({"title": title, "chars": text.chars().count(), "tokens": tokens, "text": text})
    };
    let sections = prompt.sections.iter().map(|it| section(it.part.title(), &it.text));
    let sections = json!({"sections": sections.collect::<Vec<Value>>()});
    Data::from(sections)
}

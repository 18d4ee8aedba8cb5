//! Code mode: two tools for any number of tools. One finds them, the other runs programs that call them.

use std::sync::Arc;

use ptc_lisp::{Limits, ToolDecl, Value as Data, json as edn};
use ptc_prompt::ToolLookup;
use ptc_subagent::eval::Sandbox;
use ptc_subagent::tool::Effect;
use ptc_subagent::{Agent, RunReport, Status};
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::result;
use super::run_output::RunOutput;

/// The name of the tool that finds tools.
pub(super) const SEARCH: &str = "search";
/// The name of the tool that runs a program.
pub(super) const RUN: &str = "run";

/// The program of [`SEARCH`].
const SEARCHING: &str = "(tools/search ctx/words)";

/// The tools of an agent, as tools of programs that clients write.
pub(super) struct Code {
    agent: Agent,
    sandbox: Sandbox,
    declarations: Vec<ToolDecl>,
    pub(super) tools: [Tool; 2],
}

impl Code {
    pub(super) fn new(agent: Agent) -> Code {
        let (sandbox, _) = Sandbox::of_agent(&agent, Some(Data::Nil), false);
        // Looking for tools takes nothing of the agent's limits.
        let sandbox = Sandbox { limits: Limits::default(), output: None, ..sandbox };
        let declarations = sandbox.tools.declarations();
        let search = Tool::new(
            SEARCH,
            "Finds tools for programs by words in their names, descriptions and fields: at most 20, the best first. Shows \
             how a program calls each.",
            takes("words", "such as: open invoices"),
        )
        .with_annotations(ToolAnnotations::new().read_only(true));
        let reads = declarations.iter().all(|it| it.effect == Effect::Read);
        let run = Tool::new(
            RUN,
            ptc_prompt::program_tool(&declarations, ToolLookup::Search),
            takes("program", "the whole program"),
        )
        .with_annotations(ToolAnnotations::new().read_only(reads));
        Code { agent, sandbox, declarations, tools: [search, run] }
    }

    pub(super) fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Finds the tools with one of these words.
    pub(super) async fn search(&self, words: &str) -> CallToolResult {
        let ctx = Data::map([(Data::keyword("words"), Data::str(words))]);
        let sandbox = Sandbox { ctx, ..self.sandbox.clone() };
        let mut session = sandbox.session();
        let found = sandbox.evaluate(&mut session, SEARCHING, false, std::future::pending()).await;
        if let Some(error) = found.errors.first() {
            return result::error(error.message());
        }
        let rows = found.value.as_ref().and_then(|it| edn::to_serde(it).ok()).unwrap_or_default();
        let line = |row: &Value| {
            let name = row["name"].as_str()?;
            let tool = self.declarations.iter().find(|it| it.name == name)?;
            let writes = if tool.effect == Effect::Write { " (writes)" } else { "" };
            let about = row["about"].as_str().unwrap_or_default();
            Some(format!("- {}{writes}: {about}", ptc_prompt::call_form(tool)))
        };
        let lines: Vec<String> = rows.as_array().into_iter().flatten().filter_map(line).collect();
        let text = if lines.is_empty() {
            "No tool has one of these words. Try others.".to_string()
        } else {
            lines.join("\n")
        };
        CallToolResult::success(vec![result::text(text)])
    }

    /// Returns the agent whose run is one program.
    pub(super) fn agent_of(&self, program: &str) -> Agent {
        let template = &self.agent;
        let mut agent = Agent::workflow(program)
            .with_name(&template.name)
            .with_max_turns(1)
            .with_snapshots(false)
            .with_repair(true)
            .with_limits(template.limits.clone())
            .with_policy(template.policy.clone())
            .with_budget(template.budget.clone())
            .with_timeout(template.timeout)
            .with_signature_mode(template.signature_mode);
        agent.tools.clone_from(&template.tools);
        agent.seed = template.seed;
        agent
    }
}

/// Returns the schema of one text.
fn takes(name: &str, description: &str) -> Arc<JsonObject> {
    let text = json!({"type": "string", "description": description});
    let schema = json!({"type": "object", "properties": {name: text}, "required": [name]});
    Arc::new(schema.as_object().cloned().unwrap_or_default())
}

/// Returns the result of a program: its value with the binary content that it names, and printed lines; or the feedback that
/// a model would read.
pub(super) fn of_program(report: &RunReport, output: &RunOutput) -> CallToolResult {
    let (text, content) = match (report.status, &report.feedback) {
        (Status::Returned, _) => {
            let value = result::visible(&report.value);
            (value.to_string(), Some(output.content(&value)))
        }
        (Status::Waiting, _) if !report.questions.is_empty() => {
            ("The program asks a question, and no person answered it.".to_string(), None)
        }
        (_, Some(feedback)) => (feedback.clone(), None),
        _ => (result::why(report), None),
    };
    let is_error = content.is_none();
    let printed = &output.printed;
    let printed = (!printed.is_empty()).then(|| format!("printed:\n{}", printed.join("\n")));
    let texts = [Some(text), printed].into_iter().flatten().map(result::text);
    let blocks = texts.chain(content.into_iter().flatten()).collect();
    let made =
        if is_error { CallToolResult::error(blocks) } else { CallToolResult::success(blocks) };
    result::with_run(made, report)
}

//! The tools that a server offers, as tools of agents.

use std::sync::Arc;

use ptc_signatures::Signature;
use ptc_subagent::provider::BoxFuture;
use ptc_subagent::tool::{CallContext, Effect, ServerDef, Tool, ToolDef, ToolError, ToolErrorKind};
use rmcp::model::Tool as Offered;
use serde_json::Value;

use crate::connection::Connection;
use crate::outcome;

/// Returns the tools that the definition of a server takes, in the server's order.
///
/// # Errors
///
/// [`ToolErrorKind::Missing`] if the definition names a tool that the server does not offer.
pub(crate) fn select(
    server: &ServerDef,
    offered: &[Offered],
    connection: &Arc<Connection>,
) -> Result<Vec<ToolDef>, ToolError> {
    let named = server.allow.iter().flatten().chain(&server.deny).chain(server.effects.keys());
    for name in named {
        if !offered.iter().any(|it| it.name == *name) {
            return Err(unknown(name, offered));
        }
    }
    let is_taken = |it: &Offered| {
        let is_named = |list: &[String]| list.iter().any(|name| *name == it.name);
        server.allow.as_deref().is_none_or(is_named) && !is_named(&server.deny)
    };
    let taken = offered.iter().filter(|it| is_taken(it));
    Ok(taken.map(|it| tool(server, it, connection)).collect())
}

fn tool(server: &ServerDef, offered: &Offered, connection: &Arc<Connection>) -> ToolDef {
    let input = Value::Object(offered.input_schema.as_ref().clone());
    let output = offered.output_schema.as_ref().map(|it| Value::Object(it.as_ref().clone()));
    let (signature, _) = Signature::from_schemas(&input, output.as_ref());
    let hints = offered.annotations.clone().unwrap_or_default();
    let hinted = hints.read_only_hint.map(|reads| if reads { Effect::Read } else { Effect::Write });
    let description = offered.description.as_deref().or(offered.title.as_deref());
    let description = description.map(outcome::cut).filter(|it| !it.is_empty());
    let implementation = McpTool {
        connection: Arc::clone(connection),
        name: Name::Own { required: required(offered), own: offered.name.to_string() },
    };
    let mut tool = ToolDef::new(name_in_programs(&server.prefix, &offered.name), implementation)
        .with_timeout(server.timeout)
        .with_max_output(server.max_output)
        .with_idempotent(hints.idempotent_hint == Some(true));
    tool.signature = Some(signature);
    tool.description = description;
    tool.effect = server.effects.get(offered.name.as_ref()).copied().or(hinted);
    tool
}

/// Returns the name of a tool in programs. An underscore replaces each character that names rarely have.
fn name_in_programs(prefix: &str, own: &str) -> String {
    let usual = |c: char| if c.is_alphanumeric() || "_-./".contains(c) { c } else { '_' };
    prefix.chars().chain(own.chars()).map(usual).collect()
}

/// Returns the names of the arguments that a call must have.
fn required(offered: &Offered) -> Vec<String> {
    let names = offered.input_schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

fn unknown(name: &str, offered: &[Offered]) -> ToolError {
    let error = ToolError::new(ToolErrorKind::Missing, format!("offers no tool `{name}`"));
    let near = offered.iter().map(|it| (strsim::damerau_levenshtein(name, &it.name), &it.name));
    match near.min_by_key(|it| it.0) {
        Some((distance, near)) if distance <= 1 + name.len() / 4 => {
            error.with_help(format!("did you mean `{near}`?"))
        }
        Some(_) => {
            let names: Vec<&str> = offered.iter().take(10).map(|it| it.name.as_ref()).collect();
            error.with_help(format!("it offers {}", names.join(", ")))
        }
        None => error.with_help("it offers no tools"),
    }
}

/// A tool of a server.
pub(crate) struct McpTool {
    connection: Arc<Connection>,
    name: Name,
}

/// The tool that a call is for.
#[derive(Clone)]
enum Name {
    /// The server's name, and the arguments that a call must have.
    Own { own: String, required: Vec<String> },
    /// The name in programs, of a tool on record.
    Recalled { prefix: String, name: String },
}

impl McpTool {
    /// Creates a tool that is known by its name in programs.
    pub(crate) fn recalled(connection: Arc<Connection>, server: &ServerDef, name: &str) -> McpTool {
        let name = Name::Recalled { prefix: server.prefix.clone(), name: name.to_string() };
        McpTool { connection, name }
    }
}

impl Tool for McpTool {
    fn call<'a>(
        &'a self,
        args: Value,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(async move {
            let Value::Object(mut args) = args else {
                return Err(ToolError::new(ToolErrorKind::Arguments, "takes a map of arguments"));
            };
            let name = self.name.clone();
            let result = self.connection.run(|connection, dropped| async move {
                let (own, required) = match name {
                    Name::Own { own, required } => (own, required),
                    Name::Recalled { prefix, name } => find(&connection, &prefix, &name).await?,
                };
                // For programs, an argument that is nil is the same as one that is left out.
                args.retain(|name, value| !value.is_null() || required.contains(name));
                connection.call(own, args, dropped).await
            });
            outcome::result(result.await?, cx)
        })
    }
}

/// Finds a tool by its name in programs. Returns the server's name and the required arguments.
async fn find(
    connection: &Connection,
    prefix: &str,
    name: &str,
) -> Result<(String, Vec<String>), ToolError> {
    let offered = connection.tools().await?;
    let found = offered.iter().find(|it| name_in_programs(prefix, &it.name) == name);
    let found = found.map(|it| (it.name.to_string(), required(it)));
    found
        .ok_or_else(|| ToolError::new(ToolErrorKind::Missing, "is no longer offered by its server"))
}

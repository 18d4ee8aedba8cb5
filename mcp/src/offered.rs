//! The tools that a server offers, as tools of agents.

use std::sync::Arc;

use ptc_signatures::Signature;
use ptc_subagent::Data;
use ptc_subagent::provider::BoxFuture;
use ptc_subagent::tool::{
    CallContext, Effect, Secrets, Selection, ServerDef, Tool, ToolDef, ToolError, ToolErrorKind,
};
use rmcp::model::{JsonObject, Tool as Offered};
use serde_json::Value;

use crate::connection::Connection;
use crate::oauth::TOKEN;
use crate::outcome;
use crate::wire::exact;

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
    let taken = server.tools.pick(offered, |it| it.name.as_ref())?;
    let secrets = connection.secrets();
    Ok(taken.into_iter().map(|it| tool(server, it, connection, &secrets)).collect())
}

/// Returns a tool without secrets in its name, its description and its types.
fn tool(
    server: &ServerDef,
    offered: &Offered,
    connection: &Arc<Connection>,
    secrets: &Secrets,
) -> ToolDef {
    let hints = offered.annotations.clone().unwrap_or_default();
    let hinted = hints.read_only_hint.map(|reads| if reads { Effect::Read } else { Effect::Write });
    let description = offered.description.as_deref().or(offered.title.as_deref());
    let description = description.map(|it| outcome::cut(secrets, it)).filter(|it| !it.is_empty());
    let implementation =
        McpTool { connection: Arc::clone(connection), name: Name::Own(offered.name.to_string()) };
    let mut tool = server
        .tools
        .tool(&offered.name, secrets, implementation)
        .with_idempotent(hints.idempotent_hint == Some(true));
    tool.signature = Some(signature(offered, secrets));
    tool.description = description;
    tool.effect = tool.effect.or(hinted);
    tool
}

fn signature(offered: &Offered, secrets: &Secrets) -> Signature {
    let clean = |schema: &JsonObject| {
        let mut schema = Value::Object(schema.clone());
        secrets.clean_value(&mut schema);
        schema
    };
    let input = clean(&offered.input_schema);
    let output = offered.output_schema.as_deref().map(clean);
    Signature::from_schemas(&input, output.as_ref()).0
}

/// A tool of a server.
pub(crate) struct McpTool {
    connection: Arc<Connection>,
    name: Name,
}

/// The tool that a call is for.
#[derive(Clone)]
enum Name {
    /// The server's name.
    Own(String),
    /// The name in programs, of a tool on record.
    Recalled { tools: Selection, name: String },
}

impl McpTool {
    /// Creates a tool that is known by its name in programs.
    pub(crate) fn recalled(connection: Arc<Connection>, server: &ServerDef, name: &str) -> McpTool {
        let name = Name::Recalled { tools: server.tools.clone(), name: name.to_string() };
        McpTool { connection, name }
    }
}

impl Tool for McpTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(async move {
            let Value::Object(mut args) = exact::marked(&args) else {
                let message = "takes a map of arguments";
                return Err(ToolError::new(ToolErrorKind::Arguments, message));
            };
            let (name, reports) = (self.name.clone(), cx.clone());
            let result = self.connection.run(|connection, dropped| async move {
                let own = match name {
                    Name::Own(own) => own,
                    Name::Recalled { tools, name } => {
                        let (own, signature) = find(&connection, &tools, &name).await?;
                        // The signature on record may not tell nil from absent, since older versions did not.
                        let given = signature.leave_out_absent(Value::Object(args));
                        args = given.as_object().cloned().unwrap_or_default();
                        own
                    }
                };
                connection.call(own, args, reports, dropped).await
            });
            let result = result.await;
            for token in self.connection.tokens() {
                cx.conceal(TOKEN, &token);
            }
            outcome::result(result?, || self.connection.secrets(), cx)
        })
    }
}

/// Finds a tool by its name in programs. Returns the server's name and the signature.
async fn find(
    connection: &Connection,
    tools: &Selection,
    name: &str,
) -> Result<(String, Signature), ToolError> {
    let offered = connection.tools().await?;
    let secrets = connection.secrets();
    let found = offered.iter().find(|it| tools.name_in_programs(&secrets.clean(&it.name)) == name);
    let found = found.map(|it| (it.name.to_string(), signature(it, &secrets)));
    found
        .ok_or_else(|| ToolError::new(ToolErrorKind::Missing, "is no longer offered by its server"))
}

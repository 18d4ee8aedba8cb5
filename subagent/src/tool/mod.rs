//! The tools a program may call: async closures, commands, HTTP endpoints and tables of answers. A signature checks
//! each of them.

mod api;
mod command;
mod constant;
mod decode;
mod definition;
mod function;
mod host_context;
mod http;
mod interface;
mod output;
mod part;
mod processes;
mod progress;
mod selection;
mod server;
#[cfg(feature = "schemars")]
mod typed;

pub use ptc_lisp::Effect;

pub use crate::record::{CallProgress, ToolError, ToolErrorKind};
pub use crate::secrets::Secrets;
pub use api::{ApiDef, ApiDocument};
pub use command::{CommandTool, ContextIn};
pub use constant::Constant;
pub(crate) use definition::CalledAgent;
pub use definition::ToolDef;
pub use function::FnTool;
pub use host_context::HostContext;
pub use http::HttpTool;
pub use interface::{CallContext, Tool, ToolNeeds, ToolPlace};
pub(crate) use progress::{Reporter, Reports};
pub(crate) use selection::matches;
pub use selection::{LeftOut, Selection, TakenTools};
pub use server::NoServers;
pub use server::{OAuthClient, ServerDef, ServerLink, ServerProcess, Setting, ToolServers};
#[cfg(feature = "schemars")]
pub use typed::TypedFunction;

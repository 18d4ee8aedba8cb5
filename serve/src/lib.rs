//! A server of agents over HTTP: runs are started, watched, answered, cancelled and replayed, and their waits end by
//! themselves.
//!
//! - `routes.rs` is the table of the routes: the router, and the description of the API.
//! - `server.rs` accepts requests and checks what all of them share.
//! - `queue.rs` has the runs that are not settled, and `drive.rs` drives them.
//! - `api/` has the handlers. Each asks `access/` whether its caller may do what it asks for.
//!
//! The server does nothing with a run that the library would not do for any other host.

mod access;
mod answer;
mod api;
mod body;
mod check;
mod drive;
mod hub;
mod keys;
mod metrics;
mod models;
mod openapi;
mod options;
mod page;
mod problem;
mod queue;
mod request;
mod retention;
mod route;
mod routes;
mod server;
mod shown;
mod state;
mod webhooks;

pub use access::{Level, NewToken, TokenFile, TokenInfo};
pub use options::{Log, Observer, Options, Recall};
pub use server::Server;

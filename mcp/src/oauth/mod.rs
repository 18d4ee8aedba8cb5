//! OAuth for servers at an address: tokens for a client with a secret, and for a person who has logged in.

mod access;
mod login;
mod logins;
mod tokens;

pub(crate) use access::{Access, TOKEN, refusal};
pub use login::{LoginOptions, login, logout};
pub use logins::Logins;

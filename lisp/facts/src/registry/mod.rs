//! The registry of builtins: the facts of every function of the language, by its name and by its id.
//!
//! The layer that defines the functions registers their rows. The layers between read the facts here, and so know
//! no function. Did-you-mean searches it, and the prompt and the documentation are made from it.

pub mod facts;
mod foreign;
mod near;
mod order;
mod table;
mod unsupported;

pub use foreign::{FOREIGN, foreign_name};
pub use near::near;
pub use order::thread_help;
pub use table::{
    Builtin, Entry, Registered, builtins, find, ids, in_a_namespace, named, names, op_of, register,
    rows, short,
};
pub use unsupported::unsupported_name;
pub use unsupported::unsupported_names;

//! Replay of recorded runs: unchanged, with another program in one turn, or resumed where the run broke off.
//!
//! ```
//! use ptc_subagent::provider::Scripted;
//! use ptc_subagent::replay::Replay;
//! use ptc_subagent::store::Store;
//! use ptc_subagent::{Agent, Mission};
//! use serde_json::json;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), ptc_subagent::Error> {
//! let store = Store::in_memory()?;
//! let agent = Agent::new("Double {{n}}.").with_signature("(n :int) -> :int")?.with_max_turns(1);
//! let provider = Scripted::new(["```clojure\n(return (* 3 ctx/n))\n```"]);
//! let report = Mission::new(&agent, json!({"n": 4})).record_in(&store).run(&provider).await?;
//! assert_eq!(report.value, json!(12));
//!
//! // A replay asks no model, and gives the same record.
//! let replay = Replay::of(&store, report.run.as_str())?;
//! assert!(replay.run().await?.differences.is_empty());
//!
//! // A replay with another program shows what it would have returned.
//! let mended = replay.with_program(1, "(return (* 2 ctx/n))")?.run().await?;
//! assert_eq!(mended.record.value, json!(8));
//! # Ok(())
//! # }
//! ```

mod compare;
mod earlier;
mod redact;
mod replay_run;
mod resume;
mod shown;
mod steps;

pub use compare::{Difference, differences};
pub use redact::Redacted;
pub use replay_run::{Replay, Replayed};
pub use resume::Resume;
pub use steps::ProgramOnRecord;

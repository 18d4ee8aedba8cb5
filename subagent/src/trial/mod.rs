//! Trials: missions with known answers, which measure models and prompts.
//!
//! A [`TrialMission`] is a folder with an agent file and `cases.json`: inputs, expected answers, and the calls that are
//! expected to write. [`TrialMission::attempt`] runs one case with a model and judges it. [`TrialMission::add_run`] makes a
//! case of a recorded run, whose tools answer from the record. `ptc try` is built on both.
//!
//! ```
//! use ptc_subagent::RunSettings;
//! use ptc_subagent::provider::Scripted;
//! use ptc_subagent::trial::TrialMission;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! std::fs::write(
//!     folder.join("agent.toml"),
//!     "prompt = \"The sum.\"\nsignature = \"(numbers [:int]) -> :int\"",
//! )?;
//! std::fs::write(
//!     folder.join("cases.json"),
//!     r#"{"cases": [{"input": {"numbers": [1, 2]}, "expected": 3}]}"#,
//! )?;
//! let mission = TrialMission::read(folder)?;
//! let agent = mission.agent()?;
//! // A model would answer like this.
//! let provider = Scripted::new(["```clojure\n(return (reduce + ctx/numbers))\n```"]);
//! let settings = RunSettings::new();
//! let attempt = mission.attempt(&agent, &mission.cases[0], &settings, &provider, None).await?;
//! assert!(attempt.is_right);
//! assert_eq!(attempt.report.turns, 1);
//! # Ok(())
//! # }
//! ```

mod add_run;
mod attempt;
mod compare;
mod mission;
mod recorded;
pub mod statistics;

pub use attempt::{Attempt, Writes};
pub use mission::{CASES_FILE, Case, Comparison, ToolUse, TrialMission};

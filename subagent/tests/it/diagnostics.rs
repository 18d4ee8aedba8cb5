//! Diagnostics of programs as errors of runs.

use ptc_subagent::provider::Scripted;
use ptc_subagent::store::Store;
use ptc_subagent::{Agent, Mission, RunError};
use serde_json::json;

use crate::support::program;

/// An error gives back the diagnostic that it came from, with its place in the program of any turn and its trace. A record
/// has all of it but the program, which is that of the turn.
#[tokio::test]
async fn an_error_gives_back_its_diagnostic() {
    let check = async |programs: &[&str], expected: [&str; 2]| {
        let store = Store::in_memory().unwrap();
        let agent = Agent::new("Halve.").with_max_turns(programs.len() as u32);
        let provider = Scripted::new(programs.iter().copied().map(program));
        let mission = Mission::new(&agent, json!({})).record_in(&store);
        let report = mission.run(&provider).await.unwrap();
        let shown = |error: &RunError| {
            let it = error.diagnostic().unwrap();
            let excerpt = it.excerpt().unwrap_or_default();
            format!("{} {:?} {:?} {excerpt}", it.code(), it.line_column(), it.trace())
        };
        let error = report.error.unwrap();
        let record = store.show(report.run.as_str()).unwrap();
        let recorded = record.turn_records.last().unwrap().error.clone().unwrap();
        assert_eq!(recorded, error);
        assert_eq!([shown(&error), shown(&recorded)], expected);
        let place = |it: &RunError| (it.line, it.column, it.span, it.is_earlier);
        assert_eq!(place(&recorded), place(&error));
        assert_eq!(error.is_earlier, programs.len() > 1);
    };
    check(
        &["(defn half [n]\n  (/ n 0))\n(defn twice [n] (half n))\n(return (twice 1))"],
        [
            "divide-by-zero Some((2, 3)) [\"half\", \"twice\"] 2 |   (/ n 0))\n  |   ^^^^^^^",
            "divide-by-zero None [\"half\", \"twice\"] ",
        ],
    )
    .await;
    check(
        &["(defn half [n]\n  (/ n 0))", "(return (half 1))"],
        [
            "divide-by-zero Some((2, 3)) [\"half\"] 2 |   (/ n 0))\n  |   ^^^^^^^",
            "divide-by-zero None [\"half\"] ",
        ],
    )
    .await;
}

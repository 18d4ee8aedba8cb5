//! Replays as JSON, as `ptc replay --json` prints them.

use serde_json::json;

use super::compare::Difference;
use super::replay_run::Replayed;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::hidden::Hidden;
use crate::record::{RunRecord, TurnRecord};

impl Replayed {
    /// Returns whether the replay equals the record, and all differences.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if a part cannot be written.
    pub fn to_json(&self, hidden: &Hidden) -> Result<Data, Error> {
        let shown = |all: &[Difference]| {
            let all: Vec<Difference> = all.iter().map(|it| hidden.difference(it)).collect();
            Data::written(&all)
        };
        let json = json!({
            "run": self.record.summary.run,
            "same": self.differences.is_empty(),
            "differences": null,
            "drift": null,
            "missing": self.missing.as_deref().map(|it| hidden.text(it)),
        });
        let json = Data::from(json).with("differences", shown(&self.differences)?);
        Ok(json.with("drift", shown(&self.drift)?))
    }

    /// Returns the outcome of a turn whose program was replaced, beside the recorded one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Replay`] if one of the records has no such turn; [`ErrorKind::Input`] if a part cannot be written.
    pub fn turn_to_json(
        &self,
        recorded: &RunRecord,
        turn: u32,
        hidden: &Hidden,
    ) -> Result<Data, Error> {
        let (old, new) =
            (shown_turn(recorded, turn, hidden)?, shown_turn(&self.record, turn, hidden)?);
        let side = |it: &TurnRecord| {
            json!({
                "outcome": it.outcome, "value": it.value, "error": it.error, "rejection": it.rejection,
                "prints": it.prints, "fuel": it.fuel,
            })
        };
        let json = json!({
            "run": recorded.summary.run,
            "turn": turn,
            "was": side(&old),
            "is": side(&new),
            "calls": null,
        });
        let report = self.report.as_ref().map(|it| hidden.data(&it.to_json()));
        let calls: Vec<Data> = new
            .calls
            .iter()
            .map(|it| {
                let call = json!({"tool": it.tool, "args": null, "result": null,
                                  "error": it.error, "on_record": it.ended.is_some()});
                let result = it.result.clone().unwrap_or_default();
                Data::from(call).with("args", it.args.clone()).with("result", result)
            })
            .collect();
        let json = Data::from(json).with("calls", Data::written(&calls)?);
        Ok(json.with("report", report.unwrap_or_default()))
    }
}

/// Returns a turn of a record without hidden values.
fn shown_turn(record: &RunRecord, turn: u32, hidden: &Hidden) -> Result<TurnRecord, Error> {
    let found = hidden.cover(record).turn_records.into_iter().find(|it| it.turn == turn);
    found.ok_or_else(|| Error::new(ErrorKind::Replay, format!("the record has no turn {turn}")))
}

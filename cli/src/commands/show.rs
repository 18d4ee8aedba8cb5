//! `ptc show`: one run as text.

use ptc_subagent::Blob;
use ptc_subagent::store::{RunRecord, TurnRecord};

use crate::args::ShowArgs;
use crate::exported;
use crate::figures::plural;
use crate::hidden;
use crate::report::{self, Fault, Result};
use crate::run_text::{page_of, page_of_turn, start_of};

/// Runs `ptc show`.
pub(crate) fn command(args: &ShowArgs) -> Result<u8> {
    let (store, run) = exported::find(args.run.name(), &args.store)?;
    let (family, record) = store
        .read(move |snapshot| Ok::<_, Fault>((snapshot.family(&run)?, snapshot.show(&run)?)))?;
    let hidden = hidden::of(&family, &args.hidden)?;
    let record = hidden.cover(&record);
    if let Some(hash) = &args.blob {
        report::print_bytes(&bytes(&record, hash)?)?;
        return Ok(report::DONE);
    }
    let turn = args.turn.map(|turn| find(&record, turn)).transpose()?;
    let text = if args.json {
        let text = match turn {
            Some(turn) => serde_json::to_string(turn),
            None => serde_json::to_string(&record),
        };
        let wrong = |error| Fault::new("output", format!("cannot write the run: {error}"));
        text.map_err(wrong)? + "\n"
    } else {
        turn.map_or_else(
            || page_of(&record, args.sent),
            |turn| page_of_turn(&record, turn, args.sent),
        )
    };
    report::print(&text)?;
    Ok(report::DONE)
}

/// Returns the binary content whose hash starts like this.
fn bytes(record: &RunRecord, hash: &str) -> Result<Vec<u8>> {
    let calls = record.turn_records.iter().flat_map(|turn| &turn.calls);
    let blobs: Vec<&Blob> = calls.flat_map(|call| &call.blobs).collect();
    let found = blobs.iter().find(|it| !hash.is_empty() && it.hash.starts_with(hash));
    let bytes = found.and_then(|it| it.bytes());
    bytes.ok_or_else(|| {
        let run = &record.summary.run;
        let fault = Fault::new("unknown-blob", format!("run {run} has no content `{hash}`"));
        let mut all: Vec<&str> = blobs.iter().map(|it| start_of(&it.hash)).collect();
        all.dedup();
        if all.is_empty() { fault } else { fault.with_help(format!("it has {}", all.join(", "))) }
    })
}

fn find(record: &RunRecord, turn: u32) -> Result<&TurnRecord> {
    record.turn_records.iter().find(|it| it.turn == turn).ok_or_else(|| {
        let turns = plural(record.turn_records.len() as u64, "turn");
        let message = format!("run {} has no turn {turn}", record.summary.run);
        Fault::new("unknown-turn", message).with_help(format!("it has {turns}"))
    })
}

//! The runs of a Restate server, for the commands that read and decide them.

use ptc_restate::{Client, Decide};
use ptc_subagent::RunId;
use ptc_subagent::host::Decisions;
use ptc_subagent::store::Store;

use crate::args::RecordArgs;
use crate::process::runtime;
use crate::records::named_or_newest;
use crate::report::{self, Result};

/// Returns the client of the server that the command line names; `None` if it names none.
pub(crate) fn client(args: &RecordArgs) -> Result<Option<Client>> {
    let server = &args.restate;
    let Some(ingress) = &server.ingress else { return Ok(None) };
    Ok(Some(Client::new(ingress, server.admin.as_deref())?))
}

/// Reads the runs whose ids begin with a text, with those below them, into a store in memory.
pub(crate) fn read(client: &Client, prefix: &str) -> Result<Store> {
    Ok(runtime()?.block_on(client.read(prefix))?)
}

/// Has a run that waits go on with decisions.
pub(crate) fn decide(client: &Client, run: Option<&str>, decisions: Decisions) -> Result<u8> {
    let store = read(client, run.unwrap_or_default())?;
    let run = store.show(&named_or_newest(&store, run)?)?.summary.run;
    let decide = Decide::from(decisions);
    runtime()?.block_on(client.decide(run.as_str(), &decide))?;
    report::say(&format!("run {run} goes on\n"));
    Ok(report::DONE)
}

/// Cancels a run.
pub(crate) fn cancel(client: &Client, run: &RunId) -> Result<u8> {
    runtime()?.block_on(client.cancel(run.as_str()))?;
    report::say(&format!("run {run} is cancelled\n"));
    Ok(report::DONE)
}

//! `ptc restate`: a worker of a Restate server.

use std::sync::Arc;

use ptc_restate::{Agents, Worker};

use crate::agents;
use crate::args::RestateCommand;
use crate::process::runtime;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;

/// Runs `ptc restate`.
pub(crate) fn command(command: &RestateCommand) -> Result<u8> {
    let RestateCommand::Serve(args) = command;
    let left_out = |why: &str| report::say(&report::clean(&format!("warning: left out: {why}\n")));
    let mut served = Agents::new(agents::read_all(&args.agents, &left_out)?)?;
    served.model = args.model.model.as_deref().map(str::parse).transpose()?;
    served.base_url.clone_from(&args.model.base_url);
    served.recall = Some(Arc::new(agents::recall()));
    let worker = Worker::new(served, &args.identity_keys)?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let failed = |error: std::io::Error| {
            let message = format!("cannot listen at {}: {error}", args.listen);
            Fault::new("unusable-server", message)
        };
        let listener = Worker::listen(args.listen).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        report::say(&format!("listening at http://{address}\n"));
        worker.serve(listener, interrupted()).await;
        Ok::<_, Fault>(())
    })?;
    runtime.shutdown_background();
    Ok(report::DONE)
}

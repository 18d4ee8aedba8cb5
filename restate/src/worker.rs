//! A worker: the process that a Restate server calls.

use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::SEMANTICS;
use restate_sdk::prelude::*;
use tokio::net::TcpListener;

use crate::agents::Agents;
use crate::record::Record;
use crate::runs::{Run, Runs};

/// The time that a step may take. A call has limits of its own, and a step that the server ends leaves a call in doubt.
const STEP: Duration = Duration::from_secs(24 * 3600);

/// The time for which the server has the workflow of a run that has ended. Its record stays.
const RETENTION: Duration = Duration::from_secs(7 * 24 * 3600);

/// A process that lets runs go on. It needs a runtime with several threads.
pub struct Worker {
    endpoint: Endpoint,
}

impl Worker {
    /// Creates a worker that serves agents.
    pub fn new(agents: Agents) -> Worker {
        let agents = Arc::new(agents);
        let options = || ServiceOptions::new().metadata("semantics", SEMANTICS.to_string());
        let go = HandlerOptions::new().inactivity_timeout(STEP).abort_timeout(STEP);
        let run = HandlerOptions::new().workflow_retention(RETENTION);
        let endpoint = Endpoint::builder()
            .bind(Runs { agents: Arc::clone(&agents) }.into_service_definition().options(options()))
            .bind(Run.into_service_definition().options(options().handler("run", run)))
            .bind(Record { agents }.into_service_definition().options(options().handler("go", go)))
            .build();
        Worker { endpoint }
    }

    /// Serves requests of the server until `stop` is ready.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        HttpServer::new(self.endpoint).serve_with_cancel(listener, stop).await;
    }
}

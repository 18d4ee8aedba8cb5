//! A worker: the process that a Restate server calls.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ptc_subagent::{Error, ErrorKind, SEMANTICS};
use restate_sdk::prelude::*;
use tokio::net::{TcpListener, TcpSocket};

use crate::agents::Agents;
use crate::identity;
use crate::record::Record;
use crate::runs::{Run, Runs};

/// The time that a step may take. A call has limits of its own, and a step that the server ends leaves a call in doubt.
const STEP: Duration = Duration::from_hours(24);

/// The time for which the server has the workflow of a run that has ended. Its record stays.
const RETENTION: Duration = Duration::from_hours(7 * 24);

/// The number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// A process that lets runs go on. It needs a runtime with several threads.
pub struct Worker {
    endpoint: Endpoint,
}

impl Worker {
    /// Creates a worker that serves agents. With public keys, it refuses requests that none of their servers has signed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Settings`] if a key is not in the form `publickeyv1_…`.
    pub fn new(agents: Agents, keys: &[String]) -> Result<Worker, Error> {
        let agents = Arc::new(agents);
        let options = || ServiceOptions::new().metadata("semantics", SEMANTICS.to_string());
        let long = || HandlerOptions::new().inactivity_timeout(STEP).abort_timeout(STEP);
        let record = options().handler("go", long()).handler("work", long());
        // A log may be larger than the message that begins an invocation.
        let record = record.enable_lazy_state(true);
        let run = HandlerOptions::new().workflow_retention(RETENTION);
        let mut endpoint = Endpoint::builder()
            .bind(Runs { agents: Arc::clone(&agents) }.into_service_definition().options(options()))
            .bind(Run.into_service_definition().options(options().handler("run", run)))
            .bind(Record { agents }.into_service_definition().options(record));
        identity::install();
        for key in keys {
            let wrong = |error| {
                Error::new(ErrorKind::Settings, format!("`{key}` is not an identity key: {error}"))
            };
            endpoint = endpoint.identity_key(key).map_err(wrong)?;
        }
        Ok(Worker { endpoint: endpoint.build() })
    }

    /// Listens at an address.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        socket.set_reuseaddr(true)?;
        // Connections take it over. Without it each step waits 40 ms for an acknowledgement.
        socket.set_nodelay(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    }

    /// Serves requests of the server until `stop` is ready.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        HttpServer::new(self.endpoint).serve_with_cancel(listener, stop).await;
    }
}

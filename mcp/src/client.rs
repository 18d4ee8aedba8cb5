//! The client that a server speaks to: it passes progress of calls on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ptc_subagent::tool::CallContext;
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
    ProtocolVersion,
};
use rmcp::service::{NotificationContext, RoleClient};

/// The client of one server. Clones share their calls.
#[derive(Clone, Default)]
pub(crate) struct Client(Arc<Mutex<HashMap<ProgressToken, Call>>>);

/// A call in flight.
struct Call {
    cx: CallContext,
    /// The last progress.
    done: f64,
}

impl Client {
    /// Passes the progress of a call to its context, until the result is dropped.
    pub(crate) fn listen(&self, token: ProgressToken, cx: CallContext) -> Listening {
        self.calls().insert(token.clone(), Call { cx, done: f64::NEG_INFINITY });
        Listening { client: self.clone(), token }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<ProgressToken, Call>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call whose progress is passed on.
pub(crate) struct Listening {
    client: Client,
    token: ProgressToken,
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.client.calls().remove(&self.token);
    }
}

impl ClientHandler for Client {
    /// Passes progress on. Each notification comes in a task of its own, so one may overtake another: progress that does
    /// not grow is left out.
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let mut calls = self.calls();
        let Some(call) = calls.get_mut(&progress.progress_token) else { return };
        if progress.progress > call.done {
            call.done = progress.progress;
            call.cx.report(progress.progress, progress.total, progress.message.as_deref());
        }
    }

    /// Returns the client's name and the version of the older handshake. The newer lifecycle names its own.
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("ptc", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
    }
}

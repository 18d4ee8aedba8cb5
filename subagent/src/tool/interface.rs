//! The interface of tools: what a tool implements, and what a call gives it.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use ptc_lisp::Effect;
use serde_json::Value;

use super::host_context::HostContext;
use super::progress::Reporter;
use crate::blob::{Blob, Contents};
use crate::data::Data;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::Secrets;

/// The default maximum size of a result as JSON, in bytes.
pub(super) const MAX_OUTPUT: usize = 1 << 20;

/// A tool that programs may call.
///
/// Dropping the future must stop the work, because a call is cancelled in this way.
pub trait Tool: Send + Sync {
    /// Makes one call. The arguments match the signature, as far as its mode requires it.
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>>;

    /// Returns the place where the tool works, if it can be checked without a call.
    fn place(&self) -> Option<ToolPlace<'_>> {
        None
    }

    /// Returns the needs of a call, other than the place.
    fn needs(&self) -> ToolNeeds {
        ToolNeeds::default()
    }

    /// Returns the effect of a call if the tool itself determines it, as a GET request does. With `None` the author of
    /// the [`ToolDef`](super::ToolDef) states the effect.
    fn effect(&self) -> Option<Effect> {
        None
    }

    /// Returns whether calls read [binary content](CallContext::content) of earlier results. A run keeps it for such
    /// tools.
    fn takes_content(&self) -> bool {
        false
    }
}

/// The needs of a tool, which can be checked without a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolNeeds {
    /// The arguments that every call must have, because the URL contains them.
    pub arguments: Vec<String>,
    /// The environment variables that headers need. A call fails if one of them is not set.
    pub header_variables: Vec<String>,
    /// The environment variables that a program receives. If one is not set, the program starts without it.
    pub passed_variables: Vec<String>,
}

/// The place where a tool works.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolPlace<'a> {
    /// A separate program.
    Command {
        /// The program and its arguments.
        command: &'a [String],
        /// The folder in which it starts.
        folder: &'a Path,
    },
    /// A server.
    Server {
        /// Its name or address.
        host: String,
        /// The port on which it listens.
        port: u16,
    },
}

/// The context of a call: the data that a tool gets besides the arguments.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CallContext {
    /// The key of the call. It is the same whenever the same call of the same run is made again.
    pub idempotency_key: String,
    /// The maximum size of the result as JSON, in bytes. A tool that reads its result from outside stops reading at
    /// this size. The limit is enforced on the result of every tool.
    pub max_output: usize,
    kept: Arc<Mutex<Kept>>,
    /// Receives reports of progress; `None` if nothing listens.
    pub(crate) reporter: Option<Reporter>,
    /// The binary content of earlier results.
    pub(crate) contents: Contents,
    /// The host context of the run.
    pub(crate) host: Option<HostContext>,
}

/// The parts of a call that its tool leaves in the context, besides the result.
#[derive(Default)]
struct Kept {
    /// The binary content of the result.
    blobs: Vec<Blob>,
    /// The secrets that the result must not show.
    secrets: Secrets,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("blobs", &self.blobs.len()).finish_non_exhaustive()
    }
}

impl CallContext {
    /// Creates a context with a key of the caller's choice.
    pub fn new(idempotency_key: impl Into<String>) -> CallContext {
        CallContext {
            idempotency_key: idempotency_key.into(),
            max_output: MAX_OUTPUT,
            kept: Arc::default(),
            reporter: None,
            contents: Contents::default(),
            host: None,
        }
    }

    /// Sets the host context. A run sets that of its [mission](crate::Mission::with_context).
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Option<HostContext>>) -> CallContext {
        self.host = context.into();
        if let (Some(reporter), Some(host)) = (&mut self.reporter, &self.host) {
            reporter.hide(host.secrets());
        }
        self
    }

    /// Returns the data that the host gave for tools alone: a JSON object, or null without one. No prompt, event or record
    /// has it, unless a tool puts it into a result.
    pub fn context(&self) -> Data {
        self.host.as_ref().map(|it| it.data().clone()).unwrap_or_default()
    }

    /// Reports the progress of the call to the observer of the run ([`Event::CallProgress`](crate::Event::CallProgress)).
    /// It never blocks, and leaves out reports of a tool that reports very often.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        if let Some(reporter) = &self.reporter {
            reporter.report(done, total, message);
        }
    }

    /// Keeps binary content of the result: the record of the call has its bytes. Returns what the program sees of it,
    /// for the result.
    ///
    /// # Errors
    ///
    /// [`ToolErrorKind::TooLarge`] if the content of the call has more than [`CallContext::max_output`] bytes.
    pub fn keep(&self, blob: Blob) -> Result<Value, ToolError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let all = &mut kept.blobs;
        let size: usize = all.iter().chain([&blob]).map(Blob::size).sum();
        if size > self.max_output {
            let message = format!(
                "the binary content of the result is larger than its `max_output` of {} bytes",
                self.max_output
            );
            return Err(ToolError::new(ToolErrorKind::TooLarge, message));
        }
        let value = blob.value();
        if !all.contains(&blob) {
            all.push(blob);
        }
        Ok(value)
    }

    /// Returns binary content of an earlier result of the run by its hash, if the tool [takes](Tool::takes_content) it.
    pub fn content(&self, hash: &str) -> Option<Blob> {
        self.contents.find(hash)
    }

    /// Replaces a secret by `name` in the result and the error of the call, if the tool is one of a server. It is for
    /// secrets that only the call makes known, such as a token of OAuth.
    pub fn conceal(&self, name: &str, secret: &str) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).secrets.add(name, secret);
    }

    /// Takes the secrets to conceal.
    pub(super) fn take_secrets(&self) -> Secrets {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner).secrets)
    }

    /// Takes the binary content that the tool has kept.
    pub(crate) fn take_blobs(&self) -> Vec<Blob> {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner).blobs)
    }
}

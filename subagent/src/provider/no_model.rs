//! Providers without a model: of workflows whose agents bring their own, and of replays.

use super::{BoxFuture, Provider, ProviderError, ProviderErrorKind, Reply, Request};

/// A provider without a model. A workflow can run with it, as long as each of its sub-agents has a model of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModel;

impl Provider for NoModel {
    fn complete<'a>(
        &'a self,
        _request: &'a Request,
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let error = ProviderError::new(ProviderErrorKind::Rejected, "no model was given");
        Box::pin(std::future::ready(Err(error)))
    }

    fn name(&self) -> String {
        "none".to_string()
    }
}

/// The provider of a replay, which answers every request with an error.
pub(crate) struct NoProvider;

impl Provider for NoProvider {
    fn complete<'a>(
        &'a self,
        _request: &'a Request,
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let error = ProviderError::new(ProviderErrorKind::Recording, "a replay asks no model");
        Box::pin(std::future::ready(Err(error)))
    }

    fn name(&self) -> String {
        "nobody".to_string()
    }
}

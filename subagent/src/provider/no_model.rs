//! The provider of a workflow whose agents bring their own models.

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

//! The interface of providers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::error::ProviderError;
use super::reply::Reply;
use super::request::{Partial, Request};
use super::usage::{Cost, Usage};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Completes a conversation with one reply.
pub trait Provider: Send + Sync {
    /// Asks for the next reply. The provider itself decides which errors to retry.
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>>;

    /// Asks for the next reply, and calls `on` with its progress.
    ///
    /// The reported parts of text are the start of the reply, or of an attempt that failed. Text that the next attempt
    /// repeats is not reported twice. After the first difference between two attempts, no more text is reported. Only
    /// the returned reply counts. By default its whole text is reported at once, when it is complete.
    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        Box::pin(async move {
            let reply = self.complete(request).await?;
            on(Partial::Text(&reply.text));
            Ok(reply)
        })
    }

    /// Returns the cost of these tokens, or `None` if it is unknown.
    fn price_of(&self, _usage: &Usage) -> Option<Cost> {
        None
    }

    /// Returns the name in records, such as `openai:gpt-5` or `recorded:run.jsonl`.
    fn name(&self) -> String;

    /// Returns the names of the models that stand in for it, in their order. [`Request::fallback`] chooses one of them.
    fn fallbacks(&self) -> Vec<String> {
        Vec::new()
    }

    /// Checks that the model can be reached, without cost. By default there is nothing to reach, and the check
    /// succeeds.
    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        let message = "nothing to reach".to_string();
        Box::pin(std::future::ready(Ok(Checked { message, is_certain: true })))
    }
}

/// The finding of a [`Provider::check`] that reached the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The finding, in lower case.
    pub message: String,
    /// Whether the server certainly has the model.
    pub is_certain: bool,
}

/// Implements [`Provider`] for pointers to one.
macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<P: Provider + ?Sized> Provider for $pointer {
            fn complete<'a>(
                &'a self,
                request: &'a Request,
            ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
                (**self).complete(request)
            }

            fn ask<'a>(
                &'a self,
                request: &'a Request,
                on: &'a mut (dyn FnMut(Partial<'_>) + Send),
            ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
                (**self).ask(request, on)
            }

            fn price_of(&self, usage: &Usage) -> Option<Cost> {
                (**self).price_of(usage)
            }

            fn name(&self) -> String {
                (**self).name()
            }

            fn fallbacks(&self) -> Vec<String> {
                (**self).fallbacks()
            }

            fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
                (**self).check()
            }
        }
    )+};
}

pointers!(&P, Box<P>, Arc<P>);

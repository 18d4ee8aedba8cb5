//! Models that stand in for one another.

use super::{
    BoxFuture, Checked, Cost, ModelSpec, Partial, Provider, ProviderError, ProviderOptions, Reply,
    Request, Usage,
};
use crate::error::Error;

/// A model with the options to reach it, and with the models that are asked when it does not reply.
#[derive(Clone, Debug)]
pub struct ChosenModel {
    /// The model.
    pub spec: ModelSpec,
    /// The options of its provider.
    pub options: ProviderOptions,
    /// The models that are asked when it does not reply, in their order.
    pub fallbacks: Vec<ChosenModel>,
}

impl ChosenModel {
    /// Opens the model for a new run, with its fallbacks.
    ///
    /// # Errors
    ///
    /// Those of [`ModelSpec::open`].
    pub fn open(&self) -> Result<Box<dyn Provider>, Error> {
        let first = self.spec.open(&self.options)?;
        self.with_fallbacks(first)
    }

    /// Opens the fallbacks of a model that is open.
    pub(crate) fn with_fallbacks(
        &self,
        first: Box<dyn Provider>,
    ) -> Result<Box<dyn Provider>, Error> {
        if self.fallbacks.is_empty() {
            return Ok(first);
        }
        let open = self.fallbacks.iter().map(|it| Ok((it.spec.open(&it.options)?, 0)));
        let rest = open.collect::<Result<_, Error>>()?;
        Ok(Box::new(Chain { first: (first, 0), rest }))
    }
}

/// Models by the number that a request has: each is a provider with a number of its own.
pub(crate) struct Chain<P> {
    pub(crate) first: (P, usize),
    pub(crate) rest: Vec<(P, usize)>,
}

impl<P: Provider> Chain<P> {
    fn at(&self, number: usize) -> &(P, usize) {
        number.checked_sub(1).and_then(|it| self.rest.get(it)).unwrap_or(&self.first)
    }
}

impl<P: Provider> Provider for Chain<P> {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let (provider, number) = self.at(request.fallback);
        if *number == request.fallback {
            return provider.complete(request);
        }
        let request = Request { fallback: *number, ..request.clone() };
        Box::pin(async move { provider.complete(&request).await })
    }

    fn ask<'a>(
        &'a self,
        request: &'a Request,
        on: &'a mut (dyn FnMut(Partial<'_>) + Send),
    ) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        let (provider, number) = self.at(request.fallback);
        if *number == request.fallback {
            return provider.ask(request, on);
        }
        let request = Request { fallback: *number, ..request.clone() };
        Box::pin(async move { provider.ask(&request, on).await })
    }

    fn price_of(&self, usage: &Usage) -> Option<Cost> {
        self.first.0.price_of(usage)
    }

    fn name(&self) -> String {
        name(&self.first)
    }

    fn fallbacks(&self) -> Vec<String> {
        self.rest.iter().map(name).collect()
    }

    fn check(&self) -> BoxFuture<'_, Result<Checked, ProviderError>> {
        self.first.0.check()
    }
}

fn name<P: Provider>((provider, number): &(P, usize)) -> String {
    let fallback = number.checked_sub(1).and_then(|it| provider.fallbacks().into_iter().nth(it));
    fallback.unwrap_or_else(|| provider.name())
}

//! The sources of a run, loaded before its first prompt.
//!
//! The record has their values: in its input, or in the payload at the start. So a run with a record loads nothing, except
//! what a resumed run needs of the host context.

use std::collections::BTreeMap;

use ptc_lisp::{Map, Value, json};

use super::context::RunContext;
use super::select::select;
use super::turns::Ending;
use crate::agent::Agent;
use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::in_flight::InFlight;
use crate::provider::BoxFuture;
use crate::record::{RunCode, RunError, RunId, SourceInto, SourceRecord, SourceState, Stop};
use crate::secrets::Secrets;
use crate::sources::{
    Kept, OnSourceError, Origin, Read, SourceCache, SourceDef, at_path, filled, has_no_room, merged,
};
use crate::tool::{CallContext, HostContext};

/// The data that a run begins with, after its sources were loaded.
pub(super) struct Loaded {
    /// The input with the values of sources.
    pub(super) input: Data,
    /// The payload at the start; `None` for that of the agent.
    pub(super) payload: Option<Data>,
    /// The host context, if sources changed it.
    pub(super) host: Option<HostContext>,
    pub(super) sources: Vec<SourceRecord>,
    /// Whether the host context lacks values, since the run was cancelled before they were loaded again.
    pub(super) lacks_context: bool,
    /// The end of a run that cannot begin.
    pub(super) stopped: Option<Ending>,
}

/// Loads the sources of a run with an id, or takes what the record has of them. The run stops if it is cancelled meanwhile.
///
/// # Errors
///
/// The input with the values of sources does not match, or a resumed run cannot load its host context again.
pub(super) async fn loaded(
    agent: &Agent,
    input: Data,
    context: &RunContext<'_>,
    run: &RunId,
    cancelled: &mut BoxFuture<'_, ()>,
) -> Result<Loaded, Error> {
    let payload = context.payload.start.clone();
    let mut begun = Begun::new(agent, input, payload, context, run);
    if let Some(record) = context.outside.beginning() {
        if !record.sources.is_empty() {
            begun.input = record.setup.input.value().clone();
            begun.given_payload = record.payload.as_ref().map(|it| it.start.clone());
            if !context.outside.is_closed() {
                tokio::select! {
                    biased;
                    () = &mut *cancelled => {
                        begun.lacks_context = true;
                        // The run ends at its next step, as one does that is cancelled later.
                        *cancelled = Box::pin(std::future::ready(()));
                    }
                    done = begun.load_context_again(&record.sources) => done?,
                }
            }
        }
        begun.records.clone_from(&record.sources);
        let stopping = record.sources.iter().find(|it| it.stops);
        let stopped = stopping.map(|it| ending(it, record.summary.stop));
        return Ok(begun.loaded(stopped));
    }
    if agent.sources.is_empty() {
        return Ok(begun.loaded(None));
    }
    let is_cancelled = tokio::select! {
        biased;
        () = cancelled => true,
        () = begun.load() => false,
    };
    if is_cancelled {
        begun.stop_at_next("the run was cancelled");
    } else {
        begun.stop_without_inputs()?;
    }
    let stopping = begun.records.iter().find(|it| it.stops);
    let stop = if is_cancelled { Stop::Cancelled } else { Stop::SourceFailed };
    let stopped = stopping.map(|it| ending(it, Some(stop)));
    Ok(begun.loaded(stopped))
}

/// Returns warnings about the sources that failed.
pub(super) fn warnings_about(sources: &[SourceRecord]) -> Vec<RunError> {
    let failed = sources.iter().filter(|it| it.state == SourceState::Failed && !it.stops);
    failed.map(|it| RunError::new(RunCode::SourceFailed, message(it))).collect()
}

fn message(source: &SourceRecord) -> String {
    let why = source.error.as_deref().unwrap_or_default();
    format!("the source `{}` was not loaded: {why}", source.name)
}

fn ending(source: &SourceRecord, stop: Option<Stop>) -> Ending {
    let stop = stop.unwrap_or(Stop::SourceFailed);
    let is_cancelled = stop == Stop::Cancelled;
    let code = if is_cancelled { RunCode::Cancelled } else { RunCode::SourceFailed };
    Ending::Stopped { stop, error: RunError::new(code, message(source)) }
}

/// A run whose sources are being loaded.
struct Begun<'r> {
    agent: &'r Agent,
    context: &'r RunContext<'r>,
    run: &'r RunId,
    input: Value,
    given_payload: Option<Data>,
    /// The values for the payload.
    payload: Value,
    host: Option<HostContext>,
    has_new_host: bool,
    lacks_context: bool,
    records: Vec<SourceRecord>,
}

impl<'r> Begun<'r> {
    fn new(
        agent: &'r Agent,
        input: Data,
        given_payload: Option<Data>,
        context: &'r RunContext<'r>,
        run: &'r RunId,
    ) -> Begun<'r> {
        Begun {
            agent,
            context,
            run,
            input: input.into_value(),
            given_payload,
            payload: Value::Nil,
            host: context.host.clone(),
            has_new_host: false,
            lacks_context: false,
            records: Vec::new(),
        }
    }

    fn loaded(self, stopped: Option<Ending>) -> Loaded {
        let payload = match (self.given_payload, &self.payload) {
            (given, Value::Nil) => given,
            // The caller wins over sources, and sources win over the file.
            (Some(given), own) => Some(Data::made(merged(given.value(), own))),
            (None, own) => {
                self.agent.payload.as_ref().map(|def| Data::made(merged(own, def.start().value())))
            }
        };
        Loaded {
            input: Data::made(self.input),
            payload,
            host: self.host.filter(|_| self.has_new_host),
            sources: self.records,
            lacks_context: self.lacks_context,
            stopped,
        }
    }

    /// Loads all sources in their order, up to one that stops the run.
    async fn load(&mut self) {
        let agent = self.agent;
        let mut sources: Vec<&SourceDef> = agent.sources.iter().collect();
        sources.sort_by(|one, other| (one.order, &one.name).cmp(&(other.order, &other.name)));
        for source in sources {
            let record = self.load_one(source).await;
            let stops = record.stops;
            self.records.push(record);
            if stops {
                return;
            }
        }
    }

    async fn load_one(&mut self, source: &SourceDef) -> SourceRecord {
        let made = |state| SourceRecord::new(&source.name, (source.into, source.path()), state);
        if !source.enabled {
            return made(SourceState::Off);
        }
        if self.is_given(source) {
            return made(SourceState::Given);
        }
        match self.value_of(source).await {
            Ok((value, read, cached)) => {
                let rows = match &value {
                    Value::Vector(items) => Some(items.len() as u64),
                    _ => None,
                };
                self.place(source, value);
                SourceRecord { rows, bytes: Some(read), cached, ..made(SourceState::Loaded) }
            }
            Err(why) => {
                let stops = source.on_error == OnSourceError::Stop;
                SourceRecord { error: Some(why), stops, ..made(SourceState::Failed) }
            }
        }
    }

    /// Returns whether the caller gave a value that leaves no room for that of the source.
    fn is_given(&self, source: &SourceDef) -> bool {
        let path = source.path();
        match source.into {
            SourceInto::Payload => {
                self.given_payload.as_ref().is_some_and(|it| has_no_room(it.value(), path))
            }
            SourceInto::Context => {
                self.host.as_ref().is_some_and(|it| has_no_room(it.data().value(), path))
            }
            _ => has_no_room(&self.input, path),
        }
    }

    /// Puts a value at its destination, where the caller and the sources before it win key by key.
    fn place(&mut self, source: &SourceDef, value: Value) {
        let value = at_path(source.path(), value);
        match source.into {
            SourceInto::Payload if self.payload.is_nil() => self.payload = value,
            SourceInto::Payload => self.payload = merged(&self.payload, &value),
            SourceInto::Context => {
                let empty = Value::map([]);
                let before = self.host.as_ref().map_or(&empty, |it| it.data().value());
                self.host = Some(HostContext::of(Data::made(merged(before, &value))));
                self.has_new_host = true;
            }
            _ => self.input = merged(&self.input, &value),
        }
    }

    /// Returns the value of a source, the bytes that were read, and whether they come from a cache. Errors show nothing of
    /// the host context.
    async fn value_of(&self, source: &SourceDef) -> Result<(Value, u64, bool), String> {
        let hidden = self.host.as_ref().map(|it| all_texts(it.data())).unwrap_or_default();
        let shown = |why: String| hidden.cut(&why, MAX_ERROR);
        let (Read { value, bytes }, cached) = self.read(source).await.map_err(shown)?;
        let Some(program) = &source.select else { return Ok((value.into_value(), bytes, cached)) };
        let context =
            self.host.as_ref().map_or_else(|| Value::map([]), |it| it.data().value().clone());
        let (loaded, limits) = (value.into_value(), &self.agent.limits);
        // A message may have a part of any data that the program reads.
        let is_shown = self.host.is_none() && source.into != SourceInto::Context;
        let value = select(program, loaded, &self.input, context, limits, is_shown).await?;
        Ok((value, bytes, cached))
    }

    /// Reads a source, or takes what a cache has for the same arguments.
    async fn read(&self, source: &SourceDef) -> Result<(Read, bool), String> {
        let given = self.given(source)?;
        let key = || {
            // A tool reads the host context too, so callers with different contexts share nothing.
            let is_tool = matches!(source.origin, Origin::Tool { .. });
            let host = self.host.as_ref().filter(|_| is_tool).map(|it| it.data().to_string());
            let text = format!("{}\n{}", Data::made(given.clone()), host.unwrap_or_default());
            // The key has nothing to read, wherever it is shown.
            format!("{} {}", source.kept.id(), blake3::hash(text.as_bytes()).to_hex())
        };
        let (kept, lasts): (&Kept, _) = match source.cache {
            SourceCache::None => return Ok((self.read_now(source, given).await?, false)),
            SourceCache::Run => (&self.context.read, None),
            SourceCache::Agent(lasts) => (&source.kept, Some(lasts)),
        };
        kept.get_or_read(key(), lasts, self.read_now(source, given.clone())).await
    }

    /// Returns the parameters or the arguments of a source, with their templates filled.
    fn given(&self, source: &SourceDef) -> Result<Value, String> {
        let find = |root: &str, path: &str| match root {
            "context" => self.host.as_ref()?.at(path),
            _ => path.split('.').try_fold(&self.input, |value, key| value.get(key)),
        };
        match &source.origin {
            Origin::Sqlite { params, .. } => {
                let rows =
                    params.iter().map(|(name, it)| Ok((Value::str(name), filled(it, &find)?)));
                Ok(Value::map(rows.collect::<Result<Vec<_>, String>>()?))
            }
            Origin::Tool { args, .. } => filled(args, &find),
            Origin::File(..) | Origin::Record(_) => Ok(Value::map([])),
        }
    }

    async fn read_now(&self, source: &SourceDef, given: Value) -> Result<Read, String> {
        let Origin::Tool { tool, .. } = &source.origin else {
            let rows = given.as_map().into_iter().flat_map(Map::iter);
            let params: BTreeMap<String, Value> = rows
                .map(|(key, value)| (key.name().unwrap_or_default().to_string(), value.clone()))
                .collect();
            return source.read(params).await;
        };
        let read = self.call(source, tool, given);
        let read = tokio::time::timeout(source.timeout, read).await;
        let value = read.map_err(|_| format!("it took longer than {:?}", source.timeout))??;
        let bytes = value.to_string().len() as u64;
        if bytes > source.max_bytes {
            return Err(format!("the result has more than {} bytes", source.max_bytes));
        }
        if value.items().is_some_and(|items| items.count() as u64 > source.max_rows) {
            return Err(format!("it has more than {} rows", source.max_rows));
        }
        Ok(Read { value, bytes })
    }

    /// Calls the tool of a source.
    async fn call(&self, source: &SourceDef, name: &str, args: Value) -> Result<Data, String> {
        let tool = self.agent.tools.iter().find(|it| it.name == name);
        let tool = tool.ok_or_else(|| format!("the run has no tool `{name}`"))?.of(self.agent);
        let key = format!("{}/source/{}", self.run, source.name);
        let cx = CallContext::new(key).with_context(self.host.clone());
        let call = async { tool.call_with_warnings(Data::made(args), &cx).await.0 };
        // A tool that panics fails.
        let mut calls = InFlight::default();
        calls.push((), Box::pin(call));
        match calls.next().await.1 {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(error)) => Err(format!("tool `{name}`: {error}")),
            Err(_) => Err(format!("tool `{name}`: broke down")),
        }
    }

    /// Loads the host context of a resumed run again, from the sources that were loaded before.
    async fn load_context_again(&mut self, records: &[SourceRecord]) -> Result<(), Error> {
        let was_loaded =
            |it: &&SourceRecord| it.into == SourceInto::Context && it.state == SourceState::Loaded;
        for record in records.iter().filter(was_loaded) {
            let source = self.agent.sources.iter().find(|it| it.name == record.name);
            let Some(source) = source else { continue };
            let value = self.value_of(source).await.map_err(|why| {
                let name = &record.name;
                let message = format!("the source `{name}` cannot be loaded again: {why}");
                Error::new(ErrorKind::Input, message)
                    .with_help("the record has no host context, so a resumed run loads it again")
            })?;
            self.place(source, value.0);
        }
        Ok(())
    }

    /// Marks the next source that was not loaded as the one that stops the run.
    fn stop_at_next(&mut self, why: &str) {
        let is_new = |it: &&SourceDef| !self.records.iter().any(|record| record.name == it.name);
        let mut rest: Vec<&SourceDef> = self.agent.sources.iter().filter(is_new).collect();
        rest.sort_by(|one, other| (one.order, &one.name).cmp(&(other.order, &other.name)));
        if let Some(source) = rest.first() {
            let (place, state) = ((source.into, source.path()), SourceState::Failed);
            let record = SourceRecord::new(&source.name, place, state);
            self.records.push(SourceRecord { error: Some(why.to_string()), stops: true, ..record });
        }
    }

    /// Checks the input with the values of sources. A failed source stops the run if the input lacks its value.
    fn stop_without_inputs(&mut self) -> Result<(), Error> {
        let Some(signature) = &self.agent.signature else { return Ok(()) };
        let mismatches =
            signature.enforce_input(self.input.clone(), self.agent.signature_mode).mismatches;
        if mismatches.is_empty() {
            return Ok(());
        }
        let is_lost = |it: &&mut SourceRecord| {
            it.into == SourceInto::Ctx && matches!(it.state, SourceState::Failed)
        };
        if let Some(failed) = self.records.iter_mut().find(is_lost) {
            failed.stops = true;
            return Ok(());
        }
        let message = format!("the input does not match: {}", crate::record::list(&mismatches));
        Err(Error::new(ErrorKind::Input, message)
            .with_help(format!("the signature is {signature}")))
    }
}

/// The longest error of a source on record, in characters.
const MAX_ERROR: usize = 400;

/// Returns all texts and numbers of the host context, as secrets that no error shows.
fn all_texts(data: &Data) -> Secrets {
    let mut secrets = Secrets::default();
    let mut rest = vec![("context".to_string(), data.value())];
    while let Some((path, value)) = rest.pop() {
        match value {
            Value::Map(map) => rest.extend(
                Map::iter(map)
                    .map(|(key, it)| (format!("{path}.{}", key.name().unwrap_or_default()), it)),
            ),
            Value::Vector(items) => rest.extend(items.iter().map(|it| (path.clone(), it))),
            Value::Str(text) => secrets.add_short(&path, text),
            Value::Nil | Value::Bool(_) => {}
            number => secrets.add_short(&path, &json::write(number).unwrap_or_default()),
        }
    }
    secrets
}

//! The state that a run keeps between its programs.

pub(crate) mod snapshot;

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_signatures::{Field, SignatureMode, Type};

use crate::library;
use ptc_builtins::artifact::PREFIX as ARTIFACT;
use ptc_checker::check::check;
use ptc_checker::flows::flows;
use ptc_checker::prepare::Checked;
use ptc_checker::scope::{Environment, FormCheck, Scope};
use ptc_facts::flows::{Flow, Flows, Kept, Label, Labels, Reading, Sources};
use ptc_facts::payload::Payload;
use ptc_facts::report::Report;
use ptc_facts::seen::SeenFields;
use ptc_facts::tool::ToolDecl;
use ptc_machine::{Ended, Machine, NOTHING, Outcome, Start, StepChoice, World};
use ptc_values::code::Code;
use ptc_values::limits::Limits;
use ptc_values::random::Random;
use ptc_values::{Diagnostic, HiddenTexts, Map, Program, Value, json};

/// The language side of a run: the mission's data, kept state and tools.
///
/// A turn is a transaction. [`Session::commit`] keeps everything from a program that ended with a value or `return`,
/// and nothing from any other.
#[derive(Debug)]
pub struct Session {
    /// The state that programs share.
    world: World,
    /// The keys of `ctx` that the host set or removed since the session began.
    changed_ctx: Vec<String>,
    limits: Limits,
    /// Whether the values of `ctx` are unknown.
    assumes_input: bool,
    tolerates_fields: bool,
    /// The undeclared fields that results of tools had.
    seen: SeenFields,
    /// The expected type of the mission's result.
    output: Option<(Type, SignatureMode)>,
    /// The check of the argument of `ask`.
    form_check: Option<FormCheck>,
    /// The labels of what programs read, if the host uses any.
    sources: Option<Arc<Sources>>,
    /// The labels of what the author of programs has read.
    reading: Reading,
    /// Whether programs keep the names of their sources.
    names: bool,
    seed: u64,
    /// The number of programs that have ended.
    ended: u64,
}

/// A program that passed admission.
#[derive(Clone)]
pub struct Admitted(Checked, Option<Arc<Flows>>);

impl Admitted {
    #[doc(hidden)]
    pub fn program(&self) -> &Arc<Program> {
        &self.0.program
    }

    /// Returns the report of everything the program can touch.
    pub fn report(&self) -> &Report {
        &self.0.report
    }

    /// Returns the warnings about fields that are nowhere in the data, whose nil the program handles.
    pub fn unseen_fields(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.warnings.iter().filter(|it| it.code_value() == Code::UnknownField)
    }

    /// Returns where the values that it gives away may come from. `None` if the session has no labels.
    pub fn flows(&self) -> Option<&Arc<Flows>> {
        self.1.as_ref()
    }

    /// Lists the functions and nodes of the checked program, one a line. For tests of the checker; the format may
    /// change with every version.
    pub fn listing(&self) -> String {
        crate::listing::of(&self.0.program)
    }

    /// Returns whether the inferred shape of the program's value admits `value`. `false` means a bug in the checker.
    pub fn may_give(&self, value: &Value) -> bool {
        self.0.value.as_ref().is_none_or(|shape| shape.admits(value))
    }

    /// Returns probable problems that are not certain.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }
}

impl std::fmt::Debug for Admitted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admitted").field("report", &self.0.report).finish_non_exhaustive()
    }
}

/// The reason a program was not admitted; no part of it ran.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// The problems, most useful first: one to five.
    pub diagnostics: Vec<Diagnostic>,
}

impl std::fmt::Display for Rejection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.diagnostics.as_slice() {
            [] => f.write_str("the program was refused"),
            [first] => first.fmt(f),
            [first, more @ ..] => write!(f, "{first}, and {} more problems", more.len()),
        }
    }
}

impl std::error::Error for Rejection {}

impl Session {
    /// Creates a session. A `ctx` that is not a map counts as an empty map.
    pub fn new(ctx: Value, tools: Vec<ToolDecl>, limits: Limits) -> Session {
        library::install();
        Session {
            world: World::new(as_map(ctx), tools.into()),
            changed_ctx: Vec::new(),
            limits,
            assumes_input: false,
            tolerates_fields: false,
            seen: SeenFields::new(),
            output: None,
            form_check: None,
            sources: None,
            reading: Reading::default(),
            names: false,
            seed: 0,
            ended: 0,
        }
    }

    /// Creates a session for an expression in the middle of a program, with the names in scope there.
    pub(crate) fn inside(world: World, limits: Limits, locals: Vec<(ArcStr, Value)>) -> Session {
        let mut session = Session { world, ..Session::new(Value::Nil, Vec::new(), limits) };
        // Functions of the program refer to globals by number, so locals come last. A local hides a global of the same
        // name.
        let globals = &mut session.world.globals;
        globals.hide_undefined();
        globals.define(locals.into_iter().map(|(name, value)| (name, Some(value.plain().clone()))));
        session
    }

    /// Makes programs admitted from now on keep the names of their sources for a [`Debugger`](crate::debug::Debugger).
    pub fn remember_names(&mut self) {
        self.names = true;
    }

    /// Sets the seed of `rand` and its kin; the default is 0. Each program draws from a stream derived from the seed
    /// and the program's number in the session. The same seed gives the same numbers on every machine.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.world.random = Random::of_program(seed, self.ended);
    }

    /// Returns the mission's data.
    pub fn ctx(&self) -> Value {
        Value::Map(self.world.ctx.clone())
    }

    /// Sets a key of the mission's data.
    pub fn set_ctx_key(&mut self, key: &str, value: Value) {
        self.changed(key);
        Map::make_mut(&mut self.world.ctx).insert((Value::str(key), value));
    }

    /// Removes a key of the mission's data.
    pub fn remove_ctx_key(&mut self, key: &str) {
        self.changed(key);
        Map::make_mut(&mut self.world.ctx).remove(&Value::str(key));
    }

    fn changed(&mut self, key: &str) {
        if !self.changed_ctx.iter().any(|changed| changed == key) {
            self.changed_ctx.push(key.to_owned());
        }
    }

    /// Returns the values that programs have kept with `memory/put`.
    pub fn memory(&self) -> Value {
        Value::Map(self.world.memory.clone())
    }

    /// Replaces the kept values. Anything but a map counts as an empty map.
    pub fn set_memory(&mut self, memory: Value) {
        self.world.memory = as_map(memory);
    }

    /// Returns the artifacts that programs have kept with `artifact/put`, by name.
    pub fn artifacts(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.world.memory.iter().filter_map(|(key, value)| {
            let name = key.name().and_then(|it| it.strip_prefix(ARTIFACT));
            Some((name?, value))
        })
    }

    /// Sets an artifact, as `artifact/put` does.
    pub fn set_artifact(&mut self, name: &str, value: Value) {
        let key = Value::str(format!("{ARTIFACT}{name}"));
        Map::make_mut(&mut self.world.memory).insert((key, value));
    }

    /// Gives programs a payload. Without one, they may not use the functions of the payload.
    pub fn set_payload(&mut self, payload: Payload) {
        self.world.payload = Some(payload);
    }

    /// Returns the payload, if there is one.
    pub fn payload(&self) -> Option<&Value> {
        self.world.payload.as_ref().map(|payload| &payload.value)
    }

    /// Replaces the value of the payload, which must be plain JSON.
    pub fn set_payload_value(&mut self, value: Value) {
        if let Some(payload) = &mut self.world.payload {
            payload.value = value;
        }
    }

    /// Declares the types of the mission's data, so that a program may read a declared field that is absent. Without a
    /// declaration, the fields are those of the data.
    pub fn declare(&mut self, input: &[Field]) {
        self.world.input = Some(input.into());
    }

    /// Makes admission take the keys of `ctx` as unknown values of their [declared](Session::declare) types, instead of
    /// the values that `ctx` has. A key without a declared type may have any value.
    pub fn assume_input(&mut self) {
        self.assumes_input = true;
    }

    /// Makes admission warn of fields that are nowhere, instead of refusing the program, and watches none while it runs.
    /// A replay of an older record needs this, since that was so when it was made.
    pub fn tolerate_fields(&mut self) {
        self.tolerates_fields = true;
    }

    /// Sets the expected type of the mission's result. Admission then refuses a program whose `return` cannot match it.
    pub fn expect(&mut self, output: Type, mode: SignatureMode) {
        self.output = mode.refuses().then_some((output, mode));
    }

    /// Sets the labels of what programs read. Admission then tells where the values that a program gives away may come
    /// from: see [`Admitted::flows`].
    pub fn set_labels(&mut self, sources: Sources) {
        self.sources = (!sources.is_empty()).then(|| sources.into());
    }

    /// Returns what the author of programs has read, for the host to change. Snapshots keep it.
    pub fn reading_mut(&mut self) -> &mut Reading {
        &mut self.reading
    }

    /// Returns what the author of programs has read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Sets a key of the mission's data to the value of the last program, with its labels.
    pub fn set_ctx_key_to_last(&mut self, key: &str) {
        self.set_ctx_key(key, self.world.history[0].clone());
        self.set_flows(|kept| kept.inputs.insert(key.into(), kept.history[0].clone()));
    }

    /// Gives a key of the mission's data a label.
    pub fn set_ctx_label(&mut self, key: &str, label: Label) {
        self.set_flows(|kept| kept.inputs.insert(key.into(), Flow::of(label)));
    }

    /// Returns the label of a key of the mission's data.
    pub fn ctx_label(&self, key: &str) -> Label {
        self.labels().map(|labels| labels.of_input(key)).unwrap_or_default()
    }

    /// Returns the label of the messages of the conversation.
    pub fn conversation_label(&self) -> Label {
        let Some(labels) = self.labels() else { return Label::default() };
        let mut label = labels.sources.conversation();
        label.add(&labels.kept.conversation);
        label
    }

    fn labels(&self) -> Option<Labels> {
        let sources = self.sources.as_ref()?;
        Some(Labels { sources: sources.clone(), kept: self.flows(sources) })
    }

    /// Adds to the label of the messages of the conversation.
    pub fn add_conversation_label(&mut self, label: &Label) {
        self.set_flows(|kept| kept.conversation.add(label));
    }

    /// Returns the value of the last program with its label.
    pub fn last(&self) -> (&Value, Label) {
        let sources = self.sources.as_ref();
        let label = sources.map(|sources| self.flows(sources).history[0].deep());
        (&self.world.history[0], label.unwrap_or_default())
    }

    fn set_flows<T>(&mut self, set: impl FnOnce(&mut Kept) -> T) {
        let Some(sources) = &self.sources else { return };
        let mut flows = self.flows(sources);
        set(Arc::make_mut(&mut flows));
        self.world.flows = Some(flows);
    }

    /// Sets the check of the argument of `ask`, a text or a map. Admission then refuses a program whose literal form is
    /// wrong.
    pub fn set_form_check(&mut self, check: fn(&Value) -> Result<(), Diagnostic>) {
        self.form_check = Some(check);
    }

    /// Sets the remaining budget that `(budget)` shows to the next program, besides its fuel and calls: a map of
    /// keywords. Anything but a map counts as an empty map.
    pub fn set_budget(&mut self, left: Value) {
        self.world.budget = as_map(left);
    }

    /// Sets the messages that the functions of `conversation/` read, the oldest first: maps with `role` and `content`.
    pub fn set_conversation(&mut self, messages: Vec<Value>) {
        self.world.conversation = messages.into();
    }

    /// Sets the steps that programs start at and skip.
    pub fn set_steps(&mut self, steps: StepChoice) {
        self.world.steps = (steps != StepChoice::default()).then(|| steps.into());
    }

    /// Returns the tools that programs may know of.
    pub fn tools(&self) -> &[ToolDecl] {
        &self.world.tools
    }

    /// Returns the limits of each program.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the values of hidden fields that programs of the session may have, so that no message quotes them.
    pub fn hidden(&self) -> HiddenTexts {
        let World { ctx, memory, hidden, .. } = &self.world;
        let mut hidden = hidden.clone();
        hidden.find(&Value::Map(ctx.clone()));
        hidden.find(&Value::Map(memory.clone()));
        self.payload().into_iter().chain(self.world.values()).for_each(|it| hidden.find(it));
        hidden
    }

    /// Checks a program before it runs.
    ///
    /// # Errors
    /// Returns the problems that make the program certain to fail.
    pub fn admit(&self, source: &str) -> Result<Admitted, Rejection> {
        let labels = self.labels();
        let checked = self.check(source, labels.as_ref())?;
        let flows = labels.map(|it| Arc::new(flows(&checked.program, &self.world.globals, &it)));
        Ok(Admitted(checked, flows))
    }

    /// Returns whether the problems of a refused program may tell of values with the labels of these names.
    pub fn refusal_tells(&self, source: &str, rejection: &Rejection, labels: &[ArcStr]) -> bool {
        let Some(mut without) = self.labels() else { return false };
        Arc::make_mut(&mut without.sources).withheld.extend_from_slice(labels);
        let text = |it: &Rejection| it.diagnostics.iter().map(Diagnostic::to_json).collect();
        let found: Vec<serde_json::Value> = text(rejection);
        self.check(source, Some(&without)).err().is_none_or(|it| found != text(&it))
    }

    fn check(&self, source: &str, labels: Option<&Labels>) -> Result<Checked, Rejection> {
        let covered = |problems: Vec<Diagnostic>| -> Vec<Diagnostic> {
            if problems.is_empty() {
                return problems;
            }
            let hidden = self.hidden();
            problems.into_iter().map(|it| hidden.cover_problem(it)).collect()
        };
        let reject = |diagnostics| Rejection { diagnostics: covered(diagnostics) };
        let scope = Scope {
            env: Environment {
                tools: &self.world.tools,
                ctx: &self.world.ctx,
                input: self.world.input.as_deref(),
                assumes_input: self.assumes_input,
                tolerates_fields: self.tolerates_fields,
                seen: &self.seen,
                memory: &self.world.memory,
                payload: self.world.payload.as_ref(),
                globals: &self.world.globals,
                history: &self.world.history,
                output: self.output.as_ref(),
                kept_tools: &self.world.kept_tools,
                form_check: self.form_check,
                labels: labels.filter(|it| !it.sources.withheld.is_empty()),
            },
            tool_calls: self.limits.tool_calls,
            builtin: false,
            lazy_aware: self.world.lazy_aware,
            names: self.names,
            known_reads: None,
        };
        let mut checked = check(source, &self.limits, &scope).map_err(reject)?;
        checked.warnings = covered(checked.warnings);
        if self.tolerates_fields {
            checked.watched = Arc::default();
        }
        Ok(checked)
    }

    /// Returns the flows of the state. One that was made without labels may come from anywhere.
    fn flows(&self, sources: &Sources) -> Arc<Kept> {
        if let Some(flows) = &self.world.flows {
            return flows.clone();
        }
        let is_fresh = self.world.memory.is_empty() && self.world.values().all(Value::is_nil);
        Arc::new(if is_fresh { Kept::default() } else { Kept::unknown(sources.everything()) })
    }

    /// Creates a machine for a program that this session admitted.
    pub fn start(&self, admitted: &Admitted) -> Machine {
        Machine::new(self.beginning(admitted))
    }

    /// Returns the initial state of a machine for the program.
    #[doc(hidden)]
    pub fn beginning(&self, admitted: &Admitted) -> Start {
        let Checked { program, watched, new_globals, .. } = &admitted.0;
        if program.lazy_aware {
            // Only such a program can make a lazy sequence.
            self.world.lazies.get_or_init(Arc::default);
        }
        let mut world = World { lazy_aware: program.lazy_aware, ..self.world.clone() };
        if let Some(flows) = &admitted.1 {
            world.flows = Some(flows.kept.clone());
        }
        world.globals.define(new_globals.iter().map(|name| (name.clone(), None)));
        let (program, watched) = (program.clone(), watched.clone());
        Start { program, watched, limits: self.limits.clone(), world }
    }

    /// Keeps the state of a program that ended with a value or `return`. The fields seen in results of tools are kept
    /// for every program.
    ///
    /// # Errors
    /// Returns an error and keeps nothing if the memory is too large or has no JSON form.
    pub fn commit(&mut self, ended: &Ended) -> Result<(), Diagnostic> {
        self.ended += 1;
        let random = Random::of_program(self.seed, self.ended);
        self.world.random = random;
        // Observed fields are facts about the tools, so the outcome does not matter.
        for (tool, names) in &ended.seen {
            let known = self.seen.entry(tool.clone()).or_default();
            for name in names {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
        self.world.hidden.add_all(&ended.world.hidden);
        let (Outcome::Value(value) | Outcome::Return(value) | Outcome::Continue(value)) =
            &ended.outcome
        else {
            return Ok(());
        };
        let max = self.limits.memory_bytes as usize;
        match json::size(&Value::Map(ended.world.memory.clone()), max) {
            Ok(size) if size <= max => {}
            Ok(_) => {
                return Err(Diagnostic::new(
                    Code::KeptMemoryLimit,
                    format!("memory is larger as JSON than the limit of {max} bytes"),
                )
                .with_help("keep less: ids, counts or the rows still needed")
                .with_advice("raise the limit `memory_bytes`"));
            }
            Err(not_json) => {
                return Err(Diagnostic::new(
                    Code::NotJson,
                    format!("memory cannot be kept: {not_json}"),
                )
                .with_help("keep data in memory; define functions with `defn`"));
            }
        }
        if let Some(payload) = &ended.world.payload {
            self.check_payload_size(&payload.value)?;
        }
        let host = std::mem::replace(&mut self.world, ended.world.clone());
        self.world.random = random;
        // Programs change none of these, and the host may have since this one started.
        (self.world.ctx, self.world.input, self.world.tools) = (host.ctx, host.input, host.tools);
        (self.world.budget, self.world.conversation) = (host.budget, host.conversation);
        self.world.history.rotate_right(1);
        self.world.history[0] = value.clone();
        Ok(())
    }

    fn check_payload_size(&self, payload: &Value) -> Result<(), Diagnostic> {
        let max = self.limits.memory_bytes as usize;
        if json::size(payload, max).is_ok_and(|size| size <= max) {
            return Ok(());
        }
        let message = format!("the payload is larger as JSON than the limit of {max} bytes");
        Err(Diagnostic::new(Code::KeptMemoryLimit, message)
            .with_help("keep less in the payload: ids, counts or the rows still needed")
            .with_advice("raise the limit `memory_bytes`"))
    }
}

fn as_map(value: Value) -> Arc<Map> {
    match value {
        Value::Map(map) => map,
        _ => NOTHING.clone(),
    }
}

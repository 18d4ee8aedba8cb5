//! Saves a session as readable text, and restores it.
//!
//! This folder writes everything that programs leave to later ones as EDN texts with a few tags. Data is written as
//! data. A function is written as numbers, of its program and of itself, with its captured values. The snapshot holds
//! the source of that program, so aliases of libraries, calls between functions and error places keep their meaning.
//! Restoring checks the source again without its environment, since it was accepted once. Nothing of the host is saved:
//! tools, limits and the budget stay out.

mod apart;
mod labels;
mod lost;
mod read;
mod text;
mod together;
mod write;

use std::sync::{Arc, Mutex, OnceLock};

use hashbrown::HashSet;

use super::Session;
use apart::Programs;
pub use lost::{Dropped, SnapshotError};
use ptc_checker::check::check;
use ptc_checker::scope::{Environment, Scope};
use ptc_facts::globals::Globals;
use ptc_facts::seen::SeenFields;
use ptc_machine::Alive;
use ptc_values::ir::KnownRead;
use ptc_values::random::Random;
use ptc_values::{HiddenTexts, Map, Value};
use read::Reader;
use together::Restored;
use write::{Root, write};

/// The names of the last three values in programs.
const HISTORY: [&str; 3] = ["*1", "*2", "*3"];

/// The state that a run keeps between its programs, as text. See [`Session::snapshot`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snapshot {
    /// Names that programs defined, ordered by number, with their values. A name without a value was only declared.
    names: Vec<(String, Option<String>)>,
    /// Keys and values kept with `memory/put`.
    memory: Vec<(String, String)>,
    history: Vec<String>,
    /// Keys of `ctx` that the host set, or removed (`None`), since the session began.
    ctx: Vec<(String, Option<String>)>,
    /// Shared values by number.
    parts: Vec<String>,
    programs: Vec<KeptProgram>,
    /// The undeclared fields that results of tools had.
    seen: Vec<(String, Vec<String>)>,
    kept_tools: Vec<String>,
    /// The hidden values of results of tools; an empty text if there are more.
    hidden: Vec<String>,
    lazy_aware: bool,
    seed: u64,
    ended: u64,
    uncounted: u64,
    dropped: Vec<Dropped>,
    /// The labels of this state, if the host uses any.
    labels: Option<serde_json::Value>,
}

/// A program whose functions or error places are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KeptProgram {
    source: String,
    /// `None` if only the text is needed.
    checked: Option<Checked>,
}

/// The facts, besides the source, that the nodes of a program depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Checked {
    /// The number of names defined before it.
    known: usize,
    lazy_aware: bool,
    reads: Vec<KnownRead>,
}

/// The values of a snapshot, in the order of their texts.
struct Values<'s> {
    names: Vec<Option<Value>>,
    memory: Vec<(Value, Value)>,
    history: [Value; 3],
    ctx: Vec<(&'s str, Option<Value>)>,
}

impl<'s> Values<'s> {
    /// Reads the values, and returns the place of each text beside them.
    fn read(
        snapshot: &'s Snapshot,
        reader: &mut Reader<'_>,
    ) -> Result<(Values<'s>, Vec<String>), SnapshotError> {
        let mut places = Vec::new();
        let mut read = |place: String, text: &str, may_be_range: bool| {
            let value = reader
                .kept(text, may_be_range)
                .map_err(|problem| SnapshotError::at(format!("`{place}`"), problem))?;
            places.push(place);
            Ok(value)
        };
        let mut names = Vec::with_capacity(snapshot.names.len());
        for (name, text) in &snapshot.names {
            names.push(text.as_ref().map(|text| read(name.clone(), text, true)).transpose()?);
        }
        let mut memory = Vec::new();
        for (key, text) in &snapshot.memory {
            let place = format!("memory/{}", key.trim_start_matches(':'));
            memory.push((read(place.clone(), key, false)?, read(place, text, false)?));
        }
        let mut history = [Value::Nil, Value::Nil, Value::Nil];
        for ((place, text), value) in HISTORY.iter().zip(&snapshot.history).zip(&mut history) {
            *value = read((*place).to_owned(), text, false)?;
        }
        let mut ctx = Vec::new();
        for (key, text) in &snapshot.ctx {
            let value =
                text.as_ref().map(|text| read(format!("ctx/{key}"), text, false)).transpose()?;
            ctx.push((key.as_str(), value));
        }
        Ok((Values { names, memory, history, ctx }, places))
    }

    /// Leaves out the values that are lost, and refuses keys of memory that are none.
    fn without(self, lost: &[Option<String>]) -> Result<Values<'s>, SnapshotError> {
        let mut lost = lost.iter();
        let mut is_there = || lost.next().is_none_or(Option::is_none);
        let names = self.names.into_iter().map(|value| value.filter(|_| is_there())).collect();
        let mut memory = self.memory;
        memory.retain(|_| is_there() & is_there());
        for (key, _) in &memory {
            together::key(key).map_err(|problem| SnapshotError::at("`memory`", problem))?;
        }
        let history = self.history.map(|value| if is_there() { value } else { Value::Nil });
        let mut ctx = self.ctx;
        ctx.retain(|(_, value)| value.is_none() || is_there());
        Ok(Values { names, memory, history, ctx })
    }
}

impl Session {
    /// Saves everything that programs leave to later ones as text of about `max_bytes` at most. This covers
    /// definitions, memory, last values, changes of the host to `ctx`, and the random generator.
    ///
    /// [`Session::restore`] continues from it in a session with the same tools, data and limits. There, a program gives
    /// the same value, prints and fuel. One exception: the fuel of `concat` depends on other holders of a long list.
    ///
    /// Values without a text form are left out, with reasons in [`Snapshot::dropped`]. Examples are a reducing function
    /// that holds itself, and a cell of a running program.
    ///
    /// ```
    /// use ptc_lisp::snapshot::Snapshot;
    /// use ptc_lisp::{Budget, Limits, Outcome, Session, Yielded, Value};
    ///
    /// fn run(session: &mut Session, source: &str) -> Value {
    ///     let admitted = session.admit(source).unwrap();
    ///     let mut machine = session.start(&admitted);
    ///     while !matches!(machine.run(&mut Budget::new(session.limits())), Yielded::Done) {}
    ///     let ended = machine.finish();
    ///     session.commit(&ended).unwrap();
    ///     let Outcome::Value(value) = ended.outcome else { panic!("{source}") };
    ///     value
    /// }
    ///
    /// let new = || Session::new(Value::Nil, Vec::new(), Limits::default());
    /// let mut session = new();
    /// run(&mut session, "(def rate 3) (defn price [n] (* n rate))");
    /// let json = session.snapshot(1 << 20).unwrap().to_json();
    /// assert_eq!(json["names"][0], serde_json::json!(["rate", "3"]));
    ///
    /// let mut again = new();
    /// let dropped = again.restore(&Snapshot::from_json(&json).unwrap()).unwrap();
    /// assert!(dropped.is_empty());
    /// assert_eq!(run(&mut again, "(price 14)"), Value::from(42));
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text would be longer.
    pub fn snapshot(&self, max_bytes: usize) -> Result<Snapshot, SnapshotError> {
        let mut programs = Programs::default();
        let names = self.world.globals.iter();
        let defined = names.clone().filter_map(|(name, value)| Some((name, value?)));
        let root = |what: &str, values: Vec<Value>| Root { what: what.to_owned(), values };
        let mut roots: Vec<Root> =
            defined.map(|(name, value)| root(name, vec![value.clone()])).collect();
        let kept = self.world.memory.iter();
        roots.extend(kept.map(|(key, value)| Root {
            what: format!("memory/{}", ptc_values::print::display(key).trim_start_matches(':')),
            values: vec![key.clone(), value.clone()],
        }));
        let history = HISTORY.iter().zip(&self.world.history);
        roots.extend(history.map(|(what, value)| root(what, vec![value.clone()])));
        let changed = |key: &String| self.world.ctx.get_name(key).cloned();
        let put = self.changed_ctx.iter().filter_map(|key| Some((key, changed(key)?)));
        roots.extend(put.map(|(key, value)| root(&format!("ctx/{key}"), vec![value])));

        let written = write(roots, &mut programs, max_bytes)?;
        let mut left = written.roots.into_iter();
        // A dropped name counts as declared.
        let mut next = || left.next().flatten().and_then(|mut texts| texts.pop());
        let names =
            names.map(|(name, value)| (name.to_string(), value.and_then(|_| next()))).collect();
        let mut memory = Vec::new();
        for _ in 0..self.world.memory.len() {
            if let Some(Some(texts)) = left.next()
                && let Ok([key, value]) = <[String; 2]>::try_from(texts)
            {
                memory.push((key, value));
            }
        }
        let mut next = || left.next().flatten().and_then(|mut texts| texts.pop());
        let history = HISTORY.map(|_| next().unwrap_or_else(|| "nil".to_owned())).to_vec();
        let mut ctx = Vec::new();
        for key in &self.changed_ctx {
            match changed(key).map(|_| next()) {
                None => ctx.push((key.clone(), None)),
                Some(Some(text)) => ctx.push((key.clone(), Some(text))),
                Some(None) => {}
            }
        }
        let snapshot = Snapshot {
            names,
            memory,
            history,
            ctx,
            parts: written.parts,
            programs: programs.kept.iter().map(KeptProgram::of).collect(),
            seen: self.seen_fields(),
            kept_tools: self.world.kept_tools.iter().map(ToString::to_string).collect(),
            hidden: self.world.hidden.to_texts(),
            lazy_aware: self.world.lazy_aware,
            seed: self.seed,
            ended: self.ended,
            uncounted: self.world.uncounted,
            dropped: written.dropped,
            labels: self.labels_as_json(&programs),
        };
        if snapshot.bytes() > max_bytes {
            return Err(SnapshotError::too_large(max_bytes));
        }
        Ok(snapshot)
    }

    /// Replaces the state of this session's programs by that of a snapshot. Tools, limits and budget stay. The
    /// mission's data stays too, except for keys that the host of the saved session changed.
    ///
    /// Returns what is lost, with reasons. That includes what the snapshot dropped and what this session cannot hold,
    /// such as a function that calls a missing tool. A lost name is declared without a value.
    ///
    /// # Errors
    /// Returns an error and changes nothing if the snapshot is damaged.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<Vec<Dropped>, SnapshotError> {
        let mut names = HashSet::new();
        for (name, _) in &snapshot.names {
            if !names.insert(name) {
                return Err(SnapshotError::at("`names`", format!("`{name}` occurs twice")));
            }
        }
        let programs: Vec<Restored> =
            snapshot.programs.iter().map(|kept| self.recheck(kept, &snapshot.names)).collect();
        let mut alive = Alive::default();
        let mut reader = Reader::new(&snapshot.parts, &programs, &mut alive, &self.limits)
            .map_err(|problem| SnapshotError::at("`parts`", problem))?;
        let (values, places) = Values::read(snapshot, &mut reader)?;
        let labels = self.labels_of(snapshot, &programs);
        // For each text, the reason its value is lost, in reading order.
        let lost = reader.finish();
        let values = values.without(&lost)?;
        let mut dropped = snapshot.dropped.clone();
        let lost = places.into_iter().zip(lost);
        dropped.extend(lost.filter_map(|(what, why)| Some(Dropped { what, why: why? })));
        self.take_over(snapshot, values, alive);
        if let Some((kept, reading)) = labels {
            self.world.flows = Some(Arc::new(kept));
            self.reading = reading;
        }
        Ok(dropped)
    }

    /// Continues from a snapshot whose values were read. Nothing fails here.
    fn take_over(&mut self, snapshot: &Snapshot, values: Values<'_>, alive: Alive) {
        for (key, value) in values.ctx {
            match value {
                None => self.remove_ctx_key(key),
                Some(value) => self.set_ctx_key(key, value),
            }
        }
        let names = snapshot.names.iter().map(|(name, _)| name.as_str().into());
        self.world.globals = Globals::default();
        self.world.globals.define(names.zip(values.names));
        let mut memory = Map::default();
        values.memory.into_iter().for_each(|row| memory.insert(row));
        self.world.memory = Arc::new(memory);
        self.world.history = values.history;
        self.world.lazy_aware = snapshot.lazy_aware;
        self.seen = SeenFields::new();
        for (tool, fields) in &snapshot.seen {
            let fields = fields.iter().map(|field| field.as_str().into()).collect();
            self.seen.insert(tool.as_str().into(), fields);
        }
        let tools = snapshot
            .kept_tools
            .iter()
            .filter(|name| self.world.tools.iter().any(|tool| tool.name == **name));
        self.world.kept_tools = tools.map(|name| name.as_str().into()).collect();
        self.world.hidden = HiddenTexts::of_texts(&snapshot.hidden);
        self.world.uncounted = snapshot.uncounted;
        self.seed = snapshot.seed;
        self.ended = snapshot.ended;
        self.world.random = Random::of_program(self.seed, self.ended);
        self.world.lazies = OnceLock::from(Arc::new(Mutex::new(alive)));
    }

    /// Checks a program of a snapshot again.
    fn recheck(&self, kept: &KeptProgram, names: &[(String, Option<String>)]) -> Restored {
        let source: Arc<str> = kept.source.as_str().into();
        let gone = |why: String| Restored { source: source.clone(), program: Err(why) };
        let Some(checked) = &kept.checked else {
            return gone("only the text of its program was kept".to_owned());
        };
        let Some(known) = names.get(..checked.known) else {
            return gone("its program knew names that are missing".to_owned());
        };
        let mut globals = Globals::default();
        globals.define(known.iter().map(|(name, _)| (name.as_str().into(), None)));
        let scope = Scope {
            env: Environment::of(&self.world.tools, &globals),
            tool_calls: 0,
            builtin: false,
            lazy_aware: checked.lazy_aware,
            names: self.names,
            known_reads: Some(&checked.reads),
        };
        let rechecked = match check(&kept.source, &self.limits, &scope) {
            Ok(rechecked) => rechecked,
            Err(problems) => {
                let first = problems.first().map_or("nothing", |problem| problem.message());
                return gone(format!("its program is refused now: {first}"));
            }
        };
        let defined = names.get(checked.known..).unwrap_or_default().iter().map(|(name, _)| name);
        if !rechecked.new_globals.iter().eq(defined.take(rechecked.new_globals.len())) {
            return gone("its program defined names that are missing".to_owned());
        }
        Restored::new(rechecked.program, &self.world.tools)
    }

    /// Returns the fields that results of tools had, in a stable order.
    fn seen_fields(&self) -> Vec<(String, Vec<String>)> {
        let names = |names: &Vec<arcstr::ArcStr>| names.iter().map(ToString::to_string).collect();
        let mut seen: Vec<_> =
            self.seen.iter().map(|(tool, fields)| (tool.to_string(), names(fields))).collect();
        seen.sort();
        seen
    }
}

impl KeptProgram {
    fn of(kept: &apart::Kept) -> KeptProgram {
        let checked = kept.program.as_ref().map(|program| Checked {
            known: program.known as usize,
            lazy_aware: program.lazy_aware,
            reads: program.reads.clone(),
        });
        KeptProgram { source: kept.source.to_string(), checked }
    }
}

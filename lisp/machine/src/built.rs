//! Building: making a value that every function takes of one that only some do.
//!
//! A range is three numbers until something needs its items as values, or a collection holds it as an item. Then the
//! program pays what a list of these items costs. A text that grew is a buffer until something reads it. A map or vector
//! holds one as it is, until a builtin takes it that reads its items. A collection with one of the two nests above each limit,
//! so the check of the nesting finds it.

use std::sync::Arc;

use super::cx::Cx;
use super::pipe::lazy_of;
use super::row::{Implementation, LazyOverride, lazy_override};
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{LazyInput, Moves, Pulls};
use ptc_values::{
    BuiltinId, CHARGE_BYTES, Ext, GROWN, Grown, Map, Origin, Pulled, Res, Seq, UNBUILT, Value,
    Vector, holds_grown, is_unbuilt,
};

impl Cx {
    /// Makes a value one that every function takes: pays for the items of a range, and makes the plain text of one that grew.
    #[inline]
    pub fn build(&mut self, value: &mut Value) -> Res<()> {
        if is_unbuilt(value) { self.build_any(value) } else { Ok(()) }
    }

    /// Pays for the items of a range, if it is one and nobody has.
    #[inline]
    pub(super) fn build_range(&mut self, value: &Value) -> Res<()> {
        match value {
            Value::List(seq) if seq.is_unbuilt() => self.build_items(seq),
            _ => Ok(()),
        }
    }

    #[cold]
    fn build_items(&mut self, seq: &Seq) -> Res<()> {
        let count = seq.len() as u64;
        self.spend(count)?;
        self.alloc(count.saturating_mul(16))?;
        seq.pay();
        Ok(())
    }

    /// Returns the plain value of a text that grew, or the value itself. Pays for the texts that it holds.
    #[inline]
    pub(super) fn settled<'v>(&mut self, value: &'v Value) -> Res<&'v Value> {
        match value {
            Value::Ext(ext) => match &**ext {
                Ext::Grown(text) => self.plain(text),
                _ => Ok(value),
            },
            Value::Map(_) | Value::Vector(_) if is_unbuilt(value) => self.settle_texts(value),
            _ => Ok(value),
        }
    }

    #[cold]
    fn settle_texts<'v>(&mut self, value: &'v Value) -> Res<&'v Value> {
        let mut open = vec![value];
        while let Some(next) = open.pop() {
            match next {
                Value::Map(map) => {
                    self.spend(map.len() as u64)?;
                    open.extend(map.iter().map(|(_, item)| item).filter(|item| holds_grown(item)));
                }
                Value::Vector(vector) => {
                    self.spend(vector.len() as u64)?;
                    open.extend(vector.iter().filter(|item| holds_grown(item)));
                }
                text => {
                    self.settled(text)?;
                }
            }
        }
        Ok(value)
    }

    #[cold]
    fn plain<'v>(&mut self, text: &'v Grown) -> Res<&'v Value> {
        if !text.is_read() {
            self.spend(text.len() as u64 / CHARGE_BYTES)?;
            self.alloc(text.len() as u64 + 32)?;
        }
        Ok(text.plain())
    }

    /// Builds the arguments of a builtin but those that it takes as ranges.
    #[inline]
    pub(super) fn build_arguments(&mut self, id: BuiltinId, args: &mut [Value]) -> Res<()> {
        if args.iter().any(is_unbuilt) { self.build_some(id, args) } else { Ok(()) }
    }

    #[cold]
    fn build_some(&mut self, id: BuiltinId, args: &mut [Value]) -> Res<()> {
        for at in 0..args.len() {
            let is_taken = match args.get(at) {
                Some(Value::List(_)) => takes_range(id, at, args.len()),
                _ => moves(id, args, at),
            };
            if !is_taken && let Some(arg) = args.get_mut(at) {
                self.build(arg)?;
            }
        }
        Ok(())
    }

    /// Returns the implementation of a builtin that gets these arguments, after building ranges among them.
    pub(super) fn imp_for(&mut self, id: BuiltinId, args: &mut [Value]) -> Res<Implementation> {
        let imp = self.imp(id);
        if !matches!(imp, Implementation::Pure(_) | Implementation::Lisp) {
            self.build_arguments(id, args)?;
        }
        Ok(imp)
    }

    /// Returns the override of a builtin in a program with lazy sequences. A range that there is no room for becomes one.
    pub(super) fn overridden(
        &mut self,
        id: BuiltinId,
        args: &mut [Value],
    ) -> Res<Option<LazyOverride>> {
        if takes_itself(id, args) {
            return Ok(None);
        }
        let count = args.len();
        for (at, arg) in args.iter_mut().enumerate() {
            if makes_items(id) || !takes_range(id, at, count) {
                self.make_lazy(arg)?;
            }
        }
        lazy_override(id, args).transpose()
    }

    /// Makes a lazy sequence of a range that there is no room for.
    fn make_lazy(&mut self, value: &mut Value) -> Res<()> {
        if let Value::List(seq) = value
            && let Some(numbers) = seq.unbuilt()
            && !self.has_room(seq.len() as u64)
        {
            let origin = Origin::Numbers(numbers);
            *value = lazy_of(self, &Pulled { origin, stages: Vec::new() }, false)?;
        }
        Ok(())
    }

    /// Makes a sequence whose items may be ranges.
    pub(super) fn built_seq(&mut self, items: Vec<Value>) -> Res<Seq> {
        let seq = Seq::new(items);
        if self.depth(seq.depth()).is_ok() {
            return Ok(seq);
        }
        let mut items = Seq::into_vec(Arc::new(seq));
        items.iter_mut().try_for_each(|item| self.build(item))?;
        let seq = Seq::new(items);
        self.depth(seq.depth())?;
        Ok(seq)
    }

    /// Makes a vector. It may hold texts that grew, but its ranges are built.
    pub(super) fn built_vector(&mut self, items: Vec<Value>) -> Res<Vector> {
        let mut vector = Vector::new(items);
        if vector.depth() >= UNBUILT {
            vector.iter().try_for_each(|item| self.build_range(item))?;
            vector.measure();
        }
        self.nesting(vector.depth())?;
        Ok(vector)
    }

    /// Builds the ranges in a changed vector, and checks its nesting.
    #[inline]
    pub(super) fn build_vector(&mut self, vector: &mut Arc<Vector>) -> Res<()> {
        if self.nests(vector.depth()) { Ok(()) } else { self.build_deep_vector(vector) }
    }

    #[cold]
    fn build_deep_vector(&mut self, vector: &mut Arc<Vector>) -> Res<()> {
        let mut value = Value::Vector(std::mem::take(vector));
        self.build_any(&mut value)?;
        if let Value::Vector(built) = value {
            *vector = built;
        }
        Ok(())
    }

    /// Builds the ranges in a changed map, and checks its nesting. Its keys were built when they were checked.
    #[inline]
    pub(super) fn build_map(&mut self, map: &mut Arc<Map>) -> Res<()> {
        if self.nests(map.depth()) { Ok(()) } else { self.build_deep_map(map) }
    }

    #[cold]
    fn build_deep_map(&mut self, map: &mut Arc<Map>) -> Res<()> {
        let mut value = Value::Map(std::mem::take(map));
        self.build_any(&mut value)?;
        if let Value::Map(built) = value {
            *map = built;
        }
        Ok(())
    }

    /// Checks the nesting of a map or vector, which may hold texts that grew.
    #[inline]
    pub(super) fn nesting(&self, depth: u32) -> Res<()> {
        if self.nests(depth) { Ok(()) } else { self.depth(depth) }
    }

    /// Returns whether the nesting of a map or vector is within the limit.
    #[inline]
    fn nests(&self, depth: u32) -> bool {
        depth <= self.limits.value_depth
            || (GROWN..UNBUILT).contains(&depth) && depth - GROWN <= self.limits.value_depth
    }

    /// Builds a value, from the inside to the outside.
    #[cold]
    fn build_any(&mut self, value: &mut Value) -> Res<()> {
        let mut open = Vec::new();
        let mut done = self.built_or_open(std::mem::take(value), &mut open)?;
        loop {
            if let Some(item) = done.take() {
                let Some(outer) = open.last_mut() else {
                    *value = item;
                    return Ok(());
                };
                outer.put(item);
            }
            match open.last_mut().and_then(Open::take) {
                Some(item) => done = self.built_or_open(item, &mut open)?,
                None => {
                    let Some(whole) = open.pop() else { return Ok(()) };
                    let collection = whole.closed();
                    self.depth(collection.depth())?;
                    done = Some(collection);
                }
            }
        }
    }

    /// Builds a value without items that are not built; opens another one.
    fn built_or_open(&mut self, value: Value, open: &mut Vec<Open>) -> Res<Option<Value>> {
        let places = match &value {
            Value::Map(map) if self.depth(map.depth()).is_err() => {
                self.spend(map.len() as u64)?;
                let mut places = Vec::new();
                for (key, value) in map.iter() {
                    self.build_range(value)?;
                    if holds_grown(value) {
                        places.push(key.clone());
                    }
                }
                places
            }
            Value::Vector(vector) if self.depth(vector.depth()).is_err() => {
                self.spend(vector.len() as u64)?;
                let mut places = Vec::new();
                for (at, value) in vector.iter().enumerate() {
                    self.build_range(value)?;
                    if holds_grown(value) {
                        places.push(Value::Int(at as i64));
                    }
                }
                places
            }
            Value::Ext(_) => return Ok(Some(self.settled(&value)?.clone())),
            other => {
                self.build_range(other)?;
                return Ok(Some(value));
            }
        };
        let is_entry = value.as_entry().is_some();
        open.push(Open { collection: value, places, is_entry });
        Ok(None)
    }
}

/// A map or vector with items that are not built.
struct Open {
    collection: Value,
    /// The keys or positions of these items.
    places: Vec<Value>,
    is_entry: bool,
}

impl Open {
    /// Takes the next item out of its place.
    fn take(&mut self) -> Option<Value> {
        Some(match (&mut self.collection, self.places.last()?) {
            (Value::Map(map), key) => std::mem::take(Map::make_mut(map).get_mut(key)?),
            (Value::Vector(vector), Value::Int(at)) => {
                let item = vector.get(*at as usize)?.clone();
                Vector::make_mut(vector).set(*at as usize, Value::Nil);
                item
            }
            _ => return None,
        })
    }

    /// Returns the collection of the built items.
    fn closed(self) -> Value {
        match self.collection {
            Value::Map(mut map) => {
                Map::make_mut(&mut map).measure();
                Value::Map(map)
            }
            Value::Vector(mut vector) => {
                if self.is_entry
                    && let [key, value] = vector.as_slice().unwrap_or_default()
                {
                    return Value::entry(key.clone(), value.clone());
                }
                Vector::make_mut(&mut vector).measure();
                Value::Vector(vector)
            }
            other => other,
        }
    }

    /// Puts the built item into its place.
    fn put(&mut self, item: Value) {
        match (&mut self.collection, self.places.pop()) {
            (Value::Map(map), Some(key)) => {
                if let Some(place) = Map::make_mut(map).get_mut(&key) {
                    *place = item;
                }
            }
            (Value::Vector(vector), Some(Value::Int(at))) => {
                Vector::make_mut(vector).set(at as usize, item);
            }
            _ => {}
        }
    }
}

/// Returns whether a builtin moves the argument at a place, so that it takes it as it is.
fn moves(id: BuiltinId, args: &[Value], at: usize) -> bool {
    let is_collection = |arg: &Value| matches!(arg, Value::Map(_) | Value::Vector(_));
    match (id.builtin().facts.moves, args, at) {
        (Moves::Nothing, ..) => false,
        (Moves::All | Moves::Kind, ..) => true,
        (Moves::Start, ..) => args.len() > 2 && at + 2 == args.len(),
        (_, [first, ..], 0) => is_collection(first),
        (Moves::Values, ..) => at.is_multiple_of(2),
        (Moves::Items, [Value::Vector(_), ..], _) => true,
        (Moves::Items, [Value::Map(_), ..], at) => matches!(args.get(at), Some(Value::Map(_))),
        _ => false,
    }
}

/// Returns whether a builtin takes a range at a place as it is.
fn takes_range(id: BuiltinId, at: usize, count: usize) -> bool {
    let builtin = id.builtin();
    match builtin.facts.pulls {
        Pulls::Whole | Pulls::Makes(_) => false,
        // Another argument is a function, a number, or a value that goes through.
        Pulls::AsValue | Pulls::All | Pulls::Some | Pulls::First(_) => true,
        _ => builtin.pulled_at(count).map_or(at > 0, |place| place == at),
    }
}

/// Returns whether a builtin makes a value of its own for each item of a range that it takes.
fn makes_items(id: BuiltinId) -> bool {
    matches!(id.builtin().facts.pulls, Pulls::Numbers | Pulls::Stage { .. })
}

/// Returns whether a builtin takes arguments itself in a program with lazy sequences, because none can be in sight.
#[inline]
pub(super) fn takes_itself(id: BuiltinId, args: &[Value]) -> bool {
    let facts = &id.builtin().facts;
    // The others look inside of collections, or at the order of sorted ones.
    let is_shallow =
        !matches!(facts.lazily, LazyInput::Inside | LazyInput::Items) && facts.of_sorted.is_none();
    !matches!(facts.lazily, LazyInput::Always)
        && args.iter().all(|arg| match arg {
            Value::Ext(_) => false,
            Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) => {
                is_shallow && !is_unbuilt(arg)
            }
            _ => true,
        })
}

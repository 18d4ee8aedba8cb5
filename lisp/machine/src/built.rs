//! Building: making a value that every function takes of one that only some do.
//!
//! A range is three numbers until something needs its items as values, or a collection holds it as an item. Then the
//! program pays what a list of these items costs. A text that grew is a buffer until something reads it. A collection that
//! holds one that is not built nests above each limit, so the check of the nesting finds it.

use std::sync::Arc;

use super::cx::Cx;
use super::pipe::lazy_of;
use super::row::{Implementation, LazyOverride, lazy_override};
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::Pulls;
use ptc_values::{
    BuiltinId, CHARGE_BYTES, Grown, Map, Origin, Pulled, Res, Seq, Value, Vector, is_unbuilt,
};

impl Cx {
    /// Makes a value one that every function takes: pays for the items of a range, and makes the plain text of one that grew.
    #[inline]
    pub fn build(&mut self, value: &mut Value) -> Res<()> {
        if is_unbuilt(value) { self.build_any(value) } else { Ok(()) }
    }

    #[cold]
    fn build_any(&mut self, value: &mut Value) -> Res<()> {
        match value {
            Value::Map(map) => return self.build_map(map),
            Value::Ext(_) => *value = self.settled(value)?.clone(),
            other => return self.build_range(other),
        }
        Ok(())
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

    /// Returns the plain value of a text that grew, or the value itself.
    #[inline]
    pub(super) fn settled<'v>(&mut self, value: &'v Value) -> Res<&'v Value> {
        match Grown::of(value) {
            None => Ok(value),
            Some(text) => self.plain(text),
        }
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
        let count = args.len();
        for (at, arg) in args.iter_mut().enumerate() {
            if !matches!(arg, Value::List(_)) || !takes_range(id, at, count) {
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

    /// Makes a vector whose items may be ranges.
    pub(super) fn built_vector(&mut self, items: Vec<Value>) -> Res<Vector> {
        let vector = Vector::new(items);
        if self.depth(vector.depth()).is_ok() {
            return Ok(vector);
        }
        let mut items = Vector::into_vec(Arc::new(vector));
        items.iter_mut().try_for_each(|item| self.build(item))?;
        let vector = Vector::new(items);
        self.depth(vector.depth())?;
        Ok(vector)
    }

    /// Builds the ranges in a changed vector, and checks its nesting.
    pub(super) fn build_vector(&mut self, vector: &mut Arc<Vector>) -> Res<()> {
        if self.depth(vector.depth()).is_ok() {
            return Ok(());
        }
        self.spend(vector.len() as u64)?;
        vector.iter().try_for_each(|item| self.build_range(item))?;
        let is_other = |(at, item): (usize, &Value)| is_unbuilt(item).then(|| (at, item.clone()));
        let others: Vec<(usize, Value)> = vector.iter().enumerate().filter_map(is_other).collect();
        for (at, mut item) in others {
            self.build(&mut item)?;
            Vector::make_mut(vector).set(at, item);
        }
        Vector::make_mut(vector).measure();
        self.depth(vector.depth())
    }

    /// Builds the ranges in a changed map, and checks its nesting. Its keys were built when they were checked.
    pub(super) fn build_map(&mut self, map: &mut Arc<Map>) -> Res<()> {
        if self.depth(map.depth()).is_ok() {
            return Ok(());
        }
        self.spend(map.len() as u64)?;
        map.iter().try_for_each(|(_, value)| self.build_range(value))?;
        let is_other = |(key, value): (&Value, &Value)| {
            is_unbuilt(value).then(|| (key.clone(), value.clone()))
        };
        let others: Vec<(Value, Value)> = map.iter().filter_map(is_other).collect();
        for (key, mut value) in others {
            self.build(&mut value)?;
            if let Some(place) = Map::make_mut(map).get_mut(&key) {
                *place = value;
            }
        }
        Map::make_mut(map).measure();
        self.depth(map.depth())
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

//! Flows: what is known about a value before a program runs.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::{BuiltinId, Value};

use super::label::Label;

/// The knowledge about a value: where it may come from, part by part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flow {
    /// The label of the value as a whole, which each of its parts has too.
    pub label: Label,
    /// The label of the names of its parts.
    pub(super) names: Label,
    pub(super) parts: Option<Arc<Parts>>,
    /// The functions and cells that it may hold outside of its parts, in their order.
    pub(super) held: Vec<Held>,
    /// Its value, if it is a short constant.
    pub(super) constant: Option<Value>,
    /// Whether it is surely a vector, a list or a sequence, to which `conj` adds items.
    pub(super) is_list: bool,
    /// Whether there is no value: the form does not end, or was not looked at yet.
    pub(super) never: bool,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Parts {
    pub(super) fields: Vec<(Key, Flow)>,
    /// The parts at other keys, and the items whose place is unknown.
    pub(super) rest: Option<Flow>,
}

/// The place of a part. A keyword and a text of one name are the same key.
#[derive(Debug, Clone, PartialEq)]
pub enum Key {
    Name(ArcStr),
    At(i64),
}

/// A function or a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Held {
    /// A function of a program, by its lambda.
    Lambda(Site),
    Builtin(BuiltinId),
    /// An atom or another cell, by the call that made it.
    Cell(Site),
    /// A function that a builtin made, by the call that made it.
    Made(Site),
}

/// A place of a program: its number and that of its node or lambda.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    pub program: u32,
    pub at: u32,
}

/// The levels of parts that are told apart.
const MOST_LEVELS: u32 = 5;

/// The parts of a value that are told apart.
const MOST_FIELDS: usize = 64;

impl Key {
    /// Returns the key of a constant.
    pub fn of(value: &Value) -> Option<Key> {
        match value {
            Value::Keyword(name) | Value::Str(name) => Some(Key::Name(name.clone())),
            Value::Int(at) => Some(Key::At(*at)),
            _ => None,
        }
    }

    fn is_name(&self) -> bool {
        matches!(self, Key::Name(_))
    }
}

impl Flow {
    /// Returns the flow of a form that gives no value.
    pub fn never() -> Flow {
        Flow { never: true, ..Flow::default() }
    }

    pub fn of(label: Label) -> Flow {
        Flow { label, ..Flow::default() }
    }

    pub fn holding(held: Held) -> Flow {
        Flow { held: vec![held], ..Flow::default() }
    }

    /// Returns the flow of a constant.
    pub fn constant(value: &Value) -> Flow {
        let held = match value {
            Value::Builtin(id) => vec![Held::Builtin(*id)],
            _ => Vec::new(),
        };
        let is_path = |value: &Value| match value {
            Value::Vector(path) => path.len() <= 6 && path.iter().all(|it| Key::of(it).is_some()),
            other => Key::of(other).is_some(),
        };
        let constant = is_path(value).then(|| value.clone());
        let is_list = matches!(value, Value::Vector(_) | Value::List(_));
        Flow { held, constant, is_list, ..Flow::default() }
    }

    /// Makes the flow of a constant whose parts have flows of their own.
    #[must_use]
    pub fn with_constant(self, value: &Value) -> Flow {
        let Flow { constant, is_list, .. } = Flow::constant(value);
        Flow { constant, is_list, ..self }
    }

    /// Makes the flow of a vector, a list or a sequence.
    #[must_use]
    pub fn listed(self) -> Flow {
        Flow { is_list: true, ..self }
    }

    pub fn is_list(&self) -> bool {
        self.is_list
    }

    /// Returns whether it has parts with names, so that it is a map or nil.
    pub fn has_names(&self) -> bool {
        self.each_field().any(|(key, _)| key.is_name())
    }

    /// Returns whether the places of some items are known.
    pub fn has_places(&self) -> bool {
        self.each_field().any(|(key, _)| !key.is_name())
    }

    /// Makes the flow of a sequence whose items have unknown places.
    pub fn items(item: Flow) -> Flow {
        Flow::with_parts(Vec::new(), Some(item))
    }

    /// Makes the flow of parts at known places. Those with numbers are the items of a vector or a list, from 0.
    pub fn fields(fields: Vec<(Key, Flow)>) -> Flow {
        Flow::with_parts(fields, None)
    }

    fn with_parts(fields: Vec<(Key, Flow)>, rest: Option<Flow>) -> Flow {
        let flow = Flow { parts: Some(Arc::new(Parts { fields, rest })), ..Flow::default() };
        if flow.levels() > MOST_LEVELS || flow.each_field().count() > MOST_FIELDS {
            return flow.flat();
        }
        flow
    }

    fn levels(&self) -> u32 {
        let all = self.each_part().map(Flow::levels);
        all.max().map_or(u32::from(self.parts.is_some()), |most| most + 1)
    }

    fn each_field(&self) -> impl Iterator<Item = &(Key, Flow)> {
        self.parts.iter().flat_map(|parts| &parts.fields)
    }

    fn each_part(&self) -> impl Iterator<Item = &Flow> {
        let rest = self.parts.iter().filter_map(|parts| parts.rest.as_ref());
        self.each_field().map(|(_, part)| part).chain(rest)
    }

    pub fn is_never(&self) -> bool {
        self.never
    }

    /// Returns its value, if it is a short constant.
    pub fn as_constant(&self) -> Option<&Value> {
        self.constant.as_ref()
    }

    pub fn as_key(&self) -> Option<Key> {
        self.constant.as_ref().and_then(Key::of)
    }

    /// Returns the names of its parts with the whole label of each, and that of all other parts.
    pub fn arguments(&self) -> (Vec<(ArcStr, Label)>, Label) {
        let mut named = Vec::new();
        for (key, part) in self.each_field() {
            if let Key::Name(name) = key {
                let mut label = self.label.clone();
                label.add(&part.deep());
                if let Some(rest) = self.rest() {
                    label.add(&rest.deep().perhaps());
                }
                named.push((name.clone(), label));
            }
        }
        let mut rest = self.label.clone();
        if let Some(other) = self.rest() {
            rest.add(&other.deep());
        }
        (named, rest)
    }

    /// Returns the label of the choice of a function. A constant is not chosen.
    pub fn chosen(&self) -> Label {
        if self.constant.is_some() { Label::default() } else { self.label.clone() }
    }

    /// Returns the label of the value with those of all its parts.
    pub fn deep(&self) -> Label {
        let mut label = self.label.clone();
        label.add(&self.names);
        for part in self.each_part() {
            label.add(&part.deep());
        }
        label
    }

    /// Returns the functions and cells that the value and its parts may hold.
    pub fn all_held(&self) -> Vec<Held> {
        let mut all = self.held.clone();
        self.each_part().for_each(|part| all.extend(part.all_held()));
        all.sort_unstable();
        all.dedup();
        all
    }

    pub fn held(&self) -> &[Held] {
        &self.held
    }

    /// Returns whether the value may be data that is looked up when it is called.
    pub fn is_data(&self) -> bool {
        self.held.is_empty() || self.parts.is_some() || self.constant.is_some()
    }

    /// Returns what is known without the places of its parts.
    #[must_use]
    pub fn flat(&self) -> Flow {
        if self.parts.is_none() {
            let flow = Flow { constant: None, names: Label::default(), ..self.clone() };
            return flow.with(&self.names);
        }
        Flow { label: self.deep(), held: self.all_held(), never: self.never, ..Flow::default() }
    }

    /// Adds a label to the value as a whole.
    #[must_use]
    pub fn with(mut self, label: &Label) -> Flow {
        self.label.add(label);
        self
    }

    /// Adds a label to the names of its parts.
    #[must_use]
    pub fn with_names(mut self, label: &Label) -> Flow {
        self.names.add(label);
        self
    }

    /// Returns the label of the names of its parts.
    pub fn names(&self) -> &Label {
        &self.names
    }

    /// Adds functions and cells.
    #[must_use]
    pub fn with_held(mut self, held: &[Held]) -> Flow {
        self.held.extend(held);
        self.held.sort_unstable();
        self.held.dedup();
        self
    }

    /// Returns the part at a key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Flow {
        let Some(parts) = &self.parts else { return self.part_of_whole() };
        let exact = parts.fields.iter().find(|(it, _)| it == key).map(|(_, part)| part);
        let is_kind = parts.fields.iter().any(|(it, _)| it.is_name() == key.is_name());
        let found = match (exact, &parts.rest) {
            (Some(part), Some(rest)) => part.or(rest),
            (Some(part), None) => part.clone(),
            (None, Some(rest)) if is_kind || parts.fields.is_empty() => rest.clone(),
            (None, None) if is_kind => Flow::default(),
            // An entry of a map is read by place, and a record by name.
            (None, _) => self.flat().part_of_whole(),
        };
        found.there().with(&self.label).with_held(&self.held)
    }

    fn part_of_whole(&self) -> Flow {
        Flow { is_list: false, ..self.flat().there() }
    }

    /// Returns the flow of a part that is read: if there is none, that gives nil.
    fn there(self) -> Flow {
        Flow { never: false, ..self }
    }

    /// Returns what is known about any of its items. Those of a map are entries.
    #[must_use]
    pub fn item(&self) -> Flow {
        let Some(parts) = &self.parts else { return self.part_of_whole() };
        let mut item = Flow::never();
        for (key, part) in &parts.fields {
            if let Key::At(_) = key {
                item = item.or(part);
            }
        }
        let mut value = Flow::never();
        for (key, part) in &parts.fields {
            if key.is_name() {
                value = value.or(part);
            }
        }
        let has_names = !value.never;
        if has_names {
            let value = parts.rest.as_ref().map_or(value.clone(), |rest| value.or(rest));
            let name = Flow::of(self.names.clone());
            item = item.or(&Flow::fields(vec![(Key::At(0), name), (Key::At(1), value)]));
        }
        if let Some(rest) = &parts.rest {
            item = item.or(rest);
        }
        item = item.there();
        if !has_names {
            item = item.with(&self.names);
        }
        item.with(&self.label).with_held(&self.held)
    }

    /// Returns what is known about any of its values: its items, and the values of a map.
    #[must_use]
    pub fn value(&self) -> Flow {
        if self.parts.is_none() {
            return self.part_of_whole();
        }
        let mut all = Flow::never();
        for part in self.each_part() {
            all = all.or(part);
        }
        all.there().with(&self.label).with_held(&self.held)
    }

    /// Returns the flow with another part at a key. A number may be a key of a map, whose entries have an order of their
    /// own. So only the places of a vector stay apart.
    #[must_use]
    pub fn set(&self, key: &Key, part: Flow) -> Flow {
        if !key.is_name() && self.each_field().all(|(it, _)| it != key) {
            return self.put(&part);
        }
        let mut fields = self.parts.as_ref().map_or_else(Vec::new, |it| it.fields.clone());
        match fields.iter_mut().find(|(it, _)| it == key) {
            Some((_, old)) => *old = part,
            None => fields.push((key.clone(), part)),
        }
        let rest = self.parts.as_ref().and_then(|it| it.rest.clone());
        self.with_own(Flow::with_parts(fields, rest))
    }

    /// Returns the flow with a part at an unknown key, or one more item.
    #[must_use]
    pub fn put(&self, part: &Flow) -> Flow {
        let fields = self.parts.as_ref().map_or_else(Vec::new, |it| it.fields.clone());
        let rest = self.parts.as_ref().and_then(|it| it.rest.as_ref());
        let rest = rest.map_or_else(|| part.clone(), |rest| rest.or(part));
        self.with_own(Flow::with_parts(fields, Some(rest)))
    }

    /// Returns the map of keys and values that are items of a list, if all keys are known.
    pub fn of_pairs(&self) -> Option<Flow> {
        let items: Vec<&Flow> = self.each_field().map(|(_, part)| part).collect();
        if self.has_names() || self.rest().is_some() || items.len() % 2 == 1 {
            return None;
        }
        let mut map = Flow::fields(Vec::new()).with(&self.label).with_held(&self.held);
        for pair in items.chunks_exact(2) {
            let key = pair[0].as_key().filter(Key::is_name)?;
            map = map.set(&key, pair[1].clone()).with_names(&pair[0].deep());
        }
        Some(map)
    }

    /// Returns the flow with one more item, or with more entries: it may be a list, a set or a map.
    #[must_use]
    pub fn conj(&self, item: &Flow) -> Flow {
        let list = self.without_places();
        if self.is_list {
            return list.put(item);
        }
        // The size of a set and the keys of a map depend on it.
        list.put(&item.flat()).with(&item.deep())
    }

    /// Returns what is known without the places of its items: those of a list move if it grows.
    #[must_use]
    fn without_places(&self) -> Flow {
        if !self.has_places() {
            return self.clone();
        }
        let mut rest = self.rest().cloned().unwrap_or_else(Flow::never);
        let mut fields = Vec::new();
        for (key, part) in self.each_field() {
            if key.is_name() {
                fields.push((key.clone(), part.clone()));
            } else {
                rest = rest.or(part);
            }
        }
        self.with_own(Flow::with_parts(fields, Some(rest)))
    }

    fn with_own(&self, made: Flow) -> Flow {
        let made = Flow { is_list: self.is_list, ..made };
        made.with(&self.label).with_held(&self.held).with_names(&self.names)
    }

    /// Returns what is known about a value that is one of two.
    #[must_use]
    pub fn or(&self, other: &Flow) -> Flow {
        if self.never {
            return other.clone();
        }
        if other.never || self == other {
            return self.clone();
        }
        let (a, b) = (self.parts.as_ref(), other.parts.as_ref());
        let mut both = match (a, b) {
            (None, None) => Flow::default(),
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => {
                Flow { parts: Some(a.clone()), ..Flow::default() }
            }
            _ => self.parts_or(other),
        };
        if self.constant == other.constant {
            both.constant.clone_from(&self.constant);
        }
        both.is_list = self.is_list && other.is_list;
        both.label.add(&self.label.or(&other.label));
        both.names.add(&self.names.or(&other.names));
        both.with_held(&self.held).with_held(&other.held)
    }

    fn parts_or(&self, other: &Flow) -> Flow {
        let find = |flow: &Flow, key: &Key| {
            flow.each_field().find(|(it, _)| it == key).map(|(_, part)| part.clone())
        };
        let mut fields = Vec::new();
        for (key, part) in self.each_field() {
            let part = find(other, key).map_or_else(|| part.perhaps(), |it| part.or(&it));
            fields.push((key.clone(), part));
        }
        for (key, part) in other.each_field() {
            if find(self, key).is_none() {
                fields.push((key.clone(), part.perhaps()));
            }
        }
        let rest = match (self.rest(), other.rest()) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b).map(Flow::perhaps),
        };
        Flow::with_parts(fields, rest)
    }

    fn rest(&self) -> Option<&Flow> {
        self.parts.as_ref().and_then(|parts| parts.rest.as_ref())
    }

    /// Returns the same flow, with no mark that is certain.
    fn perhaps(&self) -> Flow {
        let (label, names) = (self.label.clone().perhaps(), self.names.clone().perhaps());
        let mut flow = Flow { label, names, constant: None, ..self.clone() };
        if let Some(parts) = &self.parts {
            let fields = parts.fields.iter().map(|(key, part)| (key.clone(), part.perhaps()));
            let rest = parts.rest.as_ref().map(Flow::perhaps);
            flow.parts = Some(Arc::new(Parts { fields: fields.collect(), rest }));
        }
        flow
    }
}

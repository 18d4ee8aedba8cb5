//! Makes shapes, joins them, and answers for a shape the questions that are asked of a value.

use std::borrow::{Borrow, Cow};
use std::sync::Arc;

use arcstr::ArcStr;
use ptc_signatures::{Datum, Kinds, Type, View};

use super::types::{Fields, Length, Others, Reader, Shape};
use crate::times::Collection;
use ptc_values::Value;

/// The maximum number of alternative values.
const ALTERNATIVES: usize = 16;

impl<const JSON: bool> Shape<JSON> {
    pub const UNKNOWN: &'static Shape<JSON> = &Shape::Kinds(Kinds::ANY);

    pub fn kinds(&self) -> Kinds {
        match self {
            Shape::Kinds(kinds) => *kinds,
            Shape::Datetime => Kinds::STRING,
            Shape::Made => Kinds::ANY,
            Shape::Known(value) => kinds_of(value),
            Shape::OneOf(values) => kinds_of_all(values),
            Shape::List(_) | Shape::Items(_) => Kinds::LIST,
            Shape::Map(_) | Shape::Entries(_) => Kinds::MAP,
            Shape::Maybe(inner) => inner.kinds() | Kinds::NIL,
            Shape::Data(data) => data.kinds(),
            Shape::Function(_) | Shape::Reader(_) => Kinds::OTHER,
        }
    }
}

impl Length {
    pub fn exactly(len: u64) -> Length {
        Length { least: len, most: Some(len), of: None }
    }

    /// Returns the length without a lower bound.
    pub fn up_to(&self) -> Length {
        Length { least: 0, ..self.clone() }
    }

    /// Returns the collection to name in a bound, if any.
    pub fn collection(&self) -> Option<Collection> {
        Some(Collection { name: self.of.clone()?, len: self.most })
    }

    fn or(&self, other: &Length) -> Length {
        let same = self.of == other.of;
        Length {
            least: self.least.min(other.least),
            most: self.most.zip(other.most).map(|(a, b)| a.max(b)),
            of: if same { self.of.clone() } else { None },
        }
    }
}

impl Shape {
    pub const ANY: Shape = Shape::Kinds(Kinds::ANY);
    pub const NIL: Shape = Shape::Known(Value::Nil);

    pub fn list(item: Shape, length: Length) -> Shape {
        Shape::List(Arc::new((item.plain(), length)))
    }

    /// Creates a map with exactly these fields; a program may read others.
    pub fn exact(fields: Vec<(ArcStr, Shape)>) -> Shape {
        Shape::Map(Arc::new(Fields { fields, open: false, others: Others::Allowed }))
    }

    /// Creates a map with the fields that are seen in data.
    pub fn record(fields: Vec<(ArcStr, Shape)>, open: bool) -> Shape {
        Shape::Map(Arc::new(Fields { fields, open, others: Others::Unseen }))
    }

    /// Creates a map with the fields that a type declares.
    pub fn declared_record(fields: Vec<(ArcStr, Shape)>, open: bool) -> Shape {
        Shape::Map(Arc::new(Fields { fields, open, others: Others::Undeclared }))
    }

    pub fn entries(key: Shape, value: Shape) -> Shape {
        Shape::Entries(Arc::new((key.plain(), value.plain())))
    }

    /// Returns the shape of a map that the program fills, with unknown keys.
    pub fn dictionary() -> Shape {
        Shape::entries(Shape::ANY, Shape::Made)
    }

    /// Returns whether it is a map that the program makes itself.
    pub fn is_own_map(&self) -> bool {
        match self.collection() {
            Shape::Map(map) => !map.open,
            Shape::Entries(_) => true,
            _ => false,
        }
    }

    pub fn or_nil(self) -> Shape {
        match self {
            Shape::Map(_) | Shape::Entries(_) | Shape::List(_) | Shape::Items(_) => {
                Shape::Maybe(Arc::new(self))
            }
            Shape::Data(data) if !data.kinds().meets(Kinds::NIL) => {
                Shape::Maybe(Arc::new(Shape::Data(data)))
            }
            Shape::Maybe(_) | Shape::Data(_) | Shape::Made | Shape::Known(Value::Nil) => self,
            Shape::Kinds(Kinds::NONE) => Shape::NIL,
            Shape::Known(_) | Shape::OneOf(_) => self.or(&Shape::NIL),
            other => Shape::Kinds(other.kinds() | Kinds::NIL),
        }
    }

    /// Returns the shape as a part of another one, without a function. The caller marks the function as escaped before.
    pub fn plain(self) -> Shape {
        match self {
            Shape::Function(_) => Shape::Kinds(Kinds::OTHER),
            other => other,
        }
    }

    /// Returns the collection of a shape that may be nil.
    pub fn collection(&self) -> &Shape {
        match self {
            Shape::Maybe(inner) => inner,
            other => other,
        }
    }

    /// Returns the shape of a type. `name` is the name of the whole value.
    pub fn of_type(ty: &Type, name: &str, deep: u32) -> Shape {
        let inner = deep.saturating_sub(1);
        match ty {
            Type::List(item, length) if deep > 0 => Shape::list(
                Shape::of_type(item, &format!("an item of {name}"), inner),
                Length { least: length.min.unwrap_or(0), most: length.max, of: Some(name.into()) },
            ),
            Type::Record(fields) if deep > 0 && !fields.is_empty() => {
                let field = |field: &ptc_signatures::Field| {
                    let name = format!("{name}, {}", field.name);
                    (field.name.as_str().into(), Shape::of_type(&field.ty, &name, inner))
                };
                let others = if fields.open { Others::Allowed } else { Others::Undeclared };
                let fields = fields.iter().map(field).collect();
                Shape::Map(Arc::new(Fields { fields, open: true, others }))
            }
            Type::Optional(inner) => Shape::of_type(inner, name, deep).or_nil(),
            Type::Union(members) => {
                let shapes = members.iter().map(|member| Shape::of_type(member, name, deep));
                shapes.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY)
            }
            Type::Datetime => Shape::Datetime,
            // The value comes from JSON, which has no keywords.
            _ => Shape::Kinds(ty.kinds().without(Kinds::KEYWORD)),
        }
    }

    pub fn or(&self, other: &Shape) -> Shape {
        match (self, other) {
            (Shape::Kinds(Kinds::NONE), other) => other.clone().plain(),
            (one, Shape::Kinds(Kinds::NONE)) => one.clone().plain(),
            (Shape::Datetime, Shape::Datetime) => Shape::Datetime,
            (Shape::Made, _) | (_, Shape::Made) => Shape::Made,
            (Shape::Known(a), Shape::Known(b)) if same_scalar(a, b) => self.clone(),
            (Shape::Known(_) | Shape::OneOf(_), Shape::Known(_) | Shape::OneOf(_)) => {
                one_of(self.alternatives(), other.alternatives())
                    .unwrap_or_else(|| Shape::Kinds(self.kinds() | other.kinds()))
            }
            (one, Shape::Known(Value::Nil) | Shape::Kinds(Kinds::NIL)) => {
                one.clone().plain().or_nil()
            }
            (Shape::Known(Value::Nil) | Shape::Kinds(Kinds::NIL), one) => {
                one.clone().plain().or_nil()
            }
            (Shape::Maybe(a), b) => a.or(b.collection()).or_nil(),
            (a, Shape::Maybe(b)) => a.or(b).or_nil(),
            (Shape::Data(a), Shape::Data(b)) if a == b => self.clone(),
            (Shape::Reader(a), Shape::Reader(b)) if a == b => self.clone(),
            (Shape::Entries(a), Shape::Entries(b)) => Shape::entries(a.0.or(&b.0), a.1.or(&b.1)),
            (Shape::Map(map), entries @ Shape::Entries(_))
            | (entries @ Shape::Entries(_), Shape::Map(map))
                if map.is_empty() =>
            {
                entries.clone()
            }
            (Shape::Function(a), Shape::Function(b)) if a == b => self.clone(),
            (Shape::List(a), Shape::List(b)) => Shape::list(a.0.or(&b.0), a.1.or(&b.1)),
            (Shape::Items(a), Shape::Items(b)) if a.len() == b.len() => {
                Shape::Items(a.iter().zip(b.iter()).map(|(a, b)| a.or(b)).collect())
            }
            (Shape::List(_) | Shape::Items(_), Shape::List(_) | Shape::Items(_)) => {
                match (self.length(), other.length()) {
                    (Some(a), Some(b)) => Shape::list(self.item().or(&other.item()), a.or(&b)),
                    _ => Shape::Kinds(Kinds::LIST),
                }
            }
            (Shape::Map(a), Shape::Map(b)) => {
                let mut fields = Vec::new();
                for (name, shape) in &a.fields {
                    fields.push((name.clone(), shape.or(&b.get(name))));
                }
                for (name, shape) in &b.fields {
                    if !a.fields.iter().any(|(known, _)| known == name) {
                        fields.push((name.clone(), shape.or(&a.get(name))));
                    }
                }
                // A map without fields does not restrict the other one.
                let others = match (a.is_empty(), b.is_empty()) {
                    (true, _) => b.others,
                    (_, true) => a.others,
                    _ => a.others.min(b.others),
                };
                Shape::Map(Arc::new(Fields { fields, open: a.open || b.open, others }))
            }
            _ => Shape::Kinds(self.kinds() | other.kinds()),
        }
    }

    /// Returns the possible values, if they are few and known.
    pub fn alternatives(&self) -> &[Value] {
        match self {
            Shape::Known(value) => std::slice::from_ref(value),
            Shape::OneOf(values) => values,
            _ => &[],
        }
    }

    /// Returns the shape without nil.
    pub fn not_nil(&self) -> Shape {
        match self {
            Shape::Kinds(kinds) => Shape::Kinds(kinds.without(Kinds::NIL)),
            Shape::Known(Value::Nil) => Shape::Kinds(Kinds::NONE),
            Shape::OneOf(values) => {
                let named = values.iter().filter(|value| !value.is_nil());
                let named = named.map(|value| Shape::Known(value.clone()));
                named.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE))
            }
            Shape::Maybe(inner) => (**inner).clone(),
            other => other.clone(),
        }
    }

    pub fn field_of(&self, name: &str) -> Shape {
        match self {
            Shape::Map(fields) => fields.get(name),
            Shape::Entries(entries) => entries.1.clone().or_nil(),
            Shape::Maybe(inner) => inner.field_of(name).or_nil(),
            Shape::Data(data) => data.field(name),
            Shape::Known(Value::Nil) => Shape::NIL,
            Shape::Made => Shape::Made,
            _ => Shape::ANY,
        }
    }

    /// Returns the result of a lookup with a partly known key.
    pub fn found(&self, key: &Shape) -> Shape {
        let found = key.alternatives().iter().map(|key| match key {
            Value::Keyword(name) | Value::Str(name) => self.field_of(name),
            _ => Shape::ANY,
        });
        match (found.reduce(|a, b| a.or(&b)), self) {
            (Some(found), _) => found,
            (None, Shape::Map(map)) if !map.open => {
                map.fields.iter().fold(Shape::NIL, |all, (_, field)| all.or(field))
            }
            _ => Shape::ANY,
        }
    }

    /// Returns an item of the value as a sequence; an entry for a map.
    pub fn item(&self) -> Shape {
        match self {
            Shape::List(list) => list.0.clone(),
            Shape::Items(items) => {
                let all = items.iter().cloned().reduce(|a, b| a.or(&b));
                all.unwrap_or(Shape::Kinds(Kinds::NONE)).plain()
            }
            Shape::Map(map) if !map.open => {
                let values = map.fields.iter().map(|(_, value)| value.clone());
                let value = values.reduce(|a, b| a.or(&b)).unwrap_or(Shape::Kinds(Kinds::NONE));
                Shape::Items([Shape::Kinds(Kinds::KEYWORD | Kinds::STRING), value.plain()].into())
            }
            Shape::Entries(entries) => Shape::Items([entries.0.clone(), entries.1.clone()].into()),
            Shape::Map(_) => Shape::Items([Shape::ANY, Shape::ANY].into()),
            Shape::Kinds(kinds) if kinds.without(Kinds::NIL) == Kinds::MAP => {
                Shape::Items([Shape::ANY, Shape::ANY].into())
            }
            Shape::Maybe(inner) => inner.item(),
            Shape::Data(data) => data.item(),
            Shape::Made => Shape::Made,
            Shape::Kinds(kinds) if !kinds.meets(Kinds::ANY.without(Kinds::STRING | Kinds::NIL)) => {
                Shape::Kinds(Kinds::STRING)
            }
            _ => Shape::ANY,
        }
    }

    /// Returns the length of the value as a sequence, if known.
    pub fn length(&self) -> Option<Length> {
        match self {
            Shape::List(list) => Some(list.1.clone()),
            Shape::Items(items) => Some(Length::exactly(items.len() as u64)),
            Shape::Known(Value::Nil) => Some(Length::exactly(0)),
            Shape::Known(Value::Str(text)) => Some(Length::exactly(text.chars().count() as u64)),
            Shape::Map(fields) if !fields.open => {
                Some(Length { least: 0, ..Length::exactly(fields.fields.len() as u64) })
            }
            Shape::Maybe(inner) => inner.length().map(|length| length.up_to()),
            _ => None,
        }
    }

    /// Returns whether a value may have this shape. Tests check every run with it.
    pub fn admits(&self, value: &Value) -> bool {
        if !self.kinds().meets(kinds_of(value)) {
            return false;
        }
        match self {
            Shape::Known(_) | Shape::OneOf(_) => {
                self.alternatives().iter().any(|known| same_scalar(known, value))
            }
            Shape::List(list) => {
                let (item, length) = &**list;
                let count = value.items_len().unwrap_or(0) as u64;
                let items = value.items().into_iter().flatten();
                count >= length.least
                    && length.most.is_none_or(|most| count <= most)
                    && items.take(64).all(|it| item.admits(it))
            }
            Shape::Items(shapes) => {
                value.items_len().unwrap_or(0) == shapes.len()
                    && value
                        .items()
                        .into_iter()
                        .flatten()
                        .zip(shapes.iter())
                        .all(|(item, shape)| shape.admits(item))
            }
            Shape::Map(fields) => {
                let known = |(name, shape): &(ArcStr, Shape)| {
                    shape.admits(value.get(name).unwrap_or(&Value::Nil))
                };
                fields.fields.iter().all(known)
                    && (fields.open
                        || value.as_map().is_none_or(|map| {
                            map.iter()
                                .all(|(key, _)| key.name().is_some_and(|name| fields.has(name)))
                        }))
            }
            Shape::Entries(entries) => value.as_map().is_none_or(|map| {
                let fits = |(key, value): (&Value, &Value)| {
                    entries.0.admits(key) && entries.1.admits(value)
                };
                map.iter().take(64).all(fits)
            }),
            Shape::Maybe(inner) => value.is_nil() || inner.admits(value),
            Shape::Kinds(_)
            | Shape::Datetime
            | Shape::Made
            | Shape::Data(_)
            | Shape::Function(_)
            | Shape::Reader(_) => true,
        }
    }

    /// Returns the value as a tool receives it. With `coerced`, strings may become the types of the signature.
    pub fn as_json(&self, coerced: Coerced) -> Shape<true> {
        match self {
            Shape::Kinds(_)
            | Shape::Datetime
            | Shape::Made
            | Shape::Entries(_)
            | Shape::Data(_) => {
                let mut kinds = self.kinds();
                if kinds.meets(Kinds::KEYWORD) {
                    kinds |= Kinds::STRING;
                }
                if coerced.texts && kinds.meets(Kinds::STRING) {
                    kinds |= Kinds::NUMBER | Kinds::BOOL;
                }
                if coerced.floats && kinds.meets(Kinds::FLOAT) {
                    kinds |= Kinds::INT;
                }
                Shape::Kinds(kinds)
            }
            Shape::Known(Value::Keyword(name)) => Shape::Known(Value::Str(name.clone())),
            Shape::Known(Value::Str(text)) if coerced.texts => coercible(text),
            Shape::Known(Value::Float(float)) if coerced.floats && float.fract() == 0.0 => {
                Shape::Kinds(Kinds::NUMBER)
            }
            Shape::Known(value) => Shape::Known(value.clone()),
            Shape::OneOf(_) => Shape::Kinds(self.kinds()).as_json(coerced),
            Shape::List(list) => Shape::List(Arc::new((list.0.as_json(coerced), list.1.clone()))),
            Shape::Items(items) => {
                Shape::Items(items.iter().map(|item| item.as_json(coerced)).collect())
            }
            Shape::Map(map) => {
                let field =
                    |(name, shape): &(ArcStr, Shape)| (name.clone(), shape.as_json(coerced));
                let fields = map.fields.iter().map(field).collect();
                Shape::Map(Arc::new(Fields { fields, open: map.open, others: map.others }))
            }
            Shape::Maybe(inner) => Shape::Maybe(Arc::new(inner.as_json(coerced))),
            Shape::Function(callee) => Shape::Function(*callee),
            Shape::Reader(_) => Shape::Kinds(Kinds::OTHER),
        }
    }
}

/// The conversions applied where data leaves a program.
#[derive(Clone, Copy)]
pub struct Coerced {
    /// Texts become numbers and booleans.
    pub texts: bool,
    /// Floats without a fraction become integers.
    pub floats: bool,
}

impl Fields<false> {
    /// Returns what is known of other fields once the map has one more field.
    pub fn filled(&self) -> Others {
        if self.fields.is_empty() { self.others.max(Others::Unseen) } else { self.others }
    }

    /// Returns whether it is the closed map without fields.
    fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.open
    }

    pub fn get(&self, name: &str) -> Shape {
        let found = self.fields.iter().find(|(known, _)| known == name);
        match found {
            Some((_, shape)) => shape.clone(),
            None if self.open => Shape::ANY,
            None => Shape::NIL,
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == name)
    }
}

impl Reader {
    /// Returns a part of a composed function, at most two levels deep, which bounds the recursion of a call.
    pub fn part(part: &Shape) -> Shape {
        let is_flat = |part: &Shape| !matches!(part, Shape::Reader(_));
        match part {
            Shape::Known(Value::Keyword(_)) => part.clone(),
            Shape::Reader(reader) => match &**reader {
                Reader::Juxt(parts) | Reader::Comp(parts) if parts.iter().all(is_flat) => {
                    part.clone()
                }
                _ => Shape::Kinds(Kinds::OTHER),
            },
            _ => Shape::Kinds(Kinds::OTHER),
        }
    }
}

/// Returns the shape of a string that may be coerced to a number or a boolean, or stay a string.
fn coercible(text: &ArcStr) -> Shape<true> {
    let number = text.trim().parse::<f64>().is_ok();
    let bool = matches!(text.as_str(), "true" | "false");
    if number || bool || text.starts_with(':') {
        Shape::Kinds(Kinds::STRING | Kinds::KEYWORD | Kinds::NUMBER | Kinds::BOOL)
    } else {
        Shape::Known(Value::Str(text.clone()))
    }
}

/// Returns whether two values that are not collections are the same value of one kind. NaN is the same as NaN, although
/// it equals nothing.
fn same_scalar(a: &Value, b: &Value) -> bool {
    let nan = |value: &Value| matches!(value, Value::Float(float) if float.is_nan());
    kinds_of(a) == kinds_of(b) && (a == b || nan(a) && nan(b))
}

/// Returns the alternatives of both lists; `None` if they are many or not names of one kind.
fn one_of(a: &[Value], b: &[Value]) -> Option<Shape> {
    let mut both: Vec<Value> = a.to_vec();
    // A keyword equals the string of its name, but is another value here.
    let is_new = |it: &&Value| !a.iter().any(|known| same_scalar(known, it));
    both.extend(b.iter().filter(is_new).cloned());
    let texts = both.iter().all(|it| matches!(it, Value::Str(_) | Value::Nil));
    let keywords = both.iter().all(|it| matches!(it, Value::Keyword(_) | Value::Nil));
    let few = both.len() <= ALTERNATIVES;
    (few && (texts || keywords)).then(|| Shape::OneOf(both.into()))
}

fn kinds_of_all(values: &[Value]) -> Kinds {
    values.iter().fold(Kinds::NONE, |kinds, value| kinds | kinds_of(value))
}

pub fn kinds_of(value: &Value) -> Kinds {
    match value.view() {
        View::Nil => Kinds::NIL,
        View::Bool(_) => Kinds::BOOL,
        View::Int(_) | View::BigInt(_) => Kinds::INT,
        View::Float(_) => Kinds::FLOAT,
        View::Str(_) | View::Datetime => Kinds::STRING,
        View::Keyword(_) => Kinds::KEYWORD,
        View::List => Kinds::LIST,
        View::Map => Kinds::MAP,
        View::Other(_) | View::Unknown(_) => Kinds::OTHER,
    }
}

impl<const JSON: bool> Datum for Shape<JSON> {
    const HAS_FORMS: bool = !JSON;

    fn view(&self) -> View<'_> {
        match self {
            Shape::Kinds(kinds) => View::Unknown(*kinds),
            Shape::Known(value) => value.view(),
            Shape::OneOf(values) => View::Unknown(kinds_of_all(values)),
            Shape::List(_) | Shape::Items(_) => View::List,
            Shape::Map(_) => View::Map,
            Shape::Datetime
            | Shape::Made
            | Shape::Entries(_)
            | Shape::Maybe(_)
            | Shape::Data(_) => View::Unknown(self.kinds()),
            Shape::Function(_) | Shape::Reader(_) => View::Other("function"),
        }
    }

    fn items(&self) -> impl Iterator<Item = impl Borrow<Shape<JSON>>> {
        // One item represents all, if there is at least one.
        let items = match self {
            Shape::Items(items) => &items[..],
            Shape::List(list) if list.1.least > 0 => std::slice::from_ref(&list.0),
            _ => &[],
        };
        items.iter()
    }

    fn length(&self) -> Option<u64> {
        match self {
            Shape::Items(items) => Some(items.len() as u64),
            Shape::List(list) => list.1.most.filter(|most| *most == list.1.least),
            _ => None,
        }
    }

    fn field(&self, name: &str) -> Option<&Shape<JSON>> {
        let Shape::Map(fields) = self else { return None };
        let found = fields.fields.iter().find(|(known, _)| known == name);
        match found {
            Some((_, shape)) => Some(shape),
            None if fields.open => Some(Shape::UNKNOWN),
            None => None,
        }
    }

    fn entries(&self) -> impl Iterator<Item = (Cow<'_, str>, &Shape<JSON>)> {
        let fields = match self {
            Shape::Map(fields) => fields.fields.as_slice(),
            _ => &[],
        };
        fields.iter().map(|(name, shape)| (Cow::Borrowed(name.as_str()), shape))
    }

    fn literal(&self) -> Option<String> {
        match self {
            Shape::Known(value) => value.literal(),
            _ => None,
        }
    }
}

//! Large data is not inspected in advance. It is represented by a place, which is inspected when a program reads a
//! field there.

use std::borrow::Borrow;
use std::sync::Arc;

use arcstr::ArcStr;
use ptc_signatures::{Kinds, Type};

use super::combine::kinds_of;
use super::types::{Data, Fields, Length, Others, Shape, Step};
use ptc_values::Value;

/// The presence of a field at a place.
pub enum Found {
    /// The field is declared, or some value has it.
    There,
    /// No value has it, for this reason.
    Absent(Others),
    /// The values may have any field.
    Unknown,
}

/// The number of steps of a place. It bounds the recursion of [`visit`].
const STEPS: usize = 12;

/// The number of values visited for one question.
const VISITED: usize = 1 << 20;

/// The number of values whose fields a message names.
const NAMED: usize = 32;

impl Data {
    /// Creates the place of a whole value.
    pub fn of(whole: &Value) -> Data {
        Data { whole: whole.clone(), steps: Vec::new(), declared: None, kinds: kinds_of(whole) }
    }

    pub fn declared(mut self, ty: &Type) -> Data {
        self.declared = Some(Arc::new(ty.clone()));
        self
    }

    pub fn kinds(&self) -> Kinds {
        self.kinds
    }

    pub fn field(&self, name: &str) -> Shape {
        let declared = self.declared.as_deref().map(|ty| field_type(ty, name));
        if let (Value::Map(map), []) = (&self.whole, self.steps.as_slice()) {
            let found = map.get_name(name).map_or(Shape::NIL, Shape::of_part);
            return match declared {
                Some(ty) => found.declared(ty),
                None => found,
            };
        }
        self.step(Step::Field(name.into()), declared)
    }

    /// Returns the shape of an item, with the place as a sequence.
    pub fn item(&self) -> Shape {
        let declared = self.declared.as_deref();
        if self.kinds == Kinds::MAP {
            let value = self.step(Step::Values, declared.map(|_| &Type::Any));
            return Shape::Items([Shape::ANY, value].into());
        }
        let item = declared.map(|ty| match main_type(ty) {
            Type::List(item, _) => &**item,
            _ => &Type::Any,
        });
        self.step(Step::Items, item)
    }

    /// Returns the place one step further, with its declared type.
    fn step(&self, step: Step, declared: Option<&Type>) -> Shape {
        if self.steps.len() >= STEPS || declared == Some(&Type::Any) {
            return Shape::ANY;
        }
        let mut steps = self.steps.clone();
        steps.push(step);
        let declared = declared.map(|ty| Arc::new(ty.clone()));
        Shape::Data(Arc::new(Data {
            whole: self.whole.clone(),
            steps,
            declared,
            kinds: Kinds::ANY,
        }))
    }

    /// Returns what is known of the fields that it does not name.
    pub fn others(&self) -> Others {
        match self.declared.as_deref().map(main_type) {
            Some(Type::Record(fields)) if !fields.open => Others::Undeclared,
            _ => Others::Unseen,
        }
    }

    /// Returns whether a value may have a field.
    pub fn find(&self, name: &str) -> Found {
        match self.declared.as_deref().map(main_type) {
            Some(Type::Record(fields)) if fields.iter().any(|field| field.name == name) => {
                return Found::There;
            }
            None => {}
            Some(Type::Record(fields)) if !fields.is_empty() => {}
            Some(_) => return Found::Unknown,
        }
        let (mut records, mut others, mut there) = (false, false, false);
        let mut left = VISITED;
        visit(&self.whole, &self.steps, &mut left, &mut |value| {
            match value {
                Value::Map(map) => {
                    records |= !map.is_empty();
                    there = map.get_name(name).is_some();
                }
                Value::Nil => {}
                _ => others = true,
            }
            !there && !others
        });
        match (there, others || left == 0) {
            (true, _) => Found::There,
            (false, true) => Found::Unknown,
            (false, false) if records || self.declared.is_some() => Found::Absent(self.others()),
            (false, false) => Found::Unknown,
        }
    }

    /// Returns the names of the fields, as declared and in the first values.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = match self.declared.as_deref().map(main_type) {
            Some(Type::Record(fields)) => fields.iter().map(|field| field.name.clone()).collect(),
            _ => Vec::new(),
        };
        let (mut left, mut values) = (VISITED, 0);
        visit(&self.whole, &self.steps, &mut left, &mut |value| {
            if let Value::Map(map) = value {
                for (key, _) in map.iter().take(NAMED) {
                    if let Some(name) = key.name()
                        && !names.iter().any(|known| known == name)
                    {
                        names.push(name.to_owned());
                    }
                }
            }
            values += 1;
            values < NAMED && names.len() < NAMED
        });
        names
    }
}

/// Visits the values at the end of the steps until the visitor stops; returns whether it did not.
fn visit(
    value: &Value,
    steps: &[Step],
    left: &mut usize,
    visitor: &mut impl FnMut(&Value) -> bool,
) -> bool {
    *left = left.saturating_sub(1);
    if *left == 0 {
        return false;
    }
    let Some((step, rest)) = steps.split_first() else { return visitor(value) };
    match (step, value) {
        (_, Value::Nil) => true,
        (Step::Field(name), Value::Map(map)) => {
            map.get_name(name).is_none_or(|value| visit(value, rest, left, visitor))
        }
        (Step::Values, Value::Map(map)) => {
            map.iter().all(|(_, value)| visit(value, rest, left, visitor))
        }
        (Step::Items, Value::List(_) | Value::Vector(_) | Value::Set(_)) => {
            let mut items = value.items().into_iter().flatten();
            items.all(|item| visit(Borrow::<Value>::borrow(&item), rest, left, visitor))
        }
        // The step leads to something unknown, such as the entries of a map.
        _ => {
            *left = 0;
            false
        }
    }
}

fn field_type<'t>(ty: &'t Type, name: &str) -> &'t Type {
    match main_type(ty) {
        Type::Record(fields) => {
            let field = fields.iter().find(|field| field.name == name);
            field.map_or(&Type::Any, |field| &field.ty)
        }
        _ => &Type::Any,
    }
}

/// Returns the only collection type that a type admits, else any.
fn main_type(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => main_type(inner),
        Type::Union(members) => {
            let is_collection = |member: &&Type| {
                matches!(member, Type::Any | Type::Map | Type::Record(_) | Type::List(..))
            };
            let mut collections = members.iter().map(main_type).filter(is_collection);
            match (collections.next(), collections.next()) {
                (Some(only), None) => only,
                _ => &Type::Any,
            }
        }
        other => other,
    }
}

impl Shape {
    /// Combines data with its declared type: the fields are those of the type and those of the data.
    pub fn declared(self, ty: &Type) -> Shape {
        let ty = main_type(ty);
        match (self, ty) {
            (Shape::Map(map), Type::Record(fields)) if !fields.is_empty() => {
                let known = |name: &str| fields.iter().find(|field| field.name == name);
                let declared = |(name, shape): &(ArcStr, Shape)| {
                    let shape = match known(name) {
                        Some(field) => shape.clone().declared(&field.ty),
                        None => shape.clone(),
                    };
                    (name.clone(), shape)
                };
                let mut all: Vec<_> = map.fields.iter().map(declared).collect();
                let absent = fields.iter().filter(|field| !map.has(&field.name));
                all.extend(absent.map(|field| (field.name.as_str().into(), Shape::NIL)));
                let others = if fields.open { Others::Unseen } else { Others::Undeclared };
                Shape::Map(Arc::new(Fields { fields: all, open: map.open, others }))
            }
            (Shape::List(list), Type::List(item, _)) => {
                let item = match &list.0 {
                    Shape::Kinds(Kinds::NONE) => Shape::of_type(item, "", 6),
                    known => known.clone().declared(item),
                };
                Shape::list(item, list.1.clone())
            }
            (Shape::Maybe(inner), ty) => (*inner).clone().declared(ty).or_nil(),
            (Shape::Data(data), ty) => Shape::Data(Arc::new((*data).clone().declared(ty))),
            (Shape::Kinds(Kinds::STRING), Type::Datetime) => Shape::Datetime,
            (shape @ (Shape::Known(_) | Shape::Kinds(_)), _) => shape,
            (shape, _) => shape.opened(),
        }
    }

    /// Returns the shape of values that nothing compared with their type: they have its lists and fields, and scalars of
    /// any kind.
    pub fn unchecked(&self) -> Shape {
        match self {
            Shape::Map(map) => {
                let fields = map.fields.iter().map(|(name, it)| (name.clone(), it.unchecked()));
                let (fields, others) = (fields.collect(), map.others);
                Shape::Map(Arc::new(Fields { fields, open: map.open, others }))
            }
            Shape::List(list) => Shape::list(list.0.unchecked(), Length::default()),
            Shape::Maybe(inner) => inner.unchecked().or_nil(),
            _ => Shape::ANY,
        }
    }

    /// Makes all maps open, so that any field may be read.
    pub fn opened(self) -> Shape {
        match self {
            Shape::Map(map) => {
                let fields = map.fields.iter();
                Shape::exact(fields.map(|(name, it)| (name.clone(), it.clone().opened())).collect())
            }
            Shape::List(list) => Shape::list(list.0.clone().opened(), list.1.clone()),
            Shape::Items(items) => {
                Shape::Items(items.iter().map(|item| item.clone().opened()).collect())
            }
            Shape::Maybe(inner) => (*inner).clone().opened().or_nil(),
            Shape::Data(data) => Shape::Kinds(data.kinds()),
            other => other,
        }
    }
}

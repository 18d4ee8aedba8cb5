//! Draft types, which the schema reader builds and merges.
//!
//! An optional type says with one `?` that a field may be absent or that a value may be null. A
//! draft keeps the two apart. Otherwise merging the parts of an `allOf` would lose one of them.

use crate::datetime::is_datetime;
use crate::types::{Bounds, Field, Length, Record, Type};

/// A type under construction. Leaves hold types without parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Draft {
    Leaf(Type),
    List(Box<Draft>, Length),
    /// Fields, and whether the schema allows others by name.
    Record(Vec<DraftField>, bool),
    /// Members are neither unions nor nullable.
    Union(Vec<Draft>),
    Nullable(Box<Draft>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct DraftField {
    pub(super) name: String,
    pub(super) draft: Draft,
    pub(super) required: bool,
    pub(super) description: Option<String>,
}

/// The maximum number of members of a union. A longer union is unreadable.
const MAX_MEMBERS: usize = 32;

impl Draft {
    pub(super) const ANY: Draft = Draft::Leaf(Type::Any);

    pub(super) fn is_any(&self) -> bool {
        self == &Draft::ANY
    }

    pub(super) fn nullable(self) -> Draft {
        match self {
            Draft::Nullable(_) | Draft::Leaf(Type::Any) => self,
            _ => Draft::Nullable(Box::new(self)),
        }
    }

    /// Returns the union of several drafts, or `None` if it has more than [`MAX_MEMBERS`] members.
    pub(super) fn union(drafts: impl IntoIterator<Item = Draft>) -> Option<Draft> {
        let (mut members, mut null) = (Vec::new(), false);
        for draft in drafts {
            add(draft, &mut members, &mut null);
            if members.len() > MAX_MEMBERS {
                return None;
            }
        }
        if members.iter().any(Draft::is_any) {
            return Some(Draft::ANY);
        }
        let union = match members.len() {
            0 => Draft::ANY,
            1 => members.pop().unwrap_or(Draft::ANY),
            _ => Draft::Union(members),
        };
        Some(if null { union.nullable() } else { union })
    }

    /// Returns the type, in the one shape that parsing text gives.
    pub(super) fn into_type(self) -> Type {
        match self {
            Draft::Leaf(ty) => ty,
            Draft::List(item, length) => Type::List(Box::new(item.into_type()), length),
            Draft::Record(fields, open) => {
                let open = open && !fields.is_empty();
                Type::Record(Record { fields: into_fields(fields), open })
            }
            Draft::Union(members) => {
                // Different drafts may become the same type, since `?` has two meanings.
                let mut types: Vec<Type> = Vec::new();
                for member in members {
                    let ty = member.into_type();
                    if !types.contains(&ty) {
                        types.push(ty);
                    }
                }
                if types.len() == 1 { types.remove(0) } else { Type::Union(types) }
            }
            Draft::Nullable(inner) => inner.into_type().optional(),
        }
    }
}

pub(super) fn into_fields(fields: Vec<DraftField>) -> Vec<Field> {
    let field = |field: DraftField| {
        let takes_null = matches!(field.draft, Draft::Nullable(_) | Draft::Leaf(Type::Any));
        let ty = field.draft.into_type();
        let typed = Field { description: field.description, ..Field::new(field.name, ty) };
        match (field.required, takes_null) {
            (true, _) => typed,
            (false, true) => Field { ty: typed.ty.optional(), ..typed },
            (false, false) => typed.absent_if_nil(),
        }
    };
    fields.into_iter().map(field).collect()
}

/// Adds a member to a union. Flattens unions, drops duplicates and merges enums.
fn add(draft: Draft, members: &mut Vec<Draft>, null: &mut bool) {
    match draft {
        Draft::Nullable(inner) => {
            *null = true;
            add(*inner, members, null);
        }
        Draft::Union(more) => more.into_iter().for_each(|member| add(member, members, null)),
        Draft::Leaf(Type::Enum(more)) => {
            let words = members.iter_mut().find_map(|member| match member {
                Draft::Leaf(Type::Enum(words)) => Some(words),
                _ => None,
            });
            match words {
                Some(words) => {
                    let known: std::collections::HashSet<_> = words.iter().cloned().collect();
                    words.extend(more.into_iter().filter(|word| !known.contains(word)));
                }
                None => members.push(Draft::Leaf(Type::Enum(more))),
            }
        }
        draft if members.contains(&draft) => {}
        draft => members.push(draft),
    }
}

/// The remaining work for merging drafts. Unions multiply, so a short schema could otherwise take
/// unbounded time.
pub(super) struct Work(pub(super) usize);

impl Work {
    /// Returns the intersection of two drafts, or a wider draft where no draft expresses it.
    /// Returns `None` if certainly no value fits both.
    pub(super) fn meet(&mut self, a: &Draft, b: &Draft) -> Option<Draft> {
        if self.0 == 0 {
            return Some(a.clone());
        }
        self.0 -= 1;
        match (a, b) {
            (Draft::Leaf(Type::Any), other) | (other, Draft::Leaf(Type::Any)) => {
                self.charge(other);
                Some(other.clone())
            }
            (Draft::Nullable(a), Draft::Nullable(b)) => self.meet(a, b).map(Draft::nullable),
            (Draft::Nullable(a), b) => self.meet(a, b),
            (a, Draft::Nullable(b)) => self.meet(a, b),
            (Draft::Union(members), _) => {
                let met = members.iter().filter_map(|member| self.meet(member, b)).collect();
                one_of(met, a)
            }
            (_, Draft::Union(members)) => {
                let met = members.iter().filter_map(|member| self.meet(a, member)).collect();
                one_of(met, a)
            }
            (Draft::Leaf(Type::Map), record @ Draft::Record(..))
            | (record @ Draft::Record(..), Draft::Leaf(Type::Map)) => {
                self.charge(record);
                Some(record.clone())
            }
            (Draft::Record(a, open), Draft::Record(b, also_open)) => {
                self.records(a, b, *open || *also_open)
            }
            (Draft::List(item, length), Draft::List(other, more)) => {
                let length = within(length, more)?;
                // If no item fits both, only the empty list does, and no type expresses that.
                let item = self.meet(item, other).unwrap_or_else(|| (**item).clone());
                Some(Draft::List(Box::new(item), length))
            }
            (Draft::Leaf(a), Draft::Leaf(b)) => leaves(a, b).map(Draft::Leaf),
            _ => None,
        }
    }

    fn records(&mut self, a: &[DraftField], b: &[DraftField], open: bool) -> Option<Draft> {
        a.iter().chain(b).for_each(|field| self.charge(&field.draft));
        let mut fields = a.to_vec();
        let mut index: std::collections::HashMap<&str, usize> =
            a.iter().enumerate().map(|(i, field)| (field.name.as_str(), i)).collect();
        for field in b {
            let known = index.get(field.name.as_str()).and_then(|i| fields.get_mut(*i));
            let Some(known) = known else {
                index.insert(&field.name, fields.len());
                fields.push(field.clone());
                continue;
            };
            known.required |= field.required;
            if known.description.is_none() {
                known.description.clone_from(&field.description);
            }
            match self.meet(&known.draft, &field.draft) {
                Some(draft) => known.draft = draft,
                None if known.required => return None,
                // No value fits, so the field is always absent. No type expresses that.
                None => {}
            }
        }
        Some(Draft::Record(fields, open))
    }

    /// Charges the work of copying a draft.
    fn charge(&mut self, draft: &Draft) {
        let mut open = vec![draft];
        while let Some(draft) = open.pop() {
            self.0 = self.0.saturating_sub(1);
            match draft {
                Draft::Leaf(_) => {}
                Draft::List(inner, _) | Draft::Nullable(inner) => open.push(inner),
                Draft::Record(fields, _) => open.extend(fields.iter().map(|field| &field.draft)),
                Draft::Union(members) => open.extend(members),
            }
        }
    }
}

/// Returns the union of the intersections of a union's members with another draft, or `wider` if it
/// has too many members.
fn one_of(met: Vec<Draft>, wider: &Draft) -> Option<Draft> {
    if met.is_empty() { None } else { Draft::union(met).or_else(|| Some(wider.clone())) }
}

/// Returns the intersection of two types without parts.
fn leaves(a: &Type, b: &Type) -> Option<Type> {
    Some(match (a, b) {
        (Type::Int(a), Type::Int(b)) => Type::Int(within(a, b)?),
        (Type::Float(a), Type::Float(b)) => Type::Float(within(a, b)?),
        (Type::Int(int), Type::Float(float)) | (Type::Float(float), Type::Int(int)) => {
            Type::Int(within(int, &whole(float))?)
        }
        (Type::String(a), Type::String(b)) => Type::String(within(a, b)?),
        (Type::Enum(words), other) | (other, Type::Enum(words)) => {
            let fits = |word: &&String| match other {
                Type::Enum(others) => others.contains(word),
                Type::String(length) => length.contains(&(word.chars().count() as u64)),
                Type::Datetime => is_datetime(word),
                _ => false,
            };
            let words: Vec<String> = words.iter().filter(fits).cloned().collect();
            if words.is_empty() {
                return None;
            }
            Type::Enum(words)
        }
        (Type::Datetime, Type::String(_)) | (Type::String(_), Type::Datetime) => Type::Datetime,
        (a, b) if a == b => a.clone(),
        _ => return None,
    })
}

/// Returns the intersection of two ranges, or `None` if it is empty.
pub(super) fn within<T: PartialOrd + Copy>(a: &Bounds<T>, b: &Bounds<T>) -> Option<Bounds<T>> {
    let pick = |a: Option<T>, b: Option<T>, other_wins: fn(&T, &T) -> bool| match (a, b) {
        (Some(a), Some(b)) => Some(if other_wins(&b, &a) { b } else { a }),
        (a, b) => a.or(b),
    };
    let min = pick(a.min, b.min, |b, a| b > a);
    let max = pick(a.max, b.max, |b, a| b < a);
    match (min, max) {
        (Some(min), Some(max)) if min > max => None,
        _ => Some(Bounds { min, max }),
    }
}

/// Returns the range of the integers in a range of floats.
pub(super) fn whole(range: &Bounds<f64>) -> Bounds<i64> {
    // `as` saturates at the ends of 64 bits. A bound beyond them excludes no 64-bit integer or all
    // of them.
    Bounds {
        min: range.min.map(f64::ceil).filter(|min| *min > i64::MIN as f64).map(|min| min as i64),
        max: range.max.map(f64::floor).filter(|max| *max < i64::MAX as f64).map(|max| max as i64),
    }
}

//! Removes the fields that are nil and thereby absent.

use crate::check::{matches, matches_strictly};
use crate::datum::{Coercible, View};
use crate::types::{Field, Signature, Type};

impl Signature {
    /// Returns arguments without those and without fields that are nil and thereby absent: those of
    /// `name? :int`. A nil that is a value of its own stays, as in `name :int?`.
    #[must_use]
    pub fn leave_out_absent<D: Coercible>(&self, args: D) -> D {
        left_out(&self.params, args)
    }
}

/// Returns a map without the entries that are nil and thereby absent, at every depth.
fn left_out<D: Coercible>(fields: &[Field], mut map: D) -> D {
    for field in fields {
        if field.nil_is_absent && map.field(&field.name).is_some_and(|it| it.view() == View::Nil) {
            map = map.without_field(&field.name);
        } else if leaves_out(&field.ty) {
            map = map.with_field(&field.name, |value| within(&field.ty, value));
        }
    }
    map
}

fn within<D: Coercible>(ty: &Type, value: D) -> D {
    match (ty, value.view()) {
        (Type::Optional(inner), _) => within(inner, value),
        (Type::Record(fields), View::Map) => left_out(fields, value),
        (Type::List(item, _), View::List) if leaves_out(item) => {
            value.with_items(|_, it| within(item, it))
        }
        (Type::Union(members), _) if leaves_out(ty) => {
            // A record accepts fields that it does not name, so the member that names them all is meant.
            let exact = members.iter().find(|it| matches_strictly(it, &value));
            let member = exact.or_else(|| members.iter().find(|it| matches(it, &value)));
            match member {
                Some(member) => within(member, value),
                None => value,
            }
        }
        _ => value,
    }
}

/// Returns whether a value of the type may lose a field. The others need no visit, however long they are.
fn leaves_out(ty: &Type) -> bool {
    match ty {
        Type::Record(fields) => fields.iter().any(|it| it.nil_is_absent || leaves_out(&it.ty)),
        Type::List(inner, _) | Type::Optional(inner) => leaves_out(inner),
        Type::Union(members) => members.iter().any(leaves_out),
        _ => false,
    }
}

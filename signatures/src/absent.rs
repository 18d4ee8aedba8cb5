//! Removes the fields that are nil and thereby absent.

use serde_json::{Map, Value};

use crate::check::{matches, matches_strictly};
use crate::types::{Field, Type};

/// Removes the entries of a map that are nil and thereby absent, at every depth.
pub(crate) fn leave_out(fields: &[Field], map: &mut Map<String, Value>) {
    for field in fields {
        match map.get_mut(&field.name) {
            Some(Value::Null) if field.nil_is_absent => {
                // `shift_remove` keeps the order of the other entries.
                map.shift_remove(&field.name);
            }
            Some(value) => within(&field.ty, value),
            None => {}
        }
    }
}

fn within(ty: &Type, value: &mut Value) {
    match (ty, value) {
        (Type::Optional(inner), value) => within(inner, value),
        (Type::Record(fields), Value::Object(map)) => leave_out(fields, map),
        (Type::List(item, _), Value::Array(items)) if leaves_out(item) => {
            for it in items {
                within(item, it);
            }
        }
        (Type::Union(members), value) if leaves_out(ty) => {
            // A record accepts fields that it does not name, so the member that names them all is meant.
            let exact = members.iter().find(|it| matches_strictly(it, value));
            let member = exact.or_else(|| members.iter().find(|it| matches(it, value)));
            if let Some(member) = member {
                within(member, value);
            }
        }
        _ => {}
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

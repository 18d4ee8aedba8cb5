//! Removes the fields that are nil and thereby absent.

use serde_json::Value;

use crate::check::matches;
use crate::types::{Field, Type};

/// Removes the entries of a map that are nil and thereby absent, at every depth.
pub(crate) fn leave_out(fields: &[Field], map: &mut Value) {
    let Value::Object(entries) = map else { return };
    for field in fields {
        match entries.get_mut(&field.name) {
            Some(Value::Null) if field.nil_is_absent => {
                // `shift_remove` keeps the order of the other entries.
                entries.shift_remove(&field.name);
            }
            Some(value) => within(&field.ty, value),
            None => {}
        }
    }
}

fn within(ty: &Type, value: &mut Value) {
    match ty {
        Type::Optional(inner) => within(inner, value),
        Type::Record(fields) => leave_out(fields, value),
        Type::List(item, _) if has_fields(item) => {
            let items = value.as_array_mut().into_iter().flatten();
            items.for_each(|it| within(item, it));
        }
        Type::Union(members) if has_fields(ty) => {
            if let Some(member) = members.iter().find(|it| matches(it, value)) {
                within(member, value);
            }
        }
        _ => {}
    }
}

/// Returns whether values of the type have known fields. The other values need no visit.
fn has_fields(ty: &Type) -> bool {
    match ty {
        Type::Record(fields) => !fields.is_empty(),
        Type::List(inner, _) | Type::Optional(inner) => has_fields(inner),
        Type::Union(members) => members.iter().any(has_fields),
        _ => false,
    }
}

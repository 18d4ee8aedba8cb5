//! Records the fields of tool results that their types do not declare.

use std::borrow::Borrow;

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_signatures::Type;

use ptc_values::Value;

/// The names of undeclared fields, by tool.
pub type SeenFields = HashMap<ArcStr, Vec<ArcStr>>;

/// The number of names kept per tool.
const NAMES: usize = 64;

/// The number of values inspected per result.
const VALUES: usize = 4096;

/// The depth of inspected types.
const DEEP: u32 = 6;

/// Records the undeclared fields of a result.
pub fn note(seen: &mut SeenFields, tool: &ArcStr, ty: &Type, result: &Value) {
    let mut left = VALUES;
    walk(ty, result, DEEP, &mut left, &mut |name| {
        note_names(seen, tool, [name]);
    });
}

pub fn note_names(
    seen: &mut SeenFields,
    tool: &ArcStr,
    found: impl IntoIterator<Item = impl AsRef<str>>,
) {
    for name in found {
        let (name, names) = (name.as_ref(), seen.entry(tool.clone()).or_default());
        if names.len() < NAMES && !names.iter().any(|known| known == name) {
            names.push(name.into());
        }
    }
}

fn walk(ty: &Type, value: &Value, deep: u32, left: &mut usize, found: &mut impl FnMut(&str)) {
    if deep == 0 || *left == 0 {
        return;
    }
    *left -= 1;
    match (ty, value) {
        (Type::Optional(inner), value) => walk(inner, value, deep, left, found),
        (Type::Union(members), value) => {
            for member in members {
                walk(member, value, deep - 1, left, found);
            }
        }
        (Type::List(item, _), value) => {
            for one in value.items().into_iter().flatten() {
                if *left == 0 {
                    return;
                }
                walk(item, Borrow::<Value>::borrow(&one), deep - 1, left, found);
            }
        }
        (Type::Record(fields), Value::Map(map)) if !fields.is_empty() => {
            for (key, value) in map.iter() {
                let Some(name) = key.name() else { continue };
                match fields.iter().find(|field| field.name == name) {
                    Some(field) => walk(&field.ty, value, deep - 1, left, found),
                    None => found(name),
                }
            }
        }
        _ => {}
    }
}

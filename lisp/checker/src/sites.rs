//! Gives each watched read of a field a constant of its own, by whose address the machine knows the read.

use arcstr::ArcStr;
use ptc_facts::field_watch::{WatchedField, address_of};
use ptc_values::ir::{Node, Operand, OperandKind};
use ptc_values::{Program, Value};

/// Returns the watched fields, each with the constant that reads it. Reads of one constant, such as a keyword that has a
/// name, stay together. No other program has one of these constants, so its reads never count for this one.
pub(crate) fn separate(
    program: &mut Program,
    watched: Vec<(u32, WatchedField)>,
) -> Vec<WatchedField> {
    let mut all: Vec<(bool, WatchedField)> = Vec::with_capacity(watched.len());
    for (at, mut field) in watched {
        let own = own_constant(program, at, &field.name);
        let has_own = own.is_some();
        field.name = own.unwrap_or(field.name);
        all.push((has_own, field));
    }
    let mut shared: Vec<usize> = Vec::new();
    let mut separate: Vec<WatchedField> = Vec::with_capacity(all.len());
    for (has_own, mut field) in all {
        if !has_own {
            let address = field.address();
            if shared.contains(&address) {
                continue;
            }
            shared.push(address);
            field.name = shared_constant(program, &field.name);
        }
        separate.push(field);
    }
    separate
}

/// Gives the read of a node a new constant, if the node itself has the constant: as a key, an argument or a step of a path.
fn own_constant(program: &mut Program, at: u32, name: &ArcStr) -> Option<ArcStr> {
    let own = ArcStr::from(name.as_str());
    let args = match *program.nodes.get(at as usize)? {
        Node::Get { key, map } => {
            let key = add_constant(program, key, name, &own)?;
            *program.nodes.get_mut(at as usize)? = Node::Get { key, map };
            return Some(own);
        }
        Node::Builtin { args, .. } | Node::Call(args) | Node::CallGlobal { args, .. } => args,
        _ => return None,
    };
    let places = args.first as usize..(args.first + args.count) as usize;
    for place in places {
        let OperandKind::Const(index) = program.operands.get(place)?.kind() else { continue };
        if let Some(index) = add_constant(program, index, name, &own) {
            *program.operands.get_mut(place)? = Operand::new(OperandKind::Const(index));
            return Some(own);
        }
    }
    None
}

/// Gives all constants with a name another text for it; returns the text. No constant may have it, such as a key of the map
/// that `where` takes.
fn shared_constant(program: &mut Program, name: &ArcStr) -> ArcStr {
    let own = ArcStr::from(name.as_str());
    for constant in &mut program.consts {
        if let Some(other) = renamed(constant, name, &own) {
            *constant = other;
        }
    }
    own
}

/// Adds a constant with another text for a name; returns its index, or none if the constant of this index does not have
/// the name.
fn add_constant(program: &mut Program, index: u32, name: &ArcStr, own: &ArcStr) -> Option<u32> {
    let constant = renamed(program.consts.get(index as usize)?, name, own)?;
    program.consts.push(constant);
    u32::try_from(program.consts.len() - 1).ok()
}

/// Returns a constant with another text for a name, if it is the name or a path that has it.
fn renamed(constant: &Value, name: &ArcStr, own: &ArcStr) -> Option<Value> {
    let text = |value: &Value| match value {
        Value::Keyword(text) if address_of(text) == address_of(name) => {
            Some(Value::Keyword(own.clone()))
        }
        Value::Str(text) if address_of(text) == address_of(name) => Some(Value::Str(own.clone())),
        _ => None,
    };
    match constant {
        Value::Vector(path) => {
            if !path.iter().any(|step| text(step).is_some()) {
                return None;
            }
            let steps = path.iter().map(|it| text(it).unwrap_or_else(|| it.clone()));
            Some(Value::vector(steps.collect()))
        }
        name => text(name),
    }
}

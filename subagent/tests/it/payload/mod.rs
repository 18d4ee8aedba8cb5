//! Tests of the payload. Tests with an id such as `m61` hold a capability of the systems that the payload replaces.

mod access;
mod changes;
mod checks;
mod hostile;
mod laws;
mod patches;
mod views;

use ptc_subagent::Data;
use ptc_subagent::payload::{Grants, Op, Patch, Path};
use serde_json::Value;

fn data(value: Value) -> Data {
    value.into()
}

fn path(text: &str) -> Path {
    text.parse().unwrap()
}

fn grants(texts: &[&str]) -> Grants {
    Grants::parse(texts).unwrap()
}

fn put(at: &str, value: Value) -> Op {
    Op::put(path(at), value)
}

fn push(at: &str, value: Value) -> Op {
    Op::push(path(at), value)
}

fn delete(at: &str) -> Op {
    Op::delete(path(at))
}

fn merge_in(at: &str, value: Value) -> Op {
    Op::merge(path(at), value)
}

fn patch<const N: usize>(ops: [Op; N]) -> Patch {
    Patch::new(ops)
}

/// Returns the operations in an order that does not depend on the patch.
fn sorted(patch: &Patch) -> Vec<String> {
    let mut ops: Vec<String> = patch.ops().iter().map(Op::to_string).collect();
    ops.sort();
    ops
}

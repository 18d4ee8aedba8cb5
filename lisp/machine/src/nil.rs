//! The search for the field that produced a nil which a builtin cannot use.

use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{FieldsRead, Origin};
use ptc_values::code::Code;
use ptc_values::ir::{Node, Operand, OperandKind};
use ptc_values::{Diagnostic, Program, Value};

/// The maximum number of steps from a builtin back to the field.
const STEPS: usize = 16;

/// Adds the field that produced a nil to the help of a problem.
#[cold]
pub(super) fn name_field(problem: Diagnostic, program: &Program, node: u32) -> Diagnostic {
    let is_nil =
        problem.code_value() == Code::WrongType && problem.class() == Some("NullPointerException");
    let Some((read, name)) = is_nil.then(|| field_of(program, node, &problem)).flatten() else {
        return problem;
    };
    let reads = program.reads.iter().filter(|it| it.node == read);
    let declared = reads.map(|it| it.is_present);
    let key = ptc_facts::messages::bare(name);
    let instead = if problem.nil_number().is_some() { "0" } else { "default" };
    problem.with_help(match declared.reduce(|a, b| a && b) {
        Some(true) => format!(
            "the field `{key}` is declared, and nil here: leave such records out with `(filter {key} xs)`, or give a default with `(or ({key} x) {instead})`"
        ),
        Some(false) => format!("the field `{key}` is not declared, so it is nil: check its name"),
        None => format!(
            "the field `{key}` is nil here, and no type declares it: check its name first, since `(or ({key} x) {instead})` would hide a wrong name"
        ),
    })
}

/// Returns the node that read the nil, and the name of the field.
fn field_of<'p>(program: &'p Program, node: u32, problem: &Diagnostic) -> Option<(u32, &'p str)> {
    let parts = match program.core(node)? {
        Node::Op { a, b, .. } => match problem.nil_number()? {
            0 => vec![a],
            _ => vec![b],
        },
        Node::Builtin { args, .. } => program.args(args).to_vec(),
        _ => return None,
    };
    let mut fields = parts.iter().filter_map(|part| read_by(program, node, *part));
    match (fields.next(), fields.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Returns the read of a field whose value, or list of values, is an operand of a node.
fn read_by(program: &Program, node: u32, part: Operand) -> Option<(u32, &str)> {
    let (mut at, mut part) = (node, part);
    for _ in 0..STEPS {
        let found = match part.kind() {
            OperandKind::Direct(node) | OperandKind::Deep(node) => node,
            OperandKind::Local(slot) | OperandKind::Take(slot) => {
                part = value_of_slot(program, at, slot)?;
                continue;
            }
            OperandKind::Const(_) | OperandKind::Capture(_) => return None,
        };
        at = found;
        match program.core(found)? {
            Node::Get { key, .. } => {
                return Some((found, program.consts.get(key as usize)?.name()?));
            }
            Node::Do(args) => part = *program.args(args).last()?,
            Node::Bind { value, .. } => part = value,
            Node::Builtin { id, args } => {
                let parts = program.args(args);
                let facts = &id.builtin().facts;
                if facts.reads == FieldsRead::Value {
                    let [_, key] = parts else { return None };
                    return Some((found, name_of(program, *key)?));
                }
                match facts.origin {
                    Origin::Made => return None,
                    Origin::First => part = *parts.first()?,
                    Origin::Last => part = *parts.last()?,
                    Origin::Results => match parts.first()?.kind() {
                        OperandKind::Const(index) => {
                            return match program.consts.get(index as usize)? {
                                Value::Keyword(name) => Some((found, name.as_str())),
                                _ => None,
                            };
                        }
                        OperandKind::Direct(function) | OperandKind::Deep(function) => {
                            let Node::Function { lambda, .. } =
                                *program.nodes.get(function as usize)?
                            else {
                                return None;
                            };
                            let mut arities = program.lambdas.get(lambda as usize)?.arities.iter();
                            part = arities.next()?.body;
                        }
                        _ => return None,
                    },
                }
            }
            _ => return None,
        }
    }
    None
}

/// Returns the last binding of a slot before a node of the same function.
fn value_of_slot(program: &Program, node: u32, slot: u32) -> Option<Operand> {
    let function = function_of(program, node);
    let before = program.nodes.get(..node as usize)?.iter().enumerate().rev();
    before
        .filter_map(|(at, node)| match node {
            Node::Bind { slot: bound, value } if *bound == slot => Some((at as u32, *value)),
            _ => None,
        })
        .find(|(at, _)| function_of(program, *at) == function)
        .map(|(_, value)| value)
}

/// Returns the start of the innermost function that contains a node.
fn function_of(program: &Program, node: u32) -> u32 {
    let arities = program.lambdas.iter().skip(1).flat_map(|lambda| lambda.arities.iter());
    let around = arities.filter(|arity| match arity.body.kind() {
        OperandKind::Direct(last) | OperandKind::Deep(last) => (arity.start..=last).contains(&node),
        _ => false,
    });
    around.map(|arity| arity.start).max().unwrap_or(0)
}

/// Returns the name of a constant key.
fn name_of(program: &Program, key: Operand) -> Option<&str> {
    match key.kind() {
        OperandKind::Const(index) => match program.consts.get(index as usize)? {
            Value::Keyword(name) | Value::Str(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

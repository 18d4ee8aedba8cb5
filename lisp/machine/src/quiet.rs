//! Quiet functions: those whose calls have no effect besides their values, and whose values do not change.
//!
//! A stage over a range is made item by item only if its function is quiet. So nobody can see how many items it makes, and
//! when.

use ptc_facts::registry::Registered;
use ptc_values::ir::{Node, Operand, OperandKind};
use ptc_values::{BuiltinId, Ext, Program, Value};

/// The nodes of a function, with those of the functions that it calls, that are looked at. A larger function is not quiet.
const MOST_NODES: usize = 400;

/// A look at a function.
pub(super) struct Quiet<'a> {
    globals: &'a [Option<Value>],
    /// The functions looked at so far: a program and the number of a function.
    known: Vec<(*const Program, u32)>,
    left: usize,
}

impl<'a> Quiet<'a> {
    pub(super) fn new(globals: &'a [Option<Value>]) -> Quiet<'a> {
        Quiet { globals, known: Vec::new(), left: MOST_NODES }
    }

    /// Returns whether calls of a value are quiet.
    pub(super) fn is_quiet(&mut self, called: &Value) -> bool {
        match called {
            Value::Keyword(_) | Value::Map(_) | Value::Set(_) | Value::Vector(_) => true,
            Value::Builtin(id) => is_quiet_builtin(*id) && id.builtin().is_pure,
            Value::Function(closure) => {
                closure.captures.iter().all(is_constant)
                    && self.function(&closure.program, closure.lambda, &closure.captures)
            }
            _ => false,
        }
    }

    fn function(&mut self, program: &Program, lambda: u32, captures: &[Value]) -> bool {
        let function = (std::ptr::from_ref(program), lambda);
        if self.known.contains(&function) {
            return true;
        }
        self.known.push(function);
        let Some(found) = program.lambdas.get(lambda as usize) else { return false };
        found.arities.iter().all(|arity| self.body(program, arity.body, captures))
    }

    /// Returns whether the body of a function is quiet.
    pub(super) fn body(&mut self, program: &Program, body: Operand, captures: &[Value]) -> bool {
        let mut work = vec![body];
        while let Some(operand) = work.pop() {
            let Some(core) = operand.node().and_then(|node| program.core(node)) else { continue };
            let Some(left) = self.left.checked_sub(1) else { return false };
            self.left = left;
            if !self.node(program, core, captures) {
                return false;
            }
            program.each_operand(core, &mut |part| work.push(part));
        }
        true
    }

    /// Returns whether a node is quiet if its parts are.
    fn node(&mut self, program: &Program, core: Node, captures: &[Value]) -> bool {
        match core {
            Node::If { .. }
            | Node::And(_)
            | Node::Or(_)
            | Node::Do(_)
            | Node::Bind { .. }
            | Node::CallSelf(_)
            | Node::Op { .. }
            | Node::Get { .. }
            | Node::Vector(_)
            | Node::Map(_)
            | Node::Set(_)
            | Node::Myself
            | Node::Sibling(_)
            | Node::Loop { .. }
            | Node::Recur { .. }
            | Node::RecurFunction(_)
            | Node::Ctx(_)
            | Node::CtxAll
            | Node::History(_)
            | Node::Try(_) => true,
            Node::Call(args) => match program.args(args).first() {
                Some(callee) => self.callee(program, *callee, captures),
                None => false,
            },
            Node::CallGlobal { global, .. } => self.global(global),
            Node::Global(global) => {
                self.globals.get(global as usize).and_then(Option::as_ref).is_some_and(is_constant)
            }
            // The inner function may capture other values.
            Node::Function { lambda, .. } => self.function(program, lambda, &[]),
            Node::Builtin { id, args } => {
                let builtin = id.builtin();
                let calls = builtin.facts.calls;
                let args = program.args(args);
                let functions = || {
                    args.iter().enumerate().filter(|(at, _)| {
                        calls.iter().any(|it| it.function == *at && it.least <= args.len())
                    })
                };
                is_quiet_builtin(id)
                    && (builtin.is_pure || !calls.is_empty())
                    && functions().all(|(_, it)| self.callee(program, *it, captures))
            }
            Node::Memory(_)
            | Node::MemoryAll
            | Node::Def { .. }
            | Node::Tool { .. }
            | Node::Named(_)
            | Node::Return(_)
            | Node::Fail(_) => false,
        }
    }

    /// Returns whether calls of the value of an operand are quiet.
    fn callee(&mut self, program: &Program, operand: Operand, captures: &[Value]) -> bool {
        match operand.kind() {
            OperandKind::Const(index) => {
                program.consts.get(index as usize).is_some_and(|value| self.is_quiet(value))
            }
            OperandKind::Capture(index) => {
                captures.get(index as usize).is_some_and(|value| self.is_quiet(value))
            }
            OperandKind::Local(_) | OperandKind::Take(_) => false,
            OperandKind::Direct(node) | OperandKind::Deep(node) => match program.core(node) {
                Some(Node::Global(global)) => self.global(global),
                Some(Node::Sibling(lambda)) => self.function(program, lambda, captures),
                // A walk over the parts looks at its body.
                Some(Node::Function { .. } | Node::Myself) => true,
                _ => false,
            },
        }
    }

    fn global(&mut self, global: u32) -> bool {
        let globals = self.globals;
        globals
            .get(global as usize)
            .and_then(Option::as_ref)
            .is_some_and(|value| self.is_quiet(value))
    }
}

fn is_quiet_builtin(id: BuiltinId) -> bool {
    let facts = &id.builtin().facts;
    !facts.acts && !facts.varies && !id.name().ends_with('!')
}

/// Returns whether the content of a value cannot change.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Ext(ext) => {
            matches!(**ext, Ext::Regex(_) | Ext::Time(_) | Ext::Uuid(_) | Ext::Class(_))
        }
        _ => true,
    }
}

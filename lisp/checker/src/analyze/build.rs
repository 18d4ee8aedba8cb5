//! Makes nodes from operands.

use super::analyzer::{Analyzer, LoopScope, Make, Task, Val, copied};
use super::last_use::{Event, Kept};
use crate::lowered::Defined;
use crate::lowered::GlobalCall;
use ptc_facts::registry::Registered;
use ptc_values::code::{Code, Span};
use ptc_values::ir::{Args, Catch, MAX_DIRECT, Node, Op, Operand, OperandKind, Try};
use ptc_values::{BuiltinId, Diagnostic, FLAT_MAX, Map, Value};

impl Analyzer<'_> {
    /// Pops the last operands, in the order they were pushed.
    pub(super) fn take(&mut self, count: usize) -> Vec<Val> {
        self.vals.split_off(self.vals.len().saturating_sub(count))
    }

    /// Appends operands to the program's list.
    pub(super) fn args(&mut self, vals: &[Val]) -> Args {
        let first = self.lowered.program.operands.len() as u32;
        for val in vals {
            let index = self.lowered.program.operands.len() as u32;
            self.keep(*val, Kept::Operand(index));
            self.lowered.program.operands.push(val.operand);
        }
        Args { first, count: vals.len() as u32 }
    }

    fn keep(&mut self, val: Val, kept: Kept) {
        if let Some(read) = val.read
            && let Some(Event::Read(read)) = self.function.events.get_mut(read.get() as usize - 1)
        {
            read.kept = kept;
        }
    }

    /// Adds a node with these operands as fields, and pushes it as an operand.
    pub(super) fn push_node(&mut self, node: Node, span: Span, fields: &[Val]) {
        let depth = self.depth_over(fields.iter().map(|val| val.operand));
        let index = self.add(node, span, depth);
        for (field, val) in fields.iter().enumerate() {
            self.keep(*val, Kept::Field { node: index, field: field as u8 });
        }
        self.leave(index);
    }

    /// Adds a node with its parts in the program's list, and pushes it as an operand.
    pub(super) fn push_args_node(&mut self, node: Node, span: Span, args: Args) {
        let depth = self.depth_over(self.lowered.program.args(args).iter().copied());
        let index = self.add(node, span, depth);
        self.leave(index);
    }

    fn leave(&mut self, index: u32) {
        let place = if self.depths.get(index as usize).is_some_and(|depth| *depth > 0) {
            OperandKind::Direct(index)
        } else {
            OperandKind::Deep(index)
        };
        self.vals.push(Val { operand: Operand::new(place), read: None });
    }

    /// Returns the nesting depth of a node with these parts, if it can be direct.
    fn depth_over(&self, parts: impl Iterator<Item = Operand>) -> u8 {
        let depth = |part: Operand| match part.kind() {
            OperandKind::Direct(node) => self.depths.get(node as usize).copied().unwrap_or(0),
            OperandKind::Deep(_) => MAX_DIRECT,
            _ => 0,
        };
        parts.map(depth).max().unwrap_or(0).saturating_add(1)
    }

    fn add(&mut self, node: Node, span: Span, depth: u8) -> u32 {
        let needs_frames = self.lowered.program.lazy_aware && matches!(node, Node::Builtin { .. });
        let direct = !needs_frames && runs_directly(node) && depth <= MAX_DIRECT;
        self.lowered.program.nodes.push(node);
        self.lowered.program.spans.push(span);
        self.depths.push(if direct { depth } else { 0 });
        self.lowered.program.nodes.len() as u32 - 1
    }

    pub(super) fn bind_node(&mut self, slot: u32, value: Val, span: Span) {
        self.push_node(Node::Bind { slot, value: value.operand }, span, &[value]);
        self.event(Event::Write(slot));
    }

    pub(super) fn make(&mut self, what: Make, count: usize, span: Span) {
        let start = self.vals.len().saturating_sub(count);
        let taken = self.vals.get(start..).unwrap_or_default();
        let (mut few, mut many) = Default::default();
        let vals = copied(taken, &mut few, &mut many);
        self.vals.truncate(start);
        self.make_of(what, vals, span);
    }

    fn make_of(&mut self, what: Make, vals: &[Val], span: Span) {
        match what {
            Make::If => {
                if let [test, then, other] = *vals {
                    let (test, then, other) = (test.operand, then.operand, other.operand);
                    self.push_node(Node::If { test, then, other }, span, vals);
                }
            }
            Make::Def(global) => {
                if let [value] = *vals {
                    let defined = match value.operand.kind() {
                        OperandKind::Direct(node) => match self.lowered.program.node(node) {
                            Node::Function { lambda, .. } => Defined::Function(lambda),
                            _ => Defined::Value,
                        },
                        _ => Defined::Value,
                    };
                    let known = self.lowered.defined.entry(global);
                    known.and_modify(|known| *known = Defined::Several).or_insert(defined);
                    self.push_node(Node::Def { global, value: value.operand }, span, vals);
                }
            }
            Make::Get(key) => {
                if let [map] = *vals {
                    self.push_node(Node::Get { key, map: map.operand }, span, vals);
                }
            }
            Make::Tool(tool) => {
                if let [args] = *vals {
                    let args = self.realized(args, span);
                    let vals = [args];
                    self.push_node(Node::Tool { tool, args: args.operand }, span, &vals);
                }
            }
            Make::Named => {
                self.lowered.ends = true;
                if let [name, args] = *vals {
                    let args = self.realized(args, span);
                    let args = self.args(&[name, args]);
                    self.push_args_node(Node::Named(args), span, args);
                }
            }
            Make::Return => {
                self.lowered.ends = true;
                if let [value] = *vals {
                    let value = self.realized(value, span);
                    let vals = [value];
                    self.push_node(Node::Return(value.operand), span, &vals);
                }
            }
            Make::Try => self.make_try(vals, span),
            Make::Fail => {
                self.lowered.ends = true;
                if let [value] = *vals {
                    let value = self.realized(value, span);
                    let vals = [value];
                    self.push_node(Node::Fail(value.operand), span, &vals);
                }
            }
            Make::Vector | Make::Map | Make::Set => self.make_collection(what, vals, span),
            Make::Builtin(id) => self.make_builtin(id, vals, span),
            Make::Call => self.make_call(vals, span),
            Make::Recur => self.make_recur(vals, span),
            Make::And | Make::Or | Make::Do => {
                let args = self.args(vals);
                let node = match what {
                    Make::And => Node::And(args),
                    Make::Or => Node::Or(args),
                    _ => Node::Do(args),
                };
                self.push_args_node(node, span, args);
            }
        }
    }

    /// Realizes a value that leaves the program or is read as a whole, so it contains no lazy sequence.
    pub(super) fn realized(&mut self, val: Val, span: Span) -> Val {
        let constant = matches!(val.operand.kind(), OperandKind::Const(_));
        if !self.lowered.program.lazy_aware || self.scope.builtin || constant {
            return val;
        }
        let Some(id) = ptc_facts::registry::find("ptc/realized") else { return val };
        let args = self.args(&[val]);
        self.push_args_node(Node::Builtin { id, args }, span, args);
        self.vals.pop().unwrap_or(val)
    }

    fn make_try(&mut self, vals: &[Val], span: Span) {
        let Some((classes, finally)) = self.try_plans.pop() else { return };
        let Some((body, handlers)) = vals.split_first() else { return };
        let slots =
            self.catch_slots.split_off(self.catch_slots.len().saturating_sub(classes.len()));
        let index = self.lowered.program.tries.len() as u32;
        for (part, val) in vals.iter().enumerate() {
            self.keep(*val, Kept::Try { index, part: part as u32 });
        }
        let catches = classes
            .into_iter()
            .zip(slots)
            .zip(handlers)
            .map(|((class, slot), val)| Catch { class, slot, body: val.operand })
            .collect();
        let finally = finally.then(|| vals.last().map(|val| val.operand)).flatten();
        self.lowered.program.tries.push(Try { body: body.operand, catches, finally });
        self.push_node(Node::Try(index), span, &[]);
    }

    /// Returns whether a `try` of the program encloses the form, so that a failure may be caught.
    pub(super) fn may_be_caught(&self) -> bool {
        !self.try_plans.is_empty()
    }

    fn constants(&self, vals: &[Val]) -> Option<Vec<Value>> {
        vals.iter()
            .map(|val| match val.operand.kind() {
                OperandKind::Const(index) => {
                    self.lowered.program.consts.get(index as usize).cloned()
                }
                _ => None,
            })
            .collect()
    }

    /// Refuses a literal map or set with a duplicate constant key, perhaps in another spelling. Equal members of
    /// different kinds, such as `[1]` and `'(1)`, are not a slip, and Clojure accepts them in a set too.
    fn refuse_duplicates(&mut self, vals: &[Val], what: Make, span: Span) {
        let (step, name, part) = match what {
            Make::Vector => return,
            Make::Map => (2, "map", "key"),
            _ => (1, "set", "member"),
        };
        let keys = vals.iter().step_by(step).filter_map(|val| match val.operand.kind() {
            OperandKind::Const(index) => self.lowered.program.consts.get(index as usize),
            _ => None,
        });
        let alike = |first: &Value, second: &Value| match what {
            Make::Map => first == second,
            _ => first.is_written_again(second),
        };
        let is_duplicate = |at: usize, second: &&Value| {
            let mut before = keys.clone().take(at);
            before.any(|first| alike(first, second))
        };
        let duplicate = if vals.len() <= 2 * FLAT_MAX {
            let second = keys.clone().enumerate().find(|(at, key)| is_duplicate(*at, key));
            second.map(|(_, second)| second)
        } else {
            let mut seen = Map::default();
            keys.clone().find(|key| match seen.row(key) {
                Some((first, _)) => alike(first, key),
                None => {
                    seen.insert(((*key).clone(), Value::Nil));
                    false
                }
            })
        };
        let Some(second) = duplicate else { return };
        let Some(first) = keys.clone().find(|first| alike(first, second)) else { return };
        let message = if first.type_name() == second.type_name() {
            format!("this {name} has a duplicate {part}")
        } else {
            format!("this {name} has `{first}` and `{second}`, which are equal")
        };
        self.report_duplicate(message, span);
    }

    fn report_duplicate(&mut self, message: String, span: Span) {
        let problem = Diagnostic::new(Code::BadForm, message).at(span);
        self.problem(problem.with_help("remove one of the two"));
    }

    fn make_collection(&mut self, what: Make, vals: &[Val], span: Span) {
        self.refuse_duplicates(vals, what, span);
        if let Some(consts) = self.constants(vals) {
            let value = match what {
                Make::Vector => Value::vector(consts),
                Make::Map => Value::map(ptc_values::pairs(consts)),
                _ => Value::set(consts),
            };
            return self.push_const(value);
        }
        let args = self.args(vals);
        let node = match what {
            Make::Vector => Node::Vector(args),
            Make::Map => Node::Map(args),
            _ => Node::Set(args),
        };
        self.push_args_node(node, span, args);
    }

    fn make_builtin(&mut self, id: BuiltinId, vals: &[Val], span: Span) {
        if id.makes_transducer(vals.len())
            && let Some(transducer) = ptc_facts::registry::find("ptc/transducer")
        {
            let of = self.constant(Value::Builtin(id));
            let of = Val { operand: Operand::new(OperandKind::Const(of)), read: None };
            let vals: Vec<Val> = std::iter::once(of).chain(vals.iter().copied()).collect();
            return self.make_builtin(transducer, &vals, span);
        }
        let id = id.other_for(vals.len()).unwrap_or(id);
        let builtin = id.builtin();
        if !builtin.takes(vals.len()) {
            // The error is raised when the call is made; a `catch` may expect it.
            self.fails(builtin.wrong_arity(vals.len()).at(span));
            let index = self.constant(Value::Builtin(id));
            let head = Val { operand: Operand::new(OperandKind::Const(index)), read: None };
            let call: Vec<Val> = std::iter::once(head).chain(vals.iter().copied()).collect();
            return self.make_call(&call, span);
        }
        if let Some(op) = builtin.facts.op_of(vals.len())
            && !(self.lowered.program.lazy_aware && matches!(op, Op::Equal | Op::NotEqual))
        {
            return self.make_op(op, vals, span);
        }
        let args = if self.lowered.program.lazy_aware && builtin.facts.looks_inside {
            let vals: Vec<Val> = vals.iter().map(|val| self.realized(*val, span)).collect();
            self.args(&vals)
        } else {
            self.args(vals)
        };
        self.lowered.is_doubtful |= builtin.facts.collection.is_some_and(|order| {
            order.is_doubtful(&self.lowered.program, self.lowered.program.args(args))
        });
        self.lowered.is_doubtful |= vals.len() > 1 && builtin.facts.options.is_some();
        self.push_args_node(Node::Builtin { id, args }, span, args);
    }

    /// Makes an operation: `(+ a b c)` is `(+ (+ a b) c)`; `(inc a)` is `(+ a 1)`.
    fn make_op(&mut self, op: Op, vals: &[Val], span: Span) {
        let Some((left, rest)) = vals.split_first() else { return };
        let mut left = *left;
        let one = rest.is_empty().then(|| {
            let index = self.constant(Value::Int(1));
            Val { operand: Operand::new(OperandKind::Const(index)), read: None }
        });
        let divides = matches!(op, Op::Div | Op::Quot | Op::Rem | Op::Mod);
        for right in rest.iter().copied().chain(one) {
            let (a, b) = (left.operand, right.operand);
            self.lowered.is_doubtful |= divides && self.lowered.program.int(b) == Some(0);
            self.push_node(Node::Op { op, a, b }, span, &[left, right]);
            if let Some(val) = self.vals.pop() {
                left = val;
            }
        }
        self.vals.push(left);
    }

    fn make_call(&mut self, vals: &[Val], span: Span) {
        let mut make: fn(u32, Args, Args) -> Node = |_, all, _| Node::Call(all);
        let mut called = 0;
        if let Some(head) = vals.first()
            && let OperandKind::Direct(node) = head.operand.kind()
        {
            let count = vals.len() as u32 - 1;
            match self.lowered.program.node(node) {
                Node::Global(global) => {
                    make = |global, _, args| Node::CallGlobal { global, args };
                    called = global;
                    if !self.may_be_caught() {
                        let lambda = self.function.lambda;
                        self.lowered.global_calls.push(GlobalCall { lambda, global, count, span });
                    }
                }
                Node::Myself => {
                    make = |_, _, args| Node::CallSelf(args);
                    self.function.reads_itself -= 1;
                }
                _ => {}
            }
        }
        let all = self.args(vals);
        let args = Args { first: all.first + 1, count: all.count.saturating_sub(1) };
        self.push_args_node(make(called, all, args), span, all);
    }

    fn make_recur(&mut self, vals: &[Val], span: Span) {
        let scope = self.function.loops.last().copied();
        let (expected, what) = match scope {
            Some(scope) => (scope.count, "loop"),
            None => (self.function.params, "function"),
        };
        if vals.len() != expected {
            let s = if expected == 1 { "" } else { "s" };
            self.problem(
                Diagnostic::new(
                    Code::WrongArity,
                    format!(
                        "`recur` gives {} values to a {what} with {expected} variable{s}",
                        vals.len()
                    ),
                )
                .at(span)
                .with_help(format!(
                    "give `recur` one value for each variable of the {what}, in order"
                )),
            );
        }
        let args = self.args(vals);
        let node = match scope {
            Some(scope) => Node::Recur { target: scope.node, args },
            None => Node::RecurFunction(args),
        };
        self.push_args_node(node, span, args);
        self.event(Event::Again);
    }

    pub(super) fn start_loop(&mut self, slots: u32, count: usize, span: Span) {
        // The body is set at the end; `recur` needs the node's number before that.
        let body = Operand::new(OperandKind::Deep(0));
        let node = self.add(Node::Loop { first: slots, body }, span, MAX_DIRECT);
        self.function.loops.push(LoopScope { node, count });
        self.event(Event::Loop { first: slots });
        // The body comes next; then the loop is closed.
        self.tasks.push(Task::EndLoop { node });
        let body = self.loop_bodies.pop();
        if let Some((forms, span)) = body {
            self.body(&forms, span, true);
        }
    }

    pub(super) fn end_loop(&mut self, node: u32) {
        let Some(val) = self.vals.pop() else { return };
        self.event(Event::EndLoop);
        self.function.loops.pop();
        if let Some(Node::Loop { body, .. }) = self.lowered.program.nodes.get_mut(node as usize) {
            *body = val.operand;
        }
        self.keep(val, Kept::Field { node, field: 0 });
        self.leave(node);
    }
}

/// Returns whether a node can be direct if its parts are.
fn runs_directly(node: Node) -> bool {
    match node {
        Node::Call(_)
        | Node::CallGlobal { .. }
        | Node::CallSelf(_)
        | Node::Loop { .. }
        | Node::Recur { .. }
        | Node::RecurFunction(_)
        | Node::Tool { .. }
        | Node::Named(_)
        | Node::Return(_)
        | Node::Fail(_)
        | Node::Try(_) => false,
        Node::Builtin { id, .. } => id.builtin().is_pure,
        _ => true,
    }
}

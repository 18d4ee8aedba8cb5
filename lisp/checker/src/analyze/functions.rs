//! Lowers functions: arities, captures, and calls of named functions.

use super::analyzer::{Analyzer, Shared};
use super::bindings::{Binding, Bound};
use super::last_use::{self, Event};
use ptc_reader::Name;
use ptc_values::code::Span;
use ptc_values::ir::{Arity, Node};

impl Analyzer<'_> {
    pub(super) fn start_arity(&mut self, params: usize) {
        let function = &mut self.function;
        function.next_slot = 0;
        function.frame = 0;
        function.params = params;
        function.start = self.lowered.program.nodes.len() as u32;
        function.events.clear();
        let first = self.params.len().saturating_sub(params);
        for at in first..self.params.len() {
            self.new_slot(self.params[at]);
        }
        self.params.truncate(first);
        let lambda = self.function.lambda;
        self.lowered.outline.enter(self.lowered.program.nodes.len(), lambda, params);
    }

    pub(super) fn end_arity(&mut self, params: usize, variadic: bool) {
        let Some(mut body) = self.vals.pop() else { return };
        if self.outer.is_empty() {
            body = self.realized(body, Span::default());
        }
        let program = &mut self.lowered.program;
        let function = &mut self.function;
        let mut body_operand = body.operand;
        if let Some(read) = body.read
            && let Some(Event::Read(read)) = function.events.get_mut(read.get() as usize - 1)
        {
            read.kept = last_use::Kept::Body;
        }
        last_use::mark(&function.events, function.frame, program, &mut body_operand);
        self.lowered.outline.leave(program.nodes.len(), variadic);
        let (frame, start) = (function.frame, function.start);
        let lambda = function.lambda as usize;
        let params = params as u32 - u32::from(variadic);
        if let Some(lambda) = program.lambdas.get_mut(lambda) {
            lambda.arities.push(Arity { params, variadic, frame, start, body: body_operand });
        }
        self.end_scope(0, 0);
    }

    pub(super) fn end_function(&mut self, span: Span) {
        let function = self.leave_function();
        if let Some(name) = function.self_name {
            self.bound.pop(name);
        }
        if let Some(lambda) = self.lowered.program.lambdas.get_mut(function.lambda as usize) {
            lambda.needs_itself = function.reads_itself > 0;
        }
        if self.scope.names {
            self.remember_captures(&function);
        }
        for binding in &function.captures {
            self.read_binding(*binding);
        }
        let captures = self.take(function.captures.len());
        let args = self.args(&captures);
        self.push_args_node(Node::Function { lambda: function.lambda, captures: args }, span, args);
        self.cleared.push(function.cleared());
    }

    pub(super) fn start_sibling(&mut self, lambda: u32, names: &[(Name, u32)]) {
        let shared = self.siblings.pop().unwrap_or_default();
        let depth = self.depth() + 1;
        for (name, lambda) in names {
            self.bound.push(*name, Binding { depth, what: Bound::Sibling(*lambda) });
        }
        let function = self.start_function(lambda);
        function.captures = shared.captures;
        function.capture_places = shared.places;
        function.siblings.extend(names.iter().map(|(name, _)| *name));
    }

    pub(super) fn end_sibling(&mut self) {
        let function = self.leave_function();
        if self.scope.names {
            self.remember_captures(&function);
        }
        if let Some(lambda) = self.lowered.program.lambdas.get_mut(function.lambda as usize) {
            lambda.needs_itself = function.reads_itself > 0;
        }
        for name in function.siblings.iter().rev() {
            self.bound.pop(*name);
        }
        self.siblings.push(Shared { captures: function.captures, places: function.capture_places });
    }

    /// Makes the functions of a `letfn`. All capture the same values in the same order, so each can
    /// make any other on demand. No function holds another, so there are no cycles.
    pub(super) fn end_siblings(&mut self, functions: &[(Name, u32)], span: Span) {
        let shared = self.siblings.pop().unwrap_or_default();
        for (name, lambda) in functions {
            for binding in &shared.captures {
                self.read_binding(*binding);
            }
            let captures = self.take(shared.captures.len());
            let args = self.args(&captures);
            let node = Node::Function { lambda: *lambda, captures: args };
            self.push_args_node(node, span, args);
            self.bind(*name, span);
        }
    }
}

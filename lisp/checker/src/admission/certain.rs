//! Finds the nodes that every run evaluates, and so the failures that are certain.

use super::scan::{Guard, Scan};
use ptc_facts::registry::Registered;
use ptc_facts::shape::Callee;
use ptc_values::Diagnostic;
use ptc_values::ir::{Node, Operand};

/// A step of the walk in evaluation order.
enum Step {
    /// A node that is evaluated.
    Always(u32),
    /// A node that may not be evaluated.
    Perhaps(u32),
}

impl Scan<'_> {
    /// Records a problem that occurs if a node is evaluated.
    pub(super) fn doubt(&mut self, at: u32, problem: Diagnostic) {
        self.failures.doubts.push((at, problem));
    }

    /// Records the problem as a doubt if `certain`, else as a warning.
    pub(super) fn doubt_if(&mut self, certain: bool, at: u32, problem: Diagnostic) {
        if certain { self.doubt(at, problem) } else { self.warn(at, problem) }
    }

    /// Records that evaluating a node calls a function, with its number of arguments if known.
    pub(super) fn record_certain_call(&mut self, at: u32, callee: Callee, count: Option<usize>) {
        if let Callee::Lambda(lambda) = callee {
            self.failures.certain_calls.push((at, lambda, count));
        }
    }

    /// Returns the possible guard of the current node.
    pub(super) fn guard(&self) -> Guard {
        match self.frames.last() {
            Some(frame) if self.tries.open == 0 => Guard::Calls(frame.lambda),
            _ => Guard::Try,
        }
    }

    /// Records a call at the current node; of any function if the callee is unknown.
    pub(super) fn record_call(&mut self, callee: Option<Callee>) {
        match callee {
            Some(Callee::Lambda(lambda)) if self.tries.open > 0 => self.tries.called.push(lambda),
            Some(_) => {}
            None if self.tries.open > 0 => self.tries.call_unknown = true,
            None => {
                self.tries.callers_of_unknown.extend(self.frames.last().map(|frame| frame.lambda));
            }
        }
    }

    /// Returns the functions that a `try` calls, also indirectly.
    pub(super) fn guarded(&self) -> Vec<u32> {
        let mut work = self.tries.called.clone();
        let mut is_any = self.tries.call_unknown;
        let mut guarded = Vec::new();
        loop {
            if std::mem::take(&mut is_any) {
                let lambdas = self.graph.escaped.iter().filter_map(|callee| match callee {
                    Callee::Lambda(lambda) => Some(*lambda),
                    Callee::Kept => None,
                });
                work.extend(lambdas);
            }
            let Some(lambda) = work.pop() else { return guarded };
            if guarded.contains(&lambda) {
                continue;
            }
            guarded.push(lambda);
            is_any = self.tries.callers_of_unknown.contains(&lambda);
            work.extend(
                self.graph.edges.iter().filter(|(from, _)| *from == lambda).map(|(_, to)| *to),
            );
        }
    }

    /// Returns whether an error may be caught there.
    pub(super) fn is_guarded(guard: Guard, guarded: &[u32]) -> bool {
        match guard {
            Guard::Try => true,
            Guard::Calls(lambda) => guarded.contains(&lambda),
        }
    }

    /// Reports failures: as a warning if it may be caught, else as a problem.
    pub(super) fn report_wrong(&mut self, guarded: &[u32]) {
        for (guard, problem) in std::mem::take(&mut self.failures.certain) {
            if Self::is_guarded(guard, guarded) {
                self.findings.warnings.push(problem);
            } else {
                self.findings.problems.push(problem);
            }
        }
    }

    /// Reports doubts: as a problem if every run evaluates the node, else as a warning.
    pub(super) fn decide(&mut self) {
        if self.failures.doubts.is_empty() {
            return;
        }
        self.failures.functions_may_end |= self.reads_kept;
        let always = self.always();
        for (at, problem) in std::mem::take(&mut self.failures.doubts) {
            if always.get(at as usize).is_some_and(|always| *always) {
                let problem = problem.at(self.program.span(at));
                self.findings.problems.push(problem);
            } else {
                self.warn(at, problem);
            }
        }
    }

    /// Returns the nodes that every run evaluates, unless an error ends it before. The walk in evaluation order ends
    /// where a run may `return` or `fail`, and skips bodies of `try`.
    fn always(&self) -> Vec<bool> {
        let program = self.program;
        let mut always = vec![false; program.nodes.len()];
        let main = program.lambdas.first().and_then(|main| main.arities.iter().next());
        let mut work: Vec<Step> = Vec::new();
        work.extend(main.and_then(|arity| arity.body.node()).map(Step::Always));
        while let Some(step) = work.pop() {
            let node = match step {
                Step::Always(node) => node,
                Step::Perhaps(node) if self.may_end_in(node) => break,
                Step::Perhaps(_) => continue,
            };
            match always.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let mut first = work.len();
            self.steps(node, &mut work);
            // The nodes after the parts of this node are no longer certain.
            if self.may_end_at(node, true) {
                work.drain(..first);
                first = 0;
            }
            if let Some(steps) = work.get_mut(first..) {
                steps.reverse();
            }
        }
        always
    }

    /// Adds the steps of a node in order: its parts, then the bodies of functions that it calls.
    fn steps(&self, node: u32, work: &mut Vec<Step>) {
        let program = self.program;
        let mut add = |part: Operand, step: fn(u32) -> Step| work.extend(part.node().map(step));
        match program.node(node) {
            Node::If { test, then, other } => {
                add(test, Step::Always);
                add(then, Step::Perhaps);
                add(other, Step::Perhaps);
            }
            Node::And(args) | Node::Or(args) => {
                for (at, part) in program.args(args).iter().enumerate() {
                    add(*part, if at == 0 { Step::Always } else { Step::Perhaps });
                }
            }
            Node::Try(_) => program.each_part(node, &mut |part| work.push(Step::Perhaps(part))),
            Node::Function { .. } => {}
            _ => program.each_part(node, &mut |part| work.push(Step::Always(part))),
        }
        for (_, lambda, count) in self.certain_calls_at(node) {
            let Some(lambda) = program.lambdas.get(*lambda as usize) else { continue };
            let only = lambda.arities.iter().next().filter(|_| lambda.arities.iter().count() == 1);
            let arity = count.map_or(only, |count| lambda.arity(count as u32));
            work.extend(arity.and_then(|arity| arity.body.node()).map(Step::Always));
        }
    }

    /// Returns the functions that a node certainly calls.
    fn certain_calls_at(&self, node: u32) -> &[(u32, u32, Option<usize>)] {
        let from = self.failures.certain_calls.partition_point(|(at, ..)| *at < node);
        let to = self.failures.certain_calls.partition_point(|(at, ..)| *at <= node);
        self.failures.certain_calls.get(from..to).unwrap_or_default()
    }

    /// Returns whether a run may end at a node after its parts, without an error. With `known`, the functions that it
    /// certainly calls are not counted, because the walk visits them.
    fn may_end_at(&self, node: u32, known: bool) -> bool {
        match self.program.node(node) {
            Node::Return(_) | Node::Fail(_) | Node::Named(_) => true,
            // It calls a function only with a lazy sequence.
            Node::Builtin { id, .. } if id.builtin().is_pure && !self.program.lazy_aware => false,
            Node::Call(_) | Node::CallGlobal { .. } | Node::CallSelf(_) | Node::Builtin { .. } => {
                self.failures.functions_may_end
                    && (!known || self.certain_calls_at(node).is_empty())
            }
            _ => false,
        }
    }

    /// Returns whether a run may end within a node, without an error.
    fn may_end_in(&self, node: u32) -> bool {
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if self.may_end_at(node, false) {
                return true;
            }
            self.program.each_part(node, &mut |part| work.push(part));
        }
        false
    }
}

//! What every run of a program evaluates, and so what is certain to go wrong.

use super::scan::{Guard, Scan};
use super::shape::Callee;
use crate::diagnostic::Diagnostic;
use crate::ir::{Node, Operand};

/// What is next in a walk through a program, in the order of evaluation.
enum Step {
    /// A node that is evaluated.
    Always(u32),
    /// A node that may be evaluated.
    Perhaps(u32),
}

impl Scan<'_> {
    /// Notes what is wrong with a node if it is evaluated.
    pub(super) fn doubt(&mut self, at: u32, problem: Diagnostic) {
        self.doubts.push((at, problem));
    }

    /// The same if it is `certain`; otherwise it is a warning.
    pub(super) fn doubt_if(&mut self, certain: bool, at: u32, problem: Diagnostic) {
        if certain { self.doubt(at, problem) } else { self.warn(at, problem) }
    }

    /// Notes that evaluating a node calls a function, with so many arguments if that is known.
    pub(super) fn enters(&mut self, at: u32, callee: Callee, count: Option<usize>) {
        if let Callee::Lambda(lambda) = callee {
            self.entered.push((at, lambda, count));
        }
    }

    /// What may be around the node that is looked at.
    pub(super) fn guard(&self) -> Guard {
        match self.frames.last() {
            Some(frame) if self.attempts == 0 => Guard::Calls(frame.lambda),
            _ => Guard::Try,
        }
    }

    /// Notes that a function is called where the scan is; any function if it is not known.
    pub(super) fn tries(&mut self, callee: Option<Callee>) {
        match callee {
            Some(Callee::Lambda(lambda)) if self.attempts > 0 => self.tried.push(lambda),
            Some(_) => {}
            None if self.attempts > 0 => self.tries_any = true,
            None => self.calls_any.extend(self.frames.last().map(|frame| frame.lambda)),
        }
    }

    /// The functions that are called in a `try`, by others perhaps.
    pub(super) fn guarded(&self) -> Vec<u32> {
        let mut work = self.tried.clone();
        let mut is_any = self.tries_any;
        let mut guarded = Vec::new();
        loop {
            if std::mem::take(&mut is_any) {
                let lambdas = self.escaped.iter().filter_map(|callee| match callee {
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
            is_any = self.calls_any.contains(&lambda);
            work.extend(self.edges.iter().filter(|(from, _)| *from == lambda).map(|(_, to)| *to));
        }
    }

    /// Whether an error may be caught there.
    pub(super) fn is_guarded(guard: Guard, guarded: &[u32]) -> bool {
        match guard {
            Guard::Try => true,
            Guard::Calls(lambda) => guarded.contains(&lambda),
        }
    }

    /// Refuses what is certain to be wrong, and warns of what may be caught.
    pub(super) fn report_wrong(&mut self, guarded: &[u32]) {
        for (guard, problem) in std::mem::take(&mut self.wrong) {
            if Self::is_guarded(guard, guarded) {
                self.findings.warnings.push(problem);
            } else {
                self.findings.problems.push(problem);
            }
        }
    }

    /// Refuses what is wrong with nodes that every run evaluates, and warns of the others.
    pub(super) fn decide(&mut self) {
        if self.doubts.is_empty() {
            return;
        }
        self.leaves_inside |= self.reads_kept;
        let always = self.always();
        for (at, problem) in std::mem::take(&mut self.doubts) {
            if always.get(at as usize).is_some_and(|always| *always) {
                let problem = problem.at(self.program.span(at));
                self.findings.problems.push(problem);
            } else {
                self.warn(at, problem);
            }
        }
    }

    /// The nodes that every run evaluates that does not end in an error before. A walk in the order of
    /// evaluation, which ends where a run may `return` or `fail`; what a `try` guards is not in it.
    fn always(&self) -> Vec<bool> {
        let program = self.program;
        let mut always = vec![false; program.nodes.len()];
        let main = program.lambdas.first().and_then(|main| main.arities.iter().next());
        let mut work: Vec<Step> = Vec::new();
        work.extend(main.and_then(|arity| arity.body.node()).map(Step::Always));
        while let Some(step) = work.pop() {
            let node = match step {
                Step::Always(node) => node,
                Step::Perhaps(node) if self.may_leave(node) => break,
                Step::Perhaps(_) => continue,
            };
            match always.get_mut(node as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            let mut first = work.len();
            self.steps(node, &mut work);
            // What follows the parts of this node is not certain any more.
            if self.leaves_at(node, true) {
                work.drain(..first);
                first = 0;
            }
            if let Some(steps) = work.get_mut(first..) {
                steps.reverse();
            }
        }
        always
    }

    /// What a node evaluates, in order: its parts, then the bodies of functions that it calls.
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
        for (_, lambda, count) in self.entered_at(node) {
            let Some(lambda) = program.lambdas.get(*lambda as usize) else { continue };
            let only = lambda.arities.iter().next().filter(|_| lambda.arities.iter().count() == 1);
            let arity = count.map_or(only, |count| lambda.arity(count as u32));
            work.extend(arity.and_then(|arity| arity.body.node()).map(Step::Always));
        }
    }

    /// The functions that a node is certain to call.
    fn entered_at(&self, node: u32) -> &[(u32, u32, Option<usize>)] {
        let from = self.entered.partition_point(|(at, ..)| *at < node);
        let to = self.entered.partition_point(|(at, ..)| *at <= node);
        self.entered.get(from..to).unwrap_or_default()
    }

    /// Whether a run may end with a node, behind its parts, without an error. `known`: whether the
    /// functions that it is certain to call are looked at besides.
    fn leaves_at(&self, node: u32, known: bool) -> bool {
        match self.program.node(node) {
            Node::Return(_) | Node::Fail(_) | Node::Named(_) => true,
            // It calls no function unless it is given a lazy sequence.
            Node::Builtin { id, .. } if id.builtin().is_pure() && !self.program.lazy_aware => false,
            Node::Call(_) | Node::CallGlobal { .. } | Node::CallSelf(_) | Node::Builtin { .. } => {
                self.leaves_inside && (!known || self.entered_at(node).is_empty())
            }
            _ => false,
        }
    }

    /// Whether a run may end in a part of the program, without an error.
    fn may_leave(&self, node: u32) -> bool {
        let mut work = vec![node];
        while let Some(node) = work.pop() {
            if self.leaves_at(node, false) {
                return true;
            }
            self.program.each_part(node, &mut |part| work.push(part));
        }
        false
    }
}

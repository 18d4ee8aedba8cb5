//! Unwinding: the path of problems through `try`, `catch` and `finally`.

use super::fork::Exit;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use super::{Caller, Core, Frame, Mode};
use crate::value::ir::{Node, Operand, Program};
use crate::value::{Class, Diagnostic, Res};

impl<W: Tracer> Core<W> {
    /// Records the heights of the stacks at the start of a `try`, and continues with its body.
    pub(super) fn begin_try(&mut self, program: &Program, node: u32, index: u32) -> Res<Operand> {
        let one = program.tries.get(index as usize).ok_or_else(invariant_violated)?;
        let (stack, callbacks) = (self.task.stack.len() as u32, self.task.callbacks.len() as u32);
        if one.finally.is_some() {
            self.task.frames.push(Frame::Finally { node, stack, callbacks });
        }
        self.task.frames.push(Frame::Try { node, stack, callbacks });
        Ok(one.body)
    }

    /// Continues a task after a problem. If it catches nothing, its parent task continues.
    #[cold]
    pub(super) fn raise(&mut self, problem: Diagnostic) -> Res<Mode> {
        self.cx.rest_given = false;
        let mut problem = problem;
        loop {
            problem = match self.unwind(problem) {
                Err(problem) if self.task.is_branch() => problem,
                result => return result,
            };
            problem = match self.join(Err(Exit::of(problem)?)) {
                Err(problem) => problem,
                result => return result,
            };
        }
    }

    /// Unwinds to the innermost `try` that catches a problem or has work to do before the problem
    /// continues. Limits and the end of the program pass through.
    fn unwind(&mut self, problem: Diagnostic) -> Res<Mode> {
        let problem = self.locate(problem);
        if problem.class().is_none() {
            return Err(problem);
        }
        self.abandon_fork();
        while let Some(frame) = self.task.frames.pop() {
            match frame {
                Frame::Return { base, to, .. } => {
                    self.leave(base);
                    if to == Caller::Elsewhere {
                        self.go_back();
                    }
                }
                Frame::Try { node, stack, callbacks } => {
                    self.enter_handler(node, stack, callbacks);
                    W::unwound(self);
                    let program = self.task.program.clone();
                    let Node::Try(index) = program.node(node) else {
                        return Err(invariant_violated());
                    };
                    let catches =
                        program.tries.get(index as usize).map(|one| one.catches.as_slice());
                    let catch = catches.unwrap_or_default().iter().find(|catch| {
                        problem
                            .class()
                            .and_then(Class::find)
                            .is_some_and(|class| class.is_a(&catch.class))
                    });
                    if let Some(catch) = catch {
                        self.task.stack[self.task.base + catch.slot as usize] =
                            super::exception::caught(problem);
                        return Ok(Mode::Eval(catch.body));
                    }
                }
                Frame::Finally { node, stack, callbacks } => {
                    self.enter_handler(node, stack, callbacks);
                    W::unwound(self);
                    self.task.raised.push(problem);
                    let program = self.task.program.clone();
                    return self.finally(&program, node, true);
                }
                // The `finally` itself failed: its pending problem is forgotten, as on the JVM.
                Frame::AfterFinally { raise: true } => drop(self.task.raised.pop()),
                _ => {}
            }
        }
        Err(problem)
    }

    /// Restores the stacks to the start of a `try`.
    fn enter_handler(&mut self, node: u32, stack: u32, callbacks: u32) {
        self.task.stack.truncate(stack as usize);
        self.cx.give_up(self.task.callbacks.iter().skip(callbacks as usize));
        self.task.callbacks.truncate(callbacks as usize);
        self.task.at = node;
    }

    pub(super) fn finally(&mut self, program: &Program, node: u32, raise: bool) -> Res<Mode> {
        let Node::Try(index) = program.node(node) else { return Err(invariant_violated()) };
        let finally = program.tries.get(index as usize).and_then(|one| one.finally);
        self.task.frames.push(Frame::AfterFinally { raise });
        finally.map(Mode::Eval).ok_or_else(invariant_violated)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::Limits;
    use crate::machine::{Budget, Machine, Outcome};
    use crate::session::Session;
    use crate::value::Value;
    use crate::value::ir::Node;

    /// Runs a program with one node replaced after the check; returns code and message.
    fn broken(source: &str, is_hit: fn(&Node) -> bool, by: Node) -> (&'static str, String) {
        let session = Session::new(Value::Nil, Vec::new(), Limits::default());
        let mut start = session.beginning(&session.admit(source).unwrap());
        let program = Arc::get_mut(&mut start.program).unwrap();
        *program.nodes.iter_mut().find(|node| is_hit(node)).unwrap() = by;
        let mut machine = Machine::new(start);
        machine.run(&mut Budget::new(&Limits::default()));
        match machine.finish().outcome {
            Outcome::Error(problem) => (problem.code(), problem.message().to_owned()),
            other => panic!("{source} ended with {other:?}"),
        }
    }

    #[test]
    fn a_violated_invariant_is_not_an_error_of_the_program() {
        let expected = (
            "invariant-violated",
            "the machine lost its place; this is a bug of the language".to_owned(),
        );
        let caught = |body: &str| {
            format!("(defn f [x] x) (try {body} (catch Throwable e 1) (finally (f 2)))")
        };
        // A turn without a loop, a call taken for a value, and a `try` that does not exist.
        let turn = caught("(loop [i 0] (if (< i 3) (recur (f i)) i))");
        let is_turn = |node: &Node| matches!(node, Node::Recur { .. });
        assert_eq!(broken(&turn, is_turn, Node::Try(9)), expected);
        let value = caught("(+ 1 (let [y 1] (inc y)))");
        let is_sum = |node: &Node| matches!(node, Node::AddInt { .. });
        assert_eq!(
            broken(
                &value,
                is_sum,
                Node::RecurFunction(crate::value::ir::Args { first: 0, count: 0 })
            ),
            expected
        );
        let is_try = |node: &Node| matches!(node, Node::Try(_));
        assert_eq!(broken(&caught("(f 1)"), is_try, Node::Try(9)), expected);
    }
}

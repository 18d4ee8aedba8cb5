//! Unwinding: the path of problems through `try`, `catch` and `finally`.

use super::fork::Exit;
use super::problems::invariant_violated;
use super::tracer::Tracer;
use super::{Caller, Core, Frame, Mode};
use ptc_values::ir::{Node, Operand, Program};
use ptc_values::{Class, Diagnostic, HiddenTexts, Res, Value};

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
        let problem = self.without_hidden(problem)?;
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

    /// Returns a problem without the values of hidden fields, which its texts may quote.
    fn without_hidden(&mut self, problem: Diagnostic) -> Res<Diagnostic> {
        // Most programs raise no problem, and need no search.
        let own = self.own_hidden.take().unwrap_or_else(|| self.search());
        // Each text is searched for each value.
        let paid = self.cx.spend((own.len() + self.cx.hidden.len()) as u64);
        let problem = self.cx.hidden.cover_problem(own.cover_problem(problem));
        self.own_hidden = Some(own);
        paid.map(|()| problem)
    }

    /// Finds the hidden values that the program began with.
    fn search(&self) -> HiddenTexts {
        let mut hidden = HiddenTexts::default();
        hidden.find(&Value::Map(self.ctx.clone()));
        hidden.find(&Value::Map(self.cx.own.memory.clone()));
        self.cx.own.payload_value().iter().for_each(|it| hidden.find(&it.value));
        self.history.iter().chain(self.globals.iter().flatten()).for_each(|it| hidden.find(it));
        hidden
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

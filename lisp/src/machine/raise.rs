//! Problems on their way to whoever catches them: `try`, `catch` and `finally`.

use super::branch::Exit;
use super::cx::Res;
use super::walk::crooked;
use super::watch::Watch;
use super::{Caller, Core, Frame, Mode};
use crate::diagnostic::Diagnostic;
use crate::ir::{Node, Operand, Program};
use crate::value::Class;

impl<W: Watch> Core<W> {
    /// Notes how high the stacks are when a `try` begins, and goes on with its body.
    pub(super) fn begin_try(&mut self, program: &Program, node: u32, index: u32) -> Res<Operand> {
        let one = program.tries.get(index as usize).ok_or_else(crooked)?;
        let (stack, hofs) = (self.task.stack.len() as u32, self.task.hofs.len() as u32);
        if one.finally.is_some() {
            self.task.frames.push(Frame::Finally { node, stack, hofs });
        }
        self.task.frames.push(Frame::Try { node, stack, hofs });
        Ok(one.body)
    }

    /// Lets a task go on behind a problem, or the one it branched off from when it catches nothing.
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

    /// Goes back to the innermost `try` that catches a problem or has something to do before it
    /// goes on. Limits and the end of the program pass through.
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
                Frame::Try { node, stack, hofs } => {
                    self.enter_handler(node, stack, hofs);
                    W::unwound(self);
                    let program = self.task.program.clone();
                    let Node::Try(index) = program.node(node) else { return Err(crooked()) };
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
                            crate::builtins::caught(problem);
                        return Ok(Mode::Eval(catch.body));
                    }
                }
                Frame::Finally { node, stack, hofs } => {
                    self.enter_handler(node, stack, hofs);
                    W::unwound(self);
                    self.task.raised.push(problem);
                    let program = self.task.program.clone();
                    return self.finally(&program, node, true);
                }
                // The `finally` itself has failed: what it was to raise is forgotten, as on the JVM.
                Frame::AfterFinally { raise: true } => drop(self.task.raised.pop()),
                _ => {}
            }
        }
        Err(problem)
    }

    /// Brings the stacks back to where a `try` began.
    fn enter_handler(&mut self, node: u32, stack: u32, hofs: u32) {
        self.task.stack.truncate(stack as usize);
        self.cx.held.give_up(self.task.hofs.iter().skip(hofs as usize));
        self.task.hofs.truncate(hofs as usize);
        self.task.at = node;
    }

    pub(super) fn finally(&mut self, program: &Program, node: u32, raise: bool) -> Res<Mode> {
        let Node::Try(index) = program.node(node) else { return Err(crooked()) };
        let finally = program.tries.get(index as usize).and_then(|one| one.finally);
        self.task.frames.push(Frame::AfterFinally { raise });
        finally.map(Mode::Eval).ok_or_else(crooked)
    }
}

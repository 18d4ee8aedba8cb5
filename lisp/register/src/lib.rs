//! A spike: the language as register code, beside the machine that walks the tree.
//!
//! [`Registers::new`] lowers an admitted program. [`Registers::run`] runs it until it ends, calls a tool that its host does
//! not answer at once, or has used up its slice of fuel. See the page of this crate for what is lowered.

#![expect(clippy::inline_always, reason = "measured: the loop keeps its state in registers")]
#![expect(clippy::needless_pass_by_value, reason = "an optional slice is moved into its place")]
#![expect(clippy::too_many_arguments, reason = "the operands of an operation")]

mod calls;
mod code;
mod lower;
mod rare;
mod run;
mod slow;

use std::fmt::Write as _;
use std::sync::Arc;

use arcstr::ArcStr;
use ptc_lisp::{Admitted, Budget, Session};
use ptc_machine::{CallbackState, Count, Cx};
use ptc_values::ir::Program;
use ptc_values::{Diagnostic, Map, Res, Value};

use code::{Codes, Frame, Linked, Quick, WINDOW};
pub use lower::Unsupported;

/// A function that answers a tool call at once or not at all.
pub type Host<'h> = dyn FnMut(&ArcStr, &Value) -> Option<Value> + 'h;

/// The reason [`Registers::run`] returned.
#[derive(Debug)]
pub enum Step {
    /// The program is over.
    Done(Result<Value, Diagnostic>),
    /// The program waits for [`Registers::resume`] with the answer to this call.
    Call(ArcStr, Value),
    /// The slice of fuel is used up.
    Yield,
}

/// A running program.
pub struct Registers {
    cx: Cx,
    codes: Codes,
    stack: Vec<Value>,
    frames: Vec<Frame>,
    callbacks: Vec<CallbackState>,
    /// The values that a builtin passes to the function it calls.
    scratch: Vec<Value>,
    /// The code, the next step and the slots of the running function.
    code: u32,
    pc: u32,
    base: u32,
    /// The work of the innermost builtin after a pause, with the place of its calls and the slot of its value.
    later: Option<(u8, u8, calls::Later)>,
    globals: Vec<Option<Value>>,
    /// Functions that are made once.
    caches: Vec<Value>,
    /// For each global, its code.
    quick: Vec<Quick>,
    /// Whether the last record is known to fit into a tool call.
    fits: bool,
    global_names: Vec<ArcStr>,
    ctx: Arc<Map>,
    history: [Value; 3],
    /// The exit of the loop, and the rest that a function left to its caller: see `rare.rs`.
    exit: Option<run::Exit>,
    problem: Option<Diagnostic>,
    value: Value,
    /// The arguments of the last tool call, reused by the next one.
    args: Value,
    /// The slot that waits for an answer.
    asked: Option<u8>,
    fuel_used: u64,
    calls_made: u32,
}

impl Registers {
    /// Lowers a program.
    ///
    /// # Errors
    /// Returns the part of the program that the spike does not lower.
    pub fn new(session: &Session, admitted: &Admitted) -> Result<Registers, Unsupported> {
        let mut start = session.beginning(admitted);
        if start.lazy_aware {
            return Err(Unsupported("a program with lazy sequences".to_owned()));
        }
        let program = start.program.clone();
        let globals = std::mem::take(&mut start.globals);
        let global_names = std::mem::take(&mut start.global_names);
        let (ctx, history) = (start.ctx.clone(), start.history.clone());
        start.old_globals = 0;
        let mut registers = Registers {
            cx: ptc_machine::Core::new(start, ()).into_cx(),
            codes: Codes::default(),
            stack: vec![Value::Nil; WINDOW * 2],
            frames: Vec::new(),
            callbacks: Vec::new(),
            scratch: Vec::new(),
            code: 0,
            pc: 0,
            base: 0,
            later: None,
            caches: Vec::new(),
            quick: vec![Quick::NONE; globals.len()],
            fits: false,
            globals,
            global_names,
            ctx,
            history,
            exit: None,
            problem: None,
            value: Value::Nil,
            args: Value::Nil,
            asked: None,
            fuel_used: 0,
            calls_made: 0,
        };
        let all: Vec<u32> = (0..program.lambdas.len() as u32).collect();
        registers.link(&program, &all)?;
        Ok(registers)
    }

    /// Lowers functions of a program.
    fn link(&mut self, program: &Arc<Program>, lambdas: &[u32]) -> Result<(), Unsupported> {
        let codes = &mut self.codes;
        let number = match codes.number(program) {
            Some(number) => number,
            None => {
                let firsts = vec![None; program.lambdas.len()];
                let consts = program.consts.iter().cloned().collect();
                codes.programs.push(Linked { program: program.clone(), firsts, consts });
                codes.programs.len() - 1
            }
        };
        for lambda in lambdas {
            let first = codes.list.len() as u32;
            for arity in program.lambdas[*lambda as usize].arities.iter() {
                let consts = codes.programs[number].consts.clone();
                let place = (number as u32, *lambda, consts);
                let code = lower::lower(program, place, arity, &mut codes.caches)?;
                codes.list.push(code);
            }
            codes.programs[number].firsts[*lambda as usize] = Some(first);
        }
        self.caches.resize(codes.caches as usize, Value::Nil);
        Ok(())
    }

    /// Runs until the program ends or must stop. `host` may answer tool calls at once.
    pub fn run(&mut self, budget: &mut Budget, host: &mut Host<'_>) -> Step {
        self.cx.load(budget);
        let step = self.run_slices(host);
        self.fuel_used += self.cx.store(budget);
        step
    }

    fn run_slices(&mut self, host: &mut Host<'_>) -> Step {
        loop {
            let codes = std::mem::take(&mut self.codes);
            let end = self.go(&codes, host);
            self.codes = codes;
            match end {
                Ok(run::Exit::Done(value)) => return Step::Done(Ok(value)),
                Ok(run::Exit::Call(name, args)) => return Step::Call(name, args),
                Ok(run::Exit::Link(program, lambda)) => {
                    if let Err(problem) = self.link(&program, &[lambda]) {
                        let problem = Diagnostic::new(
                            ptc_values::code::Code::Unsupported,
                            problem.to_string(),
                        );
                        return Step::Done(Err(problem));
                    }
                }
                Ok(run::Exit::Pause) => {
                    if self.cx.counting_due()
                        && let Err(problem) = self.count_live()
                    {
                        return Step::Done(Err(problem));
                    }
                    if self.cx.slice_over() {
                        return Step::Yield;
                    }
                }
                Err(problem) => return Step::Done(Err(problem)),
            }
        }
    }

    /// Answers the tool call that the program waits for.
    pub fn resume(&mut self, answer: Value) {
        if let Some(to) = self.asked.take() {
            let slot = self.base as usize + usize::from(to);
            self.stack[slot] = answer;
        }
    }

    /// Returns the fuel used so far.
    pub fn fuel(&self) -> u64 {
        self.fuel_used
    }

    /// Returns the number of tool calls so far.
    pub fn tool_calls(&self) -> u32 {
        self.calls_made
    }

    /// Returns the code as text, one step a line.
    pub fn listing(&self) -> String {
        let mut out = String::new();
        for (number, code) in self.codes.list.iter().enumerate() {
            let _ = writeln!(out, "code {number}, {} slots", code.locals);
            for (at, op) in code.ops.iter().enumerate() {
                let _ = writeln!(out, "  {at:3} {op:?}");
            }
        }
        out
    }

    fn count_live(&mut self) -> Res<()> {
        let mut count = Count::new(self.cx.limits.memory, self.cx.parts);
        for value in self.stack.iter().chain(&self.history).chain(self.globals.iter().flatten()) {
            count.add(value);
        }
        for state in &self.callbacks {
            state.each_value(&mut |value| count.add(value));
        }
        self.cx.parts = count.parts();
        self.cx.counted(count.bytes())
    }
}

impl Codes {
    /// Returns the number of a linked program.
    fn number(&self, program: &Arc<Program>) -> Option<usize> {
        self.programs.iter().position(|it| Arc::ptr_eq(&it.program, program))
    }
}

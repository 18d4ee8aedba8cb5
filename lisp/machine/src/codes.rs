//! The code of a machine: functions are lowered when they are first called.

#![expect(
    clippy::inline_always,
    reason = "measured: what the loop of the machine does in most steps"
)]

use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;

use super::lower::{Lowered, lower};
use super::problems::invariant_violated;
use super::quiet::Quiet;
use crate::ops::{Code, Op};
use ptc_values::ir::Node;
use ptc_values::{BuiltinId, Closure, Program, Res, Shape, Value, wrong_arity_of};

/// The code of one arity of a function in a machine.
pub(super) struct Entry {
    pub(super) code: Arc<Code>,
    pub(super) program: Arc<Program>,
    /// Its program among those that are linked.
    pub(super) number: u32,
    /// Its first place among the functions that are made once.
    pub(super) caches: u32,
    /// The shapes of its records, each known from the first such record on.
    pub(super) shapes: Box<[OnceLock<Arc<Shape>>]>,
    pub(super) params: u8,
    pub(super) locals: u8,
    pub(super) variadic: bool,
    pub(super) needs_itself: bool,
    /// Whether a call is free.
    pub(super) is_free: bool,
}

impl Entry {
    /// Returns the node of the operation before `pc`.
    pub(super) fn node(&self, pc: u32) -> u32 {
        self.code.nodes.get((pc as usize).wrapping_sub(1)).copied().unwrap_or(u32::MAX)
    }

    /// Returns whether it is the stub in which a branch begins.
    pub(super) fn is_stub(&self) -> bool {
        matches!(self.code.ops.first(), Some(Op::Branch))
    }

    /// Returns the core node of the operation before `pc`.
    pub(super) fn core(&self, pc: usize) -> Option<Node> {
        self.program.core(self.node(pc as u32))
    }

    /// Returns the builtin that the operation before `pc` calls.
    pub(super) fn builtin(&self, pc: usize) -> Res<BuiltinId> {
        match self.core(pc) {
            Some(Node::Builtin { id, .. }) => Ok(id),
            _ => Err(invariant_violated()),
        }
    }

    /// Returns the number of values that the function of the operation before `pc` captures.
    pub(super) fn captures(&self, pc: usize) -> Res<usize> {
        match self.core(pc) {
            Some(Node::Function { captures, .. }) => Ok(captures.count as usize),
            _ => Err(invariant_violated()),
        }
    }

    #[inline(always)]
    pub(super) fn constant(&self, constant: u32) -> &Value {
        self.program.consts.get(constant as usize).unwrap_or(&Value::Nil)
    }
}

/// A program with its lowered functions.
struct Linked {
    program: Arc<Program>,
    /// The entry of the first arity of each lambda; the others follow it.
    firsts: Vec<Option<u32>>,
}

/// All code of a machine.
#[derive(Default)]
pub(super) struct Codes {
    pub(super) list: Vec<Entry>,
    programs: Vec<Linked>,
    /// The stubs of branches by program and node.
    stubs: HashMap<(u32, u32), u32>,
    /// The number of functions that are made once.
    pub(super) caches: u32,
    /// Whether some code takes problems.
    pub(super) takes_problems: bool,
    /// Whether a debugger sees each form.
    pub(super) is_watched: bool,
}

/// A global that holds a function without captured values: its code, and its number of parameters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quick {
    pub(super) entry: u32,
    pub(super) params: u8,
}

impl Quick {
    /// A global that holds no such function. No call has so many arguments.
    pub(super) const NONE: Quick = Quick { entry: 0, params: u8::MAX };
}

/// The use of a value by the frame below the function that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Stores it.
    Call,
    /// Stores it, and puts the function back into the slot that lent it.
    Lent,
    /// Gives it to the innermost builtin that calls back, which may call the function for another item.
    Item,
    /// Gives it to the innermost builtin that calls back.
    Once,
    /// Puts it into a map that an `update` changes in place.
    Field,
    /// The same at the end of a path.
    Path,
    /// Puts it into an atom.
    Swap,
    /// Stores it as the value of `apply`.
    Applied,
}

/// A caller that waits for a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) entry: u32,
    pub(super) pc: u32,
    pub(super) base: u32,
    /// The slot of the value.
    pub(super) to: u8,
    /// The number of arguments of the callee.
    pub(super) count: u8,
    pub(super) kind: Kind,
    /// The slot that lent the function.
    pub(super) from: u8,
}

const _: () = assert!(size_of::<Frame>() <= 16);

/// The code of a call.
pub(super) enum Found {
    Entry(u32),
    /// The function is not linked yet.
    Link(Arc<Program>, u32),
}

impl Codes {
    /// Links a function; returns the entry of its first arity.
    pub(super) fn link(&mut self, program: &Arc<Program>, lambda: u32) -> Res<u32> {
        let number = match self.programs.iter().position(|it| Arc::ptr_eq(&it.program, program)) {
            Some(number) => number,
            None => {
                let firsts = vec![None; program.lambdas.len()];
                self.programs.push(Linked { program: program.clone(), firsts });
                self.programs.len() - 1
            }
        };
        let found = program.lambdas.get(lambda as usize).ok_or_else(invariant_violated)?;
        let place = self.programs[number].firsts.get_mut(lambda as usize);
        let place = place.ok_or_else(invariant_violated)?;
        if let Some(first) = *place {
            return Ok(first);
        }
        let first = self.list.len() as u32;
        *place = Some(first);
        let watched;
        let all: &Lowered = if self.is_watched && !program.builtin {
            watched = lower(program, lambda, true);
            &watched
        } else {
            let code = found.code.get_or_init(|| Box::new(lower(program, lambda, false)));
            code.downcast_ref().ok_or_else(invariant_violated)?
        };
        for code in all.iter() {
            let caches = self.caches;
            self.caches += code.caches;
            self.takes_problems |= !code.traps.is_empty();
            self.list.push(Entry {
                program: program.clone(),
                number: number as u32,
                caches,
                shapes: code.shapes.iter().map(|_| OnceLock::new()).collect(),
                params: code.params,
                locals: code.locals,
                variadic: code.variadic,
                needs_itself: code.needs_itself,
                is_free: program.builtin,
                code: code.clone(),
            });
        }
        Ok(first)
    }

    /// Returns the stub in which a branch begins: it calls the function of the branch, as the node of the fork does.
    pub(super) fn stub(&mut self, entry: u32, pc: u32) -> Res<u32> {
        let of = self.list.get(entry as usize).ok_or_else(invariant_violated)?;
        let node = of.node(pc);
        if let Some(stub) = self.stubs.get(&(of.number, node)) {
            return Ok(*stub);
        }
        let code = Code {
            ops: [Op::Branch, Op::Return { from: 0 }].into(),
            nodes: [node, node].into(),
            shapes: Vec::new(),
            traps: Vec::new(),
            caches: 0,
            one: None,
            lambda: of.code.lambda,
            params: 0,
            variadic: false,
            locals: 1,
            slots: 2,
            spilled: 0,
            needs_itself: false,
            calls_nothing: false,
            is_quiet: OnceLock::new(),
        };
        let (program, number) = (of.program.clone(), of.number);
        let stub = self.list.len() as u32;
        self.stubs.insert((number, node), stub);
        self.list.push(Entry {
            code: Arc::new(code),
            is_free: program.builtin,
            program,
            number,
            caches: 0,
            shapes: Box::default(),
            params: 0,
            locals: 1,
            variadic: false,
            needs_itself: false,
        });
        Ok(stub)
    }

    fn first(&self, number: usize, lambda: u32) -> Option<u32> {
        *self.programs.get(number)?.firsts.get(lambda as usize)?
    }

    /// Returns the entry of a function of a linked program that captures nothing.
    #[inline]
    pub(super) fn known(&self, number: u32, lambda: u32, count: u8) -> Option<u32> {
        let first = self.first(number as usize, lambda)?;
        let entry = self.list.get(first as usize)?;
        (entry.params == count && !entry.variadic).then_some(first)
    }

    /// Returns the entry of a function of the running program, and whether its frame needs the function.
    #[inline(always)]
    pub(super) fn own(&self, number: u32, function: &Value, count: u8) -> Option<(u32, bool)> {
        let Value::Function(closure) = function else { return None };
        let linked = self.programs.get(number as usize)?;
        if !Arc::ptr_eq(&linked.program, &closure.program) {
            return None;
        }
        let first = (*linked.firsts.get(closure.lambda as usize)?)?;
        let entry = self.list.get(first as usize)?;
        (entry.params == count && !entry.variadic).then_some((first, entry.needs_itself))
    }

    /// Returns the code of a function for a number of arguments.
    #[inline]
    pub(super) fn of(&self, closure: &Closure, count: usize) -> Res<Found> {
        let number = self.programs.iter().position(|it| Arc::ptr_eq(&it.program, &closure.program));
        let Some(first) = number.and_then(|number| self.first(number, closure.lambda)) else {
            return Ok(Found::Link(closure.program.clone(), closure.lambda));
        };
        if let Some(entry) = self.list.get(first as usize)
            && usize::from(entry.params) == count
            && !entry.variadic
        {
            return Ok(Found::Entry(first));
        }
        let lambda = closure.lambda().ok_or_else(invariant_violated)?;
        let Some(arity) = lambda.arity(count as u32) else {
            return Err(wrong_arity_of(lambda, count));
        };
        match lambda.arities.iter().position(|it| std::ptr::eq(it, arity)) {
            Some(at) => Ok(Found::Entry(first + at as u32)),
            None => Err(invariant_violated()),
        }
    }

    /// Returns whether nobody can see the values that a function changes while it runs, and no code can take its problem.
    /// The function is quiet, whatever it captures and whatever names mean.
    pub(super) fn is_unseen(&self, entry: u32) -> bool {
        let Some(entry) = self.list.get(entry as usize).filter(|_| !self.takes_problems) else {
            return false;
        };
        *entry.code.is_quiet.get_or_init(|| {
            let lambda = entry.program.lambdas.get(entry.code.lambda as usize);
            lambda.is_some_and(|it| {
                it.arities.iter().all(|arity| Quiet::new(&[]).body(&entry.program, arity.body, &[]))
            })
        })
    }

    /// Returns the entry of a function whose frame needs only the number of it.
    pub(super) fn quick(&self, value: &Value) -> Option<Quick> {
        let Value::Function(closure) = value else { return None };
        if !closure.captures.is_empty() {
            return None;
        }
        let number =
            self.programs.iter().position(|it| Arc::ptr_eq(&it.program, &closure.program))?;
        let first = self.first(number, closure.lambda)?;
        let entry = self.list.get(first as usize)?;
        let fits = !entry.variadic && !entry.needs_itself && entry.params < u8::MAX;
        fits.then_some(Quick { entry: first, params: entry.params })
    }
}

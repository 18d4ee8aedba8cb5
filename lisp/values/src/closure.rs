//! Functions that a program makes.

use std::sync::Arc;

use super::Value;
use crate::Diagnostic;
use crate::code::Code;
use crate::ir::{Lambda, Program};

/// A function of a program with its captured values.
pub struct Closure {
    pub program: Arc<Program>,
    pub lambda: u32,
    pub captures: Box<[Value]>,
    depth: u32,
    /// Whether a call of it needs only the number of its lambda.
    plain: bool,
}

impl Closure {
    pub fn new(program: Arc<Program>, lambda: u32, captures: Box<[Value]>) -> Closure {
        let depth = captures.iter().map(nesting).max().unwrap_or(0) + 1;
        let needs_itself = program.lambdas.get(lambda as usize).is_none_or(|one| one.needs_itself);
        let plain = captures.is_empty() && !needs_itself;
        Closure { program, lambda, captures, depth, plain }
    }

    /// Returns the number of its lambda if a call from a function of this program needs only that.
    #[inline]
    pub fn plain_in(&self, program: &Program) -> Option<u32> {
        (self.plain && std::ptr::eq(Arc::as_ptr(&self.program), program)).then_some(self.lambda)
    }

    /// Returns the function's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.lambda().and_then(|lambda| lambda.name.as_deref())
    }

    pub fn lambda(&self) -> Option<&Lambda> {
        self.program.lambdas.get(self.lambda as usize)
    }

    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Moves the captured values out, to be dropped without native recursion.
    pub fn drain_into(&mut self, work: &mut Vec<Value>) {
        self.depth = 0;
        work.extend(std::mem::take(&mut self.captures));
    }
}

/// Returns the nesting of a captured value. A function may hold a range that is not built.
fn nesting(value: &Value) -> u32 {
    match value {
        Value::List(seq) if seq.is_unbuilt() => 1,
        other => other.depth(),
    }
}

impl Drop for Closure {
    fn drop(&mut self) {
        // A chain of functions that close over one another may be long.
        if self.depth > 32 {
            let mut work = Vec::new();
            self.drain_into(&mut work);
            super::drop_all(work);
        }
    }
}

impl std::fmt::Debug for Closure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#function[{}]", self.name().unwrap_or("fn"))
    }
}

/// Returns the error of a call with a wrong number of arguments.
#[cold]
pub fn wrong_arity_of(lambda: &Lambda, count: usize) -> Diagnostic {
    let name = match lambda.name.as_deref() {
        Some(name) => format!("the function `{name}`"),
        None => "this function".to_owned(),
    };
    let takes: Vec<String> = lambda
        .arities
        .iter()
        .map(|arity| {
            if arity.variadic {
                format!("{} or more", arity.params)
            } else {
                arity.params.to_string()
            }
        })
        .collect();
    let plural = if takes.len() == 1 && takes.first().is_some_and(|count| count == "1") {
        "argument"
    } else {
        "arguments"
    };
    Diagnostic::new(
        Code::WrongArity,
        format!("{name} takes {} {plural}, not {count}", takes.join(" or ")),
    )
    .with_jvm_message(wrong_number(
        count,
        &format!("user/{}", lambda.name.as_deref().unwrap_or("fn")),
    ))
}

/// Returns the JVM's message for a wrong number of arguments.
pub fn wrong_number(count: usize, name: &str) -> String {
    format!("Wrong number of args ({count}) passed to: {name}")
}

//! Functions that a program makes.

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Lambda, Program};
use crate::value::{Value, depth_above};

/// A function of a program with the values it closed over.
pub struct Closure {
    pub(crate) program: Arc<Program>,
    pub(crate) lambda: u32,
    pub(crate) captures: Box<[Value]>,
    depth: u32,
    /// Whether the number of its lambda is all that a call of it needs.
    plain: bool,
}

impl Closure {
    pub(crate) fn new(program: Arc<Program>, lambda: u32, captures: Box<[Value]>) -> Closure {
        let depth = depth_above(&captures);
        let needs_itself = program.lambdas.get(lambda as usize).is_none_or(|one| one.needs_itself);
        let plain = captures.is_empty() && !needs_itself;
        Closure { program, lambda, captures, depth, plain }
    }

    /// The number of its lambda, if that is all that a call from a function of this program needs.
    #[inline]
    pub(crate) fn plain_in(&self, program: &Arc<Program>) -> Option<u32> {
        (self.plain && Arc::ptr_eq(&self.program, program)).then_some(self.lambda)
    }

    /// The name it was given.
    pub fn name(&self) -> Option<&str> {
        self.lambda().and_then(|lambda| lambda.name.as_deref())
    }

    pub(crate) fn lambda(&self) -> Option<&Lambda> {
        self.program.lambdas.get(self.lambda as usize)
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Moves the values out, to be dropped without native recursion.
    pub(crate) fn drain_into(&mut self, work: &mut Vec<Value>) {
        self.depth = 0;
        work.extend(std::mem::take(&mut self.captures));
    }
}

/// What stands below the slots of a function in place of the function, when the number of its lambda
/// is all that its body needs: so no reference count is touched. No program counts that low: a global
/// that is such an integer is asked for before it is called, and no other value gets below the slots.
///
/// It stays because a call that counts references takes more than half as long again (a floor in
/// `bench/benches/ratios.rs` holds that), and a kind of value of its own would be one more in every match.
#[inline]
pub(super) fn plain(lambda: u32) -> i64 {
    i64::MIN + i64::from(lambda)
}

/// The number of the lambda, if this stands for a function.
#[inline]
pub(super) fn plain_number(int: i64) -> Option<u32> {
    u32::try_from(int.wrapping_sub(i64::MIN)).ok()
}

impl Drop for Closure {
    fn drop(&mut self) {
        // A chain of functions that close over one another may be long.
        if self.depth > 32 {
            let mut work = Vec::new();
            self.drain_into(&mut work);
            crate::value::drop_all(work);
        }
    }
}

impl std::fmt::Debug for Closure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#function[{}]", self.name().unwrap_or("fn"))
    }
}

/// The diagnostic for a call with a number of arguments that a function does not take.
#[cold]
pub(crate) fn wrong_arity_of(lambda: &Lambda, count: usize) -> Diagnostic {
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
    .with_jvm_message(crate::builtins::wrong_number(
        count,
        &format!("user/{}", lambda.name.as_deref().unwrap_or("fn")),
    ))
}

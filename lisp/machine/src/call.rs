//! Lookups by calls of data, the positions of problems, and the count of live bytes.

use super::codes::{Entry, Kind};
use super::machine_core::Core;
use super::tracer::Tracer;
use ptc_facts::registry::thread_help;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Lazy, Program, Res, Value};

impl<W: Tracer> Core<W> {
    /// Looks up a key in data that is called; returns none for a function.
    #[inline]
    pub(super) fn look_up_at(&mut self, data: &Value, key: &Value) -> Option<Res> {
        match (data, key) {
            (Value::Vector(items), Value::Int(at)) => {
                let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
                item.map(|item| Ok(item.clone()))
            }
            (Value::Map(_), key) if self.cx.world.lazy_aware && Lazy::of(key).is_some() => None,
            (Value::Map(map), key) => {
                Some(self.cx.look_for(key).map(|()| map.get(key).cloned().unwrap_or_default()))
            }
            (Value::Keyword(_), map) => {
                Some(self.cx.look_for(data).map(|()| self.cx.fields.lookup(map, data)))
            }
            _ => None,
        }
    }

    /// Calls a keyword, map, set or vector: a lookup.
    pub(super) fn look_up(&mut self, callee: &Value, args: &[Value]) -> Res {
        let count = args.len();
        self.cx.pay_for_lookup(callee, args)?;
        if let (Value::Keyword(_), [map]) = (callee, args) {
            return Ok(self.cx.fields.lookup(map, callee));
        }
        ptc_facts::access::call_data(callee, args).unwrap_or_else(|| {
            Err(Diagnostic::new(
                Code::NotCallable,
                format!(
                    "{} was called as a function with {count} arguments",
                    ptc_facts::messages::describe(callee)
                ),
            )
            .with_class(if callee.is_nil() { "NullPointerException" } else { "ClassCastException" })
            .with_jvm_message(ptc_facts::messages::no_function(callee))
            .with_help(match callee {
                Value::Nil => "the function is nil: check where it comes from",
                Value::List(_) => {
                    "an extra pair of parentheses calls the result of a call; remove it"
                }
                _ => "only functions, keywords, maps, sets and vectors can be called",
            }))
        })
    }

    /// Adds the position of the current node and the chain of calls to an error without a position.
    #[cold]
    pub(super) fn locate(&self, problem: Diagnostic) -> Diagnostic {
        let mut problem = problem;
        let mut names = Vec::new();
        'all: for task in self.lineage() {
            let (mut entry, mut pc) = (task.entry, task.pc);
            let mut frames = task.frames.iter().rev();
            while let Some(running) = self.codes.list.get(entry as usize) {
                // An error inside the language's own functions belongs to the call that led there.
                problem = self.locate_in(problem, &running.program, running.node(pc));
                if problem.has_trace() {
                    return problem;
                }
                let Some(caller) = frames.next() else { break };
                let by_builtin = !matches!(caller.kind, Kind::Call | Kind::Lent)
                    || self.codes.list.get(caller.entry as usize).is_some_and(Entry::is_stub);
                let is_unnamed = running.is_free || (by_builtin && running.code.calls_nothing);
                if !is_unnamed {
                    let lambda = running.program.lambdas.get(running.code.lambda as usize);
                    let name = lambda.and_then(|lambda| lambda.name.as_deref());
                    names.push(name.unwrap_or("fn").to_owned());
                }
                (entry, pc) = (caller.entry, caller.pc);
                if names.len() == 10 {
                    break 'all;
                }
            }
        }
        problem.with_trace(names)
    }

    #[cold]
    pub(super) fn locate_in(
        &self,
        problem: Diagnostic,
        program: &Program,
        node: u32,
    ) -> Diagnostic {
        if problem.has_place() || program.builtin || node == u32::MAX {
            return problem;
        }
        let is_type = problem.code_value() == Code::WrongType;
        let help = if is_type { thread_help(program, node) } else { None };
        let problem = match help {
            Some(help) => problem.with_help(help),
            None => super::nil::name_field(problem, program, node),
        };
        problem.at(program.span(node)).in_source(&program.source)
    }

    /// Counts the bytes that the machine holds, and stops a program that keeps too many.
    pub(super) fn count_live(&mut self, held: Option<&Value>) -> Res<()> {
        let mut count = super::live::Count::new(self.cx.limits.memory, self.cx.parts);
        for value in held.into_iter().chain(&self.cx.world.history) {
            count.add(value);
        }
        for value in self.cx.world.globals.values.iter().flatten() {
            count.add(value);
        }
        let mut bytes = self.cx.own.each_value(&mut |value| count.add(value));
        bytes += self.task.each_value(&mut |value| count.add(value));
        bytes += self.branches.each_value(&mut |value| count.add(value));
        count.add_bytes(bytes);
        self.cx.parts = count.parts();
        self.cx.counted(count.bytes())
    }
}

//! Lowers forms to a checked program: names become slots, and sugar is expanded.
//!
//! The checker works through a list of tasks instead of calling itself, so the nesting of a source never reaches the
//! native stack. Visiting a form leaves one operand. The task that finishes a form takes the operands of its parts and
//! makes a node.

mod analyzer;
mod bindings;
mod build;
mod calls;
mod destructure;
mod doc;
mod expand;
mod flow;
pub mod forms;
mod functions;
mod last_use;
mod lazy;
mod libraries;
mod library_names;
mod loops;
mod meanings;
mod members;
mod names;
mod payload;
mod remember;
mod special;
mod visit;
mod words;

pub use doc::text_of;
pub use words::NAMING;

use crate::lowered::{Lowered, Mark};
use crate::scope::Scope;
use analyzer::{Analyzer, Task};
use last_use::Event;
use ptc_reader::{FormKind, Source};
use ptc_values::Diagnostic;
use ptc_values::code::{Code, Span};
use ptc_values::ir::Lambda;

/// Lowers the forms of a source.
pub(crate) fn lower(source: Source, scope: &Scope<'_>) -> Lowered {
    let mut analyzer = Analyzer::new(source, scope);
    analyzer.run();
    analyzer.lowered
}

impl Analyzer<'_> {
    /// Numbers the names of top-level definitions, so that functions can call functions defined below.
    fn predeclare(&mut self) {
        for at in 0..self.top.len() {
            let form = self.top[at];
            if let [head, name, ..] = *self.forms.kids(form)
                && matches!(self.forms.get(form).kind, FormKind::List)
                && let FormKind::Symbol(head) = self.forms.get(head).kind
                && matches!(self.forms.text(head), "def" | "defn" | "defn-" | "defonce" | "declare")
                && let FormKind::Symbol(name) = self.forms.get(name).kind
            {
                self.global(name);
            }
        }
    }

    fn run(&mut self) {
        self.resolve_keywords();
        self.lowered.program.lazy_aware |= !self.scope.builtin && self.needs_frames();
        self.predeclare();
        let end = self.lowered.program.source.len();
        let whole = Span::new(0, end);
        self.lowered.program.lambdas.push(Lambda::default());
        if self.top.is_empty() {
            self.problem(
                Diagnostic::new(Code::EmptyProgram, "the program has no form")
                    .at(whole)
                    .with_help("write an expression, such as `(return ctx/name)`"),
            );
            return;
        }
        self.tasks.push(Task::EndArity { params: 0, variadic: false });
        let top = std::mem::take(&mut self.top);
        self.body(&top, whole, false);
        while let Some(task) = self.tasks.pop() {
            self.step(task);
        }
    }

    #[expect(clippy::inline_always, reason = "it is the body of one loop, and entered often")]
    #[inline(always)]
    fn step(&mut self, task: Task) {
        match task {
            Task::Visit { form, tail } => self.visit(form, tail),
            Task::Mark(event) => {
                match event {
                    Event::Try => self.mark(Mark::Try),
                    Event::Catch => self.mark(Mark::EndTry),
                    _ => {}
                }
                self.event(event);
            }
            Task::Bind { name, span } => self.bind(name, span),
            Task::EndScope { names, slots } => self.end_scope(names, slots),
            Task::Make { what, count, span } => self.make(what, count, span),
            Task::StartLoop { slots, count, span } => self.start_loop(slots, count, span),
            Task::EndLoop { node } => self.end_loop(node),
            Task::StartArity { params } => self.start_arity(params),
            Task::EndArity { params, variadic } => self.end_arity(params, variadic),
            Task::EndFunction { span } => self.end_function(span),
            Task::Catch { name } => {
                let slot = self.new_slot(name);
                self.mark(Mark::Catch { slot });
                self.catch_slots.push(slot);
                self.event(Event::Write(slot));
            }
            Task::StartSibling { lambda, names } => self.start_sibling(lambda, &names),
            Task::EndSibling => self.end_sibling(),
            Task::EndSiblings { functions, span } => self.end_siblings(&functions, span),
        }
    }
}

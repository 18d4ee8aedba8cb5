//! A session of the REPL: its sandbox, and the evaluation of its programs.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::vocabulary::{builtins, forms};
use ptc_lisp::{Failure, Map, Session, ToolDecl, Value};
use ptc_subagent::eval::{EvalStatus, Evaluation, Sandbox};
use tokio::runtime::Runtime;

use crate::args::{DataArgs, ReplArgs};
use crate::draw::{Placed, Text, draw};
use crate::process::runtime;
use crate::report::{self, Result};
use crate::sandbox::{Purpose, sandbox};
use crate::signals::{self, interrupted};

/// The bounds of a shown value, a few screens of text.
const SHOWN: Preview =
    Preview { max_chars: 8_000, max_items: 200, max_depth: 100, hide_private: false };

/// Evaluates programs one after another.
pub(super) struct Evaluator {
    session: Session,
    /// The names that programs have defined.
    defined: BTreeSet<String>,
    sandbox: Sandbox,
    declarations: Vec<ToolDecl>,
    runtime: Runtime,
    signals: signals::Session,
}

impl Evaluator {
    /// Makes an evaluator for the sandbox that the command line names.
    pub(super) fn of(args: &ReplArgs, is_interactive: bool) -> Result<Evaluator> {
        let data = DataArgs {
            ctx: args.ctx.clone(),
            memory: None,
            tools: args.tools.clone(),
            agent: args.agent.clone(),
            limits: None,
        };
        let mut sandbox = sandbox(&data, Purpose::Run { live: true }, &args.seed)?;
        // Only a returned value is an answer here; a plain value is shown.
        sandbox.is_single_turn = false;
        let declarations = sandbox.tools.declarations();
        let session = sandbox.open_session();
        let (defined, runtime) = (BTreeSet::new(), runtime()?);
        let signals = signals::Session::start(is_interactive);
        Ok(Evaluator { session, defined, sandbox, declarations, runtime, signals })
    }

    /// Returns a note that says whether calls of tools are real; `None` if no tool can be called.
    pub(super) fn warning(&self) -> Option<String> {
        let callable = self.declarations.iter().filter(|it| it.callable);
        let all: Vec<String> =
            callable.map(|it| format!("{} ({})", it.name, it.effect.as_str())).collect();
        if all.is_empty() {
            return None;
        }
        let are_live = self.sandbox.tools.are_live();
        let what = if are_live { "tool calls are real here" } else { "tools answer from a table" };
        Some(format!("{what}: {}\n", report::clean(&all.join(", "))))
    }

    /// Starts a new session.
    pub(super) fn reset(&mut self) {
        self.session = self.sandbox.open_session();
        self.defined.clear();
    }

    /// Returns all names that can be typed, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let keys = |space: &str, map: Value| -> Vec<String> {
            let keys = map.as_map().into_iter().flat_map(Map::iter);
            let names = keys.filter_map(|(key, _)| Some(format!("{space}/{}", key.name()?)));
            names.filter(|it| !it.contains(char::is_whitespace)).collect()
        };
        let mut names: BTreeSet<String> = builtins().map(|(_, it)| it.name.to_owned()).collect();
        names.extend(forms().map(|form| form.name.to_owned()));
        names.extend(
            ["ctx", "memory", "memory/get", "memory/put", "return", "fail"].map(str::to_owned),
        );
        names.extend([":help", ":quit", ":reset"].map(str::to_owned));
        names.extend(self.declarations.iter().map(|it| format!("tool/{}", it.name)));
        names.extend(keys("ctx", self.session.ctx()));
        names.extend(keys("memory", self.session.memory()));
        names.extend(self.defined.iter().cloned());
        names.into_iter().collect()
    }

    /// Checks and runs a program; shows its prints and its value, or its problems. Breaks if a signal has ended the
    /// session.
    pub(super) fn evaluate(&mut self, source: &str) -> Result<ControlFlow<()>> {
        let text = Text::new("repl", source);
        let evaluation = self.sandbox.evaluate(&mut self.session, source, false, interrupted());
        let (evaluation, is_over) = self.signals.run(|| self.runtime.block_on(evaluation));
        evaluation.warnings.iter().for_each(|it| draw(&Placed::warning(it, &text)));
        for print in &evaluation.prints {
            report::print(&format!("{}\n", report::clean(print)))?;
        }
        if evaluation.is_cancelled {
            // After the `^C` that the terminal shows.
            report::say("\ninterrupted; nothing was kept\n");
            return Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
        }
        self.defined.extend(evaluation.defines.iter().cloned());
        match (&evaluation.failure, &evaluation.value) {
            (Some(Failure { reason, message, .. }), _) => report::say_failed(reason, message),
            (None, Some(value)) => {
                show(value)?;
                if evaluation.status != EvalStatus::Value {
                    report::say(&self.verdict(&evaluation));
                }
            }
            (None, None) => {
                let is_rejected = evaluation.status == EvalStatus::Rejected;
                for problem in &evaluation.errors {
                    let placed = Placed::error(problem, &text);
                    draw(&if is_rejected { placed } else { placed.or_earlier() });
                }
            }
        }
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Returns the verdict of a mission on an answer: a match, with warnings, or the problem.
    fn verdict(&self, evaluation: &Evaluation) -> String {
        let Some((signature, _)) = &self.sandbox.output else { return "returned\n".to_owned() };
        if let Some(problem) = evaluation.errors.first() {
            return format!("{}\n", report::clean(problem.message()));
        }
        let warning = |note: &String| format!("warning: answer: {}\n", report::clean(note));
        let warnings: Vec<String> = evaluation.notes.iter().map(warning).collect();
        format!("{}returned: it matches {}\n", warnings.concat(), signature.output)
    }
}

fn show(value: &Value) -> Result<()> {
    let (text, is_cut) = preview(value, &SHOWN);
    report::print(&format!("{}\n", report::clean(&text)))?;
    if is_cut {
        report::say("(cut; `*1` is the whole value)\n");
    }
    Ok(())
}

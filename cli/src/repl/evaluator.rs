//! One session: what it starts with, and what a program in it comes to.

use std::collections::BTreeSet;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{Budget, Failure, Map, Outcome, Session, ToolDecl, Value, builtins, forms};
use tokio::runtime::Runtime;

use crate::args::ReplArgs;
use crate::draw::{Placed, Text};
use crate::drive::{Calls, Stopped, Tools, drive};
use crate::report::{self, Result};
use crate::run::runtime;
use crate::scope::{Scope, ScopeArgs};

/// What is still read, and fits on a few screens.
const SHOWN: Preview =
    Preview { max_chars: 8_000, max_items: 200, max_depth: 100, hide_private: false };

/// Evaluates programs one after another.
pub(super) struct Evaluator {
    session: Session,
    /// Names that programs have defined.
    defined: BTreeSet<String>,
    scope: Scope,
    declarations: Vec<ToolDecl>,
    runtime: Runtime,
    /// Whether Ctrl-C is for the program, and not for all of it.
    is_interactive: bool,
}

impl Evaluator {
    /// Makes one of what the command line names.
    pub(super) fn of(args: &ReplArgs, is_interactive: bool) -> Result<Evaluator> {
        let scope = Scope::of(&ScopeArgs {
            agent: args.agent.as_deref(),
            ctx: args.ctx.as_deref(),
            tools: args.tools.as_deref(),
            limits: None,
            live: true,
            seed: args.seed,
        })?;
        let declarations = scope.tools.declarations();
        let session = fresh(&scope, &declarations);
        let (defined, runtime) = (BTreeSet::new(), runtime()?);
        Ok(Evaluator { session, defined, scope, declarations, runtime, is_interactive })
    }

    /// What has to be known before a tool is called: whether it is play.
    pub(super) fn warning(&self) -> Option<String> {
        let callable = self.declarations.iter().filter(|it| it.callable);
        let all: Vec<String> =
            callable.map(|it| format!("{} ({})", it.name, it.effect.as_str())).collect();
        let what = match &self.scope.tools {
            _ if all.is_empty() => return None,
            Tools::Agent { .. } => "calls of tools are real here",
            Tools::Table(_) => "tools answer from a table",
        };
        Some(format!("{what}: {}\n", report::clean(&all.join(", "))))
    }

    /// Forgets what programs have defined and kept.
    pub(super) fn reset(&mut self) {
        self.session = fresh(&self.scope, &self.declarations);
        self.defined.clear();
    }

    /// All that may be typed, sorted.
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

    /// Checks and runs a program; shows what it printed and gave, or what is wrong with it.
    pub(super) fn evaluate(&mut self, source: &str) -> Result<()> {
        let text = Text::new("repl", source);
        let admitted = match self.scope.admit(&self.session, source, false) {
            Ok((admitted, _)) => admitted,
            Err(problems) => {
                for problem in &problems {
                    Placed::error(problem, &text).show();
                }
                return Ok(());
            }
        };
        admitted.warnings().iter().for_each(|it| Placed::warning(it, &text).show());
        let mut machine = self.session.start(&admitted);
        let mut budget = Budget::new(&self.scope.limits.program);
        let (tools, limits, mut made) = (&self.scope.tools, &self.scope.limits, Calls::new());
        let stopped = self.runtime.block_on(async {
            tokio::select! {
                biased;
                stopped = drive(&mut machine, &mut budget, tools, limits, &mut made) => stopped,
                // Elsewhere the signal ends the process, whatever it is doing.
                _ = tokio::signal::ctrl_c(), if self.is_interactive => Some(Stopped::Interrupted),
            }
        });
        let mut ended = machine.finish();
        for print in &ended.prints {
            report::print(&format!("{}\n", report::clean(print)))?;
        }
        match stopped {
            None => {}
            Some(Stopped::Interrupted) => {
                // Behind the `^C` that the terminal shows.
                report::say("\ninterrupted; nothing of it is kept\n");
                return Ok(());
            }
            Some(Stopped::Problem(problem)) => ended.outcome = Outcome::Error(*problem),
        }
        if let Err(problem) = self.session.commit(&ended) {
            Placed::error(&problem, &text).show();
            return Ok(());
        }
        match &ended.outcome {
            Outcome::Error(problem) => Placed::error(problem, &text).or_earlier().show(),
            Outcome::Fail(Failure { reason, message, .. }) => report::say_failed(reason, message),
            Outcome::Value(value) => {
                self.defined.extend(admitted.report().defines.iter().cloned());
                show(value)?;
            }
            Outcome::Return(value) => {
                self.defined.extend(admitted.report().defines.iter().cloned());
                show(value)?;
                report::say(&self.judge(value));
            }
        }
        Ok(())
    }

    /// What a mission would make of a returned value.
    fn judge(&self, value: &Value) -> String {
        let Some((signature, _)) = &self.scope.output else { return "returned\n".to_owned() };
        match self.scope.judge(value) {
            Err(problem) => format!("{}\n", report::clean(problem.message())),
            Ok(notes) => {
                let notes =
                    notes.iter().map(|it| format!("warning: answer: {}\n", report::clean(it)));
                let notes: String = notes.collect();
                format!("{notes}returned: it matches {}\n", signature.output)
            }
        }
    }
}

/// A session in which nothing was defined or kept yet. What is returned is shown, and not refused before.
fn fresh(scope: &Scope, declarations: &[ToolDecl]) -> Session {
    let limits = scope.limits.program.clone();
    let mut session = Session::new(scope.ctx.clone(), declarations.to_vec(), limits);
    session.set_seed(scope.seed);
    if let Some((signature, _)) = &scope.output {
        session.declare(&signature.params);
    }
    session
}

fn show(value: &Value) -> Result<()> {
    let (text, is_cut) = preview(value, &SHOWN);
    report::print(&format!("{}\n", report::clean(&text)))?;
    if is_cut {
        report::say("(cut; `*1` is all of it)\n");
    }
    Ok(())
}

//! One session: what it starts with, and what a program in it comes to.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptc_lisp::print::{Preview, preview};
use ptc_lisp::{
    Budget, Failure, Map, Outcome, Session, ToolDecl, Value, builtins, json, special_forms,
};
use ptc_signatures::{Signature, SignatureMode};
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, Policy};
use tokio::runtime::Runtime;

use super::drive::{Stopped, Tools, drive};
use crate::args::ReplArgs;
use crate::draw::{Placed, Text};
use crate::eval::plain;
use crate::input::{self, AllLimits};
use crate::report::{self, Fault, Result};
use crate::run::{mission_input, runtime};
use crate::tools_file;

/// What is still read, and fits on a few screens.
const SHOWN: Preview =
    Preview { max_chars: 8_000, max_items: 200, max_depth: 100, hide_private: false };

/// Evaluates programs one after another.
pub(super) struct Evaluator {
    session: Session,
    /// Names that programs have defined.
    defined: BTreeSet<String>,
    ctx: Value,
    tools: Tools,
    declarations: Vec<ToolDecl>,
    /// What a mission of the agent wants back.
    output: Option<(Signature, SignatureMode)>,
    limits: AllLimits,
    /// What the agent does not let programs do. Nobody has to be asked: whoever could be types the programs.
    policy: Policy,
    runtime: Runtime,
    /// Whether Ctrl-C is for the program, and not for all of it.
    is_interactive: bool,
}

impl Evaluator {
    /// Makes one of what the command line names.
    pub(super) fn of(args: &ReplArgs, is_interactive: bool) -> Result<Evaluator> {
        let agent = args.agent.as_deref().map(Agent::read).transpose()?;
        let ctx = match (&args.ctx, &agent) {
            (Some(text), _) => input::json_option("--ctx", text)?,
            (None, Some(agent)) => json::from_serde(&mission_input(agent, None, &[])?),
            (None, None) => Value::Nil,
        };
        let mut ctx = input::object("--ctx", ctx).map_err(|why| Fault::new("usage", why))?;
        let (mut limits, mut tools, mut output) =
            (AllLimits::default(), Tools::Table(tools_file::Tools::default()), None);
        let (mut declarations, mut policy) = (Vec::new(), Policy::default());
        if let Some(agent) = &agent {
            limits.program = agent.limits.clone();
            limits.time = agent.program_time;
            policy = agent.policy.clone();
            let mode_of = |tool: &ToolDef| tool.signature_mode.unwrap_or(agent.signature_mode);
            declarations = agent.tools.iter().map(|it| declaration(it, mode_of(it))).collect();
            let real = agent.tools.iter().map(|it| {
                let mode = mode_of(it);
                Arc::new(it.clone().with_signature_mode(mode))
            });
            tools = Tools::Real(real.collect());
            if let Some(signature) = &agent.signature {
                ctx = as_input(signature, agent.signature_mode, ctx);
                output = Some((signature.clone(), agent.signature_mode));
            }
        } else if let Some(path) = &args.tools {
            let table =
                tools_file::Tools::of(&input::json_file("--tools", path)?).map_err(|why| {
                    Fault::new("malformed-tools", format!("{}: {why}", path.display()))
                })?;
            declarations = table.declarations();
            tools = Tools::Table(table);
        }
        let session = new_session(&ctx, &declarations, &limits, output.as_ref());
        let (defined, runtime) = (BTreeSet::new(), runtime()?);
        Ok(Evaluator {
            session,
            defined,
            ctx,
            tools,
            declarations,
            output,
            limits,
            policy,
            runtime,
            is_interactive,
        })
    }

    /// What has to be known before a tool is called: whether it is play.
    pub(super) fn warning(&self) -> Option<String> {
        let callable = self.declarations.iter().filter(|it| it.callable);
        let all: Vec<String> =
            callable.map(|it| format!("{} ({})", it.name, it.effect.as_str())).collect();
        let what = match &self.tools {
            _ if all.is_empty() => return None,
            Tools::Real(_) => "calls of tools are real here",
            Tools::Table(_) => "tools answer from a table",
        };
        Some(format!("{what}: {}\n", report::clean(&all.join(", "))))
    }

    /// Forgets what programs have defined and kept.
    pub(super) fn reset(&mut self) {
        self.session =
            new_session(&self.ctx, &self.declarations, &self.limits, self.output.as_ref());
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
        names.extend(special_forms().map(str::to_owned));
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
        let admitted = match self.session.admit(source) {
            Ok(admitted) => admitted,
            Err(rejection) => {
                rejection.diagnostics.iter().for_each(|it| Placed::error(it, &text).show());
                return Ok(());
            }
        };
        let refusals = self.policy.refusals(admitted.report());
        if !refusals.is_empty() {
            for refusal in &refusals {
                Placed::error(refusal, &text).show();
            }
            return Ok(());
        }
        admitted.warnings().iter().for_each(|it| Placed::warning(it, &text).show());
        let mut machine = self.session.start(&admitted);
        let mut budget = Budget::new(&self.limits.program);
        let stopped = self.runtime.block_on(async {
            tokio::select! {
                biased;
                stopped = drive(&mut machine, &mut budget, &self.tools, &self.limits) => stopped,
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
        let Some((signature, mode)) = &self.output else { return "returned\n".to_owned() };
        let max = self.limits.program.result_bytes as usize;
        let json = plain(value, max).and_then(|text| {
            serde_json::from_str(&text).map_err(|error| format!("has no JSON form: {error}"))
        });
        let held = match json {
            Ok(json) => signature.output.hold(json, *mode),
            Err(why) => return format!("returned, but the value {why}\n"),
        };
        match held.mismatches.first() {
            Some(first) => {
                format!("returned what does not match: {}\n", report::clean(&first.to_string()))
            }
            None => format!("returned: it matches {}\n", signature.output),
        }
    }
}

/// What programs may know of a tool of an agent.
fn declaration(tool: &ToolDef, mode: SignatureMode) -> ToolDecl {
    let mut decl = ToolDecl::new(tool.name.clone(), tool.effect);
    decl.signature.clone_from(&tool.signature);
    decl.mode = Some(mode);
    decl.description.clone_from(&tool.description);
    decl.callable = tool.is_callable();
    decl.cost = tool.cost;
    decl
}

/// A session in which nothing has been defined and kept yet.
fn new_session(
    ctx: &Value,
    tools: &[ToolDecl],
    limits: &AllLimits,
    mission: Option<&(Signature, SignatureMode)>,
) -> Session {
    let mut session = Session::new(ctx.clone(), tools.to_vec(), limits.program.clone());
    if let Some((signature, _)) = mission {
        session.declare(&signature.params);
    }
    session
}

/// Data as a mission would see it: fitted to the signature, with nil for what is missing. Data that does not
/// fit is told and taken as it is.
fn as_input(signature: &Signature, mode: SignatureMode, ctx: Value) -> Value {
    let Ok(json) = json::to_serde(&ctx) else { return ctx };
    let held = signature.hold_input(json, mode);
    for mismatch in held.mismatches.iter().take(5) {
        report::say(&format!(
            "warning: the input does not match: {}\n",
            report::clean(&mismatch.to_string())
        ));
    }
    let mut entries: Vec<(Value, Value)> = json::from_serde(&held.value)
        .as_map()
        .into_iter()
        .flat_map(Map::iter)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for field in &signature.params {
        if held.value.get(&field.name).is_none() {
            entries.push((Value::str(&field.name), Value::Nil));
        }
    }
    Value::map(entries)
}

fn show(value: &Value) -> Result<()> {
    let (text, is_cut) = preview(value, &SHOWN);
    report::print(&format!("{}\n", report::clean(&text)))?;
    if is_cut {
        report::say("(cut; `*1` is all of it)\n");
    }
    Ok(())
}

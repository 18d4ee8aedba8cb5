//! What programs outside of a run may see and do: data, tools and limits, of an agent or of the command line.

use std::path::Path;

use ptc_lisp::{Admitted, Code, Diagnostic, Map, Rejection, Repair, Session, Value, json};
use ptc_signatures::{Enforced, Signature, SignatureMode};
use ptc_subagent::{Agent, Data, Mission, Policy, fresh_seed};

use crate::drive::Tools;
use crate::eval::plain;
use crate::input::{self, AllLimits};
use crate::report::{self, Fault, Result};
use crate::run::mission_input;
use crate::tools_file;

/// What the command line says of a scope.
#[derive(Debug, Default)]
pub(crate) struct ScopeArgs<'a> {
    /// An agent file.
    pub(crate) agent: Option<&'a Path>,
    /// `--ctx`.
    pub(crate) ctx: Option<&'a str>,
    /// `--tools`.
    pub(crate) tools: Option<&'a Path>,
    /// `--limits`.
    pub(crate) limits: Option<&'a str>,
    /// Whether tools of the agent that reach outside are called.
    pub(crate) live: bool,
    /// `--seed`.
    pub(crate) seed: Option<u64>,
}

/// What programs may see and do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// The data.
    pub(crate) ctx: Value,
    /// What they may call.
    pub(crate) tools: Tools,
    /// What they may use.
    pub(crate) limits: AllLimits,
    /// What a mission of the agent wants back.
    pub(crate) output: Option<(Signature, SignatureMode)>,
    /// What the agent does not let programs do. Nobody is asked: the user types the programs.
    pub(crate) policy: Policy,
    /// Whether a plain value is the answer of a mission.
    pub(crate) is_single_turn: bool,
    /// What they draw random numbers from.
    pub(crate) seed: u64,
}

impl Scope {
    /// Reads what the command line names.
    pub(crate) fn of(args: &ScopeArgs<'_>) -> Result<Scope> {
        let usage = |message: String| Fault::new("usage", message);
        let agent = args.agent.map(Agent::read).transpose()?;
        let ctx = match (args.ctx, &agent) {
            (Some(text), _) => input::json_option("--ctx", text)?,
            (None, Some(agent)) => mission_input(agent, None, &[])?.value().clone(),
            (None, None) => Value::Nil,
        };
        let ctx = input::object("--ctx", ctx).map_err(usage)?;
        let mut scope = match &agent {
            Some(agent) => Scope::of_agent(agent, ctx, args.live),
            None => Scope { ctx, ..Scope::default() },
        };
        let seed = args.seed.or(agent.as_ref().and_then(|agent| agent.seed));
        scope.seed = seed.unwrap_or_else(fresh_seed);
        if let Some(path) = args.tools {
            let table = tools_file::Tools::of(&input::json_file("--tools", path)?);
            scope.tools = Tools::Table(table.map_err(|why| {
                Fault::new("malformed-tools", format!("{}: {why}", path.display()))
            })?);
        }
        if let Some(text) = args.limits {
            let changes = input::json_option("--limits", text)?;
            scope.limits = scope.limits.changed(&changes).map_err(usage)?;
        }
        Ok(scope)
    }

    fn of_agent(agent: &Agent, ctx: Value, live: bool) -> Scope {
        let signature = agent.signature.as_ref();
        Scope {
            ctx: as_input(agent, ctx),
            tools: Tools::of(agent, live),
            limits: AllLimits { program: agent.limits.clone(), time: agent.program_time },
            output: signature.map(|it| (it.clone(), agent.signature_mode)),
            policy: agent.policy.clone(),
            is_single_turn: agent.is_single_turn(),
            seed: 0,
        }
    }

    /// A session whose programs are checked for what they return.
    pub(crate) fn session(&self) -> Session {
        let declarations = self.tools.declarations();
        let mut session = Session::new(self.ctx.clone(), declarations, self.limits.program.clone());
        session.set_seed(self.seed);
        if let Some((signature, mode)) = &self.output {
            session.declare(&signature.params);
            session.expect(signature.output.clone(), *mode);
        }
        session
    }

    /// Admits a program, mended if that is wished, and holds it to the policy.
    pub(crate) fn admit(
        &self,
        session: &Session,
        source: &str,
        mends: bool,
    ) -> std::result::Result<(Admitted, Option<Repair>), Vec<Diagnostic>> {
        let admitted = if mends {
            session.admit_repaired(source)
        } else {
            session.admit(source).map(|admitted| (admitted, None))
        };
        let (admitted, repair) = admitted.map_err(|rejection: Rejection| rejection.diagnostics)?;
        let refusals = self.policy.refusals(admitted.report());
        if refusals.is_empty() { Ok((admitted, repair)) } else { Err(refusals) }
    }

    /// Holds a returned value to the output of the signature: what a mission would warn of, or why it would not
    /// take it.
    pub(crate) fn judge(&self, value: &Value) -> std::result::Result<Vec<String>, Diagnostic> {
        let Some((signature, mode)) = &self.output else { return Ok(Vec::new()) };
        let max = self.limits.program.result_bytes as usize;
        let json = plain(value, max)
            .and_then(|_| json::plain(value).map_err(|error| format!("has no JSON form: {error}")));
        let json = json
            .map_err(|why| Diagnostic::new(Code::NotJson, format!("the returned value {why}")))?;
        let Enforced { warnings, mismatches, .. } =
            signature.output.enforce_data(value, json, *mode);
        let Some(first) = mismatches.first() else {
            return Ok(warnings.iter().map(ToString::to_string).collect());
        };
        let more = match mismatches.len() {
            1 => String::new(),
            count => format!(" (and {} more)", count - 1),
        };
        let message = format!("the returned value does not match: {first}{more}");
        let help = first.help.clone();
        let help = help.unwrap_or_else(|| format!("return {}", signature.output));
        Err(Diagnostic::new(Code::WrongReturn, message).with_help(help))
    }
}

/// Data as a mission would see it: fitted to the signature, with nil for what is missing. Data that does not
/// fit is told and taken as it is.
fn as_input(agent: &Agent, ctx: Value) -> Value {
    let Ok(data) = Data::of(&ctx) else { return ctx };
    let mission = Mission::new(agent, &data);
    match mission.warnings() {
        Ok(warnings) => warnings.iter().for_each(|it| warn(&it.message)),
        Err(error) => warn(error.message()),
    }
    let Some(signature) = &agent.signature else { return ctx };
    let enforced = signature.enforce_input(data.value().clone(), agent.signature_mode);
    let mut entries: Vec<(Value, Value)> = enforced
        .value
        .as_map()
        .into_iter()
        .flat_map(Map::iter)
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    for field in &signature.params {
        if enforced.value.get(&field.name).is_none() {
            entries.push((Value::str(&field.name), Value::Nil));
        }
    }
    Value::map(entries)
}

fn warn(message: &str) {
    report::say(&format!("warning: {}\n", report::clean(message)));
}

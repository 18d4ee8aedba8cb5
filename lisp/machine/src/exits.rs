//! Exits of the program: results, failures and tool calls.

#![expect(
    clippy::inline_always,
    reason = "measured: the path of a call that the host answers at once"
)]

use arcstr::ArcStr;

use super::action::Action;
use super::flow_place::{FlowPlace, Looped};
use super::machine_core::Core;
use super::outcome::Outcome;
use super::problems::invariant_violated;
use super::tool_call::ToolCall;
use super::tracer::Tracer;
use ptc_facts::lookup;
use ptc_values::code::{Code, Span};
use ptc_values::ir::Node;
use ptc_values::json::{self, NotJson};
use ptc_values::print::literal;
use ptc_values::{Diagnostic, Program, Res, Value};

impl<W: Tracer> Core<W> {
    /// Makes the running task end the program with a value, if the value has a JSON form.
    pub(super) fn leave_with(
        &mut self,
        mut value: Value,
        wrap: fn(Value) -> Outcome,
    ) -> Res<Action> {
        self.cx.build(&mut value)?;
        let fits = self.is_within_limit(&value).map_err(|not_json| {
            Diagnostic::new(Code::NotJson, not_json.to_string())
                .with_help("return strings, numbers, booleans, nil, lists and maps of these")
        })?;
        self.leaving = Some((value, wrap, fits));
        Ok(Action::Leave)
    }

    /// Ends the program, outside of the loop of the machine: see [`Core::leave_with`].
    pub(super) fn leave_now(&mut self) -> Res<Action> {
        let (value, wrap, fits) = self.leaving.take().ok_or_else(invariant_violated)?;
        let outcome = if fits { wrap(value) } else { Outcome::Error(self.too_large()) };
        self.leave_program(outcome)
    }

    /// Calls a tool by a computed name.
    pub(super) fn call_named(&mut self, name: &Value, args: Value, span: Span) -> Res<Action> {
        let Value::Str(name) = self.cx.settled(name)? else {
            return Err(lookup::no_name(&ptc_facts::messages::describe(name)));
        };
        match name.as_str() {
            "return" => return self.leave_with(args, Outcome::Return),
            "fail" => {
                return self.leave_with(args, super::outcome::failed_with);
            }
            _ => {}
        }
        self.cx.spend(self.cx.world.tools.len() as u64 / 8)?;
        if let Err(problem) = lookup::callable(&self.cx.world.tools, name) {
            let data =
                super::failure::failure_data(name, problem.code(), problem.message(), &Value::Nil);
            return Err(problem.with_data(data));
        }
        self.ask_for(name, args, span, false)?;
        Ok(Action::Waiting)
    }

    /// Returns the outcome for the value of the last form, which may be of any kind.
    pub(super) fn outcome_of(&mut self, mut value: Value) -> Outcome {
        if let Err(problem) = self.cx.build(&mut value) {
            return Outcome::Error(self.locate(problem));
        }
        let fits = self.is_within_limit(&value).unwrap_or(true);
        if fits { Outcome::Value(value) } else { Outcome::Error(self.too_large()) }
    }

    /// Returns whether the size of a value as JSON is within the limit, or the reason that it has no such form.
    fn is_within_limit(&self, value: &Value) -> Result<bool, NotJson> {
        let max = self.cx.limits.result_bytes as usize;
        json::size(value, max).map(|size| size <= max)
    }

    fn too_large(&self) -> Diagnostic {
        let max = self.cx.limits.result_bytes;
        let message = format!("the result is larger as JSON than the limit of {max} bytes");
        let problem = Diagnostic::new(Code::ResultSizeLimit, message)
            .with_help("return less: a summary, the first items, or counts")
            .with_advice("raise the limit `result_bytes`");
        self.locate(problem)
    }

    /// Makes the running task wait for a tool, after checks of its arguments. `is_short` tells that they are known to be
    /// below the limit of their size as JSON.
    #[inline(always)]
    pub(super) fn ask_for(
        &mut self,
        name: &ArcStr,
        mut args: Value,
        span: Span,
        is_short: bool,
    ) -> Res<()> {
        let fits = if is_short {
            // A record of plain values, without anything to build.
            Ok(true)
        } else {
            self.cx.build(&mut args)?;
            match &args {
                Value::Map(_) => self.is_within_limit(&args),
                _ => Ok(false),
            }
        };
        if !matches!(fits, Ok(true)) || self.cx.calls_left == 0 {
            return Err(self.refused(name, &args, fits));
        }
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        self.make_call(name, args, span)
    }

    /// Makes the running task wait for a call.
    #[inline(always)]
    pub(super) fn make_call(&mut self, name: &ArcStr, args: Value, span: Span) -> Res<()> {
        let id = self.next_call_id()?;
        let FlowPlace { step, looped, .. } = &self.cx.own.flow;
        let in_loop = *looped != Looped::No;
        match &mut self.call {
            Some(call) => {
                if !ArcStr::ptr_eq(&call.name, name) {
                    call.name = name.clone();
                    self.signed = self.cx.signed(name);
                }
                // Both are usually empty, and a drop of them would be a call.
                if !id.path.is_empty() || !call.id.path.is_empty() {
                    call.id.path = id.path;
                }
                call.id.number = id.number;
                std::mem::replace(&mut call.args, args).done();
                (call.span, call.in_loop) = (span, in_loop);
                if step.is_some() || call.step.is_some() {
                    call.step.clone_from(step);
                }
            }
            none => {
                let (name, step) = (name.clone(), step.clone());
                self.signed = self.cx.signed(&name);
                *none = Some(ToolCall { id, name, args, span, step, in_loop });
            }
        }
        self.asked = true;
        Ok(())
    }

    #[cold]
    fn refused(&self, name: &str, args: &Value, fits: Result<bool, NotJson>) -> Diagnostic {
        let max = self.cx.limits.result_bytes;
        match fits {
            _ if !matches!(args, Value::Map(_)) => Diagnostic::new(
                Code::WrongType,
                format!(
                    "the tool `{name}` takes a map of arguments, found {}",
                    ptc_facts::messages::describe(args)
                ),
            )
            .with_help(format!("write `(call {} {{:argument value}})`", literal(name))),
            Ok(false) => Diagnostic::new(
                Code::ResultSizeLimit,
                format!("the arguments of the tool `{name}` are larger as JSON than the limit of {max} bytes"),
            )
            .with_help("send less: ids instead of rows, a part at a time").with_advice("raise the limit `result_bytes`"),
            Err(not_json) => {
                Diagnostic::new(Code::NotJson, format!("arguments of the tool `{name}`: {not_json}"))
            }
            Ok(true) => Diagnostic::new(
                Code::ToolCallLimit,
                format!(
                    "the program makes more than its limit of {} tool calls",
                    self.cx.limits.tool_calls
                ),
            )
            .with_help("request more data per call, or less data").with_advice("raise the limit `tool_calls`"),
        }
    }
}

/// Returns the node of the last form, which gives the value of the program. A form such as a constant has none.
pub(super) fn last_form(program: &Program) -> Option<u32> {
    let main = program.lambdas.first()?;
    let mut node = main.arities.iter().next()?.body.node()?;
    while let Some(Node::Do(parts)) = program.core(node) {
        node = program.args(parts).last()?.node()?;
    }
    Some(node)
}

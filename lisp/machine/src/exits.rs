//! Exits of the program: results, failures and tool calls.

use std::sync::Arc;

use arcstr::ArcStr;

use super::flow::{FlowPlace, Looped};
use super::problems::invariant_violated;
use super::record::ToolNode;
use super::tracer::Tracer;
use super::{Core, Mode, Outcome, ToolCall};
use ptc_facts::lookup;
use ptc_values::code::{Code, Span};
use ptc_values::ir::{Node, Program};
use ptc_values::json::{self, NotJson};
use ptc_values::print::literal;
use ptc_values::{Diagnostic, Res, Value};

impl<W: Tracer> Core<W> {
    /// Applies a node to its only part.
    pub(super) fn part(&mut self, program: &Arc<Program>, node: u32, value: Value) -> Res<Mode> {
        match program.node(node) {
            Node::Get { key, .. } => {
                let key = &program.consts[key as usize];
                Ok(Mode::Value(self.cx.fields.lookup(&value, key)))
            }
            Node::Def { global, .. } => self.define(global, value).map(Mode::Value),
            Node::Return(_) => self.leave_with(value, Outcome::Return),
            Node::Fail(_) => {
                self.leave_with(value, |value| Outcome::Fail(super::Failure::of(value)))
            }
            Node::Tool { tool, .. } => self.call_tool(program, node, tool, value),
            _ => Err(invariant_violated()),
        }
    }

    /// Ends the program with a value, if the value has a JSON form.
    pub(super) fn leave_with(&mut self, value: Value, wrap: fn(Value) -> Outcome) -> Res<Mode> {
        self.check_json(&value)?;
        let outcome = self.outcome_of(value, wrap);
        self.leave_program(outcome)
    }

    /// Calls the tool whose name is the second-last value; the last value is its arguments.
    pub(super) fn call_named(&mut self, program: &Program, node: u32) -> Res<Mode> {
        let (Some(args), Some(name)) = (self.task.stack.pop(), self.task.stack.pop()) else {
            return Err(invariant_violated());
        };
        let Value::Str(name) = &name else {
            return Err(lookup::no_name(&ptc_facts::messages::describe(&name)));
        };
        match name.as_str() {
            "return" => return self.leave_with(args, Outcome::Return),
            "fail" => {
                return self.leave_with(args, |value| Outcome::Fail(super::Failure::of(value)));
            }
            _ => {}
        }
        self.cx.spend(self.cx.tools.len() as u64 / 8)?;
        if let Err(problem) = lookup::callable(&self.cx.tools, name) {
            let data =
                super::failure::failure_data(name, problem.code(), problem.message(), &Value::Nil);
            return Err(problem.with_data(data));
        }
        self.ask(name, args, program.span(node))
    }

    /// Checks that a value that leaves the program has a JSON form.
    fn check_json(&self, value: &Value) -> Res<()> {
        match json::size(value, self.cx.limits.result_bytes as usize) {
            Ok(_) => Ok(()),
            Err(not_json) => Err(Diagnostic::new(Code::NotJson, not_json.to_string())
                .with_help("return strings, numbers, booleans, nil, lists and maps of these")),
        }
    }

    /// Calls a tool at a node, if its arguments need no frames.
    #[inline(never)]
    pub(super) fn call_tool_of(&mut self, program: &Program, node: u32) -> Res<Option<Mode>> {
        match self.tool_node(program, node) {
            Some(tool) => self.call_tool_at(program, &tool).map(|()| Some(Mode::Waiting)),
            None => Ok(None),
        }
    }

    /// Calls a tool with arguments that need no frames.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is most of a call")]
    pub(super) fn call_tool_at(&mut self, program: &Program, tool: &ToolNode<'_>) -> Res<()> {
        self.task.at = tool.node;
        match &tool.record {
            Some(record) if record.is_computed => return self.call_computed(program, tool, record),
            Some(record) if self.call_again(program, tool, record)? => return Ok(()),
            _ => {}
        }
        let args = self.direct(program, tool.args)?;
        self.ask(tool.name, args, program.span(tool.node)).map(|_| ())
    }

    pub(super) fn call_tool(
        &mut self,
        program: &Program,
        node: u32,
        tool: u32,
        args: Value,
    ) -> Res<Mode> {
        let name = program.tools.get(tool as usize).ok_or_else(invariant_violated)?;
        self.ask(name, args, program.span(node))
    }

    pub(super) fn ask(&mut self, name: &ArcStr, args: Value, span: Span) -> Res<Mode> {
        let max = self.cx.limits.result_bytes as usize;
        let fits = match &args {
            Value::Map(_) => json::size(&args, max).map(|size| size <= max),
            _ => Ok(false),
        };
        if !matches!(fits, Ok(true)) || self.cx.calls_left == 0 {
            return Err(self.refused(name, &args, fits));
        }
        self.cx.calls_left -= 1;
        self.calls_made += 1;
        self.make_call(name, args, span)?;
        Ok(Mode::Waiting)
    }

    /// Makes the running task wait for a call.
    pub(super) fn make_call(&mut self, name: &ArcStr, args: Value, span: Span) -> Res<()> {
        let path = self.call.as_mut().map(|call| std::mem::take(&mut call.id.path));
        let id = self.next_call_id(path.unwrap_or_default())?;
        let FlowPlace { step, looped } = &self.cx.own.flow;
        let in_loop = *looped != Looped::No;
        match &mut self.call {
            Some(call) => {
                if !ArcStr::ptr_eq(&call.name, name) {
                    call.name = name.clone();
                    self.signed = self.cx.signed(name);
                }
                (call.id, call.args, call.span, call.in_loop) = (id, args, span, in_loop);
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
        if W::ON
            && let Some(call) = self.call.clone()
        {
            W::asks(self, &call)?;
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

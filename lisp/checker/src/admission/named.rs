//! Scans tool calls by computed names.

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::calls::Calls;
use super::problems;
use super::scan::{Effect, Fact, Scan};
use ptc_facts::lookup;
use ptc_facts::messages::describe;
use ptc_facts::shape::Shape;
use ptc_facts::times::Times;
use ptc_facts::tool::ToolDecl;
use ptc_values::Value;
use ptc_values::ir::Args;

impl Scan<'_> {
    /// Scans a call of one of the tools that a value may name.
    pub(super) fn named(&mut self, at: u32, args: Args) -> Fact {
        let [name, args] = *self.program.args(args) else { return Fact::of(Shape::ANY) };
        // The program itself does not run again.
        if self.is_later && self.frames.len() == 1 {
            return Fact::of(Shape::ANY);
        }
        let effect = self.escape_all(&[name, args]);
        let (name, args) = (self.shape(name).clone(), self.shape(args).clone());
        let fact = match name.alternatives() {
            [] if name.kinds() == Kinds::NONE || name.kinds().meets(Kinds::STRING) => {
                self.any_tool()
            }
            [] => {
                self.doubt(at, lookup::no_name(&name.kinds().to_string()));
                Fact::of(Shape::ANY)
            }
            names => self.one_of_tools(at, names, &args),
        };
        self.both(effect, fact.effect()).of(fact.shape)
    }

    /// Returns a call of any callable tool.
    fn any_tool(&mut self) -> Fact {
        let world = self.world;
        let callable = world.env.tools.iter().filter(|decl| decl.callable);
        let tools: Vec<u32> = callable.map(|decl| self.place_of(&decl.name)).collect();
        self.named_tools.places.extend(tools.iter().map(|tool| (*tool, false)));
        let calls = tools.into_iter().map(|tool| (tool, Times::UNBOUNDED)).collect();
        Effect { calls: self.store_calls(Calls::of(calls)), ends: false }.of(Shape::ANY)
    }

    /// Returns a call of one of these tools. Some may not exist.
    fn one_of_tools(&mut self, at: u32, names: &[Value], args: &Shape) -> Fact {
        let world = self.world;
        let mut tools = Vec::new();
        let (mut result, mut ends) = (Shape::Kinds(Kinds::NONE), true);
        let only = names.len() == 1;
        for name in names {
            let Value::Str(name) = name else {
                if only || !name.is_nil() {
                    self.doubt_if(only, at, lookup::no_name(&describe(name)));
                }
                continue;
            };
            match name.as_str() {
                "return" if only && world.env.output.is_some() => self.returned(at, args),
                "fail" if only => self.check_failure(at, args),
                "return" | "fail" => {}
                _ => match lookup::callable(world.env.tools, name) {
                    Err(problem) => self.doubt_if(only, at, problem),
                    Ok(decl) => {
                        self.doubt_arguments(at, decl, args, only);
                        let tool = self.place_of(name);
                        tools.push(tool);
                        result = result.or(&self.result_of(tool, Some(decl)));
                        ends = false;
                    }
                },
            }
        }
        self.named_tools.places.extend(tools.iter().map(|tool| (*tool, true)));
        let calls = tools.into_iter().map(|tool| (tool, Times::exactly(1))).collect();
        Effect { calls: self.store_calls(Calls::of(calls)), ends }.of(result)
    }

    /// Records problems of a tool's arguments. With several possible tools, suspicious arguments may be meant for
    /// another one.
    fn doubt_arguments(&mut self, at: u32, decl: &ToolDecl, args: &Shape, only: bool) {
        let (problems, warnings) = problems::arguments(decl, args);
        for problem in problems {
            self.doubt_if(only, at, problem);
        }
        for warning in warnings.into_iter().filter(|_| only) {
            self.warn(at, warning);
        }
    }

    /// Returns the index of a tool in the lists of tools, a new one if necessary.
    fn place_of(&mut self, name: &str) -> u32 {
        let known = self.tool_names().position(|tool| tool == name);
        let place = known.unwrap_or_else(|| {
            self.named_tools.names.push(ArcStr::from(name));
            self.tool_names().count() - 1
        });
        place as u32
    }
}

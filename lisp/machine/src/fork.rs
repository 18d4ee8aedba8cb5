//! Forks: functions called in branches, and how the branches ended.

use std::collections::BTreeMap;

use super::cx::Cx;
use super::item_iter::ItemIter;
use super::outcome::Outcome;
use super::own::{Beginning, Own};
use super::own_payload::OfBranches;
use super::problems::invariant_violated;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Res, Value};

#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The parent task.
    pub(super) task: u64,
    /// The number of the fork among the calls and forks of the parent.
    pub(super) fork: u32,
    pub(super) place: u32,
}

/// A function called in branches, one for every item, and the outcomes.
pub struct Fork {
    /// None if the items are the functions.
    pub(super) function: Option<Value>,
    pub(super) inputs: Vec<ItemIter>,
    /// The maximum number of open branches.
    pub(super) at_once: usize,
    /// The number of the fork among the calls and forks of its task.
    pub(super) number: u32,
    /// The results of the branches, in their order.
    pub(super) results: Vec<Value>,
    /// Open branches by place.
    pub(super) open: BTreeMap<u32, u64>,
    /// The reason the first branch without a value has none; later branches are given up.
    pub(super) exit: Option<Exit>,
    /// The initial state of branches.
    pub(super) beginning: Option<Beginning>,
    /// The prints and memory of branches that ended before an earlier one.
    pub(super) apart: BTreeMap<u32, Own>,
    /// The values that ended branches put into memory. The parent task keeps them when all branches have ended.
    pub(super) puts: Map,
    /// The first key that two branches put differently.
    pub(super) conflict: Option<Value>,
    /// The payloads of ended branches that changed it.
    pub(super) payloads: OfBranches,
    /// The printed text of its branch, if that is the result.
    pub(super) text: Option<String>,
    pub(super) waited: bool,
}

/// The reason a branch ended without a value.
pub(super) enum Exit {
    /// A problem that the parent task may catch.
    Problem(Diagnostic),
    /// The end of the program.
    End(Outcome),
}

impl Exit {
    /// Classifies a problem that a branch does not catch. Shared limits end the program at once.
    pub(super) fn of(problem: Diagnostic) -> Res<Exit> {
        let is_own_limit = matches!(
            problem.code_value(),
            Code::CallDepthLimit | Code::ValueDepthLimit | Code::ResultSizeLimit
        );
        match problem.class() {
            Some(_) => Ok(Exit::Problem(problem)),
            None if is_own_limit => Ok(Exit::End(Outcome::Error(problem))),
            None => Err(problem),
        }
    }
}

impl Fork {
    /// Visits every value it holds; returns the bytes that its branches take besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        self.function.iter().chain(&self.results).for_each(&mut *visit);
        self.inputs.iter().for_each(|input| input.each_value(visit));
        match &self.exit {
            Some(Exit::End(
                Outcome::Value(value) | Outcome::Return(value) | Outcome::Continue(value),
            )) => visit(value),
            Some(Exit::End(Outcome::Fail(failure))) => visit(&failure.details),
            _ => {}
        }
        self.payloads.values().for_each(|payload| payload.each_value(visit));
        self.puts.iter().for_each(|(key, value)| [key, value].into_iter().for_each(&mut *visit));
        self.apart.values().map(|own| own.each_value(visit)).sum()
    }

    /// Makes a fork that calls a function for the items of collections, as `map` does.
    pub fn over(function: Value, inputs: Vec<ItemIter>) -> Fork {
        Fork { function: Some(function), ..Fork::of(inputs) }
    }

    /// Limits the number of branches that are open at a time.
    pub fn at_once(self, at_once: usize) -> Fork {
        Fork { at_once, ..self }
    }

    pub fn calls(functions: Vec<Value>) -> Fork {
        Fork::of(vec![ItemIter::Own(functions.into_iter())])
    }

    /// Makes a fork that calls a function without arguments and captures its prints.
    pub fn captured(function: Value) -> Fork {
        Fork { text: Some(String::new()), ..Fork::calls(vec![function]) }
    }

    fn of(inputs: Vec<ItemIter>) -> Fork {
        Fork {
            function: None,
            inputs,
            at_once: usize::MAX,
            number: 0,
            results: Vec::new(),
            open: BTreeMap::new(),
            exit: None,
            beginning: None,
            apart: BTreeMap::new(),
            puts: Map::default(),
            conflict: None,
            payloads: BTreeMap::new(),
            text: None,
            waited: false,
        }
    }

    /// Returns the place of the next branch, and its function with the arguments.
    pub(super) fn next(&mut self, cx: &mut Cx) -> Res<Option<(u32, Vec<Value>)>> {
        // None are left when all have started or one has failed.
        if self.inputs.is_empty() {
            return Ok(None);
        }
        let mut call = Vec::with_capacity(self.inputs.len() + 1);
        call.extend(self.function.clone());
        for input in &mut self.inputs {
            let Some(item) = input.next() else {
                self.inputs.clear();
                return Ok(None);
            };
            call.push(item);
        }
        cx.spend(1)?;
        cx.alloc(16)?;
        self.results.push(Value::Nil);
        Ok(Some((self.results.len() as u32 - 1, call)))
    }

    /// Returns the initial state of a branch.
    pub(super) fn own(&self, place: u32) -> Res<Own> {
        let beginning = self.beginning.as_ref().ok_or_else(invariant_violated)?;
        Ok(beginning.branch(self.number, place))
    }
}

//! The steps that others lead to, and those that a function cannot simply call.

use super::fault::FlowFault;
use super::file::PathOn;
use super::steps::{PathTo, Step, StepKind};

/// The order of the steps.
pub(super) struct Order {
    /// The steps that a function names instead of calling them: a step leads back to itself, or several starts lead to it.
    pub(super) is_named: Vec<bool>,
    /// The active steps with which the flow starts.
    pub(super) starts: Vec<usize>,
    /// The active steps, each behind those that its function calls.
    pub(super) defined: Vec<usize>,
}

pub(super) fn order(steps: &[Step<'_>]) -> Result<Order, FlowFault> {
    let active = |at: usize| steps.get(at).is_some_and(Step::is_active);
    let next = |at: usize| {
        let paths = steps.get(at).map(|it| it.paths.as_slice()).unwrap_or_default();
        paths.iter().map(|it| it.to).filter(|to| active(*to)).collect::<Vec<_>>()
    };
    let reached: Vec<Vec<bool>> =
        (0..steps.len()).map(|at| reached(at, steps.len(), next)).collect();
    let leads = |from: usize, to: usize| reached.get(from).and_then(|it| it.get(to)) == Some(&true);
    refuse_endless(steps)?;
    let lowest =
        steps.iter().filter(|it| it.file.starts && it.is_active()).map(|it| it.file.sequence);
    let lowest = lowest.min();
    let starts: Vec<usize> = (0..steps.len())
        .filter(|at| active(*at))
        .filter(|at| {
            steps.get(*at).is_some_and(|it| it.file.starts && Some(it.file.sequence) == lowest)
        })
        .collect();
    let is_named: Vec<bool> = (0..steps.len())
        .map(|to| {
            leads(to, to)
                || starts.iter().filter(|from| **from == to || leads(**from, to)).count() > 1
        })
        .collect();
    let called = |at: usize| {
        let next = next(at).into_iter();
        next.filter(|to| is_named.get(*to) == Some(&false)).collect::<Vec<_>>()
    };
    let mut defined = Vec::new();
    for at in (0..steps.len()).filter(|at| active(*at)) {
        define(at, &called, &mut defined);
    }
    Ok(Order { is_named, starts, defined })
}

/// Returns the steps that one leads to.
fn reached(from: usize, count: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<bool> {
    let mut seen = vec![false; count];
    let mut open = next(from);
    while let Some(at) = open.pop() {
        if let Some(is_seen) = seen.get_mut(at).filter(|is_seen| !**is_seen) {
            *is_seen = true;
            open.extend(next(at));
        }
    }
    seen
}

/// Adds a step behind those that it calls. The calls of named steps are left out, so there is no circle.
fn define(at: usize, called: &impl Fn(usize) -> Vec<usize>, defined: &mut Vec<usize>) {
    let mut open = vec![(at, called(at))];
    while let Some((at, left)) = open.last_mut() {
        let at = *at;
        match left.pop() {
            Some(next) if !defined.contains(&next) => open.push((next, called(next))),
            Some(_) => {}
            None => {
                open.pop();
                if !defined.contains(&at) {
                    defined.push(at);
                }
            }
        }
    }
}

/// Refuses a circle of paths that always hold: it never ends. A prompt can end a flow itself.
fn refuse_endless(steps: &[Step<'_>]) -> Result<(), FlowFault> {
    let always = |step: &Step<'_>| -> Option<usize> {
        let first: &PathTo<'_> =
            step.paths.iter().find(|it| steps.get(it.to).is_some_and(Step::is_active))?;
        let ends = step.kind == StepKind::Prompt && step.may_give("terminate");
        let holds = first.file.when.is_none() && first.file.on != PathOn::Error && !ends;
        holds.then_some(first.to)
    };
    for start in 0..steps.len() {
        let (mut at, mut names) = (start, Vec::new());
        while let Some(step) =
            steps.get(at).filter(|it| it.is_active() && names.len() <= steps.len())
        {
            names.push(step.name());
            let Some(next) = always(step) else { break };
            at = next;
            if at == start {
                let message = format!("the steps {} repeat without end", names.join(", "));
                let path = step.paths.iter().find(|it| it.to == start);
                let place = path.map_or(0..0, |it| it.file.to.span());
                return Err(FlowFault::new(place, message)
                    .with_help("give one of the paths between them a condition with `when`"));
            }
        }
    }
    Ok(())
}

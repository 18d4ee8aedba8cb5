//! The tracer of the debugger: it numbers steps, and stops the machine when a stop condition holds. It keeps only the
//! open forms.

use std::collections::BTreeMap;
use std::sync::Arc;

use arcstr::ArcStr;

use super::forms::Forms;
use super::stop::{Evaluated, Gave, Level, Line, Name, Place, Stop, What, place_of, short, text};
use ptc_machine::{Core, ToolCall, Tracer, Waits};
use ptc_values::code::Code;
use ptc_values::ir::{Local, Named};
use ptc_values::{Diagnostic, Program, Res, Value};

/// The number of finished forms listed in a stop.
const MAX_FINISHED: usize = 8;

/// The number of running functions listed in a stop.
const MAX_LEVELS: usize = 50;

/// The stop condition: the first step after `from` for which one field holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Until {
    pub(super) from: u64,
    /// At the next step.
    pub(super) any: bool,
    /// At the step of this number.
    pub(super) at: Option<u64>,
    /// When the form that began at this step is finished.
    pub(super) left: Option<u64>,
    /// At a break.
    pub(super) breaks: bool,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Breaks {
    pub(super) nodes: Vec<u32>,
    pub(super) tools: Vec<String>,
    pub(super) errors: bool,
}

/// The information wanted at the stop.
#[derive(Debug, Clone, Default)]
pub(super) struct Wanted {
    pub(super) names: bool,
    pub(super) expression: Option<String>,
}

/// The stop, with the wanted information.
pub(super) struct Found {
    pub(super) stop: Stop,
    pub(super) info: Info,
}

#[derive(Default)]
pub(super) struct Info {
    pub(super) names: Vec<Name>,
    pub(super) defined: Vec<Name>,
    pub(super) evaluated: Option<Result<Evaluated, Vec<Diagnostic>>>,
}

#[derive(Default)]
pub(super) struct Watcher {
    /// Whether slots keep values that are not read afterwards.
    keep: bool,
    until: Until,
    breaks: Breaks,
    wanted: Wanted,
    /// The source whose forms can have breaks.
    source: Arc<str>,
    /// The number of steps so far.
    pub(super) steps: u64,
    /// The last break before the target step.
    pub(super) last_break: Option<u64>,
    programs: Vec<(usize, Forms)>,
    /// The index of the running program.
    program: usize,
    /// The running task and its open forms.
    task: u64,
    line: Open,
    /// The open forms of suspended tasks.
    lines: BTreeMap<u64, Open>,
    /// Whether the problem being unwound has been reported.
    raised: bool,
    /// Whether the awaited form is finished.
    left: bool,
    finished: Vec<Line>,
    unsaid: u64,
    /// The maximum number of trace lines, and the lines.
    max_lines: usize,
    pub(super) trace: Vec<Line>,
    found: Option<Found>,
}

/// The open forms of a task, innermost last.
#[derive(Default)]
struct Open {
    forms: Vec<Form>,
    /// The number of open forms around the task.
    around: usize,
}

/// A form that is being evaluated.
#[derive(Clone, Copy)]
struct Form {
    step: u64,
    program: u32,
    node: u32,
    /// The number of frames when it began.
    height: u32,
}

enum Event<'m> {
    Form,
    Call(&'m ToolCall),
    Error(&'m Diagnostic),
}

impl Watcher {
    pub(super) fn new(source: Arc<str>, until: Until, breaks: Breaks, wanted: Wanted) -> Watcher {
        Watcher { until, breaks, wanted, source, ..Watcher::default() }
    }

    /// Sets whether slots keep values that are not read afterwards.
    pub(super) fn keeping(mut self, keep: bool) -> Watcher {
        self.keep = keep;
        self
    }

    /// Records the first `max` steps as text.
    pub(super) fn traced(mut self, max: usize) -> Watcher {
        self.max_lines = max;
        self
    }

    /// Returns the forms finished since the previous stop, and the number of further ones.
    pub(super) fn finished(&mut self) -> (Vec<Line>, u64) {
        (std::mem::take(&mut self.finished), self.unsaid)
    }

    /// Makes a program the running one; returns its forms.
    fn enter(&mut self, program: &Program) -> &Forms {
        let address = std::ptr::from_ref(program).addr();
        if self.programs.get(self.program).is_none_or(|(known, _)| *known != address) {
            self.program =
                self.programs.iter().position(|it| it.0 == address).unwrap_or_else(|| {
                    let mut forms = Forms::of(program);
                    if !program.builtin && program.source == self.source {
                        self.breaks.nodes.iter().for_each(|node| forms.set_break(*node));
                    }
                    self.programs.push((address, forms));
                    self.programs.len() - 1
                });
        }
        &self.programs[self.program].1
    }

    fn forms(&self, program: u32) -> Option<&Forms> {
        self.programs.get(program as usize).map(|(_, forms)| forms)
    }

    /// Returns the start and the end of a form in its source.
    fn place_of(&self, form: Form) -> (u32, u32) {
        let span = self.forms(form.program).map(|forms| forms.span(form.node));
        span.map_or((0, u32::MAX), |span| (span.start, span.end))
    }

    fn switch_to(&mut self, task: u64, parent: Option<u64>) {
        if self.task == task {
            return;
        }
        let last = std::mem::take(&mut self.line);
        self.lines.insert(self.task, last);
        self.task = task;
        self.line = self.lines.remove(&task).unwrap_or_else(|| {
            let parent = parent.and_then(|parent| self.lines.get(&parent));
            let around = parent.map_or(0, |open| open.around + open.forms.len());
            Open { forms: Vec::new(), around }
        });
    }

    /// Returns the node that a function is evaluating; `node` is that of the innermost function.
    fn form_of(&self, level: &ptc_machine::Level<'_>, node: u32) -> u32 {
        let line = if level.task() == self.task {
            Some(&self.line)
        } else {
            self.lines.get(&level.task())
        };
        let forms = line.map_or(&[][..], |line| line.forms.as_slice());
        let form = match level.waits {
            Waits::Runs => return node,
            Waits::Under(height) => forms.iter().rfind(|form| form.height as usize <= height),
            Waits::ForBranch => forms.last(),
        };
        form.map_or(u32::MAX, |form| form.node)
    }

    fn depth(&self) -> u32 {
        (self.line.around + self.line.forms.len()) as u32
    }

    fn place(&self, program: u32, node: u32) -> Option<Place> {
        let forms = self.forms(program)?;
        Some(place_of(&forms.source, forms.span(node), forms.source == self.source))
    }

    fn finish_form(&mut self, form: Form, gave: impl Fn() -> Gave) {
        self.left |= self.until.left == Some(form.step);
        if let Some(line) = self.trace.get_mut(form.step as usize - 1) {
            line.gave = gave();
        }
        if form.step <= self.until.from && self.steps >= self.until.from {
            if self.finished.len() >= MAX_FINISHED {
                self.unsaid += 1;
                return;
            }
            let (place, depth) = (self.place(form.program, form.node), self.depth());
            let gave = gave();
            self.finished.push(Line { step: form.step, place, depth, gave });
        }
    }

    fn has_break(&self, event: &Event<'_>, program: u32, node: u32) -> bool {
        match event {
            Event::Form => self.forms(program).is_some_and(|forms| forms.has_break(node)),
            Event::Call(call) => self.breaks.tools.iter().any(|tool| *tool == call.name.as_str()),
            Event::Error(_) => self.breaks.errors,
        }
    }

    fn stops(&mut self, event: &Event<'_>, program: u32, node: u32) -> bool {
        let until = self.until;
        let breaks = self.has_break(event, program, node);
        let is_there = until.at.is_some_and(|at| self.steps >= at);
        if breaks && !is_there {
            self.last_break = Some(self.steps);
        }
        self.steps > until.from && (until.any || self.left || is_there || (until.breaks && breaks))
    }
}

/// Returns the stop and the wanted information; without a stop, that at the end of the program.
pub(super) fn found(core: &mut Core<Watcher>) -> (Option<Stop>, Info) {
    match core.watch.found.take() {
        Some(Found { stop, info }) => (Some(stop), info),
        None => (None, info(core, Vec::new())),
    }
}

/// Counts a step, and stops the machine if the stop condition holds.
fn record_step(core: &mut Core<Watcher>, event: &Event<'_>, at: Option<(u32, u32)>) -> Res<()> {
    let watch = &mut core.watch;
    watch.steps += 1;
    let (program, node) = at.unwrap_or((u32::MAX, u32::MAX));
    if watch.trace.len() < watch.max_lines {
        let gave = match event {
            Event::Form => Gave::Open,
            Event::Call(call) => Gave::Calls(call.name.to_string(), short(&call.args)),
            Event::Error(problem) => Gave::Raised((*problem).clone()),
        };
        let (place, depth) = (watch.place(program, node), watch.depth());
        watch.trace.push(Line { step: watch.steps, place, depth, gave });
    }
    if !watch.stops(event, program, node) {
        return Ok(());
    }
    let found = look(core, event, program, node);
    core.watch.found = Some(found);
    Err(Diagnostic::new(Code::Unsupported, "a debugger stopped the program"))
}

/// Collects the information about the current step.
fn look(core: &mut Core<Watcher>, event: &Event<'_>, program: u32, node: u32) -> Found {
    let (finished, unsaid) = core.watch.finished();
    let watch = &core.watch;
    let enclosing = watch.line.forms.last().map(|form| form.step);
    let caller = core.called_at().and_then(|height| {
        let callers = watch.line.forms.iter().rev();
        callers.clone().find(|form| form.height as usize <= height).map(|form| form.step)
    });
    let what = match event {
        Event::Form => What::Form,
        Event::Call(call) => What::Call { tool: call.name.to_string(), args: text(&call.args) },
        Event::Error(problem) => What::Error(core.placed(problem)),
    };
    let mut stack = Vec::new();
    let mut more_levels = 0;
    let mut names: Option<Vec<(ArcStr, Value)>> = None;
    core.levels(&mut |level| {
        if level.program.builtin {
            return;
        }
        let at = watch.form_of(&level, node);
        names.get_or_insert_with(|| names_in(&level, at));
        if stack.len() >= MAX_LEVELS {
            more_levels += 1;
            return;
        }
        stack.push(level_of(&level, at, &watch.source));
    });
    let stop = Stop {
        step: watch.steps,
        what,
        place: watch.place(program, node),
        form: match event {
            Event::Form => Some(watch.steps),
            _ => enclosing,
        },
        caller,
        depth: watch.depth(),
        stack,
        more_levels,
        finished,
        unsaid,
        prints: core.prints(),
        fuel: core.fuel(),
        tool_calls: core.calls(),
    };
    let values = names.unwrap_or_default();
    Found { stop, info: info(core, values) }
}

/// Collects the wanted information, with these names in scope.
fn info(core: &Core<Watcher>, values: Vec<(ArcStr, Value)>) -> Info {
    let Wanted { names, expression } = &core.watch.wanted;
    let mut info = Info::default();
    if *names {
        info.names = values.iter().map(|(name, value)| name_of(name, value)).collect();
        let defined = core.globals().iter();
        info.defined = defined
            .filter_map(|(name, value)| Some((name, value?)))
            .filter(|(_, value)| !matches!(value, Value::Function(_) | Value::Builtin(_)))
            .map(|(name, value)| name_of(name, value))
            .collect();
    }
    if let Some(expression) = expression {
        let evaluated = super::evaluate::in_scope(core.seen(), values, expression);
        info.evaluated = Some(evaluated);
    }
    info
}

fn name_of(name: &ArcStr, value: &Value) -> Name {
    Name { name: name.to_string(), value: text(value) }
}

fn level_of(level: &ptc_machine::Level<'_>, at: u32, source: &Arc<str>) -> Level {
    let function = level.function().and_then(|(number, lambda)| match &lambda.name {
        Some(name) => Some(name.to_string()),
        None => (number != 0).then(|| "fn".to_owned()),
    });
    let program = level.program;
    let place = (at != u32::MAX)
        .then(|| place_of(&program.source, program.span(at), program.source == *source));
    Level { function, place }
}

/// Returns the names in scope at a node of a function with their values, sorted.
fn names_in(level: &ptc_machine::Level<'_>, node: u32) -> Vec<(ArcStr, Value)> {
    let Some((number, _)) = level.function() else { return Vec::new() };
    let at = level.program.span(node);
    let in_scope = |local: &&Local| {
        let is_inside =
            local.bound.is_some_and(|span| at.start <= span.start && span.end <= at.end);
        local.lambda == number && local.nodes.contains(&node) && !is_inside
    };
    let locals = || level.program.locals.iter().filter(in_scope);
    let is_capture = |local: &&Local| matches!(local.what, Named::Capture(_));
    // Own bindings hide captures, and later names hide earlier ones.
    let captures = locals().filter(is_capture);
    let slots = locals().filter(|local| !is_capture(local));
    let mut found = BTreeMap::new();
    for local in captures.chain(slots) {
        let value = match local.what {
            Named::Slot(slot) => level.slot(slot),
            Named::Capture(index) => level.capture(index),
        };
        found.extend(value.map(|value| (local.name.clone(), value.clone())));
    }
    found.into_iter().collect()
}

impl Tracer for Watcher {
    const ON: bool = true;

    #[inline]
    fn keeps(&self) -> bool {
        self.keep
    }

    fn begin(core: &mut Core<Watcher>, program: &Program, node: u32) -> Res<()> {
        if !core.watch.enter(program).is_form(node) {
            return Ok(());
        }
        let (task, parent, height) = (core.task(), core.parent(), core.height() as u32);
        let watch = &mut core.watch;
        watch.raised = false;
        watch.switch_to(task, parent);
        let program = watch.program as u32;
        record_step(core, &Event::Form, Some((program, node)))?;
        let step = core.watch.steps;
        core.watch.line.forms.push(Form { step, program, node, height });
        Ok(())
    }

    fn end(core: &mut Core<Watcher>, program: &Program, node: u32, value: &Value) {
        if !core.watch.enter(program).is_form(node) {
            return;
        }
        let (task, parent) = (core.task(), core.parent());
        let watch = &mut core.watch;
        watch.switch_to(task, parent);
        if let Some(form) = watch.line.forms.pop_if(|form| form.node == node) {
            watch.finish_form(form, || Gave::Value(short(value)));
        }
    }

    fn value(core: &mut Core<Watcher>, value: &Value) {
        let (task, parent, height) = (core.task(), core.parent(), core.height());
        let watch = &mut core.watch;
        watch.switch_to(task, parent);
        while let Some(form) = watch.line.forms.pop_if(|form| form.height as usize >= height) {
            watch.finish_form(form, || Gave::Value(short(value)));
        }
    }

    fn again(core: &mut Core<Watcher>, program: &Program, node: u32) {
        let (task, parent, height) = (core.task(), core.parent(), core.height());
        let watch = &mut core.watch;
        watch.switch_to(task, parent);
        let around = watch.enter(program).loop_of(node);
        let running = watch.program as u32;
        while let Some(form) = watch.line.forms.last().copied() {
            let span = watch.forms(form.program).map(|forms| forms.span(form.node));
            let is_inside = match (around, span) {
                (Some(around), Some(span)) => {
                    form.program == running
                        && span != around
                        && around.start <= span.start
                        && span.end <= around.end
                }
                _ => true,
            };
            if (form.height as usize) < height || !is_inside {
                break;
            }
            watch.line.forms.pop();
            watch.finish_form(form, || Gave::Again);
        }
    }

    fn asks(core: &mut Core<Watcher>, call: &ToolCall) -> Res<()> {
        core.watch.raised = false;
        let at = innermost(core);
        record_step(core, &Event::Call(call), at)
    }

    fn raised(core: &mut Core<Watcher>, problem: &Diagnostic) -> Res<()> {
        if core.watch.raised || core.watch.found.is_some() {
            return Ok(());
        }
        core.watch.raised = true;
        let at = innermost(core);
        record_step(core, &Event::Error(problem), at)?;
        // The form that raises it has failed. The forms around it may catch it.
        let node = core.node();
        let watch = &mut core.watch;
        if let Some(form) = watch.line.forms.pop_if(|form| Some(form.node) == node) {
            watch.finish_form(form, || Gave::Failed);
        }
        Ok(())
    }

    fn unwound(core: &mut Core<Watcher>, program: &Program, node: u32) {
        let (task, parent, height) = (core.task(), core.parent(), core.height());
        let watch = &mut core.watch;
        watch.raised = false;
        watch.switch_to(task, parent);
        watch.enter(program);
        let (running, around) = (watch.program as u32, program.span(node));
        while let Some(form) = watch.line.forms.last().copied() {
            let is_in_try = form.height as usize == height
                && form.program == running
                && form.node != node
                && around.start <= watch.place_of(form).0
                && watch.place_of(form).1 <= around.end;
            if (form.height as usize) <= height && !is_in_try {
                break;
            }
            watch.line.forms.pop();
            watch.finish_form(form, || Gave::Failed);
        }
    }

    fn branch_over(core: &mut Core<Watcher>) {
        let (task, parent) = (core.task(), core.parent());
        let watch = &mut core.watch;
        watch.raised = false;
        watch.switch_to(task, parent);
        while let Some(form) = watch.line.forms.pop() {
            watch.finish_form(form, || Gave::Failed);
        }
        if let Some(parent) = parent {
            watch.switch_to(parent, None);
            watch.lines.remove(&task);
        }
    }
}

fn innermost(core: &mut Core<Watcher>) -> Option<(u32, u32)> {
    let (task, parent) = (core.task(), core.parent());
    core.watch.switch_to(task, parent);
    core.watch.line.forms.last().map(|form| (form.program, form.node))
}

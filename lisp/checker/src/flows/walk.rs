//! The walk through the nodes of a program.

use std::sync::Arc;

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_facts::flows::{CallLabels, Flow, Flows, Held, Kept, Key, Label, Labels, Site};
use ptc_facts::globals::Globals;
use ptc_values::code::Span;
use ptc_values::ir::{Args, Node, Operand, OperandKind};
use ptc_values::{Program, Value};

use super::state::{Frame, Known};

/// The levels of nodes that the walk goes down. A deeper program has every label.
const MOST_LEVELS: usize = 100;

/// The parts and the levels of a constant that are told apart.
const MOST_PARTS: usize = 64;
const MOST_DEPTH: u32 = 5;

/// The nodes that the walk looks at in all its rounds.
const MOST_NODES: usize = 200_000;

pub(super) struct Walk<'w> {
    pub(super) kept: Kept,
    pub(super) labels: &'w Labels,
    globals: &'w Globals,
    /// The results of functions in this round.
    pub(super) known: HashMap<Site, Vec<Known>>,
    /// The builtins whose functions are being called.
    pub(super) making: Vec<Site>,
    /// The label of the tests around the running form, within the innermost loop or function.
    pub(super) control: Label,
    /// The label of the tests around that loop or function.
    pub(super) around: Label,
    /// The label of the tests of forms that may have ended the program.
    pub(super) left: Label,
    /// The label of what may have failed in the innermost `try`.
    pub(super) risk: Label,
    pub(super) tries: usize,
    /// The label of the tests that decided which items of a `for` are there.
    pub(super) presence: Label,
    /// The label of all tests of the program so far, for functions that are called late.
    pub(super) tests: Label,
    pub(super) thrown: Flow,
    pub(super) printed: Label,
    returned: Flow,
    met: Label,
    calls: Vec<(Option<ArcStr>, Span, CallLabels)>,
    level: usize,
    nodes: usize,
    /// Whether this round found more than the one before.
    pub(super) has_grown: bool,
    pub(super) is_coarse: bool,
    ends_in_definition: bool,
}

impl<'w> Walk<'w> {
    pub(super) fn new(globals: &'w Globals, labels: &'w Labels) -> Walk<'w> {
        let kept = Kept::clone(&labels.kept);
        Walk {
            kept,
            labels,
            globals,
            known: HashMap::new(),
            making: Vec::new(),
            control: Label::default(),
            around: Label::default(),
            left: Label::default(),
            risk: Label::default(),
            tries: 0,
            presence: Label::default(),
            tests: Label::default(),
            thrown: Flow::never(),
            printed: Label::default(),
            returned: Flow::never(),
            met: Label::default(),
            calls: Vec::new(),
            level: 0,
            nodes: 0,
            has_grown: false,
            is_coarse: false,
            ends_in_definition: false,
        }
    }

    /// Begins a round.
    pub(super) fn begin(&mut self) {
        self.known.clear();
        self.calls.clear();
        self.printed = Label::default();
        self.returned = Flow::never();
        (self.control, self.around, self.left, self.risk) = Default::default();
        self.has_grown = false;
    }

    pub(super) fn program(&mut self, number: u32) -> Flow {
        let Some(program) = self.kept.programs.get(number as usize).cloned() else {
            return Flow::default();
        };
        let Some(arity) = program.lambdas.first().and_then(|main| main.arities.iter().next())
        else {
            return Flow::default();
        };
        let slots = vec![Flow::default(); arity.frame as usize];
        let body = arity.body;
        self.ends_in_definition = is_definition(&program, body);
        let mut frame = Frame { program, number, lambda: 0, slots, turns: Vec::new() };
        self.eval(&mut frame, body)
    }

    /// Returns what was found, and the state with the value of the program.
    pub(super) fn end(mut self, value: &Flow) -> Flows {
        let mut everything = self.labels.sources.everything();
        everything.add(&self.kept.unknown);
        let value = value.or(&self.returned);
        if self.is_coarse {
            let programs = std::mem::take(&mut self.kept.programs);
            self.kept = Kept { programs, ..Kept::unknown(everything.clone()) };
        }
        let label = match (self.is_coarse, self.ends_in_definition) {
            (true, _) => everything.clone(),
            // The value is a variable. What tells of it shows its name, which the program has.
            (false, true) => Flow::default().or(&self.returned).deep(),
            (false, false) => value.deep(),
        };
        self.kept.history.rotate_right(1);
        self.kept.history[0] = value;
        let pick = |label: Label| if self.is_coarse { everything.clone() } else { label };
        Flows {
            calls: self.calls,
            value: label,
            printed: pick(self.printed),
            met: pick(self.met),
            is_coarse: self.is_coarse,
            kept: Arc::new(self.kept),
            everything: everything.clone(),
        }
    }

    /// Returns the label of the place: of all tests that decide whether the running form is reached.
    pub(super) fn place(&self) -> Label {
        let mut place = self.control.clone();
        place.add(&self.around);
        place.add(&self.left);
        if self.tries > 0 {
            place.add(&self.risk);
        }
        place
    }

    /// Notes what the value of a form that may fail depends on.
    pub(super) fn may_fail(&mut self, label: &Label) {
        if self.tries > 0 {
            self.risk.add(label);
        }
    }

    /// Adds to a flow of the state.
    pub(super) fn grow(old: &mut Flow, new: &Flow, has_grown: &mut bool) {
        let both = old.or(new);
        if both != *old {
            *old = both;
            *has_grown = true;
        }
    }

    pub(super) fn read(&mut self, label: Label) -> Flow {
        self.met.add(&label);
        Flow::of(label)
    }

    pub(super) fn eval(&mut self, frame: &mut Frame, operand: Operand) -> Flow {
        match operand.kind() {
            OperandKind::Local(slot) | OperandKind::Take(slot) => {
                frame.slots.get(slot as usize).cloned().unwrap_or_default()
            }
            OperandKind::Const(index) => {
                let value = frame.program.consts.get(index as usize);
                value.map_or_else(Flow::default, |value| self.constant(value))
            }
            OperandKind::Capture(index) => {
                let captures = self.kept.captures.get(&frame.site(frame.lambda));
                captures.and_then(|all| all.get(index as usize)).cloned().unwrap_or_default()
            }
            OperandKind::Direct(node) | OperandKind::Deep(node) => self.node(frame, node),
        }
    }

    fn constant(&mut self, value: &Value) -> Flow {
        match value {
            Value::Function(_) => self.of_value(value, &Label::default()),
            Value::Map(map) if map.len() <= MOST_PARTS && value.depth() <= MOST_DEPTH => {
                map.iter().fold(Flow::fields(Vec::new()), |flow, (key, value)| {
                    let value = self.constant(value);
                    let name = self.labels.sources.literal(key);
                    Walk::put_in(&flow, &Flow::constant(key).with(&name), &value)
                })
            }
            Value::Vector(items) if items.len() <= MOST_PARTS && value.depth() <= MOST_DEPTH => {
                let items = items.iter().zip(0..);
                let items = items.map(|(item, at)| (Key::At(at), self.constant(item)));
                Flow::fields(items.collect()).with_constant(value)
            }
            _ => Flow::constant(value).with(&self.labels.sources.literal(value)),
        }
    }

    /// Returns the label of what a value may say of the text of the program, such as the name of a function.
    pub(super) fn constants(&self) -> Label {
        let label = self.labels.sources.literals.as_ref().map(|(label, _)| label.clone());
        label.unwrap_or_default().perhaps()
    }

    fn node(&mut self, frame: &mut Frame, node: u32) -> Flow {
        self.level += 1;
        self.nodes += 1;
        if self.level > MOST_LEVELS || self.nodes > MOST_NODES {
            self.is_coarse = true;
        }
        let mut flow = match frame.program.core(node) {
            Some(core) if !self.is_coarse => self.core(frame, node, core),
            _ => Flow::default(),
        };
        self.level -= 1;
        if !flow.label.is_empty() {
            flow.label.pass(&frame.program.source, frame.program.span(node));
        }
        flow
    }

    pub(super) fn all(&mut self, frame: &mut Frame, args: Args) -> Vec<Flow> {
        let operands = frame.program.args(args).to_vec();
        operands.into_iter().map(|operand| self.eval(frame, operand)).collect()
    }

    fn core(&mut self, frame: &mut Frame, node: u32, core: Node) -> Flow {
        match core {
            Node::If { .. }
            | Node::And(_)
            | Node::Or(_)
            | Node::Do(_)
            | Node::Loop { .. }
            | Node::Recur { .. }
            | Node::RecurFunction(_)
            | Node::Try(_) => self.control_node(frame, node, core),
            Node::Bind { slot, value } => {
                let value = self.eval(frame, value);
                frame.set(slot, value);
                Flow::default()
            }
            Node::Call(args) => {
                let mut all = self.all(frame, args);
                if all.is_empty() {
                    return Flow::default();
                }
                let callee = all.remove(0);
                self.call(&callee, &all, frame.site(node))
            }
            Node::CallGlobal { global, args } => {
                let callee = self.global(global);
                let args = self.all(frame, args);
                self.call(&callee, &args, frame.site(node))
            }
            Node::CallSelf(args) => {
                let args = self.all(frame, args);
                let own = Flow::holding(Held::Lambda(frame.site(frame.lambda)));
                self.call(&own, &args, frame.site(node))
            }
            Node::Builtin { id, args } => {
                let args = self.all(frame, args);
                self.builtin(id, &args, frame.site(node))
            }
            Node::Op { a, b, .. } => {
                let (a, b) = (self.eval(frame, a), self.eval(frame, b));
                let mut label = a.deep();
                label.add(&b.deep());
                self.may_fail(&label);
                Flow::of(label)
            }
            Node::Get { key, map } => {
                let map = self.eval(frame, map);
                let key = frame.program.consts.get(key as usize).and_then(Key::of);
                key.map_or_else(|| map.flat(), |key| map.get(&key))
            }
            Node::Vector(args) => {
                let items = self.all(frame, args).into_iter().zip(0..);
                Flow::fields(items.map(|(item, at)| (Key::At(at), item)).collect()).listed()
            }
            Node::Set(args) => {
                let items = self.all(frame, args);
                for item in &items {
                    self.may_fail(&item.deep());
                }
                items.iter().fold(Flow::default(), |set, item| set.put(item).with(&item.deep()))
            }
            Node::Map(args) => {
                let all = self.all(frame, args);
                // Two equal keys are a problem.
                for pair in all.chunks_exact(2).filter(|pair| pair[0].as_key().is_none()) {
                    self.may_fail(&pair[0].deep());
                }
                all.chunks_exact(2).fold(Flow::fields(Vec::new()), |map, pair| {
                    Walk::put_in(&map, &pair[0], &pair[1])
                })
            }
            Node::Function { lambda, captures } => {
                let captures = self.all(frame, captures);
                self.function(frame.site(lambda), &captures)
            }
            Node::Myself => Flow::holding(Held::Lambda(frame.site(frame.lambda))),
            Node::Sibling(lambda) => {
                let own = self.kept.captures.get(&frame.site(frame.lambda));
                let captures = own.cloned().unwrap_or_default();
                self.function(frame.site(lambda), &captures)
            }
            Node::Global(global) => self.global(global),
            Node::Def { global, value } => {
                let value = self.eval(frame, value).with(&self.place());
                // The value of an earlier program stays if this form is not reached.
                self.global(global);
                let old = self.kept.globals.entry(global).or_insert_with(Flow::never);
                Walk::grow(old, &value, &mut self.has_grown);
                // The variable is printed with its name.
                value.with(&self.constants())
            }
            _ => self.outside(frame, node, core),
        }
    }

    /// Reads a key of `ctx`.
    fn input(&mut self, key: &str) -> Flow {
        let stated = self.read(self.labels.sources.input(key));
        let Some(kept) = self.kept.inputs.get(key).cloned() else { return stated };
        self.met.add(&kept.deep());
        kept.with(&stated.label)
    }

    /// Walks a node that reads from outside, or gives a value away.
    fn outside(&mut self, frame: &mut Frame, node: u32, core: Node) -> Flow {
        match core {
            Node::Ctx(key) => {
                let name = frame.program.consts.get(key as usize).and_then(Value::name);
                self.input(name.unwrap_or_default())
            }
            Node::CtxAll => {
                let mut all = Flow::fields(Vec::new());
                let sources = self.labels.sources.clone();
                let stated = sources.inputs.iter().map(|(key, _)| key.clone());
                let keys: Vec<ArcStr> = stated.chain(self.kept.inputs.keys().cloned()).collect();
                for key in keys {
                    let part = self.input(&key);
                    all = all.set(&Key::Name(key), part);
                }
                all
            }
            Node::Memory(key) => {
                let key = frame.program.consts.get(key as usize).and_then(Key::of);
                let memory = self.kept.memory.clone();
                self.met.add(&memory.deep());
                key.map_or_else(|| memory.item(), |key| memory.get(&key))
            }
            Node::MemoryAll => {
                self.met.add(&self.kept.memory.deep());
                self.kept.memory.clone()
            }
            Node::History(back) => {
                let flow = self.kept.history.get(usize::from(back)).cloned().unwrap_or_default();
                self.met.add(&flow.deep());
                flow
            }
            Node::Tool { tool, args } => {
                let args = self.eval(frame, args);
                let name = frame.program.tools.get(tool as usize).cloned();
                let span = frame.program.span(node);
                self.tool(name.as_ref(), &args, span)
            }
            Node::Named(args) => {
                let all = self.all(frame, args);
                let [name, args] = all.as_slice() else { return Flow::default() };
                let span = frame.program.span(node);
                match name.as_constant() {
                    Some(Value::Str(text)) if text != "return" && text != "fail" => {
                        self.tool(Some(text), args, span)
                    }
                    _ => {
                        // It may end the program, and calls any tool.
                        let args = args.clone().with(&name.deep());
                        self.give(&args);
                        self.left.add(&name.deep().perhaps());
                        self.tool(None, &args, span)
                    }
                }
            }
            Node::Return(value) | Node::Fail(value) => {
                let value = self.eval(frame, value);
                self.give(&value);
                Flow::never()
            }
            _ => Flow::default(),
        }
    }

    /// Notes a value that ends the program here.
    pub(super) fn give(&mut self, value: &Flow) {
        let place = self.place();
        self.returned = self.returned.or(&value.clone().with(&place));
        self.left.add(&place.perhaps());
    }

    fn tool(&mut self, name: Option<&ArcStr>, args: &Flow, span: Span) -> Flow {
        let (arguments, rest) = args.arguments();
        let labels = CallLabels { arguments, rest, place: self.place() };
        match self.calls.iter_mut().find(|(tool, at, _)| tool.as_ref() == name && *at == span) {
            Some((.., old)) => *old = old.or(&labels),
            None => self.calls.push((name.cloned(), span, labels)),
        }
        let mut label = match name {
            Some(name) => self.labels.sources.tool(name),
            None => self.labels.sources.everything(),
        };
        label.add(&args.deep());
        self.may_fail(&label);
        let sharing = &self.labels.sources.sharing;
        if name.map_or(!sharing.is_empty(), |name| sharing.contains(name)) {
            let flow = Flow::of(label.clone()).with(&self.place());
            Walk::grow(&mut self.kept.payload, &flow, &mut self.has_grown);
        }
        self.read(label)
    }

    pub(super) fn put_in(map: &Flow, key: &Flow, value: &Flow) -> Flow {
        match key.as_key() {
            Some(name) => map.set(&name, value.clone()).with_names(&key.deep()),
            _ => map.put(value).with(&key.deep()).with_held(&key.all_held()),
        }
    }

    pub(super) fn function(&mut self, site: Site, captures: &[Flow]) -> Flow {
        let known = self.kept.captures.entry(site).or_default();
        if known.len() < captures.len() {
            known.resize(captures.len(), Flow::never());
            self.has_grown = true;
        }
        for (old, new) in known.iter_mut().zip(captures) {
            Walk::grow(old, new, &mut self.has_grown);
        }
        Flow::holding(Held::Lambda(site))
    }

    fn global(&mut self, global: u32) -> Flow {
        if let Some(flow) = self.kept.globals.get(&global) {
            return flow.clone();
        }
        // A name that has no value yet gets it in the next round.
        let Some(value) = self.globals.value(global).cloned() else { return Flow::never() };
        let unknown = self.kept.unknown.clone();
        self.met.add(&unknown);
        let flow = self.of_value(&value, &unknown);
        self.kept.globals.insert(global, flow.clone());
        flow
    }

    /// Returns the flow of a value whose functions are known, and whose data has a label.
    fn of_value(&mut self, value: &Value, label: &Label) -> Flow {
        let mut held = Vec::new();
        let mut functions = Vec::new();
        let mut open = vec![value.clone()];
        while let Some(next) = open.pop() {
            self.nodes += 1;
            if self.nodes > MOST_NODES {
                self.is_coarse = true;
                break;
            }
            match &next {
                Value::Function(closure) => {
                    let program = self.kept.number(&closure.program);
                    let site = Site { program, at: closure.lambda };
                    if !held.contains(&Held::Lambda(site)) {
                        held.push(Held::Lambda(site));
                        functions.push((site, closure.captures.len()));
                        open.extend(closure.captures.iter().cloned());
                    }
                }
                Value::Builtin(id) => held.push(Held::Builtin(*id)),
                Value::Map(map) => open.extend(map.iter().map(|(_, value)| value.clone())),
                // A cell or a lazy sequence may hold any function.
                Value::Ext(_) => self.is_coarse = true,
                other => open.extend(other.items().into_iter().flatten().cloned()),
            }
        }
        let whole = Flow::of(label.clone()).with_held(&held);
        for (site, count) in functions {
            self.function(site, &vec![whole.clone(); count]);
        }
        whole
    }
}

/// Returns whether the value of a form is a variable that it defines, on every way that reaches its end.
fn is_definition(program: &Program, form: Operand) -> bool {
    let mut form = form;
    while let Some(node) = form.node() {
        match program.core(node) {
            Some(Node::Def { .. }) => return true,
            Some(Node::Do(args)) => match program.args(args).last() {
                Some(last) => form = *last,
                None => return false,
            },
            _ => return false,
        }
    }
    false
}

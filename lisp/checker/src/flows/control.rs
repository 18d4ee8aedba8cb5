//! Tests, loops and `try`.

use ptc_facts::flows::{Flow, Label};
use ptc_values::ir::{Node, Operand};

use super::state::{Frame, Turns};
use super::walk::Walk;

/// The most turns until the variables of a loop must be stable.
const MOST_TURNS: usize = 40;

impl Walk<'_> {
    pub(super) fn control_node(&mut self, frame: &mut Frame, node: u32, core: Node) -> Flow {
        match core {
            Node::If { test, then, other } => self.choose(frame, test, then, other),
            Node::And(args) | Node::Or(args) => {
                let outer = self.control.clone();
                let mut whole = Flow::never();
                for part in frame.program.args(args).to_vec() {
                    let value = self.eval(frame, part);
                    let test = value.label.clone();
                    whole = whole.or(&value).with(&test);
                    self.test(&test);
                }
                self.control = outer;
                whole
            }
            Node::Do(args) => {
                let mut last = Flow::default();
                for part in frame.program.args(args).to_vec() {
                    last = self.eval(frame, part);
                    if last.is_never() {
                        break;
                    }
                }
                last
            }
            Node::Loop { first, body } => self.turn(frame, Turns::new(Some(node), first), body),
            Node::Recur { target, args } => {
                let args = self.all(frame, args);
                self.next_turn(frame, Some(target), &args)
            }
            Node::RecurFunction(args) => {
                let args = self.all(frame, args);
                self.next_turn(frame, None, &args)
            }
            Node::Try(index) => self.attempt(frame, index),
            _ => Flow::default(),
        }
    }

    /// Adds a test to the control of what follows.
    pub(super) fn test(&mut self, label: &Label) {
        self.control.add(label);
        self.note_test(label);
    }

    /// Notes a test. It also decides how far a lazy sequence goes whose function the walk has met before.
    pub(super) fn note_test(&mut self, label: &Label) {
        let before = self.is_late().then(|| self.tests.clone());
        self.tests.add(label);
        self.has_grown |= before.is_some_and(|before| before != self.tests);
    }

    fn choose(&mut self, frame: &mut Frame, test: Operand, then: Operand, other: Operand) -> Flow {
        let test = self.eval(frame, test);
        if test.is_never() {
            return Flow::never();
        }
        let label = test.label;
        let outer = self.control.clone();
        self.test(&label);
        let (a, b) = (self.eval(frame, then), self.eval(frame, other));
        self.control = outer;
        // A `for` drops the value, so the test decides only whether there is an item.
        if frame.program.core(other.node().unwrap_or(u32::MAX)).is_some_and(is_none) {
            self.presence.add(&label);
            return a;
        }
        a.or(&b).with(&label)
    }

    /// Evaluates a body until its variables are stable.
    pub(super) fn turn(&mut self, frame: &mut Frame, turns: Turns, body: Operand) -> Flow {
        let outer = (std::mem::take(&mut self.control), self.around.clone());
        self.around.add(&outer.0);
        let mut whole = Flow::never();
        frame.turns.push(turns);
        for count in 0.. {
            if let Some(turns) = frame.turns.last_mut() {
                turns.has_grown = false;
            }
            let result = self.eval(frame, body);
            whole = whole.or(&result);
            let Some(turns) = frame.turns.last() else { break };
            if !turns.has_grown || self.is_coarse {
                break;
            }
            self.is_coarse = count == MOST_TURNS;
            let (first, heads) = (turns.first, turns.heads.clone());
            self.around.add(&turns.control);
            for (at, head) in (first..).zip(heads) {
                frame.set(at, head);
            }
        }
        (self.control, self.around) = outer;
        let turns = frame.turns.pop();
        turns.map_or(whole.clone(), |turns| whole.with(&turns.control))
    }

    fn next_turn(&mut self, frame: &mut Frame, node: Option<u32>, args: &[Flow]) -> Flow {
        let place = self.place();
        let Some(at) = frame.turns.iter().rposition(|it| it.node == node) else {
            return Flow::never();
        };
        // Whether there is a next turn decides which values the variables have.
        let mut test = self.control.clone();
        if self.tries > 0 {
            test.add(&self.risk);
        }
        let first = frame.turns[at].first as usize;
        let turns = &mut frame.turns[at];
        for (at, arg) in args.iter().enumerate() {
            if turns.heads.len() <= at {
                // The value of the first turn is still in its slot.
                turns.heads.push(frame.slots.get(first + at).cloned().unwrap_or_default());
            }
            let arg = arg.clone().with(&test);
            Walk::grow(&mut turns.heads[at], &arg, &mut turns.has_grown);
        }
        let control = turns.control.clone();
        turns.control.add(&place);
        turns.has_grown |= control != turns.control;
        Flow::never()
    }

    fn attempt(&mut self, frame: &mut Frame, index: u32) -> Flow {
        let program = frame.program.clone();
        let Some(one) = program.tries.get(index as usize) else { return Flow::default() };
        let outer = (self.control.clone(), std::mem::take(&mut self.risk));
        self.tries += 1;
        let mut whole = self.eval(frame, one.body);
        self.tries -= 1;
        let risk = std::mem::replace(&mut self.risk, outer.1);
        self.test(&risk);
        for catch in &one.catches {
            let thrown = if self.thrown.is_never() { Flow::default() } else { self.thrown.clone() };
            // The message of a problem may quote the program.
            frame.set(catch.slot, thrown.with(&risk).with(&self.constants()));
            whole = whole.or(&self.eval(frame, catch.body));
        }
        self.control = outer.0;
        if let Some(finally) = one.finally {
            self.eval(frame, finally);
        }
        self.may_fail(&risk);
        whole.with(&risk)
    }
}

/// Returns whether a node is the value of an item that a `for` leaves out.
fn is_none(node: Node) -> bool {
    matches!(node, Node::Builtin { id, .. } if id.name() == "ptc/none")
}

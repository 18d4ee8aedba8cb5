//! Infers the results of transducers that are written where they are used.

use super::fields::applied;
use super::scan::Scan;
use ptc_facts::registry::Builtin;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{Passes, TransducerUse};
use ptc_facts::shape::{Length, Shape, gives};
use ptc_values::Value;
use ptc_values::ir::{Node, Operand, OperandKind};

/// The number of transducers followed; the result of more is unknown.
const STAGES: usize = 32;

impl Scan<'_> {
    /// Returns the result of a builtin that sends items through a transducer (`into`, `sequence`, `eduction`). Records
    /// the fields that its keywords read.
    pub(super) fn transduced(
        &mut self,
        at: u32,
        builtin: &Builtin,
        parts: &[Operand],
    ) -> Option<Shape> {
        let sends = builtin.facts.sends?;
        let (transducers, items) = match (sends, parts) {
            (TransducerUse::Into, [_, transducer, items])
            | (TransducerUse::Lists, [transducer, items])
            | (TransducerUse::Folds, [transducer, _, items] | [transducer, _, _, items]) => {
                (std::slice::from_ref(transducer), items)
            }
            (TransducerUse::ListsAll, [transducers @ .., items]) => (transducers, items),
            _ => return None,
        };
        let mut item = Some(self.shape(*items).item().plain());
        for stage in self.stages_of(transducers) {
            item = item.and_then(|item| self.stage_result(at, stage, &item));
        }
        let item = item?;
        match (sends, parts) {
            (TransducerUse::Into, [to, ..]) => {
                let to = self.shape(*to);
                match to {
                    Shape::List(_) | Shape::Items(_) => {
                        Some(Shape::list(to.item().or(&item), Length::default()))
                    }
                    map if map.is_own_map() => Some(gives::filled(map, &item)),
                    _ => None,
                }
            }
            (TransducerUse::Lists, _) => Some(Shape::list(item, Length::default())),
            _ => None,
        }
    }

    /// Returns the nodes of transducers, with the parts of `comp` separately.
    fn stages_of(&self, transducers: &[Operand]) -> Vec<Option<u32>> {
        let mut stages = Vec::new();
        let mut work: Vec<Operand> = transducers.iter().rev().copied().collect();
        while let Some(operand) = work.pop() {
            let node = match operand.kind() {
                OperandKind::Direct(node) | OperandKind::Deep(node) => Some(node),
                _ => None,
            };
            match node.map(|node| self.program.node(node)) {
                Some(Node::Builtin { id, args })
                    if id.builtin().facts.sends == Some(TransducerUse::Together) =>
                {
                    work.extend(self.program.args(args).iter().rev().copied());
                }
                _ => stages.push(node),
            }
            if stages.len() + work.len() > STAGES {
                return vec![None];
            }
        }
        stages
    }

    /// Returns the item that a transducer makes of an item; `None` if unknown.
    fn stage_result(&mut self, at: u32, stage: Option<u32>, item: &Shape) -> Option<Shape> {
        let Node::Builtin { args, .. } = self.program.node(stage?) else { return None };
        let [of, args @ ..] = self.program.args(args) else { return None };
        let OperandKind::Const(of) = of.kind() else { return None };
        let Some(Value::Builtin(of)) = self.program.consts.get(of as usize) else { return None };
        let step = of.builtin().facts.step?;
        let mut reads = Vec::new();
        let result = match args {
            [function] if step.calls_with_item => {
                applied(self.shape(*function), std::slice::from_ref(item), &mut reads)
            }
            _ => Shape::ANY,
        };
        for read in reads {
            self.record_read(at, read);
        }
        match step.passes {
            Passes::Results => Some(result.plain()),
            Passes::NotNil => Some(result.not_nil().plain()),
            Passes::Items => Some(result.item().plain()),
            Passes::Some => Some(item.clone()),
            Passes::Groups => {
                Some(Shape::list(item.clone(), Length { least: 1, ..Length::default() }))
            }
            Passes::Other => None,
        }
    }
}

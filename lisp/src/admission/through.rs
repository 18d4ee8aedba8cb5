//! What comes out of transducers that stand where they are used.

use super::fields::applied;
use super::scan::Scan;
use super::shape::{Length, Shape};
use crate::builtins::{Builtin, Sends};
use crate::ir::{Node, Operand, Place};
use crate::value::StageKind;

/// Transducers that are looked through; what comes out of more is unknown.
const STAGES: usize = 32;

impl Scan<'_> {
    /// What a builtin gives that sends items through a transducer: `into`, `sequence` and `eduction`. Takes
    /// down the fields that keywords of the transducer read.
    pub(super) fn sent_through(
        &mut self,
        at: u32,
        builtin: &Builtin,
        parts: &[Operand],
    ) -> Option<Shape> {
        let sends = builtin.facts.sends?;
        let (transducers, items) = match (sends, parts) {
            (Sends::Into, [_, transducer, items])
            | (Sends::Lists, [transducer, items])
            | (Sends::Folds, [transducer, _, items] | [transducer, _, _, items]) => {
                (std::slice::from_ref(transducer), items)
            }
            (Sends::ListsAll, [transducers @ .., items]) => (transducers, items),
            _ => return None,
        };
        let mut item = Some(self.shape(*items).item().plain());
        for stage in self.stages_of(transducers) {
            item = item.and_then(|item| self.sent_on(at, stage, &item));
        }
        let item = item?;
        match (sends, parts) {
            (Sends::Into, [to, ..]) => {
                let to = self.shape(*to);
                let is_list = matches!(to, Shape::List(_) | Shape::Items(_));
                is_list.then(|| Shape::list(to.item().or(&item), Length::default()))
            }
            (Sends::Lists, _) => Some(Shape::list(item, Length::default())),
            _ => None,
        }
    }

    /// The nodes of transducers, those that `comp` puts together one by one.
    fn stages_of(&self, transducers: &[Operand]) -> Vec<Option<u32>> {
        let mut stages = Vec::new();
        let mut work: Vec<Operand> = transducers.iter().rev().copied().collect();
        while let Some(operand) = work.pop() {
            let node = match operand.place() {
                Place::Direct(node) | Place::Deep(node) => Some(node),
                _ => None,
            };
            match node.map(|node| self.program.node(node)) {
                Some(Node::Builtin { id, args })
                    if id.builtin().facts.sends == Some(Sends::Together) =>
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

    /// What a transducer makes of an item; none if that is not known.
    fn sent_on(&mut self, at: u32, stage: Option<u32>, item: &Shape) -> Option<Shape> {
        let Node::Builtin { id, args } = self.program.node(stage?) else { return None };
        let kind = id.builtin().facts.step?;
        let mut looks = Vec::new();
        let result = match self.program.args(args) {
            [function] if kind.calls_with_item() => {
                applied(self.shape(*function), std::slice::from_ref(item), &mut looks)
            }
            _ => Shape::ANY,
        };
        for look in looks {
            self.read(at, look);
        }
        match kind {
            StageKind::Map => Some(result.plain()),
            StageKind::Keep => Some(result.not_nil().plain()),
            StageKind::Mapcat => Some(result.item().plain()),
            StageKind::Filter
            | StageKind::Remove
            | StageKind::Take
            | StageKind::TakeWhile
            | StageKind::TakeNth
            | StageKind::Drop
            | StageKind::DropWhile
            | StageKind::Distinct
            | StageKind::Dedupe => Some(item.clone()),
            StageKind::PartitionAll | StageKind::PartitionBy => {
                Some(Shape::list(item.clone(), Length { least: 1, ..Length::default() }))
            }
            StageKind::MapIndexed
            | StageKind::KeepIndexed
            | StageKind::Interpose
            | StageKind::Replace
            | StageKind::Cat
            | StageKind::HaltWhen
            | StageKind::Completing
            | StageKind::Collect => None,
        }
    }
}

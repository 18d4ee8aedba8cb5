//! What comes out of transducers that stand where they are used.

use super::fields::applied;
use super::scan::Scan;
use super::shape::{Length, Shape};
use crate::ir::{Node, Operand, Place};

/// Transducers that are looked through; what comes out of more is unknown.
const STAGES: usize = 32;

impl Scan<'_> {
    /// What a builtin gives that sends items through a transducer: `into`, `sequence` and `eduction`. Takes
    /// down the fields that keywords of the transducer read.
    pub(super) fn sent_through(&mut self, at: u32, name: &str, parts: &[Operand]) -> Option<Shape> {
        let (transducers, items, to) = match (name, parts) {
            ("ptc/into", [to, transducer, items]) => {
                (std::slice::from_ref(transducer), items, Some(to))
            }
            ("ptc/sequence", [transducer, items]) => {
                (std::slice::from_ref(transducer), items, None)
            }
            ("transduce", [transducer, _, items] | [transducer, _, _, items]) => {
                (std::slice::from_ref(transducer), items, None)
            }
            ("eduction", [transducers @ .., items]) => (transducers, items, None),
            _ => return None,
        };
        let mut item = Some(self.shape(*items).item().plain());
        for stage in self.stages_of(transducers) {
            item = item.and_then(|item| self.sent_on(at, stage, &item));
        }
        let item = item?;
        match (name, to) {
            ("ptc/into", Some(to)) => {
                let to = self.shape(*to);
                let is_list = matches!(to, Shape::List(_) | Shape::Items(_));
                is_list.then(|| Shape::list(to.item().or(&item), Length::default()))
            }
            ("ptc/sequence", _) => Some(Shape::list(item, Length::default())),
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
                Some(Node::Builtin { id, args }) if id.builtin().name == "comp" => {
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
        let name = id.builtin().name;
        let mut looks = Vec::new();
        let result = match self.program.args(args) {
            [function] => applied(self.shape(*function), std::slice::from_ref(item), &mut looks),
            _ => Shape::ANY,
        };
        if !matches!(
            name,
            "ptc/map"
                | "ptc/mapcat"
                | "ptc/filter"
                | "ptc/remove"
                | "ptc/keep"
                | "ptc/take-while"
                | "ptc/drop-while"
                | "ptc/partition-by"
        ) {
            looks.clear();
        }
        for look in looks {
            self.read(at, look);
        }
        let group = || Shape::list(item.clone(), Length { least: 1, ..Length::default() });
        match name {
            "ptc/map" => Some(result.plain()),
            "ptc/keep" => Some(result.not_nil().plain()),
            "ptc/mapcat" => Some(result.item().plain()),
            "ptc/filter" | "ptc/remove" | "ptc/take-while" | "ptc/drop-while" | "ptc/take-step"
            | "ptc/drop-step" | "ptc/take-nth" | "ptc/distinct" | "ptc/dedupe" => {
                Some(item.clone())
            }
            "ptc/partition-all" | "ptc/partition-by" => Some(group()),
            _ => None,
        }
    }
}

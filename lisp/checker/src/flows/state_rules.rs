//! The rules of builtins that read or change a state: cells, memory, the payload, and what is printed or thrown.

use ptc_facts::flows::{Flow, Held, Label, Site};
use ptc_facts::registry::Registered;
use ptc_values::BuiltinId;

use super::paths::{path_of, put_at};
use super::rule_table::{BY_ID, Rule};
use super::walk::Walk;

impl Walk<'_> {
    /// The rules of builtins that read or change a state.
    pub(super) fn state_rule(&mut self, rule: Rule, args: &[Flow], at: Site) -> Option<Flow> {
        let place = self.place();
        Some(match (rule, args) {
            (Rule::Cell, [value]) => {
                self.write(at, &value.clone().with(&place));
                Flow::holding(Held::Cell(at))
            }
            (Rule::Deref, [cell]) => {
                let held = cell.held();
                if held.is_empty() || held.iter().any(|it| !matches!(it, Held::Cell(_))) {
                    return None;
                }
                // It may be another value that has no cell, such as that of `reduced`.
                self.inside(cell).with(&cell.deep())
            }
            (Rule::Reset, [cell, value]) => {
                let value = value.clone().with(&place).with(&cell.label);
                for held in cell.all_held() {
                    if let Held::Cell(site) = held {
                        self.write(site, &value);
                    }
                }
                value
            }
            (Rule::Swap, [cell, function, more @ ..]) => {
                let mut all = vec![self.inside(cell)];
                all.extend(more.iter().cloned());
                let value = self.call(function, &all, at);
                self.state_rule(Rule::Reset, &[cell.clone(), value], at)?
            }
            (Rule::Print, values) => {
                for value in values {
                    let whole = self.whole(value.flat(), false);
                    self.printed.add(&whole.label);
                }
                self.printed.add(&place);
                Flow::default()
            }
            (Rule::MemoryPut, [key, value]) => {
                let new = Walk::put_in(&Flow::fields(Vec::new()), key, &value.clone().with(&place));
                Walk::grow(&mut self.kept.memory, &new, &mut self.has_grown);
                value.clone()
            }
            (Rule::MemoryGet, [key, default @ ..]) => {
                let found = match key.as_key() {
                    Some(key) => self.kept.memory.get(&key),
                    None => self.kept.memory.value().with(&key.deep()),
                };
                default.iter().fold(found, |found, other| found.or(other))
            }
            (Rule::PayloadGet, [path, default @ ..]) => {
                let payload = self.kept.payload.clone().with(&self.labels.sources.payload());
                let found = match path_of(path) {
                    Some(keys) => keys.iter().fold(payload, |found, key| found.get(key)),
                    None => payload.flat().with(&path.deep()),
                };
                let found = self.read(found.label.clone()).or(&found);
                default.iter().fold(found, |found, other| found.or(other))
            }
            (Rule::PayloadPut | Rule::PayloadPush, [path, value @ ..]) => {
                let value = value.first().cloned().unwrap_or_default().with(&place);
                let item = if rule == Rule::PayloadPush {
                    Flow::items(value.clone())
                } else {
                    value.clone()
                };
                let new = match path_of(path) {
                    Some(keys) => put_at(&Flow::default(), &keys, item, &path.deep()),
                    None => Flow::items(item).with(&path.deep()),
                };
                Walk::grow(&mut self.kept.payload, &new, &mut self.has_grown);
                value
            }
            (Rule::Conversation, _) => {
                let label = self.conversation();
                self.read(label)
            }
            (Rule::End, [value]) => {
                self.give(value);
                Flow::never()
            }
            (Rule::Nothing, _) => Flow::default(),
            _ => return None,
        })
    }

    /// Returns the label of the messages of the conversation.
    fn conversation(&self) -> Label {
        let mut label = self.labels.sources.conversation();
        label.add(&self.kept.conversation);
        label
    }

    /// Returns what the cells hold that a value may be.
    fn inside(&mut self, cell: &Flow) -> Flow {
        let mut inside = Flow::never();
        for held in cell.all_held() {
            if let Held::Cell(site) = held {
                let found = self.kept.cells.get(&site).cloned().unwrap_or_else(Flow::never);
                inside = inside.or(&found);
            }
        }
        inside.with(&cell.label)
    }

    /// Puts everything that a builtin gets into the cells that it gets, unless it only reads.
    pub(super) fn fill_cells(&mut self, id: BuiltinId, whole: &Flow) {
        let builtin = id.builtin();
        if builtin.is_pure && !builtin.facts.acts && !builtin.name.ends_with('!') {
            return;
        }
        let value = whole.clone().with(&self.place());
        for held in whole.held() {
            if let Held::Cell(site) = held {
                self.write(*site, &value);
            }
        }
    }

    /// Does what a builtin does to the state if something else calls it with any of some values, and returns what it
    /// reads there.
    pub(super) fn act(&mut self, id: BuiltinId, with: &Flow) -> Flow {
        self.fill_cells(id, with);
        let put = Flow::items(with.flat().with(&self.place())).with(&with.deep());
        match BY_ID.get(&id) {
            Some(Rule::Print) => {
                let place = self.place();
                self.printed.add(&with.deep());
                self.printed.add(&place);
            }
            Some(Rule::MemoryPut) => Walk::grow(&mut self.kept.memory, &put, &mut self.has_grown),
            Some(Rule::PayloadPut | Rule::PayloadPush) => {
                Walk::grow(&mut self.kept.payload, &put, &mut self.has_grown);
            }
            Some(Rule::Throw) => {
                let thrown = with.clone().with(&self.place());
                Walk::grow(&mut self.thrown, &thrown, &mut self.has_grown);
                self.may_fail(&with.deep());
                self.left.add(&self.place().perhaps());
            }
            Some(Rule::End) => self.give(with),
            Some(Rule::MemoryGet) => {
                return with
                    .clone()
                    .with(&self.kept.memory.deep())
                    .with_held(&self.kept.memory.all_held());
            }
            Some(Rule::PayloadGet) => {
                let mut payload = self.kept.payload.deep();
                payload.add(&self.labels.sources.payload());
                return self.read(payload).or(with);
            }
            Some(Rule::Conversation) => {
                let label = self.conversation();
                return self.read(label).or(with);
            }
            _ => {}
        }
        with.clone()
    }

    fn write(&mut self, cell: Site, value: &Flow) {
        let old = self.kept.cells.entry(cell).or_insert_with(Flow::never);
        Walk::grow(old, value, &mut self.has_grown);
    }
}

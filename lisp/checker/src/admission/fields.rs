//! Checks reads of fields that a value cannot have.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use arcstr::ArcStr;

use super::dealt::Users;
use super::equal::Group;
use super::scan::Scan;
use ptc_facts::field_watch::{FieldWatch, WatchedField};
use ptc_facts::shape::{Absence, FieldRead, Presence, Reader, Shape};
use ptc_values::ir::{KnownRead, Operand};
use ptc_values::{Diagnostic, Value};

/// Returns the result of calling a function that is made of keywords.
pub(super) fn applied(function: &Shape, given: &[Shape], reads: &mut Vec<FieldRead>) -> Shape {
    match (function, given) {
        (Shape::Known(Value::Keyword(key)), [map]) => {
            let read = map.read_field(key);
            let shape = read.shape.clone();
            reads.push(read);
            shape
        }
        (Shape::Reader(reader), _) => match &**reader {
            Reader::Juxt(functions) => {
                Shape::Items(functions.iter().map(|it| applied(it, given, reads)).collect())
            }
            Reader::Comp(functions) => {
                let Some((last, before)) = functions.split_last() else { return Shape::ANY };
                let first = applied(last, given, reads);
                before.iter().rev().fold(first, |value, it| applied(it, &[value], reads))
            }
        },
        _ => Shape::ANY,
    }
}

impl Scan<'_> {
    /// Records that a field is read; returns its value.
    pub(super) fn record_read(&mut self, at: u32, read: FieldRead) -> Shape {
        match read.found {
            Presence::Yes => self.findings.reads.push(KnownRead { node: at, is_present: true }),
            Presence::No(missing) => {
                self.findings.reads.push(KnownRead { node: at, is_present: false });
                self.reads.missing.push((at, missing));
            }
            Presence::Unknown(name) => {
                let watched = &mut self.findings.watched;
                // Nodes are visited in order, and those of a loop again.
                let is_behind = watched.last().is_none_or(|it| it.0 < at);
                let is_known = |it: &(u32, WatchedField)| it.0 == at && it.1.name == name;
                if watched.len() < FieldWatch::FIELDS
                    && (is_behind || !watched.iter().any(is_known))
                {
                    watched.push((at, WatchedField { name, span: self.program.span(at) }));
                }
            }
            Presence::Perhaps => {}
        }
        read.shape
    }

    /// Returns the result of calling a value that is not a function of the program, such as a keyword or a map.
    pub(super) fn called(&mut self, at: u32, head: Operand, parts: &[Operand]) -> Shape {
        if let [value, ..] = parts {
            self.compare_member(at, head, *value);
        }
        let mut reads = Vec::new();
        let shape = match (self.shape(head).collection(), parts) {
            (map @ (Shape::Map(_) | Shape::Data(_)), [key, default @ ..]) => {
                match self.shape(*key) {
                    Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                        let read = map.read_field(key);
                        let shape = read.shape.clone();
                        if let [default, ..] = default {
                            shape.or(self.shape(*default))
                        } else {
                            reads.push(read);
                            shape
                        }
                    }
                    key if default.is_empty() => map.found(key),
                    _ => Shape::ANY,
                }
            }
            (Shape::Entries(entries), [_]) => entries.1.clone().or_nil(),
            // A set, since a vector is called with a position.
            (Shape::List(set), [value]) => {
                let (member, value) = (set.0.clone(), self.shape(*value).clone());
                if Group::of(&value) != Some(Group::Number) {
                    self.compare(at, &member, &value);
                }
                Shape::ANY
            }
            (function, _) => {
                let given: Vec<Shape> =
                    parts.iter().map(|part| self.shape(*part).clone()).collect();
                applied(function, &given, &mut reads)
            }
        };
        for read in reads {
            self.record_read(at, read);
        }
        shape
    }

    /// Combines the data of the mission under a key with its declared type.
    pub(super) fn typed(&self, key: &str, shape: Shape) -> Shape {
        let Some(input) = self.world.env.input else { return shape };
        match input.iter().find(|field| field.name == key) {
            Some(field) => shape.declared(&field.ty),
            None => shape,
        }
    }

    /// Returns the shape of every value that the mission may get under a key.
    pub(super) fn assumed_input(&self, key: &str) -> Shape {
        let field = self.world.env.input.and_then(|all| all.iter().find(|it| it.name == key));
        field.map_or(Shape::ANY, |it| Shape::of_type(&it.ty, &format!("`ctx/{key}`"), 6))
    }

    /// Returns whether the value of the mission under a key is unknown.
    pub(super) fn assumes(&self, key: &str) -> bool {
        self.world.env.assumes_input || self.world.env.withholds(|labels| labels.of_input(key))
    }

    pub(super) fn ctx_all(&mut self) -> Shape {
        if self.world.env.has_unknown_keys() {
            return Shape::ANY;
        }
        let shape = match Shape::of_map(self.world.env.ctx, "ctx") {
            Shape::Map(map) => {
                let field = |(name, shape): &(ArcStr, Shape)| {
                    let shape = if self.assumes(name) {
                        self.assumed_input(name)
                    } else {
                        self.typed(name, shape.clone())
                    };
                    (name.clone(), shape)
                };
                let mut fields: Vec<_> = map.fields.iter().map(field).collect();
                // `ctx/fail` exists after a failed turn.
                if !map.has("fail") {
                    fields.push(("fail".into(), Shape::ANY));
                }
                Shape::record(fields, true)
            }
            other => other,
        };
        self.reads.has_records |= shape.has_record();
        shape
    }

    /// Returns the shape of a loop variable at the start of a turn.
    pub(super) fn loop_variable(&mut self, key: (u32, u32), start: Shape) -> Shape {
        if !self.assumed.optimistic {
            return Shape::ANY;
        }
        let shape = match self.assumed.turns.get(&key) {
            Some(before) => before.or(&start),
            None => start,
        };
        self.changing.turns.insert(key, shape.clone());
        shape
    }

    /// Records the values of a loop's next turn.
    pub(super) fn record_turn(&mut self, node: u32, parts: &[Operand]) {
        if !self.assumed.optimistic {
            return;
        }
        for (number, part) in parts.iter().enumerate() {
            let key = (node, number as u32);
            let shape = self.shape(*part).clone().plain();
            let Some(before) = self.changing.turns.get(&key) else { continue };
            let next = before.or(&shape);
            if next != *before {
                self.changing.differs = true;
                self.changing.turns.insert(key, next);
            }
        }
    }

    /// Reports the absent fields that make the program wrong.
    pub(super) fn report_fields(&mut self) {
        // A program that asks for a field expects that it may be absent.
        let asked: BTreeSet<String> = std::mem::take(&mut self.reads.asked).into_iter().collect();
        self.findings.watched.retain(|it| !asked.contains(it.1.name.as_str()));
        let missing_fields = std::mem::take(&mut self.reads.missing);
        if missing_fields.is_empty() {
            return;
        }
        let tests_types = self.tests_types();
        let users = OnceCell::new();
        let place = |problem: &Diagnostic| {
            let span = problem.span().map(|it| (it.start, it.end));
            (span, problem.message().to_owned())
        };
        let mut reported: BTreeSet<_> = self.findings.problems.iter().map(place).collect();
        // The same name may be read in many places.
        let warnings = &self.findings.warnings;
        let mut warned: BTreeSet<String> =
            warnings.iter().map(|it| it.message().to_owned()).collect();
        for (at, missing) in missing_fields {
            let problem = missing.problem.at(self.program.span(at));
            let is_asked = asked.contains(missing.name.as_str());
            let is_refused = match missing.absence {
                Absence::Impossible => !tests_types,
                // `contains?` is a guard: a program that asks for a field may read it.
                _ if is_asked && !missing.is_slip => continue,
                _ if is_asked => false,
                Absence::Undeclared => true,
                Absence::Unseen => {
                    missing.is_slip || !self.handles_nil(users.get_or_init(|| Users::of(self)), at)
                }
            };
            if is_refused && !self.world.env.tolerates_fields {
                if reported.insert(place(&problem)) {
                    self.findings.problems.push(problem);
                }
            } else if warned.insert(problem.message().to_owned()) {
                self.findings.warnings.push(problem);
            }
        }
    }
}

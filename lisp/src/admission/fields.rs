//! Fields that are read where they cannot be.

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::data::Found;
use super::scan::Scan;
use super::shape::{Fields, Reader, Shape};
use crate::diagnostic::{Code, Diagnostic, nearest_of_few};
use crate::ir::Operand;
use crate::value::Value;

/// Names that a message tells.
const NAMED: usize = 12;

/// Characters of a name that a message tells.
const NAME: usize = 40;

/// What reading a field of a value gives.
pub(super) struct Look {
    pub(super) shape: Shape,
    found: There,
}

/// Whether a field is there.
enum There {
    /// It is a field of the record.
    Yes,
    No(Lack),
    /// The value may have any field.
    Perhaps,
}

/// A field that is not there.
#[derive(Debug)]
pub(super) struct Lack {
    problem: Diagnostic,
    /// Whether it is certain that another field was meant.
    pub(super) is_slip: bool,
}

impl Lack {
    fn of(name: &str, mut names: Vec<String>) -> Lack {
        names.retain(|name| !name.starts_with('_'));
        let shown: Vec<String> = names.iter().take(NAMED).map(|name| keyword(name)).collect();
        let more = names.len().saturating_sub(NAMED);
        let fields = match (shown.as_slice(), more) {
            ([], _) => "it has none that may be read".to_owned(),
            ([only], 0) => format!("its field is {only}"),
            (several, 0) => format!("its fields are {}", several.join(", ")),
            (several, more) => format!("its fields are {} and {more} more", several.join(", ")),
        };
        let read = keyword(name);
        let near = nearest_of_few(name, names.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean {}?", keyword(near)),
            None => format!(
                "read one of these; if the field may be there all the same, say what to take without it: `(get x {} nil)`",
                bare(name)
            ),
        };
        let message = format!("the record has no field {read}; {fields}");
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        Lack { problem, is_slip: near.is_some() }
    }

    /// A field of the items is read from the list of them.
    fn of_list(name: &str) -> Lack {
        let message = format!("a list has no field {}; its items have it", keyword(name));
        let help = format!("read it from each item: `(map {} xs)`", bare(name));
        let problem = Diagnostic::new(Code::UnknownField, message).with_help(help);
        Lack { problem, is_slip: true }
    }
}

/// A name as a program writes it.
pub(crate) fn bare(name: &str) -> String {
    let text: String = name.chars().take(NAME).collect();
    let plain = |c: char| c.is_alphanumeric() || "-_?!*+./".contains(c);
    if !text.is_empty() && text.len() == name.len() && text.chars().all(plain) {
        format!(":{text}")
    } else {
        crate::session::literal(&text)
    }
}

fn keyword(name: &str) -> String {
    format!("`{}`", bare(name))
}

impl Shape {
    /// What reading a field of it gives.
    pub(super) fn look(&self, name: &str) -> Look {
        Look { shape: self.field_of(name), found: self.find(name) }
    }

    fn find(&self, name: &str) -> There {
        match self.collection() {
            Shape::Map(map) if !map.complete || map.fields.is_empty() => There::Perhaps,
            Shape::Map(map) if map.has(name) => There::Yes,
            Shape::Map(map) => There::No(Lack::of(name, names_of(map))),
            Shape::Data(data) => match data.find(name) {
                Found::There => There::Yes,
                Found::Absent => There::No(Lack::of(name, data.names())),
                Found::Unknown => There::Perhaps,
            },
            Shape::List(list) => match list.0.find(name) {
                There::Yes if !matches!(list.0.collection(), Shape::List(_)) => {
                    There::No(Lack::of_list(name))
                }
                _ => There::Perhaps,
            },
            _ => There::Perhaps,
        }
    }

    /// Whether it has fields that are known.
    pub(super) fn has_record(&self) -> bool {
        match self {
            Shape::Map(map) => map.complete && !map.fields.is_empty(),
            Shape::List(list) => list.0.has_record(),
            Shape::Items(items) => items.iter().any(Shape::has_record),
            Shape::Entries(entries) => entries.1.has_record(),
            Shape::Maybe(inner) => inner.has_record(),
            Shape::Data(_) => true,
            _ => false,
        }
    }

    /// What a program has kept: a map may be a dictionary that it fills, items of a list are records.
    pub(super) fn kept(self) -> Shape {
        match self {
            Shape::Map(map) => Shape::exact(map.fields.clone()),
            Shape::Data(data) => Shape::Kinds(data.kinds()),
            other => other,
        }
    }

    /// The same with fields that values of it had besides those that are declared.
    pub(super) fn with_seen(&self, seen: &[ArcStr]) -> Shape {
        match self {
            Shape::Map(map) => {
                let known = map.fields.iter();
                let mut fields: Vec<_> =
                    known.map(|(name, it)| (name.clone(), it.with_seen(seen))).collect();
                let more = seen.iter().filter(|name| !map.has(name));
                fields.extend(more.map(|name| (name.clone(), Shape::ANY)));
                Shape::record(fields, map.open)
            }
            Shape::List(list) => Shape::list(list.0.with_seen(seen), list.1.clone()),
            Shape::Maybe(inner) => inner.with_seen(seen).or_nil(),
            other => other.clone(),
        }
    }
}

fn names_of(map: &Fields<false>) -> Vec<String> {
    map.fields.iter().map(|(name, _)| name.to_string()).collect()
}

/// What a function that is made of keywords gives.
pub(super) fn applied(function: &Shape, given: &[Shape], looks: &mut Vec<Look>) -> Shape {
    match (function, given) {
        (Shape::Known(Value::Keyword(key)), [map]) => {
            let look = map.look(key);
            let shape = look.shape.clone();
            looks.push(look);
            shape
        }
        (Shape::Reader(reader), _) => match &**reader {
            Reader::Juxt(functions) => {
                Shape::Items(functions.iter().map(|it| applied(it, given, looks)).collect())
            }
            Reader::Comp(functions) => {
                let Some((last, before)) = functions.split_last() else { return Shape::ANY };
                let first = applied(last, given, looks);
                before.iter().rev().fold(first, |value, it| applied(it, &[value], looks))
            }
        },
        _ => Shape::ANY,
    }
}

impl Reader {
    /// A part of a function that is made of functions: two levels, so that applying it nests no deeper.
    pub(super) fn part(part: &Shape) -> Shape {
        let is_flat = |part: &Shape| !matches!(part, Shape::Reader(_));
        match part {
            Shape::Known(Value::Keyword(_)) => part.clone(),
            Shape::Reader(reader) => match &**reader {
                Reader::Juxt(parts) | Reader::Comp(parts) if parts.iter().all(is_flat) => {
                    part.clone()
                }
                _ => Shape::Kinds(Kinds::OTHER),
            },
            _ => Shape::Kinds(Kinds::OTHER),
        }
    }
}

impl Scan<'_> {
    /// Takes down that a field is read, and gives what is read.
    pub(super) fn read(&mut self, at: u32, look: Look) -> Shape {
        match look.found {
            There::Yes => self.findings.reads.push((at, true)),
            There::No(lack) => {
                self.findings.reads.push((at, false));
                self.lacking.push((at, lack));
            }
            There::Perhaps => {}
        }
        look.shape
    }

    /// What calling a value gives that is no function of the program: a keyword, a map.
    pub(super) fn called(&mut self, at: u32, head: Operand, parts: &[Operand]) -> Shape {
        let mut looks = Vec::new();
        let shape = match (self.shape(head).collection(), parts) {
            (map @ (Shape::Map(_) | Shape::Data(_)), [key, default @ ..]) => {
                match self.shape(*key) {
                    Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                        let look = map.look(key);
                        let shape = look.shape.clone();
                        if let [default, ..] = default {
                            shape.or(self.shape(*default))
                        } else {
                            looks.push(look);
                            shape
                        }
                    }
                    key if default.is_empty() => map.found(key),
                    _ => Shape::ANY,
                }
            }
            (Shape::Entries(entries), [_]) => entries.1.clone().or_nil(),
            (function, _) => {
                let given: Vec<Shape> =
                    parts.iter().map(|part| self.shape(*part).clone()).collect();
                applied(function, &given, &mut looks)
            }
        };
        for look in looks {
            self.read(at, look);
        }
        shape
    }

    /// What the data of the mission is under a key, with what it is declared to be.
    pub(super) fn typed(&self, key: &str, shape: Shape) -> Shape {
        let Some(input) = self.world.input else { return shape };
        match input.iter().find(|field| field.name == key) {
            Some(field) => shape.declared(&field.ty),
            None => shape,
        }
    }

    /// All data of the mission.
    pub(super) fn ctx_all(&mut self) -> Shape {
        let shape = match Shape::of_map(self.world.ctx, "ctx") {
            Shape::Map(map) => {
                let field = |(name, shape): &(ArcStr, Shape)| {
                    (name.clone(), self.typed(name, shape.clone()))
                };
                let mut fields: Vec<_> = map.fields.iter().map(field).collect();
                // It is there after a turn that failed.
                if !map.has("fail") {
                    fields.push(("fail".into(), Shape::ANY));
                }
                Shape::record(fields, true)
            }
            other => other,
        };
        self.has_records |= shape.has_record();
        shape
    }

    /// What a variable of a loop is when the loop begins.
    pub(super) fn begins(&mut self, key: (u32, u32), start: Shape) -> Shape {
        if !self.known.optimistic {
            return Shape::ANY;
        }
        let shape = match self.known.turns.get(&key) {
            Some(before) => before.or(&start),
            None => start,
        };
        self.turns.insert(key, shape.clone());
        shape
    }

    /// A loop takes another turn with these values.
    pub(super) fn turns_to(&mut self, node: u32, parts: &[Operand]) {
        if !self.known.optimistic {
            return;
        }
        for (number, part) in parts.iter().enumerate() {
            let key = (node, number as u32);
            let shape = self.shape(*part).clone().plain();
            let Some(before) = self.turns.get(&key) else { continue };
            let next = before.or(&shape);
            if next != *before {
                self.moved = true;
                self.turns.insert(key, next);
            }
        }
    }

    /// Says which of the fields that are not there make the program wrong.
    pub(super) fn report_fields(&mut self) {
        for (at, lack) in std::mem::take(&mut self.lacking) {
            let problem = lack.problem.at(self.program.span(at));
            if lack.is_slip || !self.deals_with_nil(at) {
                let problems = &mut self.findings.problems;
                let same = |known: &Diagnostic| {
                    known.span() == problem.span() && known.message() == problem.message()
                };
                if !problems.iter().any(same) {
                    problems.push(problem);
                }
            } else {
                self.warn(at, problem);
            }
        }
    }
}

//! Checks the kinds of arguments that the row of a builtin states.

use ptc_facts::registry::Builtin;
use ptc_facts::registry::facts::{Expects, FieldsRead};
use ptc_facts::shape::{Presence, Shape};
use ptc_signatures::Kinds;
use ptc_values::code::Code;
use ptc_values::ir::{Operand, OperandKind};
use ptc_values::{Diagnostic, Value};

use super::equal::{Group, conversion};
use super::scan::Scan;

impl Scan<'_> {
    /// Checks the arguments of a builtin.
    pub(super) fn check_expected(&mut self, at: u32, builtin: &Builtin, parts: &[Operand]) {
        self.check_items(at, builtin, parts);
        match (builtin.facts.expects, parts) {
            (Expects::Order, _) => {
                for pair in parts.windows(2) {
                    self.order(at, builtin.name, pair[0], pair[1]);
                }
            }
            (Expects::Equality, [_, _, _, ..]) => {
                let shapes: Vec<Shape> = parts.iter().map(|it| self.shape(*it).clone()).collect();
                self.compare_all(at, &shapes);
            }
            (Expects::Member, [list, value]) => {
                if let list @ (Shape::List(_) | Shape::Items(_)) = self.shape(*list).collection() {
                    let (item, value) = (list.item(), self.shape(*value).clone());
                    self.compare(at, &item, &value);
                }
            }
            (Expects::Key, [list, key])
                if !matches!(list.kind(), OperandKind::Const(_))
                    && is_position(builtin.facts.reads, self.shape(*list), self.shape(*key)) =>
            {
                let (list, key) = (self.shape(*list).clone(), self.shape(*key).clone());
                self.look_for_key(at, builtin.name, &list, &key);
            }
            _ => {}
        }
    }

    /// Checks that a builtin gets a collection of items.
    fn check_items(&mut self, at: u32, builtin: &Builtin, parts: &[Operand]) {
        let of_order = builtin.facts.collection.and_then(|order| {
            let takes_no_number = order.fails && (order.is_wrong)(&Value::Int(0));
            order.collection(parts).filter(|_| takes_no_number)
        });
        let counted = parts.first().copied().filter(|_| builtin.facts.expects == Expects::Items);
        let Some(part) = of_order.or(counted) else { return };
        let shape = self.shape(part);
        let Some(found @ (Group::Number | Group::Boolean)) = Group::of(shape) else { return };
        if self.is_written(shape) {
            return;
        }
        let name = builtin.name;
        let message = format!("`{name}` expects a collection, found {}", found.name());
        let help = "use the value itself, or the list that it comes from";
        self.refuse_kind(at, Diagnostic::new(Code::WrongType, message).with_help(help));
    }

    /// Records a comparison of two values by order.
    pub(super) fn order(&mut self, at: u32, who: &str, a: Operand, b: Operand) {
        let groups = Group::of(self.shape(a)).zip(Group::of(self.shape(b)));
        let Some((one, other)) = groups.filter(|(one, other)| one != other) else { return };
        let (a, b) = (self.shape(a).clone(), self.shape(b).clone());
        if self.is_written(&a) && self.is_written(&b) {
            return;
        }
        // A text that may be absent may be a date, as that of `parse-date`.
        let name = |shape: &Shape, group: Group| match shape {
            Shape::Kinds(kinds) if group == Group::Text && kinds.meets(Kinds::NIL) => {
                "a text or date"
            }
            _ => group.name(),
        };
        let (found, than) = (name(&a, one), name(&b, other));
        let message = format!("`{who}` orders values of one kind, found {found} and {than}");
        let help = conversion((&a, one), (&b, other));
        self.refuse_kind(at, Diagnostic::new(Code::WrongType, message).with_help(help));
    }

    /// Records the search of a key in a list, a vector or a set: a position, or a member.
    fn look_for_key(&mut self, at: u32, who: &str, list: &Shape, key: &Shape) {
        let Some(found @ (Group::Text | Group::Boolean)) = Group::of(key) else { return };
        let (place, has_it) = match list.collection() {
            Shape::Items(_) => ("a position of a vector", false),
            Shape::List(list) => {
                let items = list.0.kinds();
                let equal = match found {
                    Group::Text => Kinds::STRING | Kinds::KEYWORD,
                    _ => Kinds::BOOL,
                };
                let has_it = items == Kinds::NONE || items.meets(equal);
                ("a position of a list or a member of a set", has_it)
            }
            _ => return,
        };
        let problem = (!has_it).then(|| {
            let message = format!("`{who}` takes {place}, found {}", found.name());
            let problem = Diagnostic::new(Code::WrongType, message);
            let position = match key {
                Shape::Known(Value::Str(text) | Value::Keyword(text)) => text.parse::<u32>().ok(),
                _ => None,
            };
            match position {
                Some(position) => {
                    problem.with_help(format!("a position is a number: `{position}`"))
                }
                None => problem.with_help(
                    "to find an item write `(some #{x} coll)`, or `(find-first f coll)`",
                ),
            }
        });
        self.comparisons.of_equality.push((at, problem));
    }
}

/// Returns whether a key is a position of a list, not the name of a field. A keyword that `get` reads is a field, also in a
/// pattern, and so is a name that the items of the list have.
pub(super) fn is_position(reads: FieldsRead, list: &Shape, key: &Shape) -> bool {
    match (list.collection(), key) {
        (Shape::List(_) | Shape::Items(_), Shape::Known(Value::Keyword(_)))
            if reads == FieldsRead::Value =>
        {
            false
        }
        (Shape::List(list), Shape::Known(Value::Str(name) | Value::Keyword(name))) => {
            !matches!(list.0.read_field(name).found, Presence::Yes)
        }
        (Shape::List(_) | Shape::Items(_), _) => true,
        _ => false,
    }
}

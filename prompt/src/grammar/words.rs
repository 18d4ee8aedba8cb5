//! Spells sets of names letter by letter: one of the names, or any name except them.
//!
//! Names with a common beginning share it. So a parser that reads letter by letter follows few
//! alternatives at a time.

use std::collections::BTreeMap;

use super::rule::{Chars, Part, Rule, all, any, maybe, rule, text};

/// The first characters of plain names.
pub(super) const FIRST: &str = "A-Za-z_*!?<>=%$|+-";
/// The further characters of plain names.
pub(super) const REST: &str = "A-Za-z0-9_*!?<>=%$|'&+-";

#[derive(Default)]
struct Tree {
    /// Whether a name ends at this node.
    end: bool,
    next: BTreeMap<char, Tree>,
}

impl Tree {
    fn from_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Tree {
        let mut tree = Tree::default();
        for name in names {
            let mut at = &mut tree;
            for c in name.chars() {
                at = at.next.entry(c).or_default();
            }
            at.end = true;
        }
        tree
    }

    /// Returns the rest of a name after this node.
    fn rest(&self) -> Part {
        let branches = self.next.iter().map(|(c, tree)| {
            let mut word = String::from(*c);
            let mut tree = tree;
            while !tree.end
                && tree.next.len() == 1
                && let Some((c, next)) = tree.next.first_key_value()
            {
                word.push(*c);
                tree = next;
            }
            if tree.next.is_empty() {
                return text(word);
            }
            let rest = tree.rest();
            all([text(word), if tree.end { maybe(rest) } else { rest }])
        });
        any(branches)
    }

    /// Returns the rest, after this node, of a name that is not in the tree.
    fn others(&self, before: &str) -> Part {
        let chars = Chars::parse(if before.is_empty() { FIRST } else { REST });
        let sign = matches!(before, "+" | "-");
        let other = match self.next.keys().next() {
            // Most nodes have one successor. The exclusion of one character is a shared rule.
            Some(c) if self.next.len() == 1 && !before.is_empty() && !sign => {
                rule(exclusion_rule(*c))
            }
            _ => {
                let chars =
                    chars.without(|c| self.next.contains_key(&c) || sign && c.is_ascii_digit());
                all([Part::Char(chars), maybe(rule("more"))])
            }
        };
        let known = self.next.iter().map(|(c, tree)| {
            if tree.next.is_empty() {
                return all([text(*c), rule("more")]);
            }
            let rest = tree.others(&format!("{before}{c}"));
            all([text(*c), if tree.end { rest } else { maybe(rest) }])
        });
        any(std::iter::once(other).chain(known))
    }
}

/// Returns the part that produces one of the names. There has to be at least one.
pub(super) fn one_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Part {
    Tree::from_names(names).rest()
}

/// Returns the part that produces any plain name except these.
pub(super) fn none_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Part {
    Tree::from_names(names).others("")
}

/// Returns the rules that [`none_of`] refers to: the rest of a name that does not begin with a
/// given character.
pub(super) fn exclusion_rules() -> impl Iterator<Item = Rule> {
    let chars = Chars::parse(REST);
    ('!'..='~').filter(move |c| chars.has(*c)).map(|c| {
        let others = Part::Char(Chars::parse(REST).without(|other| other == c));
        Rule { name: exclusion_rule(c), token: true, body: all([others, maybe(rule("more"))]) }
    })
}

fn exclusion_rule(c: char) -> String {
    format!("but-{:x}", c as u32)
}

/// Returns whether a name is plain in the sense of the grammar.
pub(super) fn is_plain(name: &str) -> bool {
    let (first, rest) = (Chars::parse(FIRST), Chars::parse(REST));
    let mut chars = name.chars();
    let signed = name
        .strip_prefix(['+', '-'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    chars.next().is_some_and(|c| first.has(c)) && chars.all(|c| rest.has(c)) && !signed
}

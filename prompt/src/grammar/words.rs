//! Sets of names as parts: one of them, or any name but them, spelled letter by letter.
//!
//! Names that begin alike share their beginning, so whoever follows a grammar letter by letter has few
//! ways to follow at a time.

use std::collections::BTreeMap;

use super::rule::{Chars, Part, Rule, all, any, maybe, rule, text};

/// What may begin a plain name, and what may follow.
pub(super) const FIRST: &str = "A-Za-z_*!?<>=%$|+-";
pub(super) const REST: &str = "A-Za-z0-9_*!?<>=%$|'&+-";

#[derive(Default)]
struct Tree {
    /// Whether a name ends here.
    end: bool,
    next: BTreeMap<char, Tree>,
}

impl Tree {
    fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Tree {
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

    /// What follows here in a name.
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

    /// What follows here in a name that is none of them.
    fn others(&self, before: &str) -> Part {
        let chars = Chars::of(if before.is_empty() { FIRST } else { REST });
        let sign = matches!(before, "+" | "-");
        let other = match self.next.keys().next() {
            // Most places have one way on; what leaves it there is named once for all of them.
            Some(c) if self.next.len() == 1 && !before.is_empty() && !sign => rule(but(*c)),
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

/// One of the names; there is at least one.
pub(super) fn one_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Part {
    Tree::of(names).rest()
}

/// A plain name that is none of these.
pub(super) fn none_of<'n>(names: impl IntoIterator<Item = &'n str>) -> Part {
    Tree::of(names).others("")
}

/// The rules that [`none_of`] refers to: what follows in a name and does not begin with a character.
pub(super) fn buts() -> impl Iterator<Item = Rule> {
    let chars = Chars::of(REST);
    ('!'..='~').filter(move |c| chars.has(*c)).map(|c| {
        let others = Part::Char(Chars::of(REST).without(|other| other == c));
        Rule { name: but(c), token: true, body: all([others, maybe(rule("more"))]) }
    })
}

fn but(c: char) -> String {
    format!("but-{:x}", c as u32)
}

/// Whether a name is a plain one, as the grammar spells them.
pub(super) fn is_plain(name: &str) -> bool {
    let (first, rest) = (Chars::of(FIRST), Chars::of(REST));
    let mut chars = name.chars();
    let signed = name
        .strip_prefix(['+', '-'])
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    chars.next().is_some_and(|c| first.has(c)) && chars.all(|c| rest.has(c)) && !signed
}

//! The rules of permissions, without any file or clock.
//!
//! A person has a level for each agent: the highest one of the grants that name the person or a role of the person. An
//! owner of an agent has the highest level. An agent that no grant names is open: all persons may see and run it. The owner
//! of a run may do everything with that run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a caller does, and the least level that it needs. Each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// To see agents, their runs and their questions, and to replay runs without effects.
    View,
    /// To start runs.
    Run,
    /// To answer, cancel and resume runs of others.
    Edit,
    /// To delete runs.
    Delete,
}

/// The name of all agents in a grant.
const ALL: &str = "*";

/// Levels by agent; `*` names all agents.
pub(super) type Grants = BTreeMap<String, Level>;

/// A person: what the file says about a token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Person {
    pub(super) roles: BTreeSet<String>,
    /// The grants of this person alone.
    pub(super) grants: Grants,
    /// The agents that the person owns.
    pub(super) owns: BTreeSet<String>,
}

/// All persons and roles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) persons: BTreeMap<String, Person>,
    pub(super) roles: BTreeMap<String, Grants>,
}

impl Level {
    /// All levels, from the lowest.
    pub const ALL: [Level; 4] = [Level::View, Level::Run, Level::Edit, Level::Delete];

    /// Returns the stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::View => "view",
            Level::Run => "run",
            Level::Edit => "edit",
            Level::Delete => "delete",
        }
    }

    /// Returns the level of a word.
    pub fn of(word: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|it| it.as_str() == word)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Rules {
    /// Returns the level of a person for an agent; `None` if the person may not even see it. An unknown person has none.
    pub(super) fn level(&self, person: &str, agent: &str) -> Option<Level> {
        let it = self.persons.get(person)?;
        if it.owns.contains(agent) {
            return Some(Level::Delete);
        }
        let own = it.grants.iter();
        let of_roles = it.roles.iter().filter_map(|role| self.roles.get(role)).flatten();
        let matching = own.chain(of_roles).filter(|(of, _)| names(of, agent));
        let highest = matching.map(|(_, level)| *level).max();
        highest.or_else(|| (!self.has_grants(agent)).then_some(Level::Run))
    }

    /// Returns whether a person may see the runs of all agents, also of those that a later server has.
    pub(super) fn sees_all(&self, person: &str) -> bool {
        let Some(it) = self.persons.get(person) else { return false };
        let of_roles = it.roles.iter().filter_map(|role| self.roles.get(role));
        [&it.grants].into_iter().chain(of_roles).any(|grants| grants.contains_key(ALL))
    }

    /// Returns whether any grant or owner names an agent.
    fn has_grants(&self, agent: &str) -> bool {
        let of_persons = self.persons.values().map(|it| &it.grants);
        let mut all = of_persons.chain(self.roles.values()).flat_map(BTreeMap::keys);
        all.any(|of| names(of, agent))
    }
}

fn names(of: &str, agent: &str) -> bool {
    of == ALL || of == agent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(persons: &[(&str, &str, &str, &str)], roles: &[(&str, &str)]) -> Rules {
        let words = |text: &str| -> BTreeSet<String> {
            text.split_whitespace().map(str::to_owned).collect()
        };
        let grants = |text: &str| -> Grants {
            let pair = |it: &str| {
                let (agent, level) = it.split_once('=').expect("has a level");
                (agent.to_owned(), Level::of(level).expect("is a level"))
            };
            text.split_whitespace().map(pair).collect()
        };
        let person = |it: &(&str, &str, &str, &str)| {
            let person = Person { roles: words(it.1), grants: grants(it.2), owns: words(it.3) };
            (it.0.to_owned(), person)
        };
        Rules {
            persons: persons.iter().map(person).collect(),
            roles: roles.iter().map(|it| (it.0.to_owned(), grants(it.1))).collect(),
        }
    }

    /// M140, the four by four table: who has a level may do what needs that level or a lower one.
    #[test]
    fn a_level_includes_the_lower_ones() {
        for (at, has) in Level::ALL.into_iter().enumerate() {
            let rules = rules(&[("ada", "", &format!("pay={has}"), "")], &[]);
            let may = Level::ALL.map(|needs| rules.level("ada", "pay") >= Some(needs));
            assert_eq!(may, [0, 1, 2, 3].map(|it| it <= at), "{has}");
        }
    }

    #[test]
    fn words_are_levels_and_back() {
        assert_eq!(Level::ALL.map(|it| Level::of(it.as_str())), Level::ALL.map(Some));
        assert_eq!(Level::of("admin"), None);
    }

    fn check(rules: &Rules, expected: &[(&str, &str, Option<Level>)]) {
        for (person, agent, level) in expected {
            assert_eq!(rules.level(person, agent), *level, "{person} on {agent}");
        }
    }

    /// M142, M149, a public agent: nothing names it, so every person may see and run it, and nobody may change runs of others.
    #[test]
    fn an_agent_without_grants_is_public() {
        let rules = rules(&[("ada", "", "", ""), ("bob", "", "", "faq")], &[]);
        check(
            &rules,
            &[
                ("ada", "faq", Some(Level::Run)),
                ("bob", "faq", Some(Level::Delete)),
                ("eve", "faq", None),
            ],
        );
    }

    /// M143, M149, the agent of a department: its role may run it, and nobody else sees it.
    #[test]
    fn an_agent_of_a_department() {
        let rules = rules(
            &[("ada", "finance", "", ""), ("bob", "sales", "", "")],
            &[("finance", "pay=run"), ("sales", "")],
        );
        check(&rules, &[("ada", "pay", Some(Level::Run)), ("bob", "pay", None)]);
    }

    /// M143, M149, a restricted agent: one person runs it, an auditor sees it, and the highest grant counts.
    #[test]
    fn a_restricted_agent() {
        let rules = rules(
            &[
                ("ada", "", "pay=run", ""),
                ("bob", "audit", "", ""),
                ("cyd", "audit lead", "pay=view", ""),
            ],
            &[("audit", "*=view"), ("lead", "pay=edit")],
        );
        check(
            &rules,
            &[
                ("ada", "pay", Some(Level::Run)),
                ("ada", "other", None),
                ("bob", "pay", Some(Level::View)),
                ("bob", "other", Some(Level::View)),
                ("cyd", "pay", Some(Level::Edit)),
            ],
        );
        let seen = ["ada", "bob", "cyd", "eve"].map(|it| rules.sees_all(it));
        assert_eq!(seen, [false, true, true, false]);
    }

    /// M141, M149, shared ownership: two owners may do everything, whatever the grants say.
    #[test]
    fn shared_ownership() {
        let rules = rules(
            &[("ada", "", "pay=view", "pay"), ("bob", "", "", "pay"), ("cyd", "", "", "")],
            &[("finance", "pay=run")],
        );
        check(
            &rules,
            &[
                ("ada", "pay", Some(Level::Delete)),
                ("bob", "pay", Some(Level::Delete)),
                ("cyd", "pay", None),
            ],
        );
    }
}

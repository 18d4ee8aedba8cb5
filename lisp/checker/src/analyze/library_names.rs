//! The libraries of the language, and the names that a program gave to libraries and their functions.

use std::borrow::Cow;

use hashbrown::HashMap;

use ptc_facts::registry;

/// The libraries whose functions are part of the language.
pub(super) const LIBRARIES: &[&str] = &[
    "clojure.core",
    "clojure.string",
    "clojure.set",
    "clojure.walk",
    "clojure.math",
    "clojure.math.numeric-tower",
    "clojure.math.combinatorics",
    "clojure.edn",
    "clojure.repl",
    "clojure.data.json",
    "cheshire.core",
];

/// The namespace of a program that does not name another.
pub(super) const DEFAULT_NAMESPACE: &str = "user";

/// The names that a program gave to libraries and to their functions.
pub(super) struct Libraries {
    /// Libraries by alias.
    pub(super) aliases: HashMap<String, String>,
    /// Full names of functions by their names in the program.
    pub(super) referred: HashMap<String, String>,
    /// Libraries that are used as a whole, each with its excluded names.
    pub(super) used: Vec<(String, Vec<String>)>,
    /// The namespace of the program.
    pub(super) space: Cow<'static, str>,
}

impl Default for Libraries {
    fn default() -> Libraries {
        Libraries {
            aliases: HashMap::new(),
            referred: HashMap::new(),
            used: Vec::new(),
            space: Cow::Borrowed(DEFAULT_NAMESPACE),
        }
    }
}

impl Libraries {
    pub(super) fn is_empty(&self) -> bool {
        self.aliases.is_empty() && self.referred.is_empty() && self.used.is_empty()
    }

    /// Returns a name with its library, if the program's declarations determine it.
    pub(super) fn full_name(&self, name: &str) -> Option<String> {
        if let Some(full) = self.referred.get(name) {
            return Some(full.clone());
        }
        if let Some((space, rest)) = name.split_once('/')
            && let Some(library) = self.aliases.get(space)
        {
            return Some(format!("{library}/{rest}"));
        }
        self.used.iter().rev().find_map(|(library, without)| {
            let full = format!("{library}/{name}");
            let is_brought = !without.iter().any(|other| other == name);
            (is_brought && registry::find(&full).is_some()).then_some(full)
        })
    }
}

//! The use that each builtin makes of flows, by its name.

use std::collections::HashMap;
use std::sync::LazyLock;

use ptc_facts::registry::find;
use ptc_values::BuiltinId;

/// The use that a builtin makes of the flows of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The part of the first argument at a key.
    Get,
    /// The part on a path of keys.
    GetIn,
    /// The first argument itself.
    Same,
    /// A map, or the map of the keys and values in a list.
    AsMap,
    /// The first argument with other parts at keys.
    Assoc,
    AssocIn,
    Update,
    UpdateIn,
    SelectKeys,
    Merge,
    /// The first argument with more items.
    Conj,
    /// The last argument with one more item before.
    Cons,
    /// All items of all arguments.
    Concat,
    /// The first argument with the items of the second.
    Into,
    /// A sequence of the arguments.
    Sequence,
    /// The first item, or another one.
    First,
    Item,
    /// Items of the last argument, whose choice depends on the other arguments.
    Items,
    /// The same of the first argument.
    ItemsOfFirst,
    /// Items whose choice or order depends on all items.
    Ordered,
    Keys,
    Vals,
    /// A fact about the value as a whole: its kind, or the number of its items.
    Kind,
    /// The results of a function for each item.
    Results,
    /// The items of these results.
    FlatResults,
    /// Items that a function chooses.
    Kept,
    /// One item that a function chooses.
    Found,
    /// The result of a function for one of the items.
    SomeResult,
    /// A fact about the results of a function.
    Test,
    Reduce,
    /// Items under the results of a function.
    Groups,
    /// An item under each result.
    Index,
    /// Items whose choice or order depends on the results of a function.
    OrderedBy,
    FoundBy,
    /// Calls a function with each item.
    Run,
    /// Calls a function with items as arguments.
    Apply,
    /// The map with the results of a function for its values.
    UpdateVals,
    /// Calls its last argument.
    Once,
    /// Calls its first argument and looks at what was printed.
    Printed,
    Cell,
    Deref,
    Reset,
    Swap,
    Throw,
    Print,
    MemoryPut,
    MemoryGet,
    PayloadGet,
    PayloadPut,
    PayloadPush,
    Conversation,
    /// Ends the program with its argument.
    End,
    /// A value that depends on no argument.
    Nothing,
}

const RULES: &[(&str, Rule)] = &[
    ("get", Rule::Get),
    ("nth", Rule::Get),
    ("ptc/item", Rule::Get),
    ("ptc/seq-item", Rule::Get),
    ("get-in", Rule::GetIn),
    ("identity", Rule::Same),
    ("vec", Rule::Same),
    ("seq", Rule::Same),
    ("not-empty", Rule::Same),
    ("reduced", Rule::Same),
    ("unreduced", Rule::Same),
    ("ptc/as-map", Rule::AsMap),
    ("ptc/as-list", Rule::Same),
    ("ptc/realized", Rule::Same),
    ("doall", Rule::Same),
    ("dissoc", Rule::Same),
    ("assoc", Rule::Assoc),
    ("hash-map", Rule::Assoc),
    ("array-map", Rule::Assoc),
    ("assoc-in", Rule::AssocIn),
    ("update", Rule::Update),
    ("update-in", Rule::UpdateIn),
    ("select-keys", Rule::SelectKeys),
    ("merge", Rule::Merge),
    ("conj", Rule::Conj),
    ("cons", Rule::Cons),
    ("into", Rule::Into),
    ("concat", Rule::Concat),
    ("vector", Rule::Sequence),
    ("list", Rule::Sequence),
    ("first", Rule::First),
    ("second", Rule::Item),
    ("last", Rule::Item),
    ("peek", Rule::Item),
    ("rand-nth", Rule::Item),
    ("rest", Rule::ItemsOfFirst),
    ("next", Rule::ItemsOfFirst),
    ("butlast", Rule::ItemsOfFirst),
    ("pop", Rule::ItemsOfFirst),
    ("reverse", Rule::ItemsOfFirst),
    ("rseq", Rule::ItemsOfFirst),
    ("shuffle", Rule::ItemsOfFirst),
    ("subvec", Rule::ItemsOfFirst),
    ("nthrest", Rule::ItemsOfFirst),
    ("ptc/rest-from", Rule::ItemsOfFirst),
    ("take", Rule::Items),
    ("drop", Rule::Items),
    ("take-last", Rule::Items),
    ("drop-last", Rule::Items),
    ("take-nth", Rule::Items),
    ("sort", Rule::Ordered),
    ("distinct", Rule::Ordered),
    ("dedupe", Rule::Ordered),
    ("set", Rule::Ordered),
    ("keys", Rule::Keys),
    ("vals", Rule::Vals),
    ("count", Rule::Kind),
    ("empty?", Rule::Kind),
    ("nil?", Rule::Kind),
    ("some?", Rule::Kind),
    ("not", Rule::Kind),
    ("boolean", Rule::Kind),
    ("map?", Rule::Kind),
    ("vector?", Rule::Kind),
    ("coll?", Rule::Kind),
    ("seq?", Rule::Kind),
    ("sequential?", Rule::Kind),
    ("string?", Rule::Kind),
    ("number?", Rule::Kind),
    ("map", Rule::Results),
    ("mapv", Rule::Results),
    ("pmap", Rule::Results),
    ("keep", Rule::Results),
    ("ptc/given", Rule::Results),
    ("mapcat", Rule::FlatResults),
    ("filter", Rule::Kept),
    ("filterv", Rule::Kept),
    ("remove", Rule::Kept),
    ("take-while", Rule::Kept),
    ("drop-while", Rule::Kept),
    ("find-first", Rule::Found),
    ("some", Rule::SomeResult),
    ("every?", Rule::Test),
    ("not-every?", Rule::Test),
    ("not-any?", Rule::Test),
    ("reduce", Rule::Reduce),
    ("group-by", Rule::Groups),
    ("index-by", Rule::Index),
    ("sort-by", Rule::OrderedBy),
    ("distinct-by", Rule::OrderedBy),
    ("max-by", Rule::FoundBy),
    ("min-by", Rule::FoundBy),
    ("run!", Rule::Run),
    ("apply", Rule::Apply),
    ("update-vals", Rule::UpdateVals),
    ("flow/step", Rule::Once),
    ("ptc/with-out-str", Rule::Printed),
    ("atom", Rule::Cell),
    ("volatile!", Rule::Cell),
    ("deref", Rule::Deref),
    ("force", Rule::Deref),
    ("reset!", Rule::Reset),
    ("vreset!", Rule::Reset),
    ("swap!", Rule::Swap),
    ("vswap!", Rule::Swap),
    ("throw", Rule::Throw),
    ("ptc/assert-failed", Rule::Throw),
    ("println", Rule::Print),
    ("print", Rule::Print),
    ("prn", Rule::Print),
    ("pr", Rule::Print),
    ("printf", Rule::Print),
    ("memory/put", Rule::MemoryPut),
    ("artifact/put", Rule::MemoryPut),
    ("memory/get", Rule::MemoryGet),
    ("artifact/get", Rule::MemoryGet),
    ("payload/get", Rule::PayloadGet),
    ("payload/put", Rule::PayloadPut),
    ("payload/merge", Rule::PayloadPut),
    ("payload/push", Rule::PayloadPush),
    ("payload/delete", Rule::PayloadPut),
    ("conversation/all", Rule::Conversation),
    ("conversation/first", Rule::Conversation),
    ("conversation/last", Rule::Conversation),
    ("flow/continue", Rule::End),
    ("ask", Rule::Nothing),
    ("ptc/none", Rule::Nothing),
];

pub(super) static BY_ID: LazyLock<HashMap<BuiltinId, Rule>> =
    LazyLock::new(|| RULES.iter().filter_map(|(name, rule)| Some((find(name)?, *rule))).collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_told_apart_by_name() {
        let mut names: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), RULES.len());
    }
}

//! The rules of builtins: how exact the flow of a result is. A builtin without a rule is [`Walk::plain`].

use std::collections::HashMap;
use std::sync::LazyLock;

use ptc_facts::flows::{Flow, Held, Key, Label, Site};
use ptc_facts::registry::facts::ResultShape;
use ptc_facts::registry::{Registered, find};
use ptc_signatures::Kinds;
use ptc_values::{BuiltinId, Value};

use super::walk::Walk;

/// The use that a builtin makes of the flows of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// The part of the first argument at a key.
    Get,
    /// The part on a path of keys.
    GetIn,
    /// The first argument itself.
    Same,
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
    ("sequence", Rule::Same),
    ("reduced", Rule::Same),
    ("unreduced", Rule::Same),
    ("ptc/as-map", Rule::Same),
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
    ("into", Rule::Concat),
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

static BY_ID: LazyLock<HashMap<BuiltinId, Rule>> =
    LazyLock::new(|| RULES.iter().filter_map(|(name, rule)| Some((find(name)?, *rule))).collect());

/// Builtins that only keep a function, which others call without a call of theirs in the program.
const LATE: &[&str] = &["ptc/lazy", "ptc/delay", "ptc/iterated", "ptc/stream-of"];

/// The most turns until the value of a `reduce` must be stable.
const MOST_TURNS: usize = 40;

impl Walk<'_> {
    /// Calls a builtin.
    pub(super) fn builtin(&mut self, id: BuiltinId, args: &[Flow], at: Site) -> Flow {
        if args.iter().any(Flow::is_never) {
            return Flow::never();
        }
        if self.tries > 0 {
            for arg in args {
                self.may_fail(&arg.deep());
            }
        }
        let rule = BY_ID.get(&id).copied().filter(|_| !id.makes_transducer(args.len()));
        let found = rule.and_then(|rule| self.apply(rule, args, at));
        found.unwrap_or_else(|| self.plain(id, args, at))
    }

    /// Calls a builtin without a rule. It may call each function that it gets with anything that it gets.
    fn plain(&mut self, id: BuiltinId, args: &[Flow], at: Site) -> Flow {
        let mut whole = Flow::default();
        for arg in args {
            whole = whole.with(&arg.deep()).with_held(&arg.all_held());
        }
        let builtin = id.builtin();
        let outer = self.control.clone();
        let calls = !builtin.is_pure || LATE.contains(&builtin.name);
        if calls {
            // It may depend on any of it how often a function is called.
            self.test(&whole.label);
        }
        whole = self.whole(whole, calls);
        self.control = outer;
        let is_text = matches!(builtin.facts.gives, ResultShape::Kinds(kinds) | ResultShape::OrNil(kinds)
            if !kinds.meets(Kinds::LIST | Kinds::MAP | Kinds::OTHER));
        self.fill_cells(id, &whole);
        if is_text {
            // A function is printed with its name.
            let has_name =
                whole.held().iter().any(|it| matches!(it, Held::Lambda(_) | Held::Made(_)));
            let label = if has_name { self.constants() } else { Label::default() };
            return Flow::of(whole.label).with(&label);
        }
        if whole.held().iter().any(|it| !matches!(it, Held::Cell(_))) {
            let made = self.kept.made.entry(at).or_insert_with(Flow::never);
            Walk::grow(made, &whole, &mut self.has_grown);
            return whole.with_held(&[Held::Made(at)]);
        }
        whole
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

    fn write(&mut self, cell: Site, value: &Flow) {
        let old = self.kept.cells.entry(cell).or_insert_with(Flow::never);
        Walk::grow(old, value, &mut self.has_grown);
    }

    /// Does something whose number of calls depends on a label.
    fn under<T>(&mut self, label: &Label, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.control.clone();
        self.test(label);
        if self.is_late() {
            // A lazy sequence calls its function later, behind other tests.
            let tests = self.tests.clone();
            self.control.add(&tests);
        }
        let done = act(self);
        self.control = outer;
        done
    }

    fn is_late(&self) -> bool {
        self.kept.programs.iter().any(|program| program.lazy_aware)
    }

    /// Calls a function with the items of collections; returns its result, with the label of their number.
    fn each(&mut self, function: &Flow, colls: &[Flow], at: Site) -> (Flow, Label) {
        let mut number = function.chosen();
        for coll in colls {
            number.add(&coll.label);
        }
        let items: Vec<Flow> = colls.iter().map(Flow::item).collect();
        let result = self.under(&number, |walk| walk.call(function, &items, at));
        (result, number)
    }

    /// Returns the flow of a call by a rule; none if the rule does not fit its arguments.
    fn apply(&mut self, rule: Rule, args: &[Flow], at: Site) -> Option<Flow> {
        Some(match (rule, args) {
            (Rule::Get, [coll, key, default @ ..]) => {
                let found = match key.as_key() {
                    Some(key) => coll.get(&key),
                    None => coll.value().or(&coll.item()).with(&key.deep()),
                };
                default.iter().fold(found, |found, other| found.or(other))
            }
            (Rule::GetIn, [coll, path, default @ ..]) => {
                let found = match path_of(path) {
                    Some(keys) => keys.iter().fold(coll.clone(), |coll, key| coll.get(key)),
                    None => coll.flat().with(&path.deep()),
                };
                default.iter().fold(found, |found, other| found.or(other))
            }
            (Rule::Same, [first, more @ ..]) => {
                more.iter().fold(first.clone(), |first, other| first.with(&other.deep()))
            }
            (Rule::Assoc, [coll, pairs @ ..]) if args.len() % 2 == 1 => put_all(coll, pairs),
            (Rule::Assoc, pairs) => put_all(&Flow::fields(Vec::new()), pairs),
            (Rule::AssocIn, [coll, path, value]) => match path_of(path) {
                Some(keys) => put_at(coll, &keys, value.clone(), &path.deep()),
                None => coll.flat().put(value).with(&path.deep()),
            },
            (Rule::Update, [coll, key, function, more @ ..]) => match key.as_key() {
                Some(name) => self.updated(coll, &[name], &key.deep(), function, more, at),
                None => return None,
            },
            (Rule::UpdateIn, [coll, path, function, more @ ..]) => {
                let keys = path_of(path)?;
                self.updated(coll, &keys, &path.deep(), function, more, at)
            }
            (Rule::SelectKeys, [coll, keys]) => {
                let keys_label = keys.deep();
                let Some(keys) = path_of(keys) else {
                    return Some(coll.clone().with(&keys_label));
                };
                let fields = keys.into_iter().map(|key| {
                    let part = coll.get(&key);
                    (key, part)
                });
                Flow::fields(fields.collect()).with(&coll.label).with_names(&keys_label)
            }
            (Rule::Merge, maps) => maps.iter().fold(Flow::never(), |all, map| all.or(map)),
            (Rule::Conj, [coll, items @ ..]) => {
                items.iter().fold(coll.clone(), |coll, item| coll.put(item))
            }
            (Rule::Cons, [item, coll]) => Flow::items(coll.item().or(item)).with(&coll.label),
            (Rule::Concat, colls) => {
                let mut item = Flow::never();
                let mut own = Label::default();
                for coll in colls {
                    item = item.or(&coll.item());
                    own.add(&coll.label);
                }
                // What goes into a map has names.
                let named = colls.first().map_or_else(Flow::never, Flow::clone);
                Flow::items(item).or(&named).with(&own)
            }
            (Rule::Sequence, items) => {
                let items = items.iter().cloned().zip(0..);
                Flow::fields(items.map(|(item, at)| (Key::At(at), item)).collect())
            }
            (Rule::First, [coll]) => coll.get(&Key::At(0)),
            (Rule::Item, [coll]) => coll.item(),
            (Rule::ItemsOfFirst, [coll, more @ ..]) => chosen(coll, more),
            (Rule::Items, [more @ .., coll]) => chosen(coll, more),
            (Rule::Ordered, [coll]) => chosen(coll, std::slice::from_ref(coll)),
            (Rule::Keys, [coll]) => Flow::items(coll.item().get(&Key::At(0))).with(&coll.label),
            (Rule::Vals, [coll]) => Flow::items(coll.value()).with(&coll.label),
            (Rule::Kind, [value]) => Flow::of(value.label.clone()),
            (Rule::Reduce, [function, init @ .., coll]) => {
                return Some(self.reduced(function, init.first(), coll, at));
            }
            (Rule::Throw, [value, ..]) => {
                let place = self.place();
                let thrown = value.clone().with(&place);
                let mut has_grown = false;
                Walk::grow(&mut self.thrown, &thrown, &mut has_grown);
                self.has_grown |= has_grown;
                if self.tries > 0 {
                    self.may_fail(&place);
                } else {
                    self.left.add(&place.perhaps());
                }
                Flow::never()
            }
            _ => return self.call_rule(rule, args, at).or_else(|| self.state_rule(rule, args, at)),
        })
    }

    /// The rules of builtins that call functions.
    fn call_rule(&mut self, rule: Rule, args: &[Flow], at: Site) -> Option<Flow> {
        Some(match (rule, args) {
            (Rule::Results, [function, colls @ ..]) if !colls.is_empty() => {
                let outer = std::mem::take(&mut self.presence);
                let (result, number) = self.each(function, colls, at);
                let presence = std::mem::replace(&mut self.presence, outer);
                // `keep` leaves nil out.
                let nil = result.label.clone();
                Flow::items(result).with(&number).with(&presence).with(&nil)
            }
            (Rule::FlatResults, [function, colls @ ..]) if !colls.is_empty() => {
                let (result, number) = self.each(function, colls, at);
                Flow::items(result.item()).with(&number).with(&result.label)
            }
            (Rule::Kept, [function, coll]) => {
                let (test, _) = self.each(function, std::slice::from_ref(coll), at);
                chosen(coll, &[test]).with(&function.chosen())
            }
            (Rule::Found, [function, coll]) => {
                let (test, number) = self.each(function, std::slice::from_ref(coll), at);
                coll.item().with(&test.label).with(&number)
            }
            (Rule::SomeResult, [function, coll]) => {
                let (result, number) = self.each(function, std::slice::from_ref(coll), at);
                let own = result.label.clone();
                result.with(&own).with(&number)
            }
            (Rule::Test, [function, coll]) => {
                let (test, number) = self.each(function, std::slice::from_ref(coll), at);
                Flow::of(test.label).with(&number)
            }
            (Rule::Groups, [function, coll]) => {
                let (key, number) = self.each(function, std::slice::from_ref(coll), at);
                Flow::items(chosen(coll, &[])).with(&key.deep()).with(&number)
            }
            (Rule::Index, [function, coll]) => {
                let (key, number) = self.each(function, std::slice::from_ref(coll), at);
                Flow::items(coll.item()).with(&key.deep()).with(&number)
            }
            (Rule::OrderedBy, [function, coll]) => {
                let (key, _) = self.each(function, std::slice::from_ref(coll), at);
                chosen(coll, &[key]).with(&function.chosen())
            }
            (Rule::FoundBy, [function, coll]) => {
                let (key, number) = self.each(function, std::slice::from_ref(coll), at);
                coll.item().with(&key.deep()).with(&number)
            }
            (Rule::Run, [function, coll]) => {
                self.each(function, std::slice::from_ref(coll), at);
                Flow::default()
            }
            (Rule::Apply, [function, more @ .., coll]) => {
                let mut item = coll.item();
                item = more.iter().fold(item, |item, other| item.or(other));
                let mut whole = item.flat().with(&coll.label).with_held(&item.all_held());
                whole = whole.with(&item.deep());
                self.under(&coll.label, |walk| walk.call_any(function.held(), &whole))
                    .or(&if function.is_data() { whole.clone() } else { Flow::never() })
                    .with(&function.chosen())
                    .with(&coll.label)
            }
            (Rule::UpdateVals, [coll, function]) => {
                let value = coll.value();
                let result = self.under(&coll.label, |walk| walk.call(function, &[value], at));
                let items = Flow::items(result).with_names(coll.names());
                items.with(&coll.label).with(&function.chosen())
            }
            (Rule::Once, [.., function]) => self.call(function, &[], at),
            (Rule::Printed, [function]) => {
                let result = self.call(function, &[], at);
                Flow::of(self.printed.clone()).with(&result.label)
            }
            _ => return None,
        })
    }

    /// The rules of builtins that read or change a state.
    fn state_rule(&mut self, rule: Rule, args: &[Flow], at: Site) -> Option<Flow> {
        let place = self.place();
        Some(match (rule, args) {
            (Rule::Cell, [value]) => {
                self.write(at, &value.clone().with(&place));
                Flow::holding(Held::Cell(at))
            }
            (Rule::Deref, [cell]) => {
                if cell.held().iter().any(|it| !matches!(it, Held::Cell(_))) {
                    return None;
                }
                self.inside(cell)
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
                let mut label = self.labels.sources.conversation();
                label.add(&self.kept.conversation);
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

    fn updated(
        &mut self,
        coll: &Flow,
        keys: &[Key],
        names: &Label,
        function: &Flow,
        more: &[Flow],
        at: Site,
    ) -> Flow {
        let mut all = vec![keys.iter().fold(coll.clone(), |coll, key| coll.get(key))];
        all.extend(more.iter().cloned());
        let value = self.call(function, &all, at);
        put_at(coll, keys, value, names)
    }

    fn reduced(&mut self, function: &Flow, init: Option<&Flow>, coll: &Flow, at: Site) -> Flow {
        let mut number = coll.label.clone();
        number.add(&function.chosen());
        let item = coll.item();
        let mut so_far = init.map_or_else(|| item.clone(), Flow::clone);
        for turn in 0.. {
            let args = [so_far.clone(), item.clone()];
            let next = self.under(&number, |walk| walk.call(function, &args, at));
            let both = so_far.or(&next);
            if both == so_far || self.is_coarse {
                break;
            }
            so_far = both;
            self.is_coarse = turn == MOST_TURNS;
        }
        so_far.with(&number)
    }
}

/// Returns the items of a collection, whose choice depends on other values.
fn chosen(coll: &Flow, by: &[Flow]) -> Flow {
    let items = Flow::items(coll.item()).with(&coll.label).with_held(coll.held());
    by.iter().fold(items, |items, other| items.with(&other.deep()))
}

/// Returns the keys of a constant path.
fn path_of(path: &Flow) -> Option<Vec<Key>> {
    match path.as_constant() {
        Some(Value::Vector(path)) => path.iter().map(Key::of).collect(),
        _ => None,
    }
}

fn put_all(coll: &Flow, pairs: &[Flow]) -> Flow {
    pairs.chunks_exact(2).fold(coll.clone(), |map, pair| Walk::put_in(&map, &pair[0], &pair[1]))
}

/// Returns a collection with a part on a path of keys, whose names have a label.
fn put_at(coll: &Flow, keys: &[Key], value: Flow, names: &Label) -> Flow {
    match keys {
        [] => value,
        [key, more @ ..] => {
            let inner = put_at(&coll.get(key), more, value, names);
            coll.set(key, inner).with_names(names)
        }
    }
}

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

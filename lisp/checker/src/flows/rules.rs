//! The rules of builtins: how exact the flow of a result is. A builtin without a rule is [`Walk::plain`].

use ptc_facts::flows::{Flow, Held, Key, Label, Site};
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::ResultShape;
use ptc_signatures::Kinds;
use ptc_values::BuiltinId;

use super::paths::{path_of, put_at};
use super::rule_table::{BY_ID, Rule};
use super::walk::Walk;

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

    pub(super) fn is_late(&self) -> bool {
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

    /// Calls a function with items until its result ends that.
    fn each_until(&mut self, function: &Flow, coll: &Flow, at: Site) -> (Flow, Label) {
        let (result, number) = self.each(function, std::slice::from_ref(coll), at);
        self.note_test(&result.label);
        let mut ends = number.clone();
        ends.add(&result.label);
        if ends == number {
            return (result, number);
        }
        // Whether there is a next call depends on the results.
        let again = self.under(&ends, |walk| walk.call(function, &[coll.item()], at));
        (result.or(&again), number)
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
            (Rule::AsMap, [value]) => value.of_pairs().unwrap_or_else(|| value.clone()),
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
                let none = Flow::fields(Vec::new()).with(&coll.label).with_names(&keys_label);
                keys.iter().fold(none, |map, key| map.set(key, coll.get(key)))
            }
            // A vector is an entry of a map.
            (Rule::Merge, maps) if maps.iter().any(|it| it.is_list() || it.has_places()) => {
                return None;
            }
            (Rule::Merge, [first, maps @ ..]) => {
                maps.iter().fold(first.clone(), |all, map| all.or(map))
            }
            (Rule::Conj, [coll, items @ ..]) => {
                items.iter().fold(coll.clone(), |coll, item| coll.conj(item))
            }
            (Rule::Cons, [item, coll]) => {
                Flow::items(coll.item().or(item)).with(&coll.label).listed()
            }
            (Rule::Into, [to, from]) if to.has_names() && from.has_names() => to.or(from),
            (Rule::Into, [to, from]) => to.conj(&from.item()).with(&from.label),
            (Rule::Concat, colls) => {
                let mut item = Flow::never();
                let mut own = Label::default();
                for coll in colls {
                    item = item.or(&coll.item());
                    own.add(&coll.label);
                }
                Flow::items(item).with(&own).listed()
            }
            (Rule::Sequence, items) => {
                let items = items.iter().cloned().zip(0..);
                Flow::fields(items.map(|(item, at)| (Key::At(at), item)).collect()).listed()
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
                Flow::items(result).with(&number).with(&presence).with(&nil).listed()
            }
            (Rule::FlatResults, [function, colls @ ..]) if !colls.is_empty() => {
                let (result, number) = self.each(function, colls, at);
                Flow::items(result.item()).with(&number).with(&result.label).listed()
            }
            (Rule::Kept, [function, coll]) => {
                let (test, _) = self.each_until(function, coll, at);
                chosen(coll, &[test]).with(&function.chosen())
            }
            (Rule::Found, [function, coll]) => {
                let (test, number) = self.each_until(function, coll, at);
                coll.item().with(&test.label).with(&number)
            }
            (Rule::SomeResult, [function, coll]) => {
                let (result, number) = self.each_until(function, coll, at);
                // Without items it is nil.
                let (own, nil) = (result.label.clone(), Flow::default());
                result.or(&nil).with(&own).with(&number)
            }
            (Rule::Test, [function, coll]) => {
                let (test, number) = self.each_until(function, coll, at);
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
                let data = if function.is_data() { whole.clone() } else { Flow::never() };
                let result = self.under(&coll.label, |walk| {
                    let mut result = walk.call_any(function.held(), &whole);
                    for held in function.held() {
                        result = match held {
                            Held::Builtin(id) => {
                                result.or(&walk.plain(*id, std::slice::from_ref(&whole), at))
                            }
                            _ => result,
                        };
                    }
                    result
                });
                result.or(&data).with(&function.chosen()).with(&coll.label)
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
            // `reduced` ends the walk, so the result decides whether there is a next call.
            let before = number.clone();
            number.add(&next.label);
            if both == so_far && number == before || self.is_coarse {
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
    let items = Flow::items(coll.item()).with(&coll.label).with_held(coll.held()).listed();
    by.iter().fold(items, |items, other| items.with(&other.deep()))
}

fn put_all(coll: &Flow, pairs: &[Flow]) -> Flow {
    pairs.chunks_exact(2).fold(coll.clone(), |map, pair| Walk::put_in(&map, &pair[0], &pair[1]))
}

//! Sets, and the functions of `clojure.set`. They are meant for sets, but also accept other
//! collections, with the same results as in Clojure.

use std::sync::Arc;

use super::collection::{conj_all, contains};
use super::facts::{ANY, LazyInput, lazily, listed};
use super::sequence::count_of;
use super::{Row, class_name, pure, take, wrong_type};
use ptc_machine::{Cx, items_of};
use ptc_values::{COPY_MAX, Map, Res, Set, Value};

pub const TABLE: &[Row] = &[
    pure(
        "disj",
        "set & members",
        "The set without the given members.",
        "(disj #{1 2} 1) => #{2}",
        lazily(ANY, LazyInput::Function),
        |cx, args| match take(args, 0) {
            Value::Nil => Ok(Value::Nil),
            Value::Set(mut set) => {
                for member in &args[1..] {
                    cx.spend(1)?;
                    cx.look_for(member)?;
                    if set.contains(member) {
                        cx.own_table(&mut set)?.remove(member);
                    }
                }
                Ok(Value::Set(set))
            }
            other if args.len() == 1 => Ok(other),
            other => Err(wrong_type("disj", "a set", &other)),
        },
    ),
    pure(
        "set/union",
        "& sets",
        "The members of any of the sets.",
        "(set/union #{1} #{2}) => #{1 2}",
        listed(ANY).of_sorted(0).several(),
        union,
    ),
    pure(
        "set/intersection",
        "set & sets",
        "The members of all of the sets.",
        "(set/intersection #{1 2} #{2}) => #{2}",
        listed(ANY).several(),
        |cx, args| fold(cx, args, intersection),
    ),
    pure(
        "set/difference",
        "set & sets",
        "The members of the first set only.",
        "(set/difference #{1 2} #{2}) => #{1}",
        listed(ANY),
        |cx, args| fold(cx, args, difference),
    ),
    pure(
        "set/subset?",
        "set1 set2",
        "Whether the second set has all members of the first.",
        "(set/subset? #{1} #{1 2}) => true",
        listed(ANY),
        |cx, args| is_subset(cx, "set/subset?", take(args, 0), &args[1]),
    ),
    pure(
        "set/superset?",
        "set1 set2",
        "Whether the first set has all members of the second.",
        "(set/superset? #{1 2} #{1}) => true",
        listed(ANY),
        |cx, args| is_subset(cx, "set/superset?", take(args, 1), &args[0]),
    ),
    pure(
        "set/rename-keys",
        "map names",
        "The map with keys renamed.",
        "(set/rename-keys {:a 1} {:a :b}) => {:b 1}",
        listed(ANY),
        |cx, args| match (&args[0], &args[1]) {
            (Value::Nil, Value::Map(_)) => Ok(Value::Nil),
            (Value::Map(map), Value::Map(names)) => {
                cx.spend(map.len() as u64 + names.len() as u64)?;
                let mut renamed = Map::default();
                for (key, value) in map.iter().filter(|(key, _)| !names.contains(key)) {
                    renamed.insert((key.clone(), value.clone()));
                }
                for (old, new) in names.iter() {
                    if let Some(value) = map.get(old) {
                        renamed.insert((new.clone(), value.clone()));
                    }
                }
                cx.map(renamed)
            }
            (Value::Map(_), other) | (other, _) => {
                Err(wrong_type("set/rename-keys", "maps", other))
            }
        },
    ),
];

fn count(who: &str, value: &Value) -> Res<usize> {
    count_of(who, value).map_err(|problem| {
        problem.with_class("UnsupportedOperationException").with_jvm_message(format!(
            "count not supported on this type: {}",
            class_name(value, false)
        ))
    })
}

fn union(cx: &mut Cx, args: &mut [Value]) -> Res {
    let [first, rest @ ..] = args else { return Ok(Value::set([])) };
    let mut all = std::mem::take(first);
    for more in rest {
        let more = std::mem::take(more);
        // Sets keep the order of the arguments; of other collections the larger one grows.
        let grows = matches!((&all, &more), (Value::Set(_), Value::Set(_) | Value::Nil))
            || count("set/union", &all)? >= count("set/union", &more)?;
        let (large, small) = if grows { (all, more) } else { (more, all) };
        let members = items_of(cx, small)?;
        all = conj_all(cx, large, members)?;
    }
    Ok(all)
}

fn fold(cx: &mut Cx, args: &mut [Value], step: fn(&mut Cx, Value, Value) -> Res) -> Res {
    let [first, rest @ ..] = args else { return Ok(Value::Nil) };
    let mut left = std::mem::take(first);
    for other in rest {
        left = step(cx, left, std::mem::take(other))?;
    }
    Ok(left)
}

fn intersection(cx: &mut Cx, left: Value, right: Value) -> Res {
    let who = "set/intersection";
    if matches!((&left, &right), (Value::Set(_), Value::Set(_))) {
        return keep(cx, who, left, &right, |member| contains(who, &right, member));
    }
    let (left, right) =
        if count(who, &right)? < count(who, &left)? { (right, left) } else { (left, right) };
    keep(cx, who, left, &right, |member| contains(who, &right, member))
}

fn difference(cx: &mut Cx, left: Value, right: Value) -> Res {
    let who = "set/difference";
    if count(who, &left)? < count(who, &right)?
        || matches!(&right, Value::Set(_)) && count(who, &left)? <= COPY_MAX
    {
        return keep(cx, who, left, &right, |member| Ok(!contains(who, &right, member)?));
    }
    let (mut set, right) = match (left, right) {
        (Value::Set(left), Value::Set(right)) => (left, right),
        (left, right) => {
            let members = items_of(cx, right)?;
            let drop = cx.set_of(members.into_iter())?;
            return keep(cx, who, left, &drop, |member| Ok(!contains(who, &drop, member)?));
        }
    };
    // Fewer members are removed than the set has.
    cx.spend(right.len() as u64 * 2)?;
    if right.iter().any(|member| set.contains(member)) {
        let own = cx.own_table(&mut set)?;
        for member in right.iter() {
            own.remove(member);
        }
    }
    Ok(Value::Set(set))
}

/// Keeps only the members of a set that pass. A value that is not a set cannot lose one.
///
/// `other` is the collection in which members are looked up: a text is counted for each.
fn keep(
    cx: &mut Cx,
    who: &str,
    from: Value,
    other: &Value,
    mut passes: impl FnMut(&Value) -> Res<bool>,
) -> Res {
    cx.spend(count(who, &from)? as u64)?;
    let (mut gone, mut kept) = (Vec::new(), Vec::new());
    for item in items_of(cx, from.clone())? {
        cx.look_for(&item)?;
        cx.charge_arguments(std::slice::from_ref(other))?;
        let place = if passes(&item)? { &mut kept } else { &mut gone };
        place.push(item);
    }
    match from {
        // Removing members one after another from a shared set would copy it first.
        Value::Set(set)
            if !gone.is_empty() && set.order().is_none() && Arc::strong_count(&set) > 1 =>
        {
            cx.before_change(&set)?;
            let mut own = Set::with_capacity(kept.len());
            for member in kept {
                own.insert(member);
            }
            Ok(Value::Set(Arc::new(own)))
        }
        Value::Set(mut set) if !gone.is_empty() => {
            let own = cx.own_table(&mut set)?;
            for member in &gone {
                own.remove(member);
            }
            Ok(Value::Set(set))
        }
        from if gone.is_empty() => Ok(from),
        from => Err(wrong_type(who, "a set", &from)),
    }
}

fn is_subset(cx: &mut Cx, who: &str, small: Value, large: &Value) -> Res {
    if count(who, &small)? > count(who, large)? {
        return Ok(Value::Bool(false));
    }
    for item in items_of(cx, small)? {
        cx.look_for(&item)?;
        cx.charge_arguments(std::slice::from_ref(large))?;
        if !contains(who, large, &item)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

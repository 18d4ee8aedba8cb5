//! Inserts into a map or set that a function of the program sorts.

use std::sync::Arc;

use super::cx::Cx;
use super::request::{CallsBack, Request};
use super::sorting::order_of;
use ptc_values::{Map, Order, Res, Row, Search, Set, Table, Value};

/// The search for the place of a key, which stops at every comparison.
pub struct SortedInsert {
    collection: Value,
    key: Value,
    value: Value,
    search: Search,
    /// The number of the row that the key is compared with.
    number: u64,
    /// Whether the turned question is pending: is the row before the key?
    turned: bool,
}

impl SortedInsert {
    /// Inserts a value under a key of a sorted map, or a key into a sorted set.
    pub fn new(collection: Value, key: Value, value: Value) -> SortedInsert {
        SortedInsert { collection, key, value, search: Search::default(), number: 0, turned: false }
    }

    fn is_there(&self) -> bool {
        match &self.collection {
            Value::Map(map) => map.contains(&self.key),
            Value::Set(set) => set.contains(&self.key),
            _ => false,
        }
    }

    /// Asks the function to compare the key with that of the row.
    fn ask(&self, cx: &mut Cx, stack: &mut Vec<Value>) -> Res<Request> {
        cx.spend(1)?;
        let (order, row) = match &self.collection {
            Value::Map(map) => (map.order(), map.key_at(self.number)),
            Value::Set(set) => (set.order(), set.key_at(self.number)),
            _ => (None, None),
        };
        let function = match order {
            Some(Order::By(function)) => function.clone(),
            _ => Value::Nil,
        };
        let (key, row) = (self.key.clone(), row.cloned().unwrap_or_default());
        stack.push(function);
        stack.extend(if self.turned { [row, key] } else { [key, row] });
        Ok(Request::Call(2))
    }
}

impl CallsBack for SortedInsert {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        let mut same = false;
        match got {
            None => cx.key(&self.key)?,
            Some(answer) => match order_of(&answer, self.turned)? {
                Some(order) if order.is_eq() => same = true,
                Some(order) => self.search.narrow(order, self.number),
                None => {
                    self.turned = true;
                    return self.ask(cx, stack);
                }
            },
        }
        self.turned = false;
        if !same && !self.is_there() {
            let probe = match &self.collection {
                Value::Map(map) => map.probe(self.search).map(|(_, number)| number),
                Value::Set(set) => set.probe(self.search).map(|(_, number)| number),
                _ => None,
            };
            if let Some(number) = probe {
                self.number = number;
                return self.ask(cx, stack);
            }
        }
        let (key, value) = (std::mem::take(&mut self.key), std::mem::take(&mut self.value));
        let replaced = same.then_some(self.number);
        Ok(Request::Done(match std::mem::take(&mut self.collection) {
            Value::Map(mut map) => {
                put(cx, &mut map, self.search, replaced, (key, value))?;
                cx.changed_map(map, 80)?
            }
            Value::Set(mut set) => {
                put(cx, &mut set, self.search, replaced, key)?;
                cx.depth(set.depth())?;
                Value::Set(set)
            }
            other => other,
        }))
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        [&self.collection, &self.key, &self.value].into_iter().for_each(visit);
    }
}

fn put<R: Row<Key = Value>>(
    cx: &mut Cx,
    table: &mut Arc<Table<R>>,
    search: Search,
    replaced: Option<u64>,
    row: R,
) -> Res<()> {
    let own = cx.own_table(table)?;
    let moved = match replaced {
        Some(number) => {
            own.replace_at(number, row);
            0
        }
        None if own.contains(row.key()) => {
            own.insert(row);
            0
        }
        None => own.insert_at(search, row),
    };
    cx.alloc(80)?;
    cx.spend(moved as u64)
}

/// Makes an empty map or set that a function sorts.
pub fn sorted_by(function: Value, map: bool) -> Value {
    let order = Order::By(function);
    if map {
        Value::Map(Arc::new(Map::sorted(order)))
    } else {
        Value::Set(Arc::new(Set::sorted(order)))
    }
}

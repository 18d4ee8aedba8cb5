//! `merge-with`, as a state machine.

use std::sync::Arc;

use crate::cx::Cx;
use crate::request::{CallsBack, Request};
use ptc_values::{Map, Res, Value};

pub struct Merge {
    pub(super) function: Value,
    pub(super) entries: std::vec::IntoIter<Value>,
    pub(super) map: Arc<Map>,
    pub(super) key: Value,
}

impl CallsBack for Merge {
    fn step(&mut self, cx: &mut Cx, stack: &mut Vec<Value>, got: Option<Value>) -> Res<Request> {
        if let Some(result) = got {
            let map = cx.own_table(&mut self.map)?;
            cx.insert(map, (std::mem::take(&mut self.key), result))?;
        }
        for entry in self.entries.by_ref() {
            cx.spend(1)?;
            let Value::Vector(entry) = &entry else { continue };
            let (Some(key), Some(value)) = (entry.get(0), entry.get(1)) else { continue };
            cx.key(key)?;
            let map = cx.own_table(&mut self.map)?;
            match map.get_mut(key) {
                Some(old) => {
                    self.key = key.clone();
                    stack.extend([self.function.clone(), std::mem::take(old), value.clone()]);
                    return Ok(Request::Call(2));
                }
                None => cx.insert(map, (key.clone(), value.clone()))?,
            }
        }
        cx.changed_map(std::mem::take(&mut self.map), 64).map(Request::Done)
    }

    fn each_value(&self, visit: &mut impl FnMut(&Value)) {
        self.entries.as_slice().iter().for_each(&mut *visit);
        visit(&Value::Map(self.map.clone()));
    }
}

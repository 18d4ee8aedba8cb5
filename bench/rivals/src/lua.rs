//! Lua 5.4: written in C and unmetered; a yardstick, not a sandbox.

use serde_json::Value as Json;

use crate::{Rival, Row};

pub struct Lua {
    lua: mlua::Lua,
}

impl Lua {
    pub fn new() -> Lua {
        let lua = mlua::Lua::new();
        let host = lua.create_function(|_, n: i64| Ok(n)).expect("is made");
        lua.globals().set("host", host).expect("is set");
        Lua { lua }
    }

    /// Converts JSON to tables. The conversion of `mlua` does not support numbers of any size.
    fn table(&self, json: &Json) -> mlua::Value {
        match json {
            Json::Null => mlua::Value::Nil,
            Json::Bool(bool) => mlua::Value::Boolean(*bool),
            Json::Number(number) => match number.as_i64() {
                Some(int) => mlua::Value::Integer(int),
                None => mlua::Value::Number(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => {
                mlua::Value::String(self.lua.create_string(text).expect("is made"))
            }
            Json::Array(items) => {
                let items = items.iter().map(|item| self.table(item));
                mlua::Value::Table(self.lua.create_sequence_from(items).expect("is made"))
            }
            Json::Object(rows) => {
                let rows = rows.iter().map(|(key, value)| (key.as_str(), self.table(value)));
                mlua::Value::Table(self.lua.create_table_from(rows).expect("is made"))
            }
        }
    }
}

/// Converts a program's result to JSON.
fn json(value: &mlua::Value) -> Json {
    match value {
        mlua::Value::Integer(int) => Json::from(*int),
        mlua::Value::Number(number) => Json::from(*number),
        mlua::Value::String(text) => Json::from(text.to_string_lossy()),
        mlua::Value::Table(table) if table.raw_len() > 0 => table
            .sequence_values::<mlua::Value>()
            .map(|item| json(&item.expect("is there")))
            .collect(),
        mlua::Value::Table(table) => table
            .pairs::<String, mlua::Value>()
            .map(|row| row.expect("has a name"))
            .map(|(key, value)| (key, json(&value)))
            .collect(),
        _ => Json::Null,
    }
}

impl Rival for Lua {
    fn name(&self) -> &'static str {
        "Lua 5.4"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "return 1 + 2",
            Row::Sequence => {
                "local xs, squares, total = {}, {}, 0
                 for i = 0, 39 do if i % 2 == 1 then xs[#xs + 1] = i end end
                 for i, x in ipairs(xs) do squares[i] = x * x end
                 for _, x in ipairs(squares) do total = total + x end
                 return total"
            }
            Row::Calls => {
                "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end return fib(22)"
            }
            Row::Loop => "local total = 0 for i = 0, 999999 do total = total + i end return total",
            Row::Strings => {
                "local parts = {} for i = 0, 9999 do parts[#parts + 1] = 'item-' .. i end return #table.concat(parts, ',')"
            }
            Row::Host => "local total = 0 for i = 0, 999 do total = total + host(i) end return total",
            Row::Records => {
                "local groups, order = {}, {}
                 for _, row in ipairs(data.rows) do
                     if row.status == 'open' then
                         local group = groups[row.customer]
                         if not group then group = {} groups[row.customer] = group order[#order + 1] = row.customer end
                         group[#group + 1] = row
                     end
                 end
                 local out = {}
                 for _, customer in ipairs(order) do
                     local total = 0
                     for _, row in ipairs(groups[customer]) do total = total + row.total end
                     out[#out + 1] = { customer = customer, total = total, orders = #groups[customer] }
                 end
                 table.sort(out, function(a, b) return a.total > b.total end)
                 return out"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        if row == Row::Records {
            let data: serde_json::Value = serde_json::from_str(records).expect("is JSON");
            let data = self.table(&data);
            self.lua.globals().set("data", data).expect("is set");
            let out: mlua::Value = self.lua.load(source).eval().expect("runs");
            return json(&out).to_string();
        }
        let number: i64 = self.lua.load(source).eval().expect("runs");
        number.to_string()
    }
}

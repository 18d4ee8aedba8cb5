//! Lua 5.4: written in C and unmetered; a yardstick, not a sandbox.

use mlua::LuaSerdeExt;

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
            let data = self.lua.to_value(&data).expect("is a table");
            self.lua.globals().set("data", data).expect("is set");
            let out: mlua::Value = self.lua.load(source).eval().expect("runs");
            let out: serde_json::Value = self.lua.from_value(out).expect("is JSON");
            return out.to_string();
        }
        let number: i64 = self.lua.load(source).eval().expect("runs");
        number.to_string()
    }
}

//! Rhai: a scripting language for Rust.

use rhai::{Array, Dynamic, Engine, Scope};

use crate::{Rival, Row};

pub struct Rhai {
    engine: Engine,
}

impl Rhai {
    pub fn new() -> Rhai {
        let mut engine = Engine::new();
        engine.set_max_operations(100_000_000).set_max_call_levels(64);
        engine.register_fn("host", |n: i64| n);
        Rhai { engine }
    }
}

impl Rival for Rhai {
    fn name(&self) -> &'static str {
        "rhai"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "1 + 2",
            Row::Sequence => {
                "let xs = []; for i in 0..40 { xs.push(i); }
                 xs.filter(|x| x % 2 == 1).map(|x| x * x).reduce(|sum, x| sum + x, 0)"
            }
            Row::Calls => "fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fib(22)",
            Row::Loop => "let total = 0; for i in 0..1000000 { total += i; } total",
            Row::Strings => {
                "let text = \"\"; for i in 0..10000 { if i > 0 { text += \",\"; } text += \"item-\" + i; } text.len()"
            }
            Row::Host => "let total = 0; for i in 0..1000 { total += host(i); } total",
            Row::Records => {
                "let groups = #{};
                 for row in rows {
                     if row.status == \"open\" {
                         if !(row.customer in groups) { groups[row.customer] = []; }
                         groups[row.customer].push(row);
                     }
                 }
                 let out = [];
                 for customer in groups.keys() {
                     let rows = groups[customer];
                     let total = 0.0;
                     for row in rows { total += row.total; }
                     out.push(#{ customer: customer, total: total, orders: rows.len() });
                 }
                 out.sort(|a, b| if a.total > b.total { -1 } else if a.total < b.total { 1 } else { 0 });
                 out"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        let mut scope = Scope::new();
        if row == Row::Records {
            let mut whole = self.engine.parse_json(records, true).expect("is JSON");
            let rows = whole.remove("rows").expect("has rows");
            scope.push_dynamic("rows", rows);
        }
        let value: Dynamic = self.engine.eval_with_scope(&mut scope, source).expect("runs");
        if row == Row::Records {
            let rows: Array = value.cast();
            let rows: Vec<String> =
                rows.into_iter().map(|row| rhai::format_map_as_json(&row.cast())).collect();
            return format!("[{}]", rows.join(","));
        }
        value.to_string()
    }
}

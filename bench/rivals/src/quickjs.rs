//! QuickJS: written in C and unmetered; a yardstick.

use rquickjs::{Context, Function, Runtime};

use crate::{Rival, Row};

pub struct QuickJs {
    context: Context,
}

impl QuickJs {
    pub fn new() -> QuickJs {
        let runtime = Runtime::new().expect("starts");
        let context = Context::full(&runtime).expect("starts");
        context.with(|ctx| {
            let host = Function::new(ctx.clone(), |n: i32| n).expect("is made");
            ctx.globals().set("host", host).expect("is set");
        });
        QuickJs { context }
    }
}

impl Rival for QuickJs {
    fn name(&self) -> &'static str {
        "QuickJS"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "1 + 2",
            Row::Sequence => {
                "Array.from({ length: 40 }, (_, i) => i).filter(x => x % 2 === 1).map(x => x * x).reduce((a, b) => a + b, 0)"
            }
            Row::Calls => {
                "(function () { function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } return fib(22); })()"
            }
            Row::Loop => {
                "(function () { let total = 0; for (let i = 0; i < 1000000; i++) total += i; return total; })()"
            }
            Row::Strings => "Array.from({ length: 10000 }, (_, i) => 'item-' + i).join(',').length",
            Row::Host => {
                "(function () { let total = 0; for (let i = 0; i < 1000; i++) total += host(i); return total; })()"
            }
            Row::Records => {
                "(function () {
                     const groups = new Map();
                     for (const row of JSON.parse(text).rows) {
                         if (row.status !== 'open') continue;
                         if (!groups.has(row.customer)) groups.set(row.customer, []);
                         groups.get(row.customer).push(row);
                     }
                     const out = [...groups].map(([customer, rows]) => (
                         { customer, total: rows.reduce((sum, row) => sum + row.total, 0), orders: rows.length }));
                     return JSON.stringify(out.sort((a, b) => b.total - a.total));
                 })()"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        self.context.with(|ctx| {
            if row == Row::Records {
                ctx.globals().set("text", records).expect("is set");
                return ctx.eval::<String, _>(source).expect("runs");
            }
            let number: f64 = ctx.eval(source).expect("runs");
            number.to_string()
        })
    }
}

//! Starlark: the Python dialect of build systems.

use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension, Module};
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::syntax::{AstModule, Dialect};

use crate::{Rival, Row};

#[starlark_module]
fn host(builder: &mut GlobalsBuilder) {
    fn host(n: i32) -> anyhow::Result<i32> {
        Ok(n)
    }
}

pub struct Starlark {
    globals: Globals,
}

impl Starlark {
    pub fn new() -> Starlark {
        let extensions = [LibraryExtension::Json];
        Starlark { globals: GlobalsBuilder::extended_by(&extensions).with(host).build() }
    }
}

impl Rival for Starlark {
    fn name(&self) -> &'static str {
        "starlark"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "1 + 2",
            Row::Sequence => {
                "def run():\n    total = 0\n    for y in [x * x for x in range(40) if x % 2 == 1]:\n        total += y\n    return total\nrun()"
            }
            Row::Calls => {
                "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\nfib(22)"
            }
            Row::Loop => {
                "def run():\n    total = 0\n    for i in range(1000000):\n        total += i\n    return total\nrun()"
            }
            Row::Strings => "len(','.join(['item-' + str(i) for i in range(10000)]))",
            Row::Host => {
                "def run():\n    total = 0\n    for i in range(1000):\n        total += host(i)\n    return total\nrun()"
            }
            Row::Records => {
                "def run(text):
    groups = {}
    for row in json.decode(text)['rows']:
        if row['status'] == 'open':
            groups.setdefault(row['customer'], []).append(row)
    out = []
    for customer, rows in groups.items():
        total = 0.0
        for row in rows:
            total += row['total']
        out.append({'customer': customer, 'total': total, 'orders': len(rows)})
    return json.encode(sorted(out, key = lambda row: -row['total']))
run(text)"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        let ast =
            AstModule::parse("main.star", source.to_owned(), &Dialect::Standard).expect("parses");
        Module::with_temp_heap(|module| {
            if row == Row::Records {
                module.set("text", module.heap().alloc(records));
            }
            let mut evaluator = Evaluator::new(&module);
            let value = evaluator.eval_module(ast, &self.globals)?;
            starlark::Result::Ok(match value.unpack_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            })
        })
        .expect("runs")
    }
}

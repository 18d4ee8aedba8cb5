//! Monty: Python on a bytecode machine.

use monty::{MontyRun, RunProgress};
use monty_types::{CompileOptions, MontyObject, PrintWriter, ResourceTracker};

use crate::{Rival, Row};

pub struct Monty;

impl Rival for Monty {
    fn name(&self) -> &'static str {
        "monty"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "1 + 2",
            Row::Sequence => "sum([x * x for x in range(40) if x % 2 == 1])",
            Row::Calls => {
                "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\nfib(22)"
            }
            Row::Loop => "total = 0\nfor i in range(1000000):\n    total += i\ntotal",
            Row::Strings => "len(','.join(['item-' + str(i) for i in range(10000)]))",
            Row::Host => "total = 0\nfor i in range(1000):\n    total += host(i)\ntotal",
            Row::Records => {
                "import json
groups = {}
for row in json.loads(text)['rows']:
    if row['status'] == 'open':
        groups.setdefault(row['customer'], []).append(row)
out = [{'customer': customer, 'total': sum([row['total'] for row in rows]), 'orders': len(rows)}
       for customer, rows in groups.items()]
out.sort(key=lambda row: -row['total'])
json.dumps(out)"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        let (names, inputs) = match row {
            Row::Records => {
                (vec!["text".to_owned()], vec![MontyObject::String(records.to_owned())])
            }
            Row::Host => (
                vec!["host".to_owned()],
                vec![MontyObject::Function { name: "host".to_owned(), docstring: None }],
            ),
            _ => (Vec::new(), Vec::new()),
        };
        let run = MontyRun::new(source.to_owned(), "main.py", names, CompileOptions::default())
            .expect("compiles");
        let result = if row == Row::Host {
            let mut progress = run
                .start(inputs, ResourceTracker::default(), PrintWriter::Disabled)
                .expect("starts");
            loop {
                progress = match progress {
                    RunProgress::FunctionCall(call) => {
                        let answer = call.args[0].clone();
                        call.resume(answer, PrintWriter::Disabled).expect("goes on")
                    }
                    RunProgress::Complete(value) => break value,
                    _ => panic!("an unexpected stop"),
                };
            }
        } else {
            run.run(inputs, ResourceTracker::default(), PrintWriter::Disabled).expect("runs")
        };
        match result {
            MontyObject::Int(int) => int.to_string(),
            MontyObject::String(text) => text,
            other => panic!("{other:?}"),
        }
    }
}

//! PTC-Lisp, with all limits on.

use ptc_lisp::{Budget, Limits, Outcome, Session, Yielded, ToolCall, ToolDecl, Value, json};

use crate::{Rival, Row};

pub struct Ptc;

impl Rival for Ptc {
    fn name(&self) -> &'static str {
        "ptc"
    }

    fn source(&self, row: Row) -> &'static str {
        match row {
            Row::Tiny => "(+ 1 2)",
            Row::Sequence => "(reduce + (map #(* % %) (filter odd? (range 40))))",
            Row::Calls => "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)",
            Row::Loop => "(loop [i 0 sum 0] (if (< i 1000000) (recur (inc i) (+ sum i)) sum))",
            Row::Strings => "(count (str/join \",\" (map #(str \"item-\" %) (range 10000))))",
            Row::Host => "(reduce + (map #(call \"host\" {:n %}) (range 1000)))",
            Row::Records => {
                "(->> ctx/rows
                      (filter #(= (:status %) \"open\"))
                      (group-by :customer)
                      (map (fn [[customer rows]]
                             {:customer customer
                              :total (reduce + (map :total rows))
                              :orders (count rows)}))
                      (sort-by :total >))"
            }
        }
    }

    fn run(&mut self, row: Row, source: &str, records: &str) -> String {
        let (ctx, mut tools, mut limits) = (Value::map([]), Vec::new(), Limits::default());
        let ctx = if row == Row::Records { json::parse(records).expect("is JSON") } else { ctx };
        if row == Row::Host {
            limits.tool_calls = 1000;
            tools.push(ToolDecl::new("host", ptc_lisp::Effect::Read));
        }
        let session = Session::new(ctx, tools, limits);
        let program = session.admit(source).expect("is admitted");
        let mut machine = session.start(&program);
        let mut budget = Budget::new(session.limits());
        let mut host =
            |call: &ToolCall| Some(Ok(call.args.get("n").cloned().unwrap_or_default()));
        while !matches!(machine.run_with(&mut budget, &mut host), Yielded::Done) {}
        match machine.finish().outcome {
            Outcome::Value(value) => json::write(&value).expect("has a JSON form"),
            other => panic!("{other:?}"),
        }
    }
}

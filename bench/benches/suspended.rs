//! Measures the memory of ten thousand machines that wait for a tool call in the middle of a
//! program.
//!
//! All machines share the data. Each is suspended in a call inside a function inside `map`. The
//! program measures the growth of the resident set, and fails above 80 MB.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::process::ExitCode;

use ptc_lisp::{Budget, Effect, Limits, Machine, Session, ToolDecl, Yielded, json};

const MACHINES: usize = 10_000;
/// The maximum memory of all machines, in megabytes.
const BOUND: f64 = 80.0;

const PROGRAM: &str = "
(defn priced [order rate]
  (let [gross (* (:total order) rate)
        fee (if (> gross 100) 2 1)]
    (assoc order :gross gross :net (- gross fee))))

(defn enriched [order]
  (let [customer (tool/customer {:id (:customer order)})
        rate (get {\"gold\" 0.9 \"silver\" 0.95} (:level customer) 1.0)]
    (assoc (priced order rate) :name (:name customer))))

(let [open (filter (fn [order] (= (:status order) \"open\")) ctx/orders)
      rows (map enriched open)]
  {:count (count rows)
   :total (reduce + (map :net rows))
   :names (vec (distinct (map :name rows)))})";

const DATA: &str = r#"{"orders": [
  {"id": 1, "customer": 7, "total": 40.5, "status": "open"},
  {"id": 2, "customer": 8, "total": 150, "status": "paid"},
  {"id": 3, "customer": 9, "total": 99, "status": "open"},
  {"id": 4, "customer": 7, "total": 12, "status": "open"},
  {"id": 5, "customer": 3, "total": 310, "status": "open"}]}"#;

fn main() -> ExitCode {
    println!("| machines | grown MB | bytes per machine |");
    println!("|---|---:|---:|");
    let mut fits = true;
    for (name, shared) in [("one program per 100 machines", 100), ("a program each", 1)] {
        match grown(shared) {
            Some(bytes) => {
                let megabytes = bytes as f64 / f64::from(1 << 20);
                fits &= megabytes <= BOUND;
                println!("| 10,000, {name} | {megabytes:.1} | {} |", bytes / MACHINES);
            }
            None => {
                println!("| 10,000, {name} | could not be measured | |");
                fits = false;
            }
        }
    }
    if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the growth of the resident set, in bytes.
fn grown(shared: usize) -> Option<usize> {
    let tool = ToolDecl::new("customer", Effect::Read);
    let session = Session::new(json::parse(DATA).ok()?, vec![tool], Limits::default());
    let mut machines = Vec::with_capacity(MACHINES);
    // The first machines make the shared data.
    machines.push(suspended(&session, &session.admit(PROGRAM).ok()?)?);
    let before = resident()?;
    let mut program = session.admit(PROGRAM).ok()?;
    for number in 1..=MACHINES {
        if number.is_multiple_of(shared) {
            program = session.admit(PROGRAM).ok()?;
        }
        machines.push(suspended(&session, &program)?);
    }
    let after = resident()?;
    // The machines are freed only after the measurement. One of them still waits, so they are
    // complete.
    for mut machine in machines.drain(..).take(1) {
        let mut budget = Budget::new(session.limits());
        assert!(matches!(machine.run(&mut budget), Yielded::Calls(calls) if calls.is_empty()));
    }
    Some(after.saturating_sub(before))
}

/// Returns a machine that waits for its first call.
fn suspended(session: &Session, program: &ptc_lisp::Admitted) -> Option<Machine> {
    let mut machine = session.start(program);
    let mut budget = Budget::new(session.limits());
    match machine.run(&mut budget) {
        Yielded::Calls(calls) if calls.len() == 1 => Some(machine),
        _ => None,
    }
}

/// Returns the size of the resident set, in bytes, as the kernel counts it.
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(pages.split_whitespace().nth(1)?.parse::<usize>().ok()? * 4096)
}

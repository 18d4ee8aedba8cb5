//! The register machine beside today's.

#[expect(dead_code, reason = "the example reads all of a program")]
mod programs;

use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, Step, ToolDecl, Value, json};
use ptc_register::Registers;

fn session() -> Session {
    let limits = Limits { tool_calls: 5_000, fuel: 1 << 40, ..Limits::default() };
    let tools = vec![ToolDecl::new("get", Effect::Read)];
    Session::new(json::parse(&programs::data()).unwrap(), tools, limits)
}

fn answer(args: &Value) -> Value {
    args.get("id").cloned().unwrap_or_default()
}

/// Returns the value and the fuel of a program on today's machine.
fn today(session: &Session, source: &str) -> (Value, u64) {
    let mut machine = session.start(&session.admit(source).unwrap());
    let mut budget = Budget::new(session.limits());
    loop {
        match machine.run(&mut budget) {
            Step::Done => break,
            Step::Yield => {}
            Step::Calls(calls) => {
                for call in calls {
                    machine.resume(&call.id, Ok(answer(&call.args)));
                }
            }
        }
    }
    let ended = machine.finish();
    let Outcome::Value(value) = ended.outcome else { panic!("{source}: {:?}", ended.outcome) };
    (value, ended.fuel)
}

/// Returns the value and the fuel of a program in register code, whose host answers at once or later.
fn registers(session: &Session, source: &str, at_once: bool, slice: u64) -> (Value, u64) {
    let admitted = session.admit(source).unwrap();
    let mut machine =
        Registers::new(session, &admitted).unwrap_or_else(|it| panic!("{source}: {it}"));
    let mut budget = Budget { slice, ..Budget::new(session.limits()) };
    loop {
        match machine.run(&mut budget, &mut |_, args| at_once.then(|| answer(args))) {
            ptc_register::Step::Done(value) => return (value.unwrap(), machine.fuel()),
            ptc_register::Step::Yield => {}
            ptc_register::Step::Call(_, args) => machine.resume(answer(&args)),
        }
    }
}

#[test]
fn values_and_fuel_are_those_of_todays_machine() {
    let session = session();
    for program in programs::programs() {
        let source = &program.source;
        let expected = today(&session, source);
        for (at_once, slice) in [(true, 100_000), (false, 100_000), (true, 7)] {
            assert_eq!(registers(&session, source, at_once, slice), expected, "{source}");
        }
    }
}

//! The transducers of steps, the reducing functions they make, and the lazy forms of steps.

use super::cx::Cx;
use super::step::Collect;
use crate::StageStep;
use ptc_facts::messages::wrong_type;
use ptc_facts::registry::Registered;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Lazy, Res, Stage, StageKind, StageState, Value};

/// Returns the step of the function that is the first argument, and the argument behind it.
pub fn kind_of(args: &mut [Value]) -> Res<(StageKind, Value)> {
    match args {
        [Value::Builtin(id), rest @ ..] if id.builtin().facts.step.is_some() => {
            Ok((StageKind::Step(*id), rest.first_mut().map(std::mem::take).unwrap_or_default()))
        }
        [other, ..] => Err(wrong_type("a transducer", "a function with a step", other)),
        [] => Err(wrong_type("a transducer", "a function with a step", &Value::Nil)),
    }
}

/// Makes the lazy form of a step: its function, its argument if it has one, and the sequence.
pub fn streamed(cx: &mut Cx, args: &mut [Value]) -> Res {
    let (args, source) = args.split_at_mut(args.len() - 1);
    let (kind, arg) = kind_of(args)?;
    let Some(step) = kind.step() else { return Ok(Value::Nil) };
    let count = (step.start)(cx, &arg)?;
    let state = StageState { count, ..StageState::default() };
    let stage = Stage::transducer(kind, arg, Value::Nil).remembering(state);
    let stage = cx.stage(stage, step.keeps)?;
    let endless = !step.ends && Lazy::of(&source[0]).is_some_and(Lazy::is_endless);
    cx.alloc(16)?;
    cx.lazy(Lazy::unmade(stage, vec![std::mem::take(&mut source[0])], endless))
}

/// Makes the reducing function of a transducer in front of another.
pub(crate) fn reducing(cx: &mut Cx, transducer: &Stage, next: Value) -> Res {
    let (kind, arg) = (transducer.kind, transducer.arg.clone());
    let Some(step) = kind.step() else {
        let stage = Stage::reducing(kind, (arg, transducer.more.clone()), next, 0);
        return cx.step(stage, false);
    };
    if let Collect::Items = step.collect {
        // As in Clojure, it is `map`, and then `cat`.
        let cat = Stage::reducing(StageKind::Cat, (Value::Nil, Value::Nil), next, 0);
        let next = cx.step(cat, false)?;
        let kind = StageKind::named("map").unwrap_or(kind);
        return cx.step(Stage::reducing(kind, (arg, Value::Nil), next, 0), false);
    }
    let count = (step.start)(cx, &arg)?;
    cx.step(Stage::reducing(kind, (arg, Value::Nil), next, count), step.keeps)
}

/// Returns the error of a wrong number of arguments for a transducer or its reducing function.
#[cold]
pub(crate) fn wrong_arity_of_step(kind: StageKind, count: usize, reduces: bool) -> Diagnostic {
    let name = kind.name();
    let (what, takes) = if reduces {
        (format!("the reducing function of `{name}`"), "0 to 2 arguments")
    } else {
        (format!("the transducer of `{name}`"), "1 argument, a reducing function")
    };
    Diagnostic::new(Code::WrongArity, format!("{what} takes {takes}, not {count}"))
        .with_jvm_message(ptc_values::wrong_number(count, &format!("clojure.core/{name}/fn")))
        .with_help(format!(
            "give `{name}` its collection, or send items through it: `(into [] ({name} …) coll)`"
        ))
}

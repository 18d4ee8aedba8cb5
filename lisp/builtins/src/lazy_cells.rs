//! Makes cells of lazy sequences.

use super::find;
use ptc_machine::Cx;
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Lazy, Res, Value};

/// Makes a sequence that a function computes on demand.
pub(super) fn lazy(cx: &mut Cx, function: Value, args: Vec<Value>, endless: bool) -> Res {
    cx.alloc(args.len() as u64 * 16)?;
    cx.lazy(Lazy::unmade(function, args, endless))
}

/// Puts an item in front of a lazy sequence.
pub(super) fn cell(cx: &mut Cx, first: Value, rest: Value) -> Res {
    cx.lazy(Lazy::cons(first, rest))
}

/// Makes `(range)`: 0, 1, 2 and so on.
pub(super) fn counting(cx: &mut Cx) -> Res {
    from(cx, "ptc/from", Value::Int(0))
}

/// Makes `(repeat x)`: an endless sequence of x.
pub(super) fn repeating(cx: &mut Cx, x: Value) -> Res {
    from(cx, "ptc/again", x)
}

/// Makes a lazy sequence of the numbers from a start to an end by a step.
pub(super) fn up_to(cx: &mut Cx, [start, end, step]: [Value; 3], endless: bool) -> Res {
    let function = find("ptc/up-to").map_or(Value::Nil, Value::Builtin);
    lazy(cx, function, vec![start, end, step], endless)
}

/// Repeats x for a step of 0; an error in a program that cannot have endless sequences.
pub(super) fn zero_step(cx: &mut Cx, who: &str, x: Value) -> Res {
    if cx.is_lazy_aware() {
        return repeating(cx, x);
    }
    let message = format!("`{who}` with a step of 0 never ends");
    Err(Diagnostic::new(Code::EndlessSequence, message)
        .with_help("give a step that is not 0, or write `(repeat x)` to repeat one value"))
}

pub(super) fn from(cx: &mut Cx, name: &str, x: Value) -> Res {
    let function = find(name).map_or(Value::Nil, Value::Builtin);
    lazy(cx, function, vec![x], true)
}

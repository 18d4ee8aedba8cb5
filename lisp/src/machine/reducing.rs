//! The reducing functions that transducers make.

use super::cx::Cx;
use crate::code::Code;
use crate::messages::wrong_type;
use crate::value::num::Num;
use crate::value::{Diagnostic, Res, Stage, StageKind, Value};

/// Makes the reducing function of a transducer in front of another.
pub(crate) fn reducing(cx: &mut Cx, transducer: &Stage, next: Value) -> Res {
    let (kind, arg) = (transducer.kind, transducer.arg.clone());
    let count = match kind {
        StageKind::Take | StageKind::Drop => whole(kind, &arg)?,
        StageKind::PartitionAll => match &arg {
            Value::Int(count @ 0..) => *count as u64,
            other => {
                return Err(wrong_type("partition-all", "a positive integer first", other)
                    .with_class("IllegalArgumentException"));
            }
        },
        StageKind::Replace if !matches!(arg, Value::Map(_) | Value::Vector(_) | Value::Nil) => {
            return Err(wrong_type("replace", "a map of replacements first", &arg)
                .with_class("IllegalArgumentException"));
        }
        StageKind::Mapcat => {
            let cat = Stage::reducing(StageKind::Cat, (Value::Nil, Value::Nil), next, 0);
            let next = cx.step(cat, false)?;
            let map = Stage::reducing(StageKind::Map, (arg, Value::Nil), next, 0);
            return cx.step(map, false);
        }
        _ => 0,
    };
    let keeps_items = matches!(
        kind,
        StageKind::Distinct | StageKind::Dedupe | StageKind::PartitionAll | StageKind::PartitionBy
    );
    let step = Stage::reducing(kind, (arg, transducer.more.clone()), next, count);
    cx.step(step, keeps_items)
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
        .with_jvm_message(crate::value::wrong_number(count, &format!("clojure.core/{name}/fn")))
        .with_help(format!(
            "give `{name}` its collection, or send items through it: `(into [] ({name} …) coll)`"
        ))
}

/// Returns a number as a count of items, rounded up.
fn whole(kind: StageKind, value: &Value) -> Res<u64> {
    match (value, Num::of(value)) {
        (Value::Int(count), _) => Ok(u64::try_from(*count).unwrap_or(0)),
        (_, Some(number)) => Ok(number.to_f64().ceil().max(0.0) as u64),
        (_, None) => Err(wrong_type(kind.name(), "a number of items first", value)),
    }
}

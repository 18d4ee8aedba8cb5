//! Texts that builtins make.

use super::cx::Cx;
use super::row::PROBLEM;
use crate::value::{Res, Value};

/// The length in bytes up to which reading a text is free.
const SHORT: usize = 256;

/// The maximum capacity of the reused scratch text, in bytes.
const MAX_SCRATCH: usize = 64 << 10;

/// Returns the result of `str` for short strings and integers, its most common arguments. Returns
/// none if there are other values.
pub(crate) fn short_text<'v>(
    cx: &mut Cx,
    values: impl Iterator<Item = Option<&'v Value>>,
) -> Option<Res> {
    let mut out = std::mem::take(&mut cx.scratch);
    out.clear();
    for value in values {
        match value {
            Some(Value::Str(text)) if text.len() < SHORT => out.push_str(text),
            Some(Value::Int(int)) => out.push_str(itoa::Buffer::new().format(*int)),
            _ => {
                cx.scratch = out;
                return None;
            }
        }
    }
    if out.len() as u64 > cx.limits.memory {
        return None;
    }
    Some(match made(cx, out) {
        Err(problem) => cx.spend(PROBLEM).and(Err(problem)),
        text => text,
    })
}

/// Makes a string of the scratch text.
pub(crate) fn made(cx: &mut Cx, out: String) -> Res {
    cx.charge(out.len() as u64);
    pay(cx, &out)?;
    let text = cx.string(out.as_str());
    if out.capacity() <= MAX_SCRATCH {
        cx.scratch = out;
    }
    text
}

/// Pays for reading a whole text.
pub(crate) fn pay(cx: &mut Cx, text: &str) -> Res<()> {
    cx.spend(text.len() as u64 / 16 + 1)
}

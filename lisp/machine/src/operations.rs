//! Operations on two values: arithmetic and comparison.

#![expect(clippy::inline_always, reason = "what the loop of the machine does in every step")]

use ptc_facts::messages::divides_by_zero;
use ptc_values::code::Code;
use ptc_values::ir::Op;
use ptc_values::{Diagnostic, Grown, Res, Value, num};

impl super::Cx {
    /// Applies an operation to two values.
    #[inline(always)]
    pub fn take_op(&mut self, op: Op, a: Value, b: Value) -> Res {
        if let (Value::Int(int), Value::Int(other)) = (&a, &b)
            && let Some(int) = int_op(op, *int, *other)
        {
            a.done();
            b.done();
            return Ok(Value::Int(int));
        }
        self.op(op, &a, &b)
    }

    /// Applies an operation to two values of any kind.
    #[inline(never)]
    pub fn op(&mut self, op: Op, a: &Value, b: &Value) -> Res {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            if let Some(int) = int_op(op, *a, *b) {
                return Ok(Value::Int(int));
            }
            if let Some(answer) = compare_ints(op, *a, *b) {
                return Ok(Value::Bool(answer));
            }
        }
        if let Some((a, b)) = floats(a, b)
            && let Some(value) = float_op(op, a, b)
        {
            return Ok(value);
        }
        if let Op::Equal | Op::NotEqual = op
            && differ_in_length(a, b)
        {
            return Ok(Value::Bool(op == Op::NotEqual));
        }
        let (a, b) = (self.settled(a)?, self.settled(b)?);
        self.price_digits(op, a, b)?;
        let result = match op {
            Op::Equal | Op::NotEqual => {
                return self.equal(a, b).map(|same| Value::Bool(same == (op == Op::Equal)));
            }
            Op::Add | Op::Inc => num::add(a, b),
            Op::Sub | Op::Dec => num::sub(a, b),
            Op::Mul => num::mul(a, b),
            Op::Div => num::div(a, b),
            Op::Quot => num::divide(a, b, num::Division::Quot),
            Op::Rem => num::divide(a, b, num::Division::Rem),
            Op::Mod => num::divide(a, b, num::Division::Mod),
            Op::Less | Op::LessEq | Op::Greater | Op::GreaterEq => {
                match (num::Num::of(a), num::Num::of(b)) {
                    (Some(a), Some(b)) => {
                        let order = num::partial_order(a, b);
                        Ok(Value::Bool(order.is_some_and(|order| match op {
                            Op::Less => order.is_lt(),
                            Op::LessEq => order.is_le(),
                            Op::Greater => order.is_gt(),
                            _ => order.is_ge(),
                        })))
                    }
                    _ => Err(num::Wrong::NotANumber),
                }
            }
        };
        match result {
            Ok(value) => {
                if let Value::Big(big) = &value {
                    self.spend(big.bits() / 64)?;
                    self.alloc(big.bits() / 8 + 48)?;
                }
                Ok(value)
            }
            Err(wrong) => {
                if wrong == num::Wrong::NotANumber
                    && let Some(result) = super::row::time_op(self, op, a, b)
                    && (result.is_ok() || self.spend(super::row::PROBLEM).is_ok())
                {
                    return result;
                }
                self.spend(super::row::PROBLEM)?;
                Err(wrong_operands(op, a, b, wrong))
            }
        }
    }

    /// Pays for big integers by length; for products and quotients, by the product of the lengths.
    fn price_digits(&mut self, op: Op, a: &Value, b: &Value) -> Res<()> {
        match (op, a, b) {
            (Op::Mul | Op::Div | Op::Quot | Op::Rem | Op::Mod, Value::Big(a), Value::Big(b)) => {
                self.spend((a.bits() / 64).saturating_mul(b.bits() / 64) / 16)
            }
            (_, Value::Big(big), _) | (_, _, Value::Big(big)) => self.spend(big.bits() / 1024),
            _ => Ok(()),
        }
    }
}

/// Returns whether one value is a text that grew, and the other one no text of its length.
fn differ_in_length(a: &Value, b: &Value) -> bool {
    let len = |value: &Value| match value {
        Value::Str(text) => Some(text.len()),
        other => Grown::of(other).map(Grown::len),
    };
    (Grown::of(a).is_some() || Grown::of(b).is_some()) && len(a) != len(b)
}

/// Returns two floats, or a float and an integer as floats if that is exact.
#[inline]
pub(super) fn floats(a: &Value, b: &Value) -> Option<(f64, f64)> {
    let exact = |int: i64| (int.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(int as f64);
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => Some((*a, *b)),
        (Value::Int(a), Value::Float(b)) => Some((exact(*a)?, *b)),
        (Value::Float(a), Value::Int(b)) => Some((*a, exact(*b)?)),
        _ => None,
    }
}

#[inline]
fn float_op(op: Op, a: f64, b: f64) -> Option<Value> {
    Some(match op {
        Op::Add | Op::Inc => Value::Float(a + b),
        Op::Sub | Op::Dec => Value::Float(a - b),
        Op::Mul => Value::Float(a * b),
        Op::Div => Value::Float(a / b),
        Op::Less => Value::Bool(a < b),
        Op::LessEq => Value::Bool(a <= b),
        Op::Greater => Value::Bool(a > b),
        Op::GreaterEq => Value::Bool(a >= b),
        Op::Equal => Value::Bool(a == b),
        Op::NotEqual => Value::Bool(a != b),
        Op::Quot | Op::Rem | Op::Mod => return None,
    })
}

#[cold]
fn wrong_operands(op: Op, a: &Value, b: &Value, wrong: num::Wrong) -> Diagnostic {
    match wrong {
        num::Wrong::DivideByZero => divides_by_zero(op),
        num::Wrong::NotFinite => Diagnostic::new(
            Code::NumberRange,
            format!("the quotient of {a} and {b} in `{}` is not finite", op.name()),
        )
        .with_class("NumberFormatException")
        .with_jvm_message("Infinite or NaN".to_owned())
        .with_help("test the numbers first with `infinite?` and `NaN?`"),
        num::Wrong::NotANumber => {
            let (which, found) =
                if num::Num::of(a).is_none() { ("first", a) } else { ("second", b) };
            ptc_facts::messages::not_a_number(op.name(), which, found)
        }
    }
}

/// Applies an operation to two small integers, or to floats, if that is all there is to do.
#[inline]
pub(super) fn of_numbers(op: Op, a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => match int_op(op, *a, *b) {
            Some(int) => Some(Value::Int(int)),
            None => compare_ints(op, *a, *b).map(Value::Bool),
        },
        _ => floats(a, b).and_then(|(a, b)| float_op(op, a, b)),
    }
}

/// Compares two small integers if the operation is a comparison.
#[inline]
fn compare_ints(op: Op, a: i64, b: i64) -> Option<bool> {
    op.order().map(|order| order.holds(a, b))
}

/// Applies an operation to two small integers if the result is one too.
#[inline(always)]
fn int_op(op: Op, a: i64, b: i64) -> Option<i64> {
    if matches!(op, Op::Add | Op::Inc) {
        a.checked_add(b)
    } else if matches!(op, Op::Sub | Op::Dec) {
        a.checked_sub(b)
    } else if op == Op::Mul {
        a.checked_mul(b)
    } else {
        None
    }
}

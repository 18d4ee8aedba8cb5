//! The keys of a sort as columns of ranks.
//!
//! Keys of one kind get numbers in their order, once for the sort. Vectors of one length become a
//! column for each of their items, and so do vectors in them. A comparison then reads numbers. Its
//! price is that of comparing the keys themselves.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::Cx;
use ptc_values::{Res, Value, order_of};

/// The maximum number of columns. Keys with more values are compared as they are.
const COLUMNS: usize = 12;

/// The length in bytes from which comparing texts has a price.
const LONG: usize = 256;

/// The integers up to this one are doubles.
const WHOLE: u64 = 1 << f64::MANTISSA_DIGITS;

/// The highest bit.
const HIGH: u64 = 1 << 63;

/// The keys of the items of a sort.
pub struct SortKeys<'k> {
    columns: Vec<Column<'k>>,
    /// The first column that is not one of vectors; none if it has no ranks.
    first: Option<usize>,
    /// The price of a comparison that this column decides.
    price: u64,
    descending: bool,
}

/// The keys, or the items at one place in them.
struct Column<'k> {
    values: Vec<&'k Value>,
    ranks: Ranks,
    /// The nesting in columns of vectors.
    level: usize,
    /// The column behind this one and those of its items.
    next: usize,
}

enum Ranks {
    /// The column has vectors of one length, whose items are in the next columns. Here are their
    /// addresses, because a vector equals itself without a look at its items.
    Vectors(Vec<usize>),
    /// Ranks that differ order the values, and values of one rank are equal.
    Exact(Vec<u64>),
    /// Ranks that differ order the values. Values of one rank are compared.
    Rough(Vec<u64>),
    /// The values are of several kinds, or have no ranks.
    None,
}

impl<'k> SortKeys<'k> {
    pub fn of(keys: Vec<&'k Value>, descending: bool) -> SortKeys<'k> {
        let mut columns: Vec<Column<'k>> = Vec::new();
        let mut open = vec![(keys, 0)];
        while let Some((values, level)) = open.pop() {
            let room = COLUMNS.saturating_sub(columns.len() + open.len() + 1);
            let ranks = match items(&values, room) {
                Some(items) => {
                    open.extend(items.into_iter().rev().map(|column| (column, level + 1)));
                    Ranks::Vectors(values.iter().map(|value| address(value)).collect())
                }
                None => Ranks::of(&values),
            };
            columns.push(Column { values, ranks, level, next: 0 });
        }
        let levels: Vec<usize> = columns.iter().map(|column| column.level).collect();
        for (at, column) in columns.iter_mut().enumerate() {
            let behind = levels.iter().skip(at + 1).position(|level| *level <= column.level);
            column.next = behind.map_or(levels.len(), |behind| at + 1 + behind);
        }
        let first = columns
            .iter()
            .position(|column| !matches!(column.ranks, Ranks::Vectors(_)))
            .filter(|at| columns.get(*at).is_some_and(|column| column.ranks.numbers().is_some()));
        SortKeys { columns, first, price: first.map_or(0, |at| at as u64 + 1), descending }
    }

    /// Returns whether values of these keys have ranks.
    pub fn has_ranks(&self) -> bool {
        self.first.is_some()
    }

    /// Returns the keys by their positions, each behind its rank in the first column. Ascending
    /// ranks have the order of the sort.
    pub fn ranked(&self) -> Vec<(u64, usize)> {
        let count = self.columns.first().map_or(0, |keys| keys.values.len());
        let turn = if self.descending { u64::MAX } else { 0 };
        match self.first.and_then(|at| self.columns.get(at)?.ranks.numbers()) {
            Some(ranks) => ranks.iter().map(|rank| rank ^ turn).zip(0..).collect(),
            None => (0..count).map(|at| (0, at)).collect(),
        }
    }

    /// Compares two ranked keys and pays for it.
    #[inline]
    pub fn compare(
        &self,
        cx: &mut Cx,
        (rank, a): (u64, usize),
        (other, b): (u64, usize),
    ) -> Res<Ordering> {
        if rank == other {
            return self.compare_all(cx, a, b);
        }
        cx.spend(self.price)?;
        Ok(rank.cmp(&other))
    }

    /// Compares the keys at two positions by all columns.
    #[inline(never)]
    fn compare_all(&self, cx: &mut Cx, a: usize, b: usize) -> Res<Ordering> {
        let (a, b) = if self.descending { (b, a) } else { (a, b) };
        let (mut at, mut price) = (0, 0);
        while let Some(column) = self.columns.get(at) {
            at += 1;
            price += 1;
            let order = match &column.ranks {
                Ranks::Vectors(addresses) => {
                    if addresses.get(a) == addresses.get(b) {
                        at = column.next;
                    }
                    continue;
                }
                Ranks::Exact(ranks) => ranks.get(a).cmp(&ranks.get(b)),
                Ranks::Rough(ranks) => {
                    let order = ranks.get(a).cmp(&ranks.get(b));
                    order.then_with(|| column.order(a, b))
                }
                Ranks::None => {
                    cx.spend(price - 1)?;
                    price = 0;
                    match (column.values.get(a), column.values.get(b)) {
                        (Some(a), Some(b)) => cx.compare(a, b)?,
                        _ => Ordering::Equal,
                    }
                }
            };
            if order.is_ne() {
                cx.spend(price)?;
                return Ok(order);
            }
        }
        cx.spend(price)?;
        Ok(Ordering::Equal)
    }
}

impl Column<'_> {
    /// Orders two values of one rank.
    fn order(&self, a: usize, b: usize) -> Ordering {
        let pair = self.values.get(a).zip(self.values.get(b));
        pair.and_then(|(a, b)| order_of(a, b)).unwrap_or(Ordering::Equal)
    }
}

impl Ranks {
    fn of(values: &[&Value]) -> Ranks {
        let kinds = values.iter().fold(0, |kinds, value| kinds | kind(value));
        let ranks: Vec<u64> = match kinds & !NIL {
            0 | BOOL | SMALL | LARGE | SMALL_OR_LARGE => {
                values.iter().map(|value| whole(value)).collect()
            }
            FLOAT | FLOAT_OR_SMALL => values.iter().map(|value| float(value)).collect(),
            TEXT => return texts(values),
            _ => return Ranks::None,
        };
        // The rank of nil may be that of a number.
        if kinds & NIL == 0 { Ranks::Exact(ranks) } else { Ranks::Rough(ranks) }
    }

    fn numbers(&self) -> Option<&[u64]> {
        match self {
            Ranks::Exact(ranks) | Ranks::Rough(ranks) => Some(ranks),
            Ranks::Vectors(_) | Ranks::None => None,
        }
    }
}

const NIL: u8 = 1;
const SMALL: u8 = 2;
const LARGE: u8 = 4;
const SMALL_OR_LARGE: u8 = SMALL | LARGE;
const FLOAT: u8 = 8;
const FLOAT_OR_SMALL: u8 = FLOAT | SMALL;
const TEXT: u8 = 16;
const BOOL: u8 = 32;
const OTHER: u8 = 64;

/// Returns the kind of a value, as a bit.
fn kind(value: &Value) -> u8 {
    match value {
        Value::Nil => NIL,
        Value::Bool(_) => BOOL,
        Value::Int(int) if int.unsigned_abs() <= WHOLE => SMALL,
        Value::Int(_) => LARGE,
        Value::Float(float) if !float.is_nan() => FLOAT,
        Value::Str(text) | Value::Keyword(text) if text.len() < LONG => TEXT,
        _ => OTHER,
    }
}

/// Returns the rank of an integer or a boolean; nil comes first.
fn whole(value: &Value) -> u64 {
    match value {
        Value::Int(int) => int.cast_unsigned() ^ HIGH,
        Value::Bool(bool) => 1 + u64::from(*bool),
        _ => 0,
    }
}

/// Returns the rank of a number as a double; nil comes first.
fn float(value: &Value) -> u64 {
    let float = match value {
        Value::Int(int) => *int as f64,
        Value::Float(float) => *float,
        _ => return 0,
    };
    // The two zeros are equal, and their sum is the positive one.
    let bits = (float + 0.0).to_bits();
    if bits & HIGH == 0 { bits | HIGH } else { !bits }
}

/// Ranks texts by eight bytes behind the start that all of them share.
fn texts(values: &[&Value]) -> Ranks {
    let mut names = values.iter().filter_map(|value| bytes(value));
    let first = names.next().unwrap_or_default();
    let shared = names.fold(first.len(), |shared, name| {
        first.iter().take(shared).zip(name).take_while(|(a, b)| a == b).count()
    });
    let mut exact = true;
    let ranks = values.iter().map(|value| {
        let name = bytes(value).unwrap_or_default();
        let rest = name.get(shared..).unwrap_or_default();
        let mut rank = [0; 8];
        rank.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        // A zero may be the end of a text or a character of it.
        exact &= !value.is_nil() && rest.len() <= rank.len() && !rest.contains(&0);
        u64::from_be_bytes(rank)
    });
    let ranks = ranks.collect();
    if exact { Ranks::Exact(ranks) } else { Ranks::Rough(ranks) }
}

fn bytes(value: &Value) -> Option<&[u8]> {
    value.name().map(str::as_bytes)
}

/// Returns the items of vectors of one length, place by place; none for other values, and for
/// vectors with more than `most` items.
fn items<'k>(values: &[&'k Value], most: usize) -> Option<Vec<Vec<&'k Value>>> {
    let Some(Value::Vector(first)) = values.first() else { return None };
    let width = first.len();
    let fits = |value: &&Value| matches!(value, Value::Vector(vector) if vector.len() == width);
    if width > most || !values.iter().all(fits) {
        return None;
    }
    let mut columns: Vec<_> = (0..width).map(|_| Vec::with_capacity(values.len())).collect();
    for value in values {
        if let Value::Vector(vector) = value {
            columns.iter_mut().zip(vector.iter()).for_each(|(column, item)| column.push(item));
        }
    }
    Some(columns)
}

fn address(value: &Value) -> usize {
    match value {
        Value::Vector(vector) => Arc::as_ptr(vector).addr(),
        _ => 0,
    }
}

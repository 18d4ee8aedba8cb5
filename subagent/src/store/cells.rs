//! Typed access to columns. Any process may have written the rows, so nothing about them is
//! assumed.

use std::str::FromStr;

use rusqlite::Row;
use rusqlite::types::{FromSql, Type, ValueRef};
use serde::de::DeserializeOwned;

use crate::data::Data;
use crate::provider::Cost;

/// Reads a word. A later version may have written one that this version does not know.
pub(in crate::store) fn word<T: FromStr>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    optional_word(row, column)?.ok_or_else(|| bad_field(row, column))
}

/// Reads a word, or `None` for null.
pub(in crate::store) fn optional_word<T: FromStr>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let Some(word) = get::<Option<String>>(row, column)? else { return Ok(None) };
    word.parse().map(Some).map_err(|_| bad_field(row, column))
}

pub(in crate::store) fn cost(row: &Row<'_>) -> rusqlite::Result<Option<Cost>> {
    Ok(optional_number(row, "cost")?.map(Cost::from_billionths))
}

/// Reads a number, which no version writes below zero.
pub(in crate::store) fn number(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    optional_number(row, column)?.ok_or_else(|| bad_field(row, column))
}

/// Reads a number, or `None` for null.
pub(in crate::store) fn optional_number(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<u64>> {
    let number: Option<i64> = get(row, column)?;
    number.map(|it| u64::try_from(it).map_err(|_| bad_field(row, column))).transpose()
}

/// Reads a sum over rows that may be damaged. A negative sum counts as 0.
pub(in crate::store) fn sum(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    Ok(row.get::<_, i64>(column)?.max(0).cast_unsigned())
}

pub(in crate::store) fn json<T: DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let Some(text) = get::<Option<String>>(row, column)? else { return Ok(None) };
    parsed(row, column, &text).map(Some)
}

pub(in crate::store) fn data(row: &Row<'_>, column: &str) -> rusqlite::Result<Data> {
    let Some(text) = get::<Option<String>>(row, column)? else { return Ok(Data::default()) };
    Data::recorded(&text).map_err(|_| bad_field(row, column))
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: &str, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|_| bad_field(row, column))
}

/// Reads a column. A value of another type or out of range is a [`damage`].
pub(in crate::store) fn get<T: FromSql>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map_err(|error| match error {
        rusqlite::Error::InvalidColumnName(_) => error,
        _ => bad_field(row, column),
    })
}

/// Returns the error of an unreadable run.
pub(in crate::store) fn damaged(what: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(Damage(what)))
}

/// Returns the error of a column with a value that no version writes.
pub(in crate::store) fn bad_field(row: &Row<'_>, column: &str) -> rusqlite::Error {
    const MAX_SHOWN: usize = 40;
    let what = match row.get_ref(column) {
        Ok(ValueRef::Null) => "nothing".to_string(),
        Ok(ValueRef::Integer(it)) => it.to_string(),
        Ok(ValueRef::Real(it)) => it.to_string(),
        Ok(ValueRef::Text(text)) => {
            let text = String::from_utf8_lossy(text);
            format!("{:?}", text.chars().take(MAX_SHOWN).collect::<String>())
        }
        Ok(ValueRef::Blob(_)) => "bytes".to_string(),
        Err(error) => return error,
    };
    damaged(format!("`{column}` holds {what}"))
}

/// Returns the damaged column and its value, if the error is about one.
pub(in crate::store) fn damage(error: &rusqlite::Error) -> Option<String> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, error) => {
            error.downcast_ref::<Damage>().map(ToString::to_string)
        }
        _ => None,
    }
}

/// A column with a value that no version writes.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damage(String);

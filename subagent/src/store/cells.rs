//! Reading the columns of rows, which anybody may have written.

use std::str::FromStr;

use rusqlite::Row;
use rusqlite::types::{FromSql, Type, ValueRef};
use serde::de::DeserializeOwned;

use crate::data::Data;
use crate::provider::Cost;

/// A word, which a later version may have written.
pub(in crate::store) fn word<T: FromStr>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    maybe_word(row, column)?.ok_or_else(|| found(row, column))
}

/// The same, where there may be none.
pub(in crate::store) fn maybe_word<T: FromStr>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    let Some(word) = get::<Option<String>>(row, column)? else { return Ok(None) };
    word.parse().map(Some).map_err(|_| found(row, column))
}

pub(in crate::store) fn cost(row: &Row<'_>) -> rusqlite::Result<Option<Cost>> {
    Ok(maybe(row, "cost")?.map(Cost::from_billionths))
}

/// A number that no version has written below zero.
pub(in crate::store) fn number(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    maybe(row, column)?.ok_or_else(|| found(row, column))
}

/// The same, where there may be none.
pub(in crate::store) fn maybe(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<u64>> {
    let number: Option<i64> = get(row, column)?;
    number.map(|it| u64::try_from(it).map_err(|_| found(row, column))).transpose()
}

/// A sum over rows that may be damaged: at least 0.
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
    Data::recorded(&text).map_err(|_| found(row, column))
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: &str, text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|_| found(row, column))
}

/// Reads a field; one of another type, or out of range, is a [`damage`].
pub(in crate::store) fn get<T: FromSql>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get(column).map_err(|error| match error {
        rusqlite::Error::InvalidColumnName(_) => error,
        _ => found(row, column),
    })
}

/// The error of a run that cannot be read.
pub(in crate::store) fn damaged(what: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(Damage(what)))
}

/// The error of a field that holds what no version has written there.
pub(in crate::store) fn found(row: &Row<'_>, column: &str) -> rusqlite::Error {
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

/// Which field of a run is damaged and what it holds, if that is what is wrong.
pub(in crate::store) fn damage(error: &rusqlite::Error) -> Option<String> {
    match error {
        rusqlite::Error::FromSqlConversionFailure(_, _, error) => {
            error.downcast_ref::<Damage>().map(ToString::to_string)
        }
        _ => None,
    }
}

/// A field that holds what no version has written there.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Damage(String);

//! The table of the suite, with ratios, means and the rows that miss the bar.

use std::io::{self, Write};

use serde_json::Value;

use crate::Failure;

/// The bar beside a language: a geometric mean of the ratios, and the greatest ratio of a row.
const BARS: [(&str, f64, f64); 2] = [("CPython", 1.0, 2.0), ("Monty", 0.25, 0.7)];

/// The times of one program.
pub(crate) struct Row {
    name: String,
    pub(crate) records: u64,
    /// The least time of a run in seconds, by language; `None` for a language without this program.
    pub(crate) cells: Vec<Option<f64>>,
    /// The least time of reading and checking, or compiling, by language.
    pub(crate) ready: Vec<Option<f64>>,
    /// Whether all results are equal to the last digit.
    pub(crate) exact: bool,
    /// Whether the row is outside of the means.
    pub(crate) apart: bool,
}

impl Row {
    pub(crate) fn new(name: &str) -> Row {
        Row {
            name: name.to_owned(),
            records: 0,
            cells: Vec::new(),
            ready: Vec::new(),
            exact: true,
            apart: false,
        }
    }
}

/// The rows so far.
pub(crate) struct Table {
    names: Vec<String>,
    rows: Vec<Row>,
}

impl Table {
    pub(crate) fn new(names: &[&str]) -> Table {
        Table { names: names.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }

    /// Prints a row, below the head if it is the first one.
    pub(crate) fn print(&mut self, row: Row) -> Result<(), Failure> {
        let mut out = io::stdout();
        if self.rows.is_empty() {
            let ratios = self.names[1..].iter().map(|name| format!("beside {name}"));
            let head: Vec<String> = self.names.iter().cloned().chain(ratios).collect();
            writeln!(out, "| program | records | {} |", head.join(" | "))?;
            writeln!(out, "|---|{}", "---:|".repeat(head.len() + 1))?;
        }
        let times = row.cells.iter().map(|cell| cell.map_or("–".to_owned(), shown));
        let ratios = (1..self.names.len()).map(|at| match ratio(&row, at, false) {
            Some(ratio) if ratio > self.lost(at) => format!("**{ratio:.2}**"),
            Some(ratio) => format!("{ratio:.2}"),
            None => "–".to_owned(),
        });
        let cells: Vec<String> = times.chain(ratios).collect();
        let about = if row.exact { "" } else { " ≈" };
        writeln!(out, "| {}{about} | {} | {} |", row.name, row.records, cells.join(" | "))?;
        out.flush()?;
        self.rows.push(row);
        Ok(())
    }

    /// Prints the geometric means and the rows that miss the bar.
    pub(crate) fn finish(&self) -> Result<(), Failure> {
        let mut out = io::stdout();
        for (label, ready) in [("geometric mean", false), ("with compiling counted", true)] {
            let means = (1..self.names.len()).map(|at| match self.mean(at, ready) {
                Some(mean) => format!("{mean:.2}"),
                None => "–".to_owned(),
            });
            let cells: Vec<String> =
                self.names.iter().map(|_| String::new()).chain(means).collect();
            writeln!(out, "| {label} | | {} |", cells.join(" | "))?;
        }
        writeln!(out)?;
        for (at, name) in self.names.iter().enumerate() {
            let ready: Vec<f64> =
                self.rows.iter().filter_map(|row| row.ready.get(at).copied().flatten()).collect();
            if !ready.is_empty() {
                let mean = ready.iter().sum::<f64>() / ready.len() as f64;
                writeln!(out, "{name}: compiling takes {} in the mean.", shown(mean))?;
            }
        }
        for (name, mean, most) in BARS {
            let Some(at) = self.names.iter().position(|it| it == name) else { continue };
            let is = self.mean(at, false).unwrap_or_default();
            let verdict = if is <= mean { "keeps" } else { "misses" };
            writeln!(out, "{name}: the mean {is:.2} {verdict} the bar of {mean:.2}.")?;
            for row in self.rows.iter().filter(|row| !row.apart) {
                if let Some(ratio) = ratio(row, at, false)
                    && ratio > most
                {
                    writeln!(out, "- {} misses the bar of {most:.2}: {ratio:.2}", row.name)?;
                }
            }
        }
        Ok(())
    }

    /// Returns the ratio above which a row is lost.
    fn lost(&self, at: usize) -> f64 {
        if self.names[at] == "Monty" { 0.7 } else { 1.0 }
    }

    fn mean(&self, at: usize, ready: bool) -> Option<f64> {
        let rows = self.rows.iter().filter(|row| !row.apart);
        let logs: Vec<f64> = rows.filter_map(|row| Some(ratio(row, at, ready)?.ln())).collect();
        (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
    }
}

/// Compares two results. `Ok(false)` tells that some floats differ after the twelfth digit.
pub(crate) fn difference(one: &Value, other: &Value) -> Result<bool, String> {
    let mut exact = true;
    let mut todo = vec![(one, other)];
    while let Some(pair) = todo.pop() {
        match pair {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                todo.extend(a.iter().zip(b));
            }
            (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
                for (key, value) in a {
                    todo.push((value, b.get(key).ok_or_else(|| format!("no key {key}"))?));
                }
            }
            (Value::Number(a), Value::Number(b)) => {
                let (a, b) = (a.as_f64().unwrap_or_default(), b.as_f64().unwrap_or_default());
                if (a - b).abs() > 1e-12 * a.abs().max(b.abs()) {
                    return Err(format!("{a} and {b}"));
                }
                exact &= a == b;
            }
            (a, b) if a == b => {}
            (a, b) => {
                let cut = |value: &Value| value.to_string().chars().take(300).collect::<String>();
                return Err(format!("{} and {}", cut(a), cut(b)));
            }
        }
    }
    Ok(exact)
}

/// Returns the time of the first language by that of another one. `ready` counts the compiling of
/// the other; that of the first one always counts.
fn ratio(row: &Row, at: usize, ready: bool) -> Option<f64> {
    let compiling = if ready { row.ready.get(at).copied().flatten().unwrap_or(0.0) } else { 0.0 };
    Some(row.cells.first().copied()?? / (row.cells.get(at).copied()?? + compiling))
}

fn shown(seconds: f64) -> String {
    let micros = seconds * 1e6;
    match micros {
        0.0..10.0 => format!("{micros:.2} µs"),
        10.0..1000.0 => format!("{micros:.0} µs"),
        _ => format!("{:.2} ms", micros / 1e3),
    }
}

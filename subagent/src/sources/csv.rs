//! Tables of text: a first line with the names of columns, then rows, as RFC 4180 has them.

use ptc_lisp::Value;

/// Reads a table as a list of objects with texts. `separator` is between two cells.
///
/// # Errors
///
/// The first problem, with its line.
pub(super) fn read(text: &str, separator: char, max_rows: u64) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut rows = Rows { rest: text, line: 1, separator };
    let Some((_, names)) = rows.next().transpose()? else { return Ok(Value::vector(Vec::new())) };
    if let Some(twice) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        return Err(format!("two columns are named `{}`", twice.1));
    }
    let keys: Vec<Value> = names.iter().map(|name| Value::str(name.as_str())).collect();
    let mut all = Vec::new();
    for row in rows {
        let (line, cells) = row?;
        if cells.len() != keys.len() {
            let (found, expected) = (cells.len(), keys.len());
            return Err(format!("line {line} has {found} cells, and the first line {expected}"));
        }
        if all.len() as u64 >= max_rows {
            return Err(format!("it has more than {max_rows} rows"));
        }
        let cells = cells.into_iter().map(Value::str);
        all.push(Value::map(keys.iter().cloned().zip(cells)));
    }
    Ok(Value::vector(all))
}

/// The rows of a table, each with the number of its first line.
struct Rows<'t> {
    rest: &'t str,
    line: usize,
    separator: char,
}

impl Iterator for Rows<'_> {
    type Item = Result<(usize, Vec<String>), String>;

    fn next(&mut self) -> Option<Self::Item> {
        // Empty lines are no rows.
        while let Some(rest) = self.rest.strip_prefix("\r\n").or(self.rest.strip_prefix('\n')) {
            (self.rest, self.line) = (rest, self.line + 1);
        }
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut cells = Vec::new();
        loop {
            let cell = match self.cell() {
                Ok(cell) => cell,
                Err(why) => {
                    self.rest = "";
                    return Some(Err(format!("line {line}: {why}")));
                }
            };
            cells.push(cell);
            if let Some(rest) = self.rest.strip_prefix(self.separator) {
                self.rest = rest;
                continue;
            }
            let rest = self.rest.strip_prefix("\r\n").or(self.rest.strip_prefix('\n'));
            (self.rest, self.line) = (rest.unwrap_or_default(), self.line + 1);
            return Some(Ok((line, cells)));
        }
    }
}

impl Rows<'_> {
    /// Reads a cell, up to the separator or the end of the line.
    fn cell(&mut self) -> Result<String, String> {
        let Some(mut rest) = self.rest.strip_prefix('"') else {
            let end = self.rest.find([self.separator, '\n']).unwrap_or(self.rest.len());
            let (cell, rest) = self.rest.split_at(end);
            let is_last = rest.starts_with('\n');
            let without = cell.strip_suffix('\r').filter(|_| is_last || rest.is_empty());
            self.rest = rest;
            return Ok(without.unwrap_or(cell).to_string());
        };
        let mut cell = String::new();
        loop {
            let Some((part, after)) = rest.split_once('"') else {
                return Err("a cell has a `\"` without an end".to_string());
            };
            cell.push_str(part);
            self.line += part.matches('\n').count();
            match after.strip_prefix('"') {
                Some(after) => {
                    cell.push('"');
                    rest = after;
                }
                None => {
                    rest = after;
                    break;
                }
            }
        }
        let ends = |rest: &str| rest.is_empty() || rest.starts_with(['\n', self.separator]);
        if !ends(rest) && !rest.starts_with("\r\n") {
            return Err("a cell goes on behind its `\"`".to_string());
        }
        self.rest = rest;
        Ok(cell)
    }
}

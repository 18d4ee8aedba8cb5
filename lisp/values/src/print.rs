//! Printing: the readable form of `pr-str`, and bounded previews.

use std::fmt::{self, Write as _};

use num_bigint::BigInt;

use super::table::TableIter;
use super::value::{Ext, Items, Value};

/// The bounds of a preview.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The maximum length in characters; longer text ends with `…`.
    pub max_chars: usize,
    /// The maximum number of items shown of one collection; `…` replaces the rest.
    pub max_items: usize,
    /// The maximum nesting shown, in levels; `…` replaces deeper values.
    pub max_depth: usize,
    /// Whether values under keys that start with `_` show as `[Hidden]`.
    pub hide_private: bool,
}

impl Default for Preview {
    fn default() -> Preview {
        Preview { max_chars: 2048, max_items: 20, max_depth: 12, hide_private: true }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Source text, as by `pr-str` and `prn`.
    Readable,
    /// The text of `str`: a string is itself, `nil` is empty, and nested values are readable.
    Text,
    /// The text of `println`: strings have no quotes at any depth.
    Printed,
}

impl Style {
    fn inside(self) -> Style {
        match self {
            Style::Text => Style::Readable,
            style => style,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&readable(self))
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&readable(self))
    }
}

/// Returns the readable text of a value, which is source text with quoted strings.
pub fn readable(value: &Value) -> String {
    let mut printer = Printer::new(None, usize::MAX);
    printer.print(value, Style::Readable);
    printer.out
}

/// Returns the text of a value as by `str`: a string is itself, any other value is readable.
pub fn display(value: &Value) -> String {
    let mut printer = Printer::new(None, usize::MAX);
    printer.print(value, Style::Text);
    printer.out
}

/// The outcome of [`append`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Appended {
    Whole,
    /// The text is longer than the limit.
    TooLong,
    /// The digits of large integers would exceed the work limit.
    TooMuchWork,
}

/// Appends the text of a value, up to `max_bytes` and `work`, from which its cost is subtracted.
pub fn append(
    out: &mut String,
    value: &Value,
    style: Style,
    max_bytes: usize,
    work: &mut u64,
) -> Appended {
    // A short value needs no printer.
    let room = max_bytes.saturating_sub(out.len());
    match value {
        Value::Str(text) if style != Style::Readable && text.len() <= room => {
            out.push_str(text);
            return Appended::Whole;
        }
        Value::Int(int) if room >= 20 => {
            out.push_str(itoa::Buffer::new().format(*int));
            return Appended::Whole;
        }
        _ => {}
    }
    let mut printer = Printer::new(None, max_bytes);
    printer.work = *work;
    printer.out = std::mem::take(out);
    printer.print(value, style);
    let how = match (printer.out_of_work, printer.full()) {
        (true, _) => Appended::TooMuchWork,
        (false, true) => Appended::TooLong,
        (false, false) => Appended::Whole,
    };
    (*out, *work) = (printer.out, printer.work);
    how
}

/// Returns a bounded readable text, and whether a part was left out.
pub fn preview(value: &Value, bounds: &Preview) -> (String, bool) {
    // A character takes at most four bytes, so this limit keeps all shown characters.
    let mut printer = Printer::new(Some(bounds), bounds.max_chars.saturating_mul(4));
    printer.print(value, Style::Readable);
    let Printer { mut out, mut cut, .. } = printer;
    if let Some((end, _)) = out.char_indices().nth(bounds.max_chars) {
        out.truncate(end);
        out.push('…');
        cut = true;
    }
    (out, cut)
}

struct Printer<'a> {
    out: String,
    bounds: Option<&'a Preview>,
    max_bytes: usize,
    cut: bool,
    /// The remaining work for digits of large integers.
    work: u64,
    /// Whether the work did not suffice.
    out_of_work: bool,
}

/// Returns the work of writing the digits of a large integer.
pub fn big_cost(big: &BigInt) -> u64 {
    let words = big.bits() / 64;
    words.saturating_mul(words) / 64
}

/// A collection that is being printed.
enum Open<'v> {
    Items { items: Items<'v>, shown: usize, close: char },
    Pairs { pairs: TableIter<'v, (Value, Value)>, value: Option<(&'v Value, bool)>, shown: usize },
}

impl<'a> Printer<'a> {
    fn new(bounds: Option<&'a Preview>, max_bytes: usize) -> Printer<'a> {
        let out = String::new();
        Printer { out, bounds, max_bytes, cut: false, work: u64::MAX, out_of_work: false }
    }

    fn full(&self) -> bool {
        self.out.len() > self.max_bytes || self.out_of_work
    }

    /// Returns whether `count` has reached a bound; if so, records a cut.
    fn over(&mut self, bound: impl Fn(&Preview) -> usize, count: usize) -> bool {
        let over = self.bounds.is_some_and(|bounds| count >= bound(bounds));
        self.cut |= over;
        over
    }

    fn print<'v>(&mut self, value: &'v Value, style: Style) {
        let mut open: Vec<Open<'v>> = Vec::new();
        self.print_one(value, style, &mut open);
        while let Some(top) = open.last_mut() {
            if self.full() {
                self.cut = true;
                return;
            }
            let next = match top {
                Open::Items { items, shown, close } => match items.next() {
                    None => {
                        self.out.push(*close);
                        open.pop();
                        continue;
                    }
                    Some(item) => {
                        if *shown > 0 {
                            self.out.push(' ');
                        }
                        if self.over(|bounds| bounds.max_items, *shown) {
                            self.out.push('…');
                            self.out.push(*close);
                            open.pop();
                            continue;
                        }
                        *shown += 1;
                        item
                    }
                },
                Open::Pairs { pairs, value, shown } => match value.take() {
                    Some((_, true)) => {
                        self.out.push_str(" [Hidden]");
                        continue;
                    }
                    Some((value, false)) => {
                        self.out.push(' ');
                        value
                    }
                    None => match pairs.next() {
                        None => {
                            self.out.push('}');
                            open.pop();
                            continue;
                        }
                        Some((key, found)) => {
                            if *shown > 0 {
                                self.out.push_str(", ");
                            }
                            if self.over(|bounds| bounds.max_items, *shown) {
                                self.out.push_str("…}");
                                open.pop();
                                continue;
                            }
                            *shown += 1;
                            let private = self.bounds.is_some_and(|bounds| bounds.hide_private)
                                && key.name().is_some_and(|name| name.starts_with('_'));
                            *value = Some((found, private));
                            key
                        }
                    },
                },
            };
            self.print_one(next, style.inside(), &mut open);
        }
    }

    /// Prints a value that is not a collection, or opens a collection.
    fn print_one<'v>(&mut self, value: &'v Value, style: Style, open: &mut Vec<Open<'v>>) {
        let start = match value {
            Value::List(_) => "(",
            Value::Vector(_) => "[",
            Value::Set(_) => "#{",
            Value::Map(_) => "{",
            _ => return self.atom(value.plain(), style),
        };
        if self.over(|bounds| bounds.max_depth, open.len()) {
            self.out.push('…');
            return;
        }
        self.out.push_str(start);
        if let Value::Map(map) = value {
            open.push(Open::Pairs { pairs: map.rows(), value: None, shown: 0 });
        } else if let Some(items) = value.items() {
            let close = match value {
                Value::List(_) => ')',
                Value::Vector(_) => ']',
                _ => '}',
            };
            open.push(Open::Items { items, shown: 0, close });
        }
    }

    /// Returns the part of a text that fits, and a little more, so that the overflow shows.
    fn fitting<'t>(&self, text: &'t str) -> &'t str {
        let room = self.max_bytes.saturating_sub(self.out.len()).saturating_add(1);
        if text.len() <= room {
            return text;
        }
        let end = (room..=text.len()).find(|end| text.is_char_boundary(*end));
        text.get(..end.unwrap_or(text.len())).unwrap_or(text)
    }

    /// Writes the digits of a large integer, in time that grows with the square of their number.
    fn big(&mut self, big: &BigInt, end: &str) {
        let cost = big_cost(big);
        if self.bounds.is_some_and(|bounds| big.bits() / 4 > bounds.max_chars as u64) {
            let _ = write!(self.out, "#integer[{} bits]", big.bits());
        } else if cost > self.work {
            self.work = 0;
            self.out_of_work = true;
        } else {
            self.work -= cost;
            let _ = write!(self.out, "{big}{end}");
        }
    }

    fn atom(&mut self, value: &Value, style: Style) {
        if let Value::Big(big) = value {
            // As in Clojure, only `str` of the number itself omits the letter.
            return self.big(big, if style == Style::Text { "" } else { "N" });
        }
        let text = match value {
            Value::Str(text) | Value::Symbol(text) | Value::Keyword(text) => self.fitting(text),
            _ => "",
        };
        let out = &mut self.out;
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Nil => {
                if style != Style::Text {
                    out.push_str("nil");
                }
                Ok(())
            }
            Value::Bool(bool) => write!(out, "{bool}"),
            Value::Int(int) => out.write_str(itoa::Buffer::new().format(*int)),
            Value::Float(float) => {
                write_float(out, *float, style != Style::Text);
                Ok(())
            }
            Value::Str(_) if style == Style::Readable => {
                write_string(out, text);
                Ok(())
            }
            Value::Str(_) | Value::Symbol(_) => out.write_str(text),
            Value::Keyword(_) => write!(out, ":{text}"),
            Value::Function(closure) => {
                write!(out, "#function[{}]", closure.name().unwrap_or("fn"))
            }
            Value::Builtin(id) => write!(out, "#function[{}]", id.name()),
            Value::Ext(ext) => match &**ext {
                Ext::Regex(regex) if style == Style::Text => out.write_str(regex.source()),
                Ext::Uuid(uuid) if style == Style::Readable => {
                    write!(out, "#uuid \"{}\"", uuid.text())
                }
                Ext::Uuid(uuid) => out.write_str(uuid.text()),
                Ext::Matcher(_) => out.write_str("#matcher"),
                Ext::Stage(step) => write!(out, "#function[{}]", step.kind.name()),
                Ext::Regex(regex) => {
                    write_regex(out, regex.source());
                    Ok(())
                }
                // As on the JVM, only `str` names the kind.
                Ext::Class(class) if style == Style::Text => {
                    write!(out, "class {}", class.full_name)
                }
                Ext::Class(class) => out.write_str(class.full_name),
                // A text that grew was written as the plain one.
                Ext::Grown(_) => Ok(()),
                Ext::Var(name) => write!(out, "#'{name}"),
                Ext::Reduced(_) => out.write_str("#reduced"),
                Ext::Cell(_) => write!(out, "#{}", value.type_name()),
                Ext::Lazy(_) | Ext::Pulled(_) => out.write_str("(…)"),
                Ext::Error(thrown) => {
                    let message = thrown.message.as_deref().unwrap_or_default();
                    write!(out, "#error[{} {message:?}]", thrown.class)
                }
                // As on the JVM, but without the address.
                Ext::Time(time) if style == Style::Readable => {
                    write!(out, "#object[{} \"{}\"]", time.class(), time.text())
                }
                Ext::Time(time) => out.write_str(time.text()),
            },
            Value::Big(_) | Value::List(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) => {
                Ok(())
            }
        };
    }
}

/// Writes a double as the JVM does: plain between 10^-3 and 10^7, otherwise with an exponent.
pub fn write_float(out: &mut String, float: f64, readable: bool) {
    let special = match (float.is_nan(), float.is_infinite(), float > 0.0, readable) {
        (true, _, _, true) => "##NaN",
        (true, _, _, false) => "NaN",
        (_, true, true, true) => "##Inf",
        (_, true, true, false) => "Infinity",
        (_, true, false, true) => "##-Inf",
        (_, true, false, false) => "-Infinity",
        _ => "",
    };
    if !special.is_empty() {
        out.push_str(special);
        return;
    }
    let size = float.abs();
    if size == 0.0 || (1e-3..1e7).contains(&size) {
        out.push_str(zmij::Buffer::new().format_finite(float));
        return;
    }
    let text = format!("{float:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    out.push_str(digits);
    if !digits.contains('.') {
        out.push_str(".0");
    }
    out.push('E');
    out.push_str(exponent);
}

/// Writes a regular expression as its literal, with a backslash before each unescaped quote.
fn write_regex(out: &mut String, source: &str) {
    out.push_str("#\"");
    let mut escaped = false;
    for c in source.chars() {
        if c == '"' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out.push('"');
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Returns a text as a program writes it.
pub fn literal(text: &str) -> String {
    Value::str(text).to_string()
}

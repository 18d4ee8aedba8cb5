//! `format`: the directives of `java.util.Formatter`, as models write them.
//!
//! Widths and precisions are paid for before padding.

use ptc_facts::messages::{describe, wrong_type};
use ptc_facts::registry::facts::{ANY, TEXT, listed};
use ptc_machine::Row;
use ptc_machine::{Cx, pure};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Res, Value};

pub const TABLE: &[Row] = &[
    pure(
        "format",
        "text & values",
        "The text with its directives replaced by values, such as %s %d %.2f %5s %,d %x %%.",
        "(format \"%s: %.2f\" \"a\" 1.5) => \"a: 1.50\"",
        listed(TEXT).looks_inside(),
        |cx, args| {
            let out = formatted(cx, "format", args)?;
            cx.string(out)
        },
    ),
    pure(
        "printf",
        "text & values",
        "Prints the result of `format`; returns nil.",
        "(printf \"%d%n\" 1) => nil",
        listed(ANY).looks_inside().acts(),
        |cx, args| {
            let out = formatted(cx, "printf", args)?;
            // Kept text is stored as lines, so a line end at the end is not doubled.
            let (line, end) = match out.strip_suffix('\n') {
                Some(line) => (line, "\n"),
                None => (&*out, ""),
            };
            cx.print(&[Value::str(line)], false, end).map(|()| Value::Nil)
        },
    ),
];

/// One directive: `%[index$][flags][width][.precision]conversion`.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of a directive")]
struct Directive<'t> {
    /// The source text.
    text: &'t str,
    /// The number of its value, from 1.
    index: Option<usize>,
    /// Whether it reuses the value of the previous directive.
    same: bool,
    minus: bool,
    alternate: bool,
    plus: bool,
    space: bool,
    zero: bool,
    group: bool,
    parens: bool,
    width: Option<u64>,
    precision: Option<u64>,
    conversion: char,
}

/// Formats the other arguments by the first.
pub(super) fn formatted(cx: &mut Cx, who: &str, args: &[Value]) -> Res<String> {
    let Some((Value::Str(text), values)) = args.split_first() else {
        return Err(wrong_type(who, "a text first", args.first().unwrap_or(&Value::Nil)));
    };
    cx.spend(text.len() as u64 / 16 + 1)?;
    let mut out = String::new();
    let mut rest = text.as_str();
    let (mut ordinary, mut last) = (0, None);
    while let Some(start) = rest.find('%') {
        out.push_str(&rest[..start]);
        let directive = Directive::parse(&rest[start..])?;
        directive.check()?;
        rest = &rest[start + directive.text.len()..];
        let size = directive.width.unwrap_or(0).max(directive.precision.unwrap_or(0));
        cx.spend(size / 16 + 1)?;
        cx.alloc(size.saturating_mul(2))?;
        match directive.conversion {
            'n' => out.push('\n'),
            '%' => directive.pad(&mut out, "%"),
            _ => {
                let index = match directive.index {
                    Some(index) => index.checked_sub(1),
                    None if directive.same => last,
                    None => {
                        ordinary += 1;
                        Some(ordinary - 1)
                    }
                };
                let Some(value) = index.and_then(|index| values.get(index)) else {
                    return Err(bad(format!(
                        "`{who}` has no value for `{}`: {} given",
                        directive.text,
                        match values.len() {
                            1 => "1 is".to_owned(),
                            count => format!("{count} are"),
                        }
                    ))
                    .with_class("MissingFormatArgumentException")
                    .with_jvm_message(format!("Format specifier '{}'", directive.text))
                    .with_help(
                        "give one value for each directive; write `%%` for a percent sign",
                    ));
                };
                last = index;
                directive.value(cx, &mut out, value)?;
            }
        }
        if out.len() as u64 > cx.limits.memory {
            return Err(cx.too_much());
        }
    }
    out.push_str(rest);
    cx.spend(out.len() as u64 / 16)?;
    Ok(out)
}

#[cold]
fn bad(message: String) -> Diagnostic {
    Diagnostic::new(Code::BadFormat, message)
}

/// Splits off the digits at the start of a text, as a number.
fn digits(text: &str) -> (Option<u64>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    if number.is_empty() {
        return (None, rest);
    }
    (Some(number.parse().unwrap_or(u64::MAX)), rest)
}

impl<'t> Directive<'t> {
    /// Parses the directive at the start of a text, which begins with `%`.
    fn parse(text: &'t str) -> Res<Directive<'t>> {
        let mut directive = Directive::default();
        let mut rest = &text[1..];
        if !rest.starts_with('0')
            && let (Some(index), after) = digits(rest)
            && let Some(after) = after.strip_prefix('$')
        {
            directive.index = Some(usize::try_from(index).unwrap_or(usize::MAX));
            rest = after;
        }
        while let Some(flag) = rest.chars().next() {
            let place = match flag {
                '-' => &mut directive.minus,
                '#' => &mut directive.alternate,
                '+' => &mut directive.plus,
                ' ' => &mut directive.space,
                '0' => &mut directive.zero,
                ',' => &mut directive.group,
                '(' => &mut directive.parens,
                '<' => &mut directive.same,
                _ => break,
            };
            if *place {
                return Err(bad(format!("a directive of the format has the flag `{flag}` twice")));
            }
            *place = true;
            rest = &rest[1..];
        }
        (directive.width, rest) = digits(rest);
        if let Some(after) = rest.strip_prefix('.') {
            (directive.precision, rest) = digits(after);
            if directive.precision.is_none() {
                return Err(bad(
                    "a directive of the format has a point and no precision after it".to_owned()
                )
                .with_help("write the number of digits, such as `%.2f`"));
            }
        }
        let Some(conversion) = rest.chars().next() else {
            return Err(bad("the format ends within a directive".to_owned())
                .with_class("UnknownFormatConversionException")
                .with_jvm_message("Conversion = '%'".to_owned())
                .with_help("write `%%` for a percent sign"));
        };
        directive.conversion = conversion;
        directive.text = &text[..text.len() - rest.len() + conversion.len_utf8()];
        Ok(directive)
    }

    /// Checks the rules of `java.util.Formatter` that do not depend on the value.
    fn check(&self) -> Res<()> {
        let Directive { text, conversion, .. } = self;
        // The flags that the conversion allows.
        let flags = match conversion {
            's' | 'S' | 'b' | 'B' | 'c' | 'C' | '%' => "-",
            'd' => "-+ 0,(",
            'x' | 'X' | 'o' => "-#+ 0(",
            'f' => "-#+ 0,(",
            'e' | 'E' => "-#+ 0(",
            'g' | 'G' => "-+ 0,(",
            'n' => "",
            't' | 'T' => {
                return Err(bad(format!(
                    "`{text}` formats a date, which `format` does not support here"
                ))
                .with_help("write `(.format date (DateTimeFormatter/ofPattern \"yyyy-MM-dd\"))`"));
            }
            'a' | 'A' | 'h' | 'H' => {
                return Err(bad(format!("`{text}` is a format directive that is not supported"))
                    .with_help("use %s %d %f %e %g %x %o %c %b %n or %%"));
            }
            _ => {
                return Err(bad(format!("`{text}` is not a format directive"))
                    .with_class("UnknownFormatConversionException")
                    .with_jvm_message(format!("Conversion = '{conversion}'"))
                    .with_help(
                        "use %s %d %f %e %g %x %o %c %b %n or %%; write `%%` for a percent sign",
                    ));
            }
        };
        for (flag, there) in [
            ('-', self.minus),
            ('#', self.alternate),
            ('+', self.plus),
            (' ', self.space),
            ('0', self.zero),
            (',', self.group),
            ('(', self.parens),
        ] {
            if there && !flags.contains(flag) {
                return Err(bad(format!(
                    "`{text}` has the flag `{flag}`, which `%{conversion}` does not accept"
                )));
            }
        }
        if self.precision.is_some()
            && matches!(conversion, 'd' | 'x' | 'X' | 'o' | 'c' | 'C' | 'n' | '%')
        {
            return Err(bad(format!(
                "`{text}` has a precision, which `%{conversion}` does not accept"
            ))
            .with_help("only `%f` has digits after the point; for an integer write `%d`"));
        }
        if self.width.is_some() && *conversion == 'n' {
            return Err(bad(format!("`{text}` has a width, which `%n` does not accept")));
        }
        if (self.minus || self.zero) && self.width.is_none() {
            let flag = if self.minus { '-' } else { '0' };
            return Err(bad(format!("`{text}` has the flag `{flag}` and no width"))
                .with_help("write the width after the flag, such as `%-10s` or `%05d`"));
        }
        if (self.plus && self.space) || (self.minus && self.zero) {
            return Err(bad(format!("`{text}` has two flags that exclude each other")));
        }
        Ok(())
    }

    /// Appends a text, padded with spaces to the width.
    fn pad(&self, out: &mut String, text: &str) {
        let text = if self.conversion.is_uppercase() { &text.to_uppercase() } else { text };
        let width = usize::try_from(self.width.unwrap_or(0)).unwrap_or(usize::MAX);
        let fill = width.saturating_sub(text.chars().count());
        if !self.minus {
            out.extend(std::iter::repeat_n(' ', fill));
        }
        out.push_str(text);
        if self.minus {
            out.extend(std::iter::repeat_n(' ', fill));
        }
    }

    fn value(&self, cx: &mut Cx, out: &mut String, value: &Value) -> Res<()> {
        if let (Value::Str(text), 's', None) = (value, self.conversion, self.precision)
            && text.len() as u64 <= cx.limits.memory
        {
            cx.alloc(text.len() as u64)?;
            self.pad(out, text);
            return Ok(());
        }
        let conversion = self.conversion.to_ascii_lowercase();
        let text = match (conversion, value) {
            ('b', _) => self.cut(value.truthy().to_string()),
            ('s', Value::Nil) => self.cut("null".to_owned()),
            ('s', _) => {
                let mut text = String::new();
                cx.text_of(&mut text, value, false)?;
                self.cut(text)
            }
            (_, Value::Nil) => match self.precision {
                Some(_) => self.cut("null".to_owned()),
                None => "null".to_owned(),
            },
            ('c', Value::Str(text)) if text.chars().count() == 1 => text.to_string(),
            ('c', Value::Int(code)) => match u32::try_from(*code).ok().and_then(char::from_u32) {
                Some(c) => c.to_string(),
                None => return Err(self.mismatch(value)),
            },
            ('d', Value::Int(_) | Value::Big(_)) => {
                let mut text = String::new();
                cx.text_of(&mut text, value, false)?;
                let (negative, size) = signed(&text);
                self.number(negative, "", size, true)
            }
            ('x' | 'o', Value::Int(int)) => {
                if self.plus || self.space || self.parens {
                    return Err(bad(format!(
                        "`{}` has a flag for signs, which `%{}` does not accept for 64 bits",
                        self.text, self.conversion
                    )));
                }
                let (prefix, digits) = if conversion == 'x' {
                    ("0x", format!("{int:x}"))
                } else {
                    ("0", format!("{int:o}"))
                };
                self.number(false, if self.alternate { prefix } else { "" }, &digits, true)
            }
            ('x' | 'o', Value::Big(big)) => {
                cx.spend(big.bits())?;
                let (radix, prefix) = if conversion == 'x' { (16, "0x") } else { (8, "0") };
                let text = big.to_str_radix(radix);
                let (negative, size) = signed(&text);
                self.number(negative, if self.alternate { prefix } else { "" }, size, true)
            }
            ('f' | 'e' | 'g', Value::Float(float)) => self.float(*float),
            _ => return Err(self.mismatch(value)),
        };
        self.pad(out, &text);
        Ok(())
    }

    #[cold]
    fn mismatch(&self, value: &Value) -> Diagnostic {
        let (expected, help) = match self.conversion.to_ascii_lowercase() {
            'd' | 'x' | 'o' => (
                "an integer",
                "write `%s` for any value, `%.2f` for a float, or convert it to an integer with `(long x)`",
            ),
            'c' => ("a character", "write `%s` for a text"),
            _ => {
                ("a float", "write `%d` for an integer, or convert it to a float with `(double x)`")
            }
        };
        bad(format!("`{}` in the format expects {expected}, found {}", self.text, describe(value)))
            .with_class("IllegalFormatConversionException")
            .with_jvm_message(format!(
                "{} != {}",
                self.conversion,
                ptc_facts::messages::class_name(value, true)
            ))
            .with_help(help)
    }

    fn cut(&self, mut text: String) -> String {
        if let Some(most) = self.precision
            && let Some((end, _)) =
                text.char_indices().nth(usize::try_from(most).unwrap_or(usize::MAX))
        {
            text.truncate(end);
        }
        text
    }

    /// Returns digits with their sign, groups, and zeros up to the width.
    fn number(&self, negative: bool, prefix: &str, digits: &str, finite: bool) -> String {
        let mut text = String::new();
        match (negative, self.parens) {
            (true, true) => text.push('('),
            (true, false) => text.push('-'),
            (false, _) if self.plus => text.push('+'),
            (false, _) if self.space => text.push(' '),
            _ => {}
        }
        text.push_str(prefix);
        let mut grouped = String::new();
        let digits = if self.group && finite {
            let whole = digits.find('.').unwrap_or(digits.len());
            for (at, c) in digits.chars().enumerate() {
                if at > 0 && at < whole && (whole - at).is_multiple_of(3) {
                    grouped.push(',');
                }
                grouped.push(c);
            }
            grouped.as_str()
        } else {
            digits
        };
        let close = if negative && self.parens { ")" } else { "" };
        if self.zero && finite {
            let width = usize::try_from(self.width.unwrap_or(0)).unwrap_or(usize::MAX);
            let there = text.len() + digits.len() + close.len();
            text.extend(std::iter::repeat_n('0', width.saturating_sub(there)));
        }
        text + digits + close
    }

    fn float(&self, float: f64) -> String {
        let negative = float.is_sign_negative() && !float.is_nan();
        if float.is_nan() {
            // Not-a-number has no sign.
            return "NaN".to_owned();
        }
        if float.is_infinite() {
            return self.number(negative, "", "Infinity", false);
        }
        let decimal = Decimal::of(float.abs());
        let precision = usize::try_from(self.precision.unwrap_or(6)).unwrap_or(usize::MAX);
        let mut digits = match self.conversion.to_ascii_lowercase() {
            'f' => decimal.plain(precision),
            'e' => decimal.scientific(precision),
            _ => {
                let precision = precision.max(1);
                let rounded = decimal.rounded(precision as i64 - decimal.point);
                if decimal.is_zero() {
                    decimal.plain(precision - 1)
                } else if rounded.point - 1 < -4 || rounded.point > precision as i64 {
                    decimal.scientific(precision - 1)
                } else {
                    rounded.plain((precision as i64 - rounded.point).max(0) as usize)
                }
            }
        };
        if self.alternate && !digits.contains('.') {
            let end = digits.find('e').unwrap_or(digits.len());
            digits.insert(end, '.');
        }
        self.number(negative, "", &digits, true)
    }
}

/// Returns whether the text of a number is negative, and the text without its sign.
fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text),
    }
}

/// The shortest decimal number that reads back as a float: `0.DIGITS` times ten to the power of
/// `point`. Rounding uses these digits, half up, as on the JVM: 1.005 is 1.01.
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn of(float: f64) -> Decimal {
        let text = format!("{float:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: Vec<u8> =
            digits.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        Decimal { digits, point: exponent.parse::<i64>().unwrap_or(0) + 1 }
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|digit| *digit == 0)
    }

    /// Rounds to this number of digits after the point.
    fn rounded(&self, places: i64) -> Decimal {
        let kept = self.point.saturating_add(places);
        let Ok(count) = usize::try_from(kept) else {
            return Decimal { digits: vec![0], point: 1 };
        };
        let mut digits: Vec<u8> = self.digits.iter().copied().take(count).collect();
        let mut point = self.point;
        if self.digits.get(count).is_some_and(|next| *next >= 5) {
            let mut carry = true;
            for digit in digits.iter_mut().rev() {
                *digit += 1;
                carry = *digit == 10;
                if !carry {
                    break;
                }
                *digit = 0;
            }
            if carry {
                digits.insert(0, 1);
                point += 1;
            }
        }
        Decimal { digits, point }
    }

    fn digit(&self, at: i64) -> char {
        let digit = usize::try_from(at).ok().and_then(|at| self.digits.get(at)).copied();
        char::from(b'0' + digit.unwrap_or(0))
    }

    /// Returns digits, a point, and this number of digits after it.
    fn plain(&self, places: usize) -> String {
        let rounded = self.rounded(places as i64);
        let mut text = String::new();
        text.extend((0..rounded.point).map(|at| rounded.digit(at)));
        if text.is_empty() {
            text.push('0');
        }
        if places > 0 {
            text.push('.');
            text.extend((rounded.point..rounded.point + places as i64).map(|at| rounded.digit(at)));
        }
        text
    }

    /// Returns one digit, a point, this number of digits after it, and the exponent.
    fn scientific(&self, places: usize) -> String {
        let rounded = self.rounded((places as i64 + 1).saturating_sub(self.point));
        let mut text = String::from(rounded.digit(0));
        if places > 0 {
            text.push('.');
            text.extend((1..=places as i64).map(|at| rounded.digit(at)));
        }
        let exponent = if rounded.is_zero() { 0 } else { rounded.point - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        text + &format!("e{sign}{:02}", exponent.abs())
    }
}

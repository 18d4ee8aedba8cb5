//! Replacements in texts.

use regex::Captures;

use super::facts::{ANY, TEXT_FIRST, UNSEEN, listed};
use super::regex::{Matches, groups};
use super::string::{any_text, finish};
use super::{Row, callback, wrong_type};
use ptc_facts::messages::message_text;
use ptc_machine::{CallbackState, Collect, Cx, Each, ItemIter};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Ext, Pattern, Res, Value, span};

pub const TABLE: &[Row] = &[
    callback(
        "str/replace",
        "text match replacement",
        "The text with every match of a text or a regex replaced; `$1` is a group of a regex.",
        "(str/replace \"a.b\" \".\" \"-\") => \"a-b\"",
        UNSEEN,
        listed(ANY).collection(TEXT_FIRST),
        |cx, args| replace(cx, &args, true),
    ),
    callback(
        "str/replace-first",
        "text match replacement",
        "The text with the first match replaced.",
        "(str/replace-first \"aa\" \"a\" \"b\") => \"ba\"",
        UNSEEN,
        listed(ANY),
        |cx, args| replace(cx, &args, false),
    ),
];

/// Replaces at most `limit` matches in a text; `$1` means a group.
pub fn replace_matches(
    cx: &mut Cx,
    regex: &Pattern,
    whole: &str,
    new: &str,
    most: usize,
) -> Res<String> {
    let mut out = String::new();
    let mut last = 0;
    cx.spend(regex.search_cost(whole.len()))?;
    let mut matches = Matches::new(regex, whole);
    let names_groups = new.contains('$');
    let is_plain = !names_groups && !new.contains('\\');
    for _ in 0..most {
        let found = if names_groups {
            matches.next_groups(cx)?.map(|found| (span(&found), Some(found)))
        } else {
            matches.next_span(cx)?.map(|span| (span, None))
        };
        let Some((at, found)) = found else { break };
        out.push_str(&whole[last..at.start]);
        if is_plain {
            out.push_str(new);
        } else {
            expand(&mut out, new, found.as_ref())?;
        }
        cx.alloc(new.len() as u64)?;
        if out.len() as u64 > cx.limits.memory {
            return Err(cx.too_much());
        }
        last = at.end;
    }
    out.push_str(&whole[last..]);
    Ok(out)
}

/// Implements `str/replace`: at once with a text or regex, with a call for each match otherwise.
fn replace(cx: &mut Cx, args: &[Value], all: bool) -> Res<CallbackState> {
    let who = if all { "str/replace" } else { "str/replace-first" };
    let whole = any_text(cx, who, &args[0])?;
    let replaced = match (&args[1], &args[2]) {
        (Value::Str(old), Value::Str(new)) => {
            cx.spend(whole.len() as u64 / 4 + 1)?;
            let count = if all { whole.matches(old.as_str()).count() as u64 } else { 1 };
            cx.alloc(count.saturating_mul(new.len() as u64))?;
            if all {
                whole.replace(old.as_str(), new)
            } else {
                whole.replacen(old.as_str(), new, 1)
            }
        }
        (Value::Ext(ext), replacement) => {
            let Ext::Regex(regex) = &**ext else { return Err(no_match(who, &args[1])) };
            match replacement {
                Value::Str(new) => {
                    let most = if all { usize::MAX } else { 1 };
                    replace_matches(cx, regex, &whole, new, most)?
                }
                function => return replace_with(cx, &whole, regex, function.clone(), all),
            }
        }
        (Value::Str(_), other) => {
            return Err(wrong_type(who, "a text as the replacement of a text", other));
        }
        (other, _) => return Err(no_match(who, other)),
    };
    finish(cx, replaced).map(CallbackState::value)
}

/// Returns the error of a value that cannot be searched for in a text.
#[cold]
fn no_match(who: &str, value: &Value) -> Diagnostic {
    wrong_type(who, "a text or a regular expression", value)
        .with_class("IllegalArgumentException")
        .with_jvm_message(format!("Invalid match arg: {}", message_text(value)))
}

/// Appends a replacement: `$1` means a group, and a backslash escapes the next character.
fn expand(out: &mut String, replacement: &str, found: Option<&Captures<'_>>) -> Res<()> {
    let mut chars = replacement.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '$' => {
                let Some(group) = found.and_then(|found| group_of(&mut chars, found)) else {
                    return Err(Diagnostic::new(
                        Code::BadRegex,
                        "the replacement names a group that the expression does not have",
                    )
                    .with_class("IndexOutOfBoundsException")
                    .with_help("`$1` is the first group; write `\\\\$` for a dollar sign"));
                };
                out.push_str(group);
            }
            c => out.push(c),
        }
    }
    Ok(())
}

/// Returns the group that a replacement names after its dollar sign, as in `$1` or `${name}`. It
/// takes further digits while such a group exists, as on the JVM.
fn group_of<'t>(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    found: &Captures<'t>,
) -> Option<&'t str> {
    if chars.next_if_eq(&'{').is_some() {
        let mut name = String::new();
        loop {
            match chars.next()? {
                '}' => break,
                c => name.push(c),
            }
        }
        return found.name(&name).map(|group| group.as_str());
    }
    let digit = |c: char| c.to_digit(10).map(|digit| digit as usize);
    let mut group = chars.next().and_then(digit).filter(|group| *group < found.len())?;
    while let Some(longer) = chars.peek().copied().and_then(digit).map(|digit| group * 10 + digit) {
        if longer >= found.len() {
            break;
        }
        group = longer;
        chars.next();
    }
    Some(found.get(group).map_or("", |group| group.as_str()))
}

/// Calls a function for each match, and puts its values between the unmatched parts.
fn replace_with(
    cx: &mut Cx,
    whole: &str,
    regex: &Pattern,
    function: Value,
    all: bool,
) -> Res<CallbackState> {
    cx.spend(regex.search_cost(whole.len()))?;
    let mut search = Matches::new(regex, whole);
    let mut matches = Vec::new();
    let mut between = Vec::new();
    let mut last = 0;
    while let Some(found) = search.next_groups(cx)? {
        let at = span(&found);
        cx.alloc(160)?;
        between.push(Value::str(&whole[last..at.start]));
        matches.push(groups(&found));
        last = at.end;
        if !all {
            break;
        }
    }
    between.push(Value::str(&whole[last..]));
    let mut each =
        Each::one(function, ItemIter::Own(matches.into_iter()), Collect::Results, |cx, each| {
            let mut out = String::new();
            let mut results = each.out.into_iter();
            for part in each.aside {
                cx.text_of(&mut out, &part, false)?;
                if let Some(result) = results.next() {
                    cx.text_of(&mut out, &result, false)?;
                }
            }
            finish(cx, out)
        });
    each.aside = between;
    Ok(each.into())
}

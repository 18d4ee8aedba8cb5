//! Reads values from texts. The texts are not trusted: their length bounds the work, and their statements about
//! programs are compared with the programs.

use std::sync::Arc;

use crate::{Diagnostic, Limits};
use ptc_machine::Alive;
use ptc_reader::{FormId, FormKind, Source, Text, read_first};
use ptc_values::{Ext, Lazy, Link, Seq, Shapes, Value};

use super::lost::propagate;
use super::together::{Context, Fault, Restored, compose, key};

/// The nesting limit of forms in one text; the writer stays below it.
const NESTING: u32 = 256;

/// The levels below a tag that belong to the tag.
const TAG_LEVELS: u8 = 3;

pub(super) struct Reader<'a> {
    limits: Limits,
    context: Context<'a>,
    parts: Vec<Value>,
    /// The shapes of the maps that were made last.
    shapes: Shapes,
    /// The number of finished parts. Of later parts, only lazy sequences exist, as shells.
    made: usize,
    /// Pairs of holder and held: the parts, then the values of texts.
    holds: Vec<(usize, usize)>,
    /// The reason a part or the value of a text is lost.
    gone: Vec<Option<String>>,
}

impl<'a> Reader<'a> {
    /// Reads the parts.
    ///
    /// # Errors
    /// Returns the first text that is not a part, with its number.
    pub(super) fn new(
        texts: &[String],
        programs: &'a [Restored],
        alive: &'a mut Alive,
        limits: &Limits,
    ) -> Result<Reader<'a>, String> {
        let shell = |text: &String| {
            let endless = text.starts_with("#endless ");
            let is_lazy = endless || text.starts_with("#lazy ");
            let lazy = is_lazy.then(|| Ext::Lazy(Lazy::with(Link::Over, endless)).into_value());
            lazy.unwrap_or_default()
        };
        let limits = Limits { source_nesting: NESTING, ..limits.clone() };
        let mut reader = Reader {
            limits,
            context: Context { programs, alive },
            parts: texts.iter().map(shell).collect(),
            shapes: Shapes::default(),
            made: 0,
            holds: Vec::new(),
            gone: Vec::new(),
        };
        for (number, text) in texts.iter().enumerate() {
            let value = reader.value(text).map_err(|why| format!("part {number}: {why}"))?;
            if let Some(part) = reader.parts.get_mut(number) {
                match (Lazy::of(part), Lazy::of(&value)) {
                    (Some(shell), Some(lazy)) => drop(shell.set(lazy.set(Link::Over))),
                    _ => *part = value,
                }
                if let Value::Ext(ext) = part {
                    reader.context.alive.add(ext);
                }
            }
            reader.made = number + 1;
        }
        Ok(reader)
    }

    /// Returns the value of a text; a placeholder if [`Reader::finish`] gives a reason for it.
    pub(super) fn value(&mut self, text: &str) -> Result<Value, String> {
        let read = read_first(text, Text::Edn, &self.limits)
            .map_err(|problem: Diagnostic| problem.message().to_owned())?;
        let Some(top) = read.top.first().copied() else {
            return Err("the text is empty".to_owned());
        };
        let end = read.forms.get(top).span.end as usize;
        if !text.get(end..).unwrap_or_default().trim().is_empty() {
            return Err("more text follows the value".to_owned());
        }
        self.gone.push(None);
        self.of_form(&read, top)
    }

    /// Returns the value of a kept text: see [`Reader::value`]. Only names and functions hold ranges that are not built.
    pub(super) fn kept(&mut self, text: &str, may_be_range: bool) -> Result<Value, String> {
        match self.value(text)? {
            Value::List(seq) if seq.is_unbuilt() && !may_be_range => {
                Err("the range is not built".to_owned())
            }
            value => Ok(value),
        }
    }

    /// Returns, for each text after the parts, the reason its value is lost.
    pub(super) fn finish(self) -> Vec<Option<String>> {
        let count = self.gone.len();
        propagate(&self.holds, count, self.gone).split_off(self.parts.len().min(count))
    }

    fn of_form(&mut self, read: &Source, top: FormId) -> Result<Value, String> {
        // Post-order: a form, whether its parts are among the values, and the number of levels below it that belong to
        // a tag.
        let mut work = vec![(top, false, 0_u8)];
        let mut values: Vec<Value> = Vec::new();
        while let Some((form, ready, free)) = work.pop() {
            let kids = read.forms.kids(form);
            let is_tagged = read.forms.is_tagged(form);
            if !ready && !kids.is_empty() {
                let below = if is_tagged { TAG_LEVELS } else { free.saturating_sub(1) };
                work.push((form, true, free));
                work.extend(kids.iter().rev().map(|kid| (*kid, false, below)));
                continue;
            }
            let held = values.split_off(values.len().saturating_sub(kids.len()));
            let value = if is_tagged {
                let [_, tag, data] = <[Value; 3]>::try_from(held).unwrap_or_default();
                let tag = tag.name().unwrap_or_default().to_owned();
                match if tag == "part" {
                    self.part(&data)
                } else {
                    compose(&tag, &data, &mut self.context)
                } {
                    Ok(value) => value,
                    Err(Fault::Unavailable(why)) => self.lost(why),
                    Err(Fault::Damaged(why)) => return Err(format!("`#{tag}`: {why}")),
                }
            } else {
                self.plain(read, form, held)?
            };
            if free == 0 && !is_tagged && value.depth() > self.limits.value_depth {
                let limit = self.limits.value_depth;
                let why = format!("values nest deeper than the limit of {limit} levels");
                values.push(self.lost(why));
            } else {
                values.push(value);
            }
        }
        Ok(values.pop().unwrap_or_default())
    }

    /// Records that the present text has no value in this session.
    fn lost(&mut self, why: String) -> Value {
        if let Some(gone) = self.gone.last_mut() {
            gone.get_or_insert(why);
        }
        Value::Nil
    }

    fn part(&mut self, number: &Value) -> Result<Value, Fault> {
        let found = number.as_int().and_then(|number| usize::try_from(number).ok());
        let found = found.and_then(|number| Some((number, self.parts.get(number)?)));
        let Some((number, part)) = found else {
            return Err(Fault::damaged(format!("there is no part {number}")));
        };
        if number >= self.made && Lazy::of(part).is_none() {
            return Err(Fault::damaged(format!(
                "part {number} comes later and is not a lazy sequence"
            )));
        }
        self.holds.push((self.gone.len().saturating_sub(1), number));
        Ok(part.clone())
    }

    fn plain(&mut self, read: &Source, form: FormId, held: Vec<Value>) -> Result<Value, String> {
        let forms = &read.forms;
        Ok(match forms.get(form).kind {
            FormKind::Nil => Value::Nil,
            FormKind::Bool(bool) => Value::Bool(bool),
            FormKind::Int(int) => Value::Int(int),
            FormKind::Big(big) => Value::big(forms.big(big).clone()),
            FormKind::Float(float) => Value::Float(float),
            FormKind::Str(text) => Value::Str(forms.shared(text)),
            FormKind::Keyword(name) => Value::Keyword(forms.shared(name)),
            FormKind::Symbol(name) => Value::Symbol(forms.shared(name)),
            FormKind::Core(name) => Value::Symbol((*name).into()),
            FormKind::List if held.is_empty() => Value::empty_list(),
            FormKind::List => Value::List(Arc::new(Seq::new(held).into_list())),
            FormKind::Vector => Value::vector(held),
            FormKind::Map => {
                held.iter().step_by(2).try_for_each(key)?;
                Value::Map(Arc::new(self.shapes.map(ptc_values::pairs(held))))
            }
            FormKind::Set => {
                held.iter().try_for_each(key)?;
                Value::set(held)
            }
            FormKind::Regex(_)
            | FormKind::ShortFn
            | FormKind::Quote
            | FormKind::Deref
            | FormKind::Var => return Err("a program form is not data".to_owned()),
        })
    }
}

//! Watches the fields that only data can tell of, while a program runs.
//!
//! Admission names the fields that a program reads from values whose fields it cannot know, such as the result of a tool
//! without a type. The machine notes which of them no map had.

use std::fmt::Write as _;
use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::code::{Code, Span};
use ptc_values::{Diagnostic, LastKeys, Map, Res, Value};

use crate::messages::bare;
use crate::shape::Names;

/// A field that is read from values whose fields are unknown before the program runs.
#[derive(Debug, Clone)]
pub struct WatchedField {
    /// The text of the constant that reads it. Its address is that of the read, since the checker gives each read a
    /// constant of its own where it can.
    pub name: ArcStr,
    /// The first read of it.
    pub span: Span,
}

impl WatchedField {
    /// Returns the address of the constant that reads the field.
    pub fn address(&self) -> usize {
        address_of(&self.name)
    }
}

/// Returns the address of a text, by which a read of a field is known.
#[inline]
pub fn address_of(name: &ArcStr) -> usize {
    name.as_ptr().addr()
}

/// The number of names that are kept of the maps without a field.
const NAMES: usize = 32;

/// The fields that a run of a program found so far. The findings do not depend on the order of reads, since branches
/// take turns in any order.
#[derive(Default)]
pub struct FieldWatch {
    fields: Arc<[WatchedField]>,
    /// The addresses of their constants in order, each with the place of the field.
    addresses: Vec<(usize, u8)>,
    /// One bit for each of these addresses; addresses share bits.
    mask: u64,
    /// The source of the program.
    source: Arc<str>,
    /// One bit for each field that a map had.
    found: u128,
    missed: Vec<Missed>,
}

/// A field that some maps do not have.
struct Missed {
    field: u8,
    /// The number of those maps.
    maps: u64,
    /// The first names in alphabetical order.
    names: Vec<ArcStr>,
    /// The names of the last map, which are among those.
    last: Vec<ArcStr>,
    /// The keys of that map. Maps that share them add no names.
    keys: LastKeys,
}

impl FieldWatch {
    /// The number of reads that are watched; further ones are not.
    pub const FIELDS: usize = 128;

    /// The place of a field that is not watched, or no longer.
    pub const NONE: u8 = u8::MAX;

    pub fn of(fields: Arc<[WatchedField]>, source: Arc<str>) -> FieldWatch {
        let places = fields.iter().take(FieldWatch::FIELDS).enumerate();
        let mut addresses: Vec<_> = places.map(|(at, it)| (it.address(), at as u8)).collect();
        addresses.sort_unstable();
        let mask = addresses.iter().fold(0, |mask, (address, _)| mask | mask_of(*address));
        FieldWatch { fields, addresses, mask, source, found: 0, missed: Vec::new() }
    }

    /// Returns the place of a field that is watched and was not found yet, by the address of its constant.
    pub fn place(&self, address: usize) -> u8 {
        let known = self.addresses.binary_search_by_key(&address, |it| it.0);
        match known.ok().and_then(|at| self.addresses.get(at)) {
            Some((_, place)) if self.found & bit(*place) == 0 => *place,
            _ => FieldWatch::NONE,
        }
    }

    /// Returns whether a constant with this address may have a place.
    #[inline]
    pub fn may_watch(&self, address: usize) -> bool {
        self.mask & mask_of(address) != 0
    }

    /// Notes that a map has the field.
    #[cold]
    pub fn found(&mut self, place: u8) {
        self.found |= bit(place);
    }

    /// Notes that a map does not have the field. An empty map tells nothing.
    #[cold]
    pub fn missed(&mut self, place: u8, map: &Map) {
        if map.is_empty() {
            return;
        }
        let known = self.missed.iter().position(|it| it.field == place);
        let known = known.unwrap_or_else(|| {
            let (names, last, keys) = (Vec::new(), Vec::new(), LastKeys::default());
            self.missed.push(Missed { field: place, maps: 0, names, last, keys });
            self.missed.len() - 1
        });
        let Some(missed) = self.missed.get_mut(known) else { return };
        missed.maps += 1;
        if missed.keys.are_of(map) {
            return;
        }
        let names = || map.iter().take(NAMES).filter_map(|(key, _)| name_of(key));
        if names().eq(&missed.last) {
            return;
        }
        missed.last = names().cloned().collect();
        for name in names() {
            if let Err(at) = missed.names.binary_search(name) {
                missed.names.insert(at, name.clone());
                missed.names.truncate(NAMES);
            }
        }
    }

    /// Refuses a watched field that no row has. The findings of other reads do not matter, since branches take turns in
    /// any order.
    pub fn refuse_unfound<'v>(
        &self,
        who: &str,
        name: &ArcStr,
        rows: impl IntoIterator<Item = &'v Value>,
    ) -> Res<()> {
        if !self.fields.iter().any(|it| it.name == *name) {
            return Ok(());
        }
        let (mut count, mut first) = (0_u64, None);
        for row in rows {
            match row {
                Value::Map(map) if map.get_name(name).is_none() => {
                    count += 1;
                    first = first.or(Some(map));
                }
                Value::Nil => {}
                _ => return Ok(()),
            }
        }
        let Some(first) = first else { return Ok(()) };
        let names = first.iter().filter_map(|(key, _)| name_of(key));
        let Names { list, count: n_names, help, .. } =
            Names::of(name, names.map(ToString::to_string).collect());
        let rows = if count == 1 {
            "the row does not have".to_owned()
        } else {
            format!("none of the {count} rows has")
        };
        let mut message = format!("`{who}`: {rows} `{}`", bare(name));
        if n_names > 0 {
            let _ = write!(message, "; the first has {list}");
        }
        Err(Diagnostic::new(Code::UnknownField, message).with_help(help))
    }

    /// Takes the problems of the fields that no map had, each at its first read.
    pub fn take_problems(&mut self) -> Vec<Diagnostic> {
        let found = self.found;
        let mut missed = std::mem::take(&mut self.missed);
        missed.retain(|it| found & bit(it.field) == 0);
        missed.sort_by_key(|it| it.field);
        let problem = |it: &Missed| {
            let field = self.fields.get(usize::from(it.field))?;
            Some(it.problem(field).in_source(&self.source))
        };
        missed.iter().filter_map(problem).collect()
    }
}

/// Returns the bit of an address. Texts start at multiples of 8.
#[inline]
fn mask_of(address: usize) -> u64 {
    1 << (address / 8 % 64)
}

/// Returns the bit of a place.
fn bit(place: u8) -> u128 {
    1 << (usize::from(place) % FieldWatch::FIELDS)
}

fn name_of(key: &Value) -> Option<&ArcStr> {
    match key {
        Value::Str(name) | Value::Keyword(name) => Some(name),
        _ => None,
    }
}

impl Missed {
    fn problem(&self, field: &WatchedField) -> Diagnostic {
        let read = bare(&field.name);
        let names = self.names.iter().map(ToString::to_string).collect();
        let Names { list, count, help, .. } = Names::of(&field.name, names);
        let mut message = match self.maps {
            1 => format!("the map that `{read}` is read from does not have it"),
            maps => format!("`{read}` is in none of the {maps} maps that it is read from"),
        };
        if count > 0 {
            let they = if self.maps == 1 { "it has" } else { "they have" };
            let _ = write!(message, "; {they} {list}");
        }
        Diagnostic::new(Code::UnknownField, message).with_help(help).at(field.span)
    }
}

//! Lookups in data: by key, by position, and by calling data as a function.

use arcstr::ArcStr;

use crate::field_watch::{FieldWatch, address_of};
use crate::messages::{describe, out_of_bounds};
use ptc_values::code::Code;
use ptc_values::{Diagnostic, Map, Places, Res, SHORT_NAME, Value};

/// Finds what `get` finds: the value of a key, an item at a position, or a member.
pub fn find_in<'a>(collection: &'a Value, key: &Value) -> Option<&'a Value> {
    match collection {
        Value::Map(map) => map.get(key),
        Value::Set(set) => set.row(key),
        Value::Vector(vector) => {
            usize::try_from(key.as_int()?).ok().and_then(|index| vector.get(index))
        }
        _ => None,
    }
}

/// Returns the result of [`find_in`], or nil; a string has its characters.
#[inline]
pub fn lookup(collection: &Value, key: &Value) -> Value {
    match (collection, key) {
        (Value::Map(map), key) => map.get(key).cloned().unwrap_or_default(),
        (Value::Str(text), Value::Int(index)) => usize::try_from(*index)
            .ok()
            .and_then(|index| text.chars().nth(index))
            .map_or(Value::Nil, Value::character),
        _ => find_in(collection, key).cloned().unwrap_or_default(),
    }
}

/// The shapes of records in which keywords were looked up last, by the address of a keyword. It also watches fields.
pub struct FieldPlaces {
    /// Empty until the first lookup, since many programs have none.
    places: Vec<Place>,
    watch: FieldWatch,
}

struct Place {
    /// The keyword that has the place. It is kept, so no other one gets its address.
    owner: ArcStr,
    places: Places,
    /// The place of the field in the watch.
    watched: u8,
}

impl FieldPlaces {
    const COUNT: usize = 64;

    pub fn new(watch: FieldWatch) -> FieldPlaces {
        FieldPlaces { places: Vec::new(), watch }
    }

    /// Returns the result of [`lookup`].
    #[inline]
    pub fn lookup(&mut self, collection: &Value, key: &Value) -> Value {
        match self.known(collection, key) {
            Some(found) => found.clone(),
            None => self.look_up(collection, key),
        }
    }

    /// Returns the value of a keyword or nil, if an earlier map had the same keys, and the field is not watched.
    #[inline]
    fn known<'a>(&self, collection: &'a Value, key: &Value) -> Option<&'a Value> {
        let (Value::Map(map), Value::Keyword(name)) = (collection, key) else { return None };
        let place = self.places.get(address_of(name) / 16 % FieldPlaces::COUNT)?;
        if !ArcStr::ptr_eq(&place.owner, name) || place.watched != FieldWatch::NONE {
            return None;
        }
        map.get_known(&place.places, key, &Value::Nil)
    }

    #[inline(never)]
    fn look_up(&mut self, collection: &Value, key: &Value) -> Value {
        match (collection, key) {
            (Value::Map(_), Value::Keyword(_) | Value::Str(_)) => {
                self.read(collection, key).cloned().unwrap_or_default()
            }
            _ => lookup(collection, key),
        }
    }

    /// Returns the result of [`find_in`], for a caller that has a default.
    #[inline]
    pub fn find<'a>(&mut self, collection: &'a Value, key: &Value) -> Option<&'a Value> {
        match (collection, key) {
            (Value::Map(map), Value::Keyword(name)) => self.field(map, key, name).0,
            _ => find_in(collection, key),
        }
    }

    /// Returns the result of [`find_in`], for a caller that takes an absent field as nil.
    #[inline]
    pub fn read<'a>(&mut self, collection: &'a Value, key: &Value) -> Option<&'a Value> {
        match (collection, key) {
            (Value::Map(map), Value::Keyword(name)) => {
                let (found, watched) = self.field(map, key, name);
                if watched != FieldWatch::NONE && found.is_none() {
                    self.watch.missed(watched, map);
                }
                found
            }
            // Most texts are computed, so each has another address: they have no place.
            (Value::Map(map), Value::Str(name)) if self.watch.may_watch(address_of(name)) => {
                let found = map.get(key);
                match self.watch.place(address_of(name)) {
                    FieldWatch::NONE => {}
                    place if found.is_some() => self.watch.found(place),
                    place => self.watch.missed(place, map),
                }
                found
            }
            _ => find_in(collection, key),
        }
    }

    /// Refuses a watched field that no row has, if there are rows.
    ///
    /// # Errors
    /// Returns the problem of the function `who` that reads the field from each row.
    pub fn refuse_unfound<'v>(
        &self,
        who: &str,
        field: &Value,
        rows: impl IntoIterator<Item = &'v Value>,
    ) -> Res<()> {
        match field {
            Value::Keyword(name) => self.watch.refuse_unfound(who, name, rows),
            _ => Ok(()),
        }
    }

    /// Takes the problems of the watched fields that no map had.
    pub fn take_problems(&mut self) -> Vec<Diagnostic> {
        self.watch.take_problems()
    }

    #[cold]
    fn first_field<'a>(
        &mut self,
        map: &'a Map,
        key: &Value,
        name: &ArcStr,
    ) -> (Option<&'a Value>, u8) {
        self.places.resize_with(FieldPlaces::COUNT, || Place {
            owner: ArcStr::new(),
            places: Places::default(),
            watched: FieldWatch::NONE,
        });
        self.field(map, key, name)
    }

    /// Returns the value of a keyword in a map, and the place of the field in the watch if it was never found.
    #[inline]
    fn field<'a>(&mut self, map: &'a Map, key: &Value, name: &ArcStr) -> (Option<&'a Value>, u8) {
        let address = address_of(name);
        let mut at = address / 16 % FieldPlaces::COUNT;
        let Some(place) = self.places.get(at) else { return self.first_field(map, key, name) };
        if !ArcStr::ptr_eq(&place.owner, name) && !place.owner.is_empty() {
            at = FieldPlaces::other_place(address);
        }
        let place = &mut self.places[at];
        if !ArcStr::ptr_eq(&place.owner, name) {
            let watched = self.watch.place(address);
            // A kept text counts as memory of no value, so a long one is not kept. Such keywords are computed.
            if name.len() > SHORT_NAME {
                let found = map.get(key);
                if watched != FieldWatch::NONE && found.is_some() {
                    self.watch.found(watched);
                }
                return (found, watched);
            }
            *place = Place { owner: name.clone(), places: Places::default(), watched };
        }
        let found = map.get_at(key, &mut place.places);
        if place.watched != FieldWatch::NONE && found.is_some() {
            self.watch.found(place.watched);
            place.watched = FieldWatch::NONE;
        }
        (found, place.watched)
    }

    /// Returns the place of a keyword whose first place has another owner. Without it, two keywords of a loop with one place
    /// would forget each other's shapes at each lookup.
    fn other_place(address: usize) -> usize {
        let mixed = (address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 32) as usize % FieldPlaces::COUNT
    }
}

/// Calls data as a function: a keyword, symbol, map, set or vector. Returns none for other values.
pub fn call_data(callee: &Value, args: &[Value]) -> Option<Res> {
    let arity = |takes: &str| {
        Diagnostic::new(
            Code::WrongArity,
            format!(
                "{} as a function takes {takes}, not {} arguments",
                describe(callee),
                args.len()
            ),
        )
    };
    Some(match (callee, args) {
        (Value::Keyword(_) | Value::Symbol(_), [map]) => Ok(lookup(map, callee)),
        (Value::Keyword(_) | Value::Symbol(_), [map, default]) => {
            Ok(find_in(map, callee).unwrap_or(default).clone())
        }
        (Value::Keyword(_) | Value::Symbol(_), _) => Err(arity("a map and an optional default")),
        (Value::Map(_) | Value::Set(_), [key]) => Ok(lookup(callee, key)),
        (Value::Map(_), [key, default]) => Ok(find_in(callee, key).unwrap_or(default).clone()),
        (Value::Map(_), _) => Err(arity("a key and an optional default")),
        (Value::Set(_), _) => Err(arity("one member")),
        (Value::Vector(vector), [index]) => match find_in(callee, index) {
            Some(item) => Ok(item.clone()),
            None => {
                let problem = out_of_bounds(index, vector.len());
                Err(if index.as_int().is_none() {
                    problem.with_class("IllegalArgumentException")
                } else {
                    problem
                })
            }
        },
        (Value::Vector(_), _) => Err(arity("one position")),
        _ => return None,
    })
}

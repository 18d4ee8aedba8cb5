//! The fields of events as JSON, and back. The log of a store, an export and `ptc run --events` use this form.
//!
//! The name of the event, the run, the turn and the call are stored beside the fields. [`events`] and [`parts`] make
//! both directions from one list of fields. An absent field counts as null.

use std::time::Duration;

use ptc_lisp::Repair;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::earlier::{After, Earlier};
use super::fields::{BadField, Fields};
use super::id::RunId;
use super::report::RunError;
use crate::data::Data;

/// Declares the events from one table: their names, and their fields as `field: Type as Form = "key"`. Without a form
/// the field is [`Plain`]; without a key it has its own name.
macro_rules! events {
    ($(#[$about:meta])* pub enum $event:ident {
        $($(#[$means:meta])+ $variant:ident $(($part:ident: $type:ty))? = $name:literal $({
            $(#[$of:meta])+ $turn:ident: u32,
            $($(#[$is:meta])+ $field:ident: $kept:ty $(as $form:ident)? $(= $key:literal)?,)+
        })?,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $event {
            $($(#[$means])+ $variant $((Box<$type>))? $({
                $(#[$of])+ $turn: u32,
                $($(#[$is])+ $field: $kept,)+
            })?,)+
            /// An event of a kind that only a later version knows.
            Other {
                /// The name of the kind.
                kind: String,
                /// The turn, if the event belongs to one.
                turn: Option<u32>,
                /// The call, if the event belongs to one.
                call: Option<String>,
                /// All other fields.
                fields: Fields,
            },
        }

        impl $event {
            /// The names of all kinds of this version.
            pub const NAMES: &[&str] = &[$($name),+];

            /// Returns the names of the fields of all kinds, besides the event, the run, the turn and the call. Each
            /// kind of this version has a row.
            pub fn all_fields() -> Vec<(&'static str, Vec<&'static str>)> {
                let mut all = Vec::new();
                $({
                    let keys = &mut Vec::new();
                    $(<$type as Parts>::name_keys(keys);)?
                    $($(<form!($($form)?) as Form<$kept>>::name_keys(key!($field $($key)?), keys);)+)?
                    all.push(($name, std::mem::take(keys)));
                })+
                all
            }

            /// Returns the stable kebab-case name.
            pub fn name(&self) -> &str {
                match self {
                    $($event::$variant { .. } => $name,)+
                    $event::Other { kind, .. } => kind,
                }
            }

            /// Returns the turn that the event belongs to.
            pub fn turn(&self) -> Option<u32> {
                match self {
                    $($($event::$variant { $turn, .. } => Some(*$turn),)?)+
                    $event::Other { turn, .. } => *turn,
                    _ => None,
                }
            }

            /// Returns the fields besides the name, the run, the turn and the call.
            pub(crate) fn fields(&self) -> Written<'_> {
                let mut to = Vec::new();
                match self {
                    $($event::$variant $(($part))? $({ $($field,)+ .. })? => {
                        $($part.write(&mut to);)?
                        $($(<form!($($form)?) as Form<$kept>>::write($field, key!($field $($key)?), &mut to);)+)?
                    })+
                    $event::Other { fields, .. } => {
                        to.extend(fields.iter().map(|(name, json)| (name, json.to_string())));
                    }
                }
                to
            }

            /// Reads an event of a run. A kind that this version does not know becomes [`Event::Other`].
            pub(crate) fn read(kind: &str, from: Stored<'_>) -> Result<$event, BadField> {
                Ok(match kind {
                    $($name => $event::$variant $((Box::new(<$type>::read(&from)?)))? $({
                        $turn: from.turn.ok_or_else(|| BadField::new("turn", None))?,
                        $($field: <form!($($form)?) as Form<$kept>>::read(&from, key!($field $($key)?))?,)+
                    })?,)+
                    _ => {
                        let Stored { turn, call, fields, .. } = from;
                        $event::Other { kind: kind.to_string(), turn, call, fields }
                    }
                })
            }
        }
    };
}

/// Lists the fields that events have from a type, in the form of [`events`].
macro_rules! parts {
    ($($type:ident { $($field:ident $(as $form:ident)? $(= $key:literal)?),+ $(,)? })+) => {$(
        impl Parts for $type {
            fn write(&self, to: &mut Written<'_>) {
                $(<form!($($form)?) as Form<_>>::write(&self.$field, key!($field $($key)?), to);)+
            }

            fn name_keys(to: &mut Vec<Key>) {
                $(name_keys::<$type, _, form!($($form)?)>(|it| &it.$field, key!($field $($key)?), to);)+
            }

            fn read(from: &Stored<'_>) -> Result<$type, BadField> {
                Ok($type {
                    $($field: <form!($($form)?) as Form<_>>::read(from, key!($field $($key)?))?,)+
                })
            }
        }
    )+};
}

/// Returns the type of a form.
macro_rules! form {
    () => {
        $crate::record::event_fields::Plain
    };
    ($form:ident) => {
        $crate::record::event_fields::$form
    };
}

/// Returns the key of a field.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(super) use {events, form, key, parts};

/// Adds the keys of a field, whose type the compiler finds from its place.
pub(super) fn name_keys<S, T, F: Form<T>>(_: impl Fn(&S) -> &T, key: Key, to: &mut Vec<Key>) {
    F::name_keys(key, to);
}

/// The name of a field.
pub(super) type Key = &'static str;

/// The fields of an event: their names and their JSON.
pub(crate) type Written<'f> = Vec<(&'f str, String)>;

/// An event as it is stored, without its kind.
pub(crate) struct Stored<'r> {
    pub(crate) run: &'r RunId,
    pub(crate) turn: Option<u32>,
    pub(crate) call: Option<String>,
    pub(crate) fields: Fields,
}

/// A type with several fields of an event. [`parts`] implements it.
pub(super) trait Parts: Sized {
    fn write(&self, to: &mut Written<'_>);
    fn read(from: &Stored<'_>) -> Result<Self, BadField>;
    /// Adds the keys of the fields.
    fn name_keys(to: &mut Vec<Key>);
}

/// The form that a field of an event has in JSON.
pub(super) trait Form<T> {
    /// Adds the field, unless it is stored beside the fields.
    fn write(_: &T, _: Key, _: &mut Written<'_>) {}
    /// Reads the field.
    fn read(from: &Stored<'_>, key: &str) -> Result<T, BadField>;
    /// Adds the keys that it writes.
    fn name_keys(key: Key, to: &mut Vec<Key>) {
        to.push(key);
    }
}

/// A field that is always written.
pub(super) struct Plain;
/// A field that is always written, and that records of earlier versions lack.
pub(super) struct Late;
/// A field that is left out if it has its default: nothing, false, or no rows.
pub(super) struct Sparse;
/// The fields of a type of its own.
pub(super) struct Flat;
/// A field that is not stored.
pub(super) struct Absent;
/// The call of the event.
pub(super) struct Call;
/// The call of the event, if it belongs to one.
pub(super) struct OptionalCall;
/// The run of the event.
pub(super) struct Run;
/// The run of the event, which the fields have too.
pub(super) struct NamedRun;
/// The repair of a program.
pub(super) struct Repaired;
/// The fields `result` and `error` of a call.
pub(super) struct Outcome;
/// A duration in microseconds.
pub(super) struct Micros;
/// The earlier run of a conversation: a link, the messages and the state.
pub(super) struct Link;

impl<T: Serialize + DeserializeOwned> Form<T> for Plain {
    fn write(it: &T, key: Key, to: &mut Written<'_>) {
        to.push((key, json(it)));
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<T, BadField> {
        from.fields.get(key)
    }
}

impl<T: Serialize + DeserializeOwned + Default> Form<T> for Late {
    fn write(it: &T, key: Key, to: &mut Written<'_>) {
        to.push((key, json(it)));
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<T, BadField> {
        from.fields.or_default(key)
    }
}

impl<T: Serialize + DeserializeOwned + Default + PartialEq> Form<T> for Sparse {
    fn write(it: &T, key: Key, to: &mut Written<'_>) {
        to.extend((*it != T::default()).then(|| (key, json(it))));
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<T, BadField> {
        from.fields.or_default(key)
    }
}

impl<T: Parts> Form<T> for Flat {
    fn write(it: &T, _: Key, to: &mut Written<'_>) {
        it.write(to);
    }

    fn read(from: &Stored<'_>, _: &str) -> Result<T, BadField> {
        T::read(from)
    }

    fn name_keys(_: Key, to: &mut Vec<Key>) {
        T::name_keys(to);
    }
}

impl<T: Default> Form<T> for Absent {
    fn read(_: &Stored<'_>, _: &str) -> Result<T, BadField> {
        Ok(T::default())
    }

    fn name_keys(_: Key, _: &mut Vec<Key>) {}
}

impl Form<String> for Call {
    fn read(from: &Stored<'_>, key: &str) -> Result<String, BadField> {
        from.call.clone().ok_or_else(|| BadField::new(key, None))
    }

    fn name_keys(_: Key, _: &mut Vec<Key>) {}
}

impl Form<Option<String>> for OptionalCall {
    fn read(from: &Stored<'_>, _: &str) -> Result<Option<String>, BadField> {
        Ok(from.call.clone())
    }

    fn name_keys(_: Key, _: &mut Vec<Key>) {}
}

impl Form<RunId> for Run {
    fn read(from: &Stored<'_>, _: &str) -> Result<RunId, BadField> {
        Ok(from.run.clone())
    }

    fn name_keys(_: Key, _: &mut Vec<Key>) {}
}

impl Form<RunId> for NamedRun {
    fn write(it: &RunId, key: Key, to: &mut Written<'_>) {
        to.push((key, json(it)));
    }

    fn read(from: &Stored<'_>, _: &str) -> Result<RunId, BadField> {
        Ok(from.run.clone())
    }

    fn name_keys(_: Key, _: &mut Vec<Key>) {}
}

impl Form<Option<Repair>> for Repaired {
    fn write(it: &Option<Repair>, key: Key, to: &mut Written<'_>) {
        to.push((key, json(&it.as_ref().map(Repair::to_json))));
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<Option<Repair>, BadField> {
        let Some(it) = from.fields.get::<Option<Value>>(key)? else { return Ok(None) };
        let repair = Repair::from_json(&it).map(Some);
        repair.ok_or_else(|| BadField::new(key, from.fields.json(key)))
    }
}

impl Form<Result<Data, RunError>> for Outcome {
    fn write(it: &Result<Data, RunError>, _: Key, to: &mut Written<'_>) {
        to.push(("result", json(&it.as_ref().ok())));
        to.push(("error", json(&it.as_ref().err())));
    }

    fn read(from: &Stored<'_>, _: &str) -> Result<Result<Data, RunError>, BadField> {
        Ok(match from.fields.get("error")? {
            Some(error) => Err(error),
            None => Ok(from.fields.get("result")?),
        })
    }

    fn name_keys(_: Key, to: &mut Vec<Key>) {
        to.extend(["result", "error"]);
    }
}

impl Form<Duration> for Micros {
    fn write(it: &Duration, key: Key, to: &mut Written<'_>) {
        to.push((key, json(&(it.as_micros() as u64))));
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<Duration, BadField> {
        Ok(Duration::from_micros(from.fields.or_default(key)?))
    }
}

impl Form<Option<Earlier>> for Link {
    fn write(it: &Option<Earlier>, key: Key, to: &mut Written<'_>) {
        if let Some(it) = it {
            to.push((key, json(&After::of(it))));
            to.push(("messages", json(&it.messages)));
            to.push(("state", json(&it.state)));
        }
    }

    fn read(from: &Stored<'_>, key: &str) -> Result<Option<Earlier>, BadField> {
        let Some(after) = from.fields.get::<Option<After>>(key)? else { return Ok(None) };
        Ok(Some(after.with(from.fields.get("messages")?, from.fields.get("state")?)))
    }

    fn name_keys(key: Key, to: &mut Vec<Key>) {
        to.extend([key, "messages", "state"]);
    }
}

/// Returns the JSON of our own types. Their keys are all strings, so serialization cannot fail.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

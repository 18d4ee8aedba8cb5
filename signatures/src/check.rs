//! Checks data against types.

use crate::datum::{Datum, Kinds, View};
use crate::mismatch::{Mismatch, MismatchKind, Path, Segment, Step};
use crate::suggest;
use crate::types::{Field, Signature, Type};
use crate::words;

/// The maximum number of mismatches that one check reports.
pub const MAX_MISMATCHES: usize = 100;

/// Returns the mismatches between `value` and `ty`, in the order of the type's fields and the
/// value's items. It stops after [`MAX_MISMATCHES`].
///
/// Fields that the type does not name are allowed.
pub fn check<D: Datum>(ty: &Type, value: &D) -> Vec<Mismatch> {
    let mut walk = Walk::new(false);
    walk.node(ty, value, false);
    walk.found
}

/// Returns the mismatches of [`check`], and every field that its record type does not name.
///
/// A record type without fields still accepts any map.
pub fn check_strict<D: Datum>(ty: &Type, value: &D) -> Vec<Mismatch> {
    let mut walk = Walk::new(true);
    walk.node(ty, value, false);
    walk.found
}

impl Signature {
    /// Returns every mismatch between the parameters and a map of arguments.
    pub fn check_input<D: Datum>(&self, input: &D) -> Vec<Mismatch> {
        check_fields(&self.params, input, false)
    }

    /// Returns the mismatches of [`Signature::check_input`], and every argument that is not a
    /// parameter.
    pub fn check_input_strict<D: Datum>(&self, input: &D) -> Vec<Mismatch> {
        check_fields(&self.params, input, true)
    }

    /// Returns every mismatch between the output type and a value.
    pub fn check_output<D: Datum>(&self, output: &D) -> Vec<Mismatch> {
        check(&self.output, output)
    }
}

/// Checks a map against fields. In a strict check, no fields means no entries.
pub(crate) fn check_fields<D: Datum>(fields: &[Field], value: &D, strict: bool) -> Vec<Mismatch> {
    let mut walk = Walk::new(strict);
    match value.view() {
        View::Map => {
            walk.fields(fields, value);
            if strict {
                walk.extras(fields, value);
            }
        }
        View::Unknown(kinds) if kinds.meets(Kinds::MAP) => {}
        _ => walk.wrong(&Type::Map, false, value),
    }
    walk.found
}

/// Returns whether `value` fits `ty`. Stops at the first mismatch and builds no message.
pub(crate) fn matches<D: Datum>(ty: &Type, value: &D) -> bool {
    Walk::new(false).matches(ty, value)
}

/// Returns whether `value` fits `ty` without a field that a record does not name.
pub(crate) fn matches_strictly<D: Datum>(ty: &Type, value: &D) -> bool {
    Walk::new(true).matches(ty, value)
}

/// The state of one check. It recurses on the type, never on the value alone, so the nesting of the
/// type bounds the recursion.
struct Walk<'t> {
    /// The current path. Names are borrowed from the type, so only a mismatch pays for its path.
    steps: Vec<Step<'t>>,
    strict: bool,
    /// Whether the walk only determines if there is a mismatch, without collecting any.
    quiet: bool,
    failed: bool,
    found: Vec<Mismatch>,
}

impl<'t> Walk<'t> {
    fn new(strict: bool) -> Walk<'t> {
        Walk { steps: Vec::new(), strict, quiet: false, failed: false, found: Vec::new() }
    }

    /// Checks one value. `or_nil` says that nil is an alternative; messages mention it.
    fn node<D: Datum>(&mut self, ty: &'t Type, value: &D, or_nil: bool) {
        let view = value.view();
        match (ty, view) {
            _ if self.is_done() => {}
            (Type::Any, _) | (Type::Map, View::Map) => {}
            (_, View::Unknown(kinds)) => {
                if !kinds.meets(ty.kinds()) {
                    self.wrong(ty, or_nil, value);
                }
            }
            (Type::Optional(_), View::Nil) => {}
            (Type::Optional(inner), _) => self.node(inner, value, true),
            (Type::Union(members), _) => self.union(ty, members, value, or_nil),
            (Type::Record(fields), View::Map) => {
                self.fields(fields, value);
                if self.strict && !fields.is_empty() && !fields.open {
                    self.extras(fields, value);
                }
            }
            (Type::List(item, length), View::List) => {
                if !length.is_open()
                    && let Some(n_items) = value.length()
                    && !length.contains(&n_items)
                {
                    self.wrong(ty, or_nil, value);
                }
                for (index, it) in value.items().enumerate() {
                    if self.is_done() {
                        break;
                    }
                    self.steps.push(Step::Index(index));
                    self.node(item, std::borrow::Borrow::<D>::borrow(&it), false);
                    self.steps.pop();
                }
            }
            _ if ty.accepts(view) => {}
            _ => self.wrong(ty, or_nil, value),
        }
    }

    /// Checks the required and optional fields of a map.
    fn fields<D: Datum>(&mut self, fields: &'t [Field], value: &D) {
        for field in fields {
            if self.is_done() {
                break;
            }
            self.steps.push(Step::Field(&field.name));
            match value.field(&field.name) {
                Some(it) => self.node(&field.ty, it, false),
                None if field.is_optional() => {}
                None => self.missing(field, fields, value),
            }
            self.steps.pop();
        }
    }

    /// Reports the entries that the type does not name.
    fn extras<D: Datum>(&mut self, fields: &'t [Field], value: &D) {
        for (key, it) in value.entries() {
            if self.is_done() {
                break;
            }
            if fields.iter().any(|field| field.name == key) {
                continue;
            }
            self.report(|mut path| {
                path.0.push(Segment::Field(key.clone().into_owned()));
                let names = fields.iter().map(|field| field.name.as_str());
                let absent = names.filter(|name| value.field(name).is_none());
                let near = suggest::nearest(&key, absent);
                Mismatch {
                    kind: MismatchKind::Extra,
                    path,
                    expected: "no such field".into(),
                    found: words::found(it),
                    help: near.map(|name| format!("did you mean `{name}`?")),
                    form: None,
                }
            });
        }
    }

    /// Checks the members one by one. If none fits, reports the mismatches of the closest member
    /// that has parts. If no member has parts, reports one mismatch that names all members.
    fn union<D: Datum>(&mut self, ty: &'t Type, members: &'t [Type], value: &D, or_nil: bool) {
        if members.iter().any(|member| self.matches(member, value)) {
            return;
        }
        if self.quiet {
            self.failed = true;
            return;
        }
        let view = value.view();
        let closest = members
            .iter()
            .filter(|member| has_parts(member, view))
            .map(|member| {
                let mut walk = Walk::new(self.strict);
                walk.steps.clone_from(&self.steps);
                walk.node(member, value, or_nil);
                walk.found
            })
            .min_by_key(Vec::len);
        match closest {
            Some(found) => {
                let room = MAX_MISMATCHES.saturating_sub(self.found.len());
                self.found.extend(found.into_iter().take(room));
            }
            None => self.wrong(ty, or_nil, value),
        }
    }

    fn matches<D: Datum>(&self, ty: &Type, value: &D) -> bool {
        let mut walk = Walk::new(self.strict);
        walk.quiet = true;
        walk.node(ty, value, false);
        !walk.failed
    }

    fn missing<D: Datum>(&mut self, field: &Field, fields: &[Field], value: &D) {
        self.report(|path| {
            // The first 64 keys are enough: a misspelled key is only recognizable in a small map.
            let keys: Vec<_> = value.entries().take(64).map(|(key, _)| key).collect();
            let unknown = keys.iter().map(AsRef::as_ref);
            let unknown = unknown.filter(|key| !fields.iter().any(|field| field.name == *key));
            let near = suggest::nearest(&field.name, unknown);
            Mismatch {
                kind: MismatchKind::Missing,
                path,
                expected: words::expected(&field.ty, false),
                found: "nothing".into(),
                help: near.map(|key| format!("the map has `{}`", words::cut(key))),
                form: None,
            }
        });
    }

    /// Reports a value that does not fit its type.
    fn wrong<D: Datum>(&mut self, ty: &Type, or_nil: bool, value: &D) {
        self.report(|path| {
            let advice = words::advice(ty, value);
            Mismatch {
                kind: MismatchKind::Wrong,
                path,
                expected: words::expected(ty, or_nil),
                found: words::found(value),
                help: advice.as_ref().map(|it| it.help.clone()),
                form: advice.and_then(|it| it.form),
            }
        });
    }

    /// Adds a mismatch, unless the walk is done.
    fn report(&mut self, mismatch: impl FnOnce(Path) -> Mismatch) {
        self.failed = true;
        if !self.is_done() {
            self.found.push(mismatch(Path::from_steps(&self.steps)));
        }
    }

    fn is_done(&self) -> bool {
        (self.quiet && self.failed) || self.found.len() >= MAX_MISMATCHES
    }
}

/// Returns whether a check of the value against the type also checks parts of the value.
fn has_parts(ty: &Type, view: View<'_>) -> bool {
    match (ty, view) {
        (Type::Record(_), View::Map) | (Type::List(..), View::List) => true,
        (Type::Optional(inner), _) => has_parts(inner, view),
        (Type::Union(members), _) => members.iter().any(|member| has_parts(member, view)),
        _ => false,
    }
}

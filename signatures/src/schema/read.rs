//! Reads schemas as types.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::draft::{Draft, DraftField, Work, into_fields, whole, within};
use super::refs::resolve;
use super::write::DATETIME;
use super::{MAX_DEPTH, MAX_NOTES, MAX_VISITS, Note};
use crate::parse::MAX_SOURCE;
use crate::types::{Bounds, Length, Signature, Type};
use crate::words::cut;

impl Type {
    /// Returns the closest type to a schema, and notes on the constraints that it does not express.
    ///
    /// The type accepts every value that the schema accepts. `docs/signatures.md` has the few
    /// exceptions.
    pub fn from_schema(schema: &Value) -> (Type, Vec<Note>) {
        let mut reader = Reader::new(schema);
        let draft = reader.schema(schema, 0, true);
        let ty = reader.bounded(draft.into_type());
        (ty, reader.notes)
    }
}

impl Signature {
    /// Returns the signature of a tool from the schemas of its arguments and, if there is one, its
    /// output.
    ///
    /// Without an output schema, the output is `:any`. Notes on the output begin with `output#`.
    pub fn from_schemas(input: &Value, output: Option<&Value>) -> (Signature, Vec<Note>) {
        Signature::read(input, input, output.map(|it| (it, it)))
    }

    /// Returns the signature of a tool from schemas that are parts of one document. A `$ref` in
    /// them names a part of `document`.
    ///
    /// The document may be an OpenAPI document: `readOnly` fields are optional in the input, and
    /// `writeOnly` fields in the output.
    pub fn from_schemas_in(
        document: &Value,
        input: &Value,
        output: Option<&Value>,
    ) -> (Signature, Vec<Note>) {
        Signature::read(document, input, output.map(|it| (document, it)))
    }

    /// Reads two schemas, each with the document that its references name.
    fn read(
        document: &Value,
        input: &Value,
        output: Option<(&Value, &Value)>,
    ) -> (Signature, Vec<Note>) {
        let mut reader = Reader { optional: Some("readOnly"), ..Reader::new(document) };
        let draft = reader.schema(input, 0, true);
        let params = reader.params(draft);
        let params = match reader.bounded(Type::Record(params.into())) {
            Type::Record(params) => params.fields,
            _ => Vec::new(),
        };
        let mut notes = reader.notes;
        let output = output.map_or(Type::Any, |(document, schema)| {
            let mut reader = Reader { optional: Some("writeOnly"), ..Reader::new(document) };
            let draft = reader.schema(schema, 0, true);
            let ty = reader.bounded(draft.into_type());
            let more = reader.notes;
            notes.extend(more.into_iter().map(|it| Note { at: format!("output{}", it.at), ..it }));
            ty
        });
        (Signature { params, output }, notes)
    }
}

/// The maximum length of the JSON of a field's default, in bytes. A longer one is not shown.
const MAX_DEFAULT: usize = 100;

/// The maximum length of a field's description, in characters. Longer ones are cut.
const MAX_DESCRIPTION: usize = 1_000;
/// The maximum number of words of an enum. A longer list is data, not a choice.
const MAX_WORDS: usize = 1_000;
/// The maximum number of integer ranges that represent the numbers of an enum.
const MAX_RUNS: usize = 16;
/// The maximum number of members of an `anyOf` or `oneOf`.
const MAX_ALTERNATIVES: usize = 256;
/// The maximum work of comparing the members of a `oneOf`.
const MAX_COMPARED: usize = 2_000;
/// The maximum work of merging the parts of all `allOf` and the like.
const MAX_WORK: usize = 100_000;

struct Reader<'s> {
    root: &'s Value,
    /// The keyword of fields that are optional although they are listed as required.
    optional: Option<&'static str>,
    notes: Vec<Note>,
    /// The current place, as a JSON pointer.
    at: String,
    /// The `$ref`s that lead to the current place.
    refs: Vec<&'s str>,
    /// The number of schemas that may still be read.
    visits: usize,
    /// The bytes of text that the type may still take.
    room: usize,
    /// The bytes of text that descriptions may still take.
    described: usize,
    work: Work,
}

impl<'s> Reader<'s> {
    fn new(root: &'s Value) -> Reader<'s> {
        Reader {
            root,
            optional: None,
            notes: Vec::new(),
            at: "#".into(),
            refs: Vec::new(),
            visits: MAX_VISITS,
            room: MAX_SOURCE / 2,
            described: MAX_SOURCE / 4,
            work: Work(MAX_WORK),
        }
    }

    /// Reads one schema. `whole` is false if it only adds to another schema with more constraints.
    fn schema(&mut self, schema: &'s Value, depth: usize, whole: bool) -> Draft {
        if self.visits == 0 || self.room == 0 {
            self.note("the schema is too large; from here on it is `:any`");
            return Draft::ANY;
        }
        if depth >= MAX_DEPTH {
            self.note(format!("schemas nest deeper than {MAX_DEPTH}; from here on it is `:any`"));
            return Draft::ANY;
        }
        self.visits -= 1;
        match schema {
            Value::Bool(true) => Draft::ANY,
            Value::Bool(false) => {
                self.note("accepts nothing; no type expresses that");
                Draft::ANY
            }
            Value::Object(schema) => self.keywords(schema, depth, whole),
            _ => {
                self.note("is not a schema");
                Draft::ANY
            }
        }
    }

    fn keywords(&mut self, schema: &'s Map<String, Value>, depth: usize, whole: bool) -> Draft {
        for key in UNCHECKED {
            if schema.get(*key).is_some_and(|it| !is_idle(it)) {
                self.note(format!("`{key}` is not checked"));
            }
        }
        let parts_are_whole =
            whole && !["type", "properties", "$ref"].iter().any(|it| schema.contains_key(*it));
        let alone = !["$ref", "allOf", "anyOf", "oneOf"].iter().any(|it| schema.contains_key(*it));
        let mut draft = self.typed(schema, depth, whole && alone);
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = schema.get(key) {
                let other = self.reference(key, reference, depth);
                draft = self.both(draft, other, key);
            }
        }
        if let Some(values) = schema.get("enum") {
            let values = values.as_array().map_or(&[][..], Vec::as_slice);
            let other = self.values(values, "enum");
            draft = self.both(draft, other, "enum");
        }
        if let Some(value) = schema.get("const") {
            let other = self.values(std::slice::from_ref(value), "const");
            draft = self.both(draft, other, "const");
        }
        if let Some(Value::Array(parts)) = schema.get("allOf") {
            for (index, part) in parts.iter().enumerate() {
                if self.visits == 0 {
                    break;
                }
                let at = format!("/allOf/{index}");
                let other = self.within(&at, |it| it.schema(part, depth + 1, parts_are_whole));
                draft = self.both(draft, other, "allOf");
            }
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Value::Array(members)) = schema.get(key) {
                let other = self.alternatives(key, members, depth, parts_are_whole);
                draft = self.both(draft, other, key);
            }
        }
        if schema.get("nullable") == Some(&Value::Bool(true)) { draft.nullable() } else { draft }
    }

    /// Returns the intersection of two drafts, or the first one if the intersection is empty.
    fn both(&mut self, draft: Draft, other: Draft, key: &str) -> Draft {
        if draft.is_any() || other.is_any() {
            return if draft.is_any() { other } else { draft };
        }
        if self.work.0 == 0 {
            self.note("the schema is too large to be put together from its parts");
            return draft;
        }
        self.work.meet(&draft, &other).unwrap_or_else(|| {
            self.note(format!("`{key}` contradicts the other keywords and is not checked"));
            draft
        })
    }

    fn reference(&mut self, key: &str, reference: &'s Value, depth: usize) -> Draft {
        let Some(text) = reference.as_str() else {
            self.note(format!("`{key}` is not a string"));
            return Draft::ANY;
        };
        let shown = cut(text);
        if self.refs.contains(&text) || text == "#" {
            self.note(format!("`{shown}` contains itself; from here on it is `:any`"));
            return Draft::ANY;
        }
        match resolve(self.root, text) {
            Ok(target) => {
                self.refs.push(text);
                let at = format!("/{key}");
                let draft = self.within(&at, |it| it.schema(target, depth + 1, true));
                self.refs.pop();
                draft
            }
            Err(why) => {
                self.note(format!("`{shown}` {why}"));
                Draft::ANY
            }
        }
    }

    fn alternatives(
        &mut self,
        key: &str,
        members: &'s [Value],
        depth: usize,
        whole: bool,
    ) -> Draft {
        if members.len() > MAX_ALTERNATIVES {
            self.note(format!("`{key}` has {} members, too many to be checked", members.len()));
            return Draft::ANY;
        }
        let mut drafts = Vec::with_capacity(members.len());
        let mut null = false;
        for (index, member) in members.iter().enumerate() {
            // Null alone is not a type; it makes the union nullable.
            if member.get("type") == Some(&Value::from("null"))
                || member.get("const") == Some(&Value::Null)
            {
                null = true;
                continue;
            }
            let at = format!("/{key}/{index}");
            drafts.push(self.within(&at, |it| it.schema(member, depth + 1, whole)));
        }
        if key == "oneOf" && overlap(&drafts) {
            self.note("`oneOf` is read as `anyOf`");
        }
        if drafts.is_empty() && null {
            self.note("accepts only null; no type expresses that");
        }
        let union = Draft::union(drafts).unwrap_or_else(|| {
            self.note(format!("`{key}` has too many members to be checked"));
            Draft::ANY
        });
        if null { union.nullable() } else { union }
    }

    /// Reads the values of an `enum`, or the value of a `const`.
    fn values(&mut self, values: &[Value], key: &str) -> Draft {
        let mut words = Vec::new();
        let mut seen = HashSet::new();
        let mut ints = Vec::new();
        let mut others = Vec::new();
        let mut null = false;
        let (mut yes, mut no) = (false, false);
        for value in values {
            match value {
                Value::String(word) if seen.insert(word) => words.push(word.clone()),
                Value::String(_) => {}
                Value::Null => null = true,
                Value::Bool(it) => *(if *it { &mut yes } else { &mut no }) = true,
                Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                    (Some(int), _) => ints.push(int),
                    (None, Some(float)) => {
                        others.push(Type::Float(Bounds { min: Some(float), max: Some(float) }));
                    }
                    (None, None) => {}
                },
                Value::Array(_) | Value::Object(_) => {
                    self.note(format!("a list or map in `{key}` is not compared"));
                    others.push(match value {
                        Value::Array(_) => Type::list(Type::Any),
                        _ => Type::Map,
                    });
                }
            }
            if others.len() > MAX_RUNS {
                self.note(format!("`{key}` has too many values to be checked"));
                return Draft::ANY;
            }
        }
        if yes != no {
            self.note(format!("`{key}` allows one of true and false; both are accepted"));
        }
        let mut types = Vec::new();
        let long: usize = words.iter().map(|word| 2 * word.len() + 4).sum();
        if words.len() > MAX_WORDS || long > self.room {
            self.note(format!("`{key}` has {} strings, too many to be checked", words.len()));
            types.push(Type::STRING);
        } else if !words.is_empty() {
            self.take(long);
            types.push(Type::Enum(words));
        }
        types.extend((yes || no).then_some(Type::Bool));
        types.extend(self.runs(ints, key));
        types.extend(others);
        if types.is_empty() {
            self.note(if null {
                "accepts only null; no type expresses that"
            } else {
                "accepts nothing; no type expresses that"
            });
        }
        let drafts = types.into_iter().map(|ty| match ty {
            Type::List(..) => Draft::List(Box::new(Draft::ANY), Length::OPEN),
            ty => Draft::Leaf(ty),
        });
        let union = Draft::union(drafts).unwrap_or(Draft::ANY);
        if null { union.nullable() } else { union }
    }

    /// Returns integers as ranges of consecutive numbers, or as one range if those are more than
    /// [`MAX_RUNS`].
    fn runs(&mut self, mut ints: Vec<i64>, key: &str) -> Vec<Type> {
        ints.sort_unstable();
        let mut runs: Vec<(i64, i64)> = Vec::new();
        for int in ints {
            match runs.last_mut() {
                Some((_, last)) if int <= last.saturating_add(1) => *last = int,
                _ => runs.push((int, int)),
            }
        }
        if runs.len() > MAX_RUNS {
            self.note(format!("`{key}` has too many numbers; all between them are accepted"));
            let (first, last) = (runs.first().copied(), runs.last().copied());
            runs = first.zip(last).map(|(first, last)| (first.0, last.1)).into_iter().collect();
        }
        let range = |(min, max)| Type::Int(Bounds { min: Some(min), max: Some(max) });
        runs.into_iter().map(range).collect()
    }

    /// Reads `type` and the keywords that belong to it.
    fn typed(&mut self, schema: &'s Map<String, Value>, depth: usize, whole: bool) -> Draft {
        let mut names: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().take(16).filter_map(Value::as_str).collect(),
            Some(_) => {
                self.note("`type` is neither a string nor a list of strings");
                return Draft::ANY;
            }
            None => match inferred(schema).as_slice() {
                [] => return Draft::ANY,
                [one] => {
                    // A schema that only adds to one with a type needs no note.
                    if whole {
                        self.note(format!("has no `type`; it is read as `{one}`"));
                    }
                    vec![*one]
                }
                _ => {
                    self.note("has no `type`, and keywords of several; they are not checked");
                    return Draft::ANY;
                }
            },
        };
        let n_names = names.len();
        names.retain(|name| *name != "null");
        let null = names.len() < n_names;
        if names.is_empty() {
            if null {
                self.note("accepts only null; no type expresses that");
            }
            return Draft::ANY;
        }
        let drafts: Vec<Draft> =
            names.into_iter().map(|name| self.named(name, schema, depth)).collect();
        let union = Draft::union(drafts).unwrap_or(Draft::ANY);
        if null { union.nullable() } else { union }
    }

    fn named(&mut self, name: &str, schema: &'s Map<String, Value>, depth: usize) -> Draft {
        Draft::Leaf(match name {
            "boolean" => Type::Bool,
            "integer" => Type::Int(self.integers(schema)),
            "number" => {
                let range = self.numbers(schema);
                if ["exclusiveMinimum", "exclusiveMaximum"].iter().any(|it| is_set(schema, it)) {
                    self.note("an exclusive bound of a `number` is accepted too");
                }
                Type::Float(range)
            }
            "string" => self.string(schema),
            "array" => return self.list(schema, depth),
            "object" => return self.object(schema, depth),
            _ => {
                self.note(format!("there is no type `{}`", cut(name)));
                Type::Any
            }
        })
    }

    /// Reads the bounds of a number. Exclusive bounds are read as inclusive ones.
    fn numbers(&mut self, schema: &Map<String, Value>) -> Bounds<f64> {
        let bound = |keys: [&str; 2], pick: fn(f64, f64) -> f64| {
            keys.into_iter().filter_map(|key| schema.get(key)?.as_f64()).reduce(pick)
        };
        let min = bound(["minimum", "exclusiveMinimum"], f64::max);
        let max = bound(["maximum", "exclusiveMaximum"], f64::min);
        self.not_empty(Bounds { min, max })
    }

    fn integers(&mut self, schema: &Map<String, Value>) -> Bounds<i64> {
        let mut range = Bounds::OPEN;
        for (key, exclusive, sign) in
            [("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)]
        {
            // In old drafts the exclusive keyword is a boolean beside the bound.
            let step = if schema.get(exclusive) == Some(&Value::Bool(true)) { sign } else { 0 };
            for (key, step) in [(key, step), (exclusive, sign)] {
                let Some(number) = schema.get(key).filter(|it| it.is_number()) else { continue };
                let exact = number.as_i64();
                let float = number.as_f64().unwrap_or(0.0);
                let near = if sign > 0 {
                    whole(&Bounds { min: Some(float), max: None }).min
                } else {
                    whole(&Bounds { min: None, max: Some(float) }).max
                };
                let step = if exact.is_some() || float.fract() == 0.0 { step } else { 0 };
                let bound = exact.or(near).and_then(|bound| bound.checked_add(step));
                if bound.is_none() {
                    self.note(format!("`{key}` is beyond 64 bits and is not checked"));
                }
                let more = if sign > 0 {
                    Bounds { min: bound, max: None }
                } else {
                    Bounds { min: None, max: bound }
                };
                range = within(&range, &more).unwrap_or_else(|| {
                    self.note("the bounds exclude every value and are not checked");
                    Bounds::OPEN
                });
            }
        }
        range
    }

    /// Reads the two keywords that bound a length.
    fn length(&mut self, schema: &Map<String, Value>, keys: [&str; 2]) -> Length {
        let [min, max] = keys.map(|key| {
            let number = schema.get(key)?;
            number.as_u64().or_else(|| {
                let float = number.as_f64().filter(|it| it.fract() == 0.0 && *it >= 0.0);
                float.map(|it| it as u64)
            })
        });
        // A minimum of 0 excludes nothing.
        self.not_empty(Length { min: min.filter(|min| *min > 0), max })
    }

    fn not_empty<T: PartialOrd + Copy>(&mut self, bounds: Bounds<T>) -> Bounds<T> {
        match (bounds.min, bounds.max) {
            (Some(min), Some(max)) if min > max => {
                self.note("the bounds exclude every value and are not checked");
                Bounds::OPEN
            }
            _ => bounds,
        }
    }

    fn string(&mut self, schema: &Map<String, Value>) -> Type {
        let length = self.length(schema, ["minLength", "maxLength"]);
        let pattern = schema.get("pattern").and_then(Value::as_str);
        if pattern == Some(DATETIME) {
            return Type::Datetime;
        }
        if pattern.is_some() {
            self.note("`pattern` is not checked");
        }
        match schema.get("format").and_then(Value::as_str) {
            Some(format @ ("date" | "date-time")) => {
                if format == "date" {
                    self.note("`format` `date` is read as `:datetime`, which may have a time");
                }
                if !length.is_open() {
                    self.note("the length of a `:datetime` is not checked");
                }
                return Type::Datetime;
            }
            Some(format) => self.note(format!("`format` `{}` is not checked", cut(format))),
            None => {}
        }
        Type::String(length)
    }

    fn list(&mut self, schema: &'s Map<String, Value>, depth: usize) -> Draft {
        let mut length = self.length(schema, ["minItems", "maxItems"]);
        let tuple = ["prefixItems", "items"]
            .iter()
            .find_map(|key| schema.get(*key).and_then(Value::as_array).map(|items| (*key, items)));
        let Some((key, places)) = tuple else {
            let item = match schema.get("items") {
                Some(items) => self.within("/items", |it| it.schema(items, depth + 1, true)),
                None => Draft::ANY,
            };
            return Draft::List(Box::new(item), length);
        };
        let rest = schema.get(if key == "items" { "additionalItems" } else { "items" });
        self.note(format!("the positions of `{key}` are not distinguished"));
        let mut items = Vec::new();
        for (index, place) in places.iter().take(MAX_ALTERNATIVES).enumerate() {
            let at = format!("/{key}/{index}");
            items.push(self.within(&at, |it| it.schema(place, depth + 1, true)));
        }
        match rest {
            Some(Value::Bool(false)) => {
                let most = Length { min: None, max: Some(places.len() as u64) };
                length = within(&length, &most).unwrap_or(length);
            }
            Some(rest) => items.push(self.schema(rest, depth + 1, true)),
            // `maxItems` allows no items beyond the places.
            None if length.max.is_some_and(|max| max <= places.len() as u64) => {}
            None => items.push(Draft::ANY),
        }
        let item = if places.len() > MAX_ALTERNATIVES { None } else { Draft::union(items) };
        Draft::List(Box::new(item.unwrap_or(Draft::ANY)), length)
    }

    fn object(&mut self, schema: &'s Map<String, Value>, depth: usize) -> Draft {
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
        let required: Vec<&str> = required.collect();
        let is_required: HashSet<&str> = required.iter().copied().collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let mut fields = Vec::new();
        let mut seen = HashSet::new();
        let known = properties.into_iter().flatten().map(|(name, it)| (name.as_str(), Some(it)));
        for (name, property) in known.chain(required.iter().map(|name| (*name, None))) {
            if !seen.insert(name) {
                continue;
            }
            if self.visits == 0 || !self.take(2 * name.len() + 8) {
                self.note("the schema is too large; further fields are not checked");
                break;
            }
            let is_left_out =
                property.zip(self.optional).and_then(|(it, key)| it.get(key)?.as_bool());
            let required = is_required.contains(name) && is_left_out != Some(true);
            let at = format!("/properties/{}", pointer(name));
            fields.push(self.within(&at, |it| it.field(name, property, required, depth)));
        }
        let has_patterns = schema.get("patternProperties").is_some_and(|it| !is_idle(it));
        let open = match schema.get("additionalProperties") {
            None => false,
            Some(Value::Bool(false)) => {
                self.note("other fields are accepted too; the mode `strict` refuses them");
                false
            }
            Some(other) => {
                if other != &Value::Bool(true) && !is_idle(other) {
                    self.note("`additionalProperties`: the values of other fields are not checked");
                }
                true
            }
        };
        if fields.is_empty() && properties.is_none() {
            return Draft::Leaf(Type::Map);
        }
        Draft::Record(fields, open || has_patterns)
    }

    fn field(
        &mut self,
        name: &str,
        property: Option<&'s Value>,
        required: bool,
        depth: usize,
    ) -> DraftField {
        let draft = property.map_or(Draft::ANY, |it| self.schema(it, depth + 1, true));
        if name.starts_with('_') {
            self.note(if required {
                "is hidden from the model, because its name starts with `_`, and it is required"
            } else {
                "is hidden from the model, because its name starts with `_`"
            });
        }
        if required && matches!(draft, Draft::Nullable(_)) {
            self.note("is required and may be null; here it may be absent too");
        }
        let description = property.and_then(|it| it.get("description")).and_then(Value::as_str);
        let description = description.map(str::trim).filter(|text| !text.is_empty());
        let description = description.and_then(|text| self.description(text));
        let default = property.and_then(|it| it.get("default")).and_then(default_text);
        let default = default.and_then(|text| self.description(&text));
        let description = match (description, default) {
            (Some(text), Some(default)) => {
                let sentence = text.trim_end_matches(['"', '\'', '`', ')']);
                let end = if sentence.ends_with(['.', '!', '?', '…']) { "" } else { "." };
                Some(format!("{text}{end} {default}"))
            }
            (description, default) => description.or(default),
        };
        DraftField { name: name.to_owned(), draft, required, description }
    }

    fn description(&mut self, text: &str) -> Option<String> {
        let end = text.char_indices().nth(MAX_DESCRIPTION).map(|(end, _)| end);
        let kept = end.and_then(|end| text.get(..end)).unwrap_or(text);
        if end.is_some() {
            self.note(format!("the description is cut after {MAX_DESCRIPTION} characters"));
        }
        let Some(left) = self.described.checked_sub(2 * kept.len() + 3) else {
            self.note("the schema is too large; the description is left out");
            return None;
        };
        self.described = left;
        Some(if end.is_some() { format!("{kept}…") } else { kept.to_owned() })
    }

    /// Returns the parameters that a draft of arguments asks for.
    fn params(&mut self, draft: Draft) -> Vec<crate::types::Field> {
        match draft {
            Draft::Record(fields, _) => into_fields(fields),
            Draft::Nullable(inner) => self.params(*inner),
            Draft::Leaf(Type::Map) => Vec::new(),
            Draft::Leaf(Type::Any) => {
                self.note("does not list the arguments");
                Vec::new()
            }
            Draft::Union(members) => {
                self.note("several kinds of arguments are read as one");
                into_fields(merged(members))
            }
            Draft::Leaf(_) | Draft::List(..) => {
                self.note("arguments are always a map; this schema is not checked");
                Vec::new()
            }
        }
    }

    /// Returns the type, or `:any` if its text is too long to parse again.
    fn bounded(&mut self, ty: Type) -> Type {
        if ty.to_string().len() <= MAX_SOURCE - 32 {
            return ty;
        }
        self.note("the type is too long; it is `:any`");
        Type::Any
    }

    /// Takes bytes of text out of the remaining room, and returns whether there were enough. If
    /// not, nothing remains.
    fn take(&mut self, bytes: usize) -> bool {
        let room = self.room.checked_sub(bytes);
        self.room = room.unwrap_or(0);
        room.is_some()
    }

    fn within<T>(&mut self, step: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.at.len();
        self.at.push_str(step);
        let value = read(self);
        self.at.truncate(length);
        value
    }

    fn note(&mut self, message: impl Into<String>) {
        let (n_notes, message) = (self.notes.len(), message.into());
        if n_notes + 1 >= MAX_NOTES {
            if n_notes < MAX_NOTES {
                let message = "further notes are omitted".into();
                self.notes.push(Note { at: "#".into(), message });
            }
            return;
        }
        let end = self.at.char_indices().nth(200).map_or(self.at.len(), |(end, _)| end);
        let at = self.at.get(..end).unwrap_or_default().to_owned();
        let note = Note { at, message };
        if self.notes.last() != Some(&note) {
            self.notes.push(note);
        }
    }
}

/// Returns whether a value may fit two of the drafts. Returns true if the work runs out first.
fn overlap(drafts: &[Draft]) -> bool {
    let mut work = Work(MAX_COMPARED);
    drafts.iter().enumerate().any(|(i, draft)| {
        drafts.iter().skip(i + 1).any(|other| work.0 == 0 || work.meet(draft, other).is_some())
    })
}

/// The keywords that no type can express.
const UNCHECKED: &[&str] = &[
    "not",
    "if",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "unevaluatedProperties",
    "unevaluatedItems",
    "uniqueItems",
    "contains",
    "multipleOf",
];

/// Returns whether a keyword with this value constrains nothing.
fn is_idle(value: &Value) -> bool {
    match value {
        Value::Object(schema) => schema.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Bool(it) => !it,
        Value::Number(number) => number.as_u64() == Some(0),
        _ => true,
    }
}

fn is_set(schema: &Map<String, Value>, key: &str) -> bool {
    schema.get(key).is_some_and(|it| it.is_number() || it == &Value::Bool(true))
}

/// Infers the types of a schema without `type` from its keywords.
fn inferred(schema: &Map<String, Value>) -> Vec<&'static str> {
    const KEYWORDS: &[(&str, &[&str])] = &[
        ("object", &["properties", "required", "additionalProperties"]),
        ("array", &["items", "prefixItems", "minItems", "maxItems"]),
        ("string", &["minLength", "maxLength", "pattern"]),
        ("number", &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
    ];
    let of = KEYWORDS.iter().filter(|(_, keys)| keys.iter().any(|key| schema.contains_key(*key)));
    let mut types: Vec<&str> = of.map(|(name, _)| *name).collect();
    let format = schema.get("format").and_then(Value::as_str);
    if types.is_empty() && matches!(format, Some("date" | "date-time")) {
        types.push("string");
    }
    types
}

/// Merges several records of arguments into one list of fields. A field is required only if it is
/// required in all of them.
fn merged(members: Vec<Draft>) -> Vec<DraftField> {
    let mut fields: Vec<DraftField> = Vec::new();
    let n_members = members.len();
    let mut seen: Vec<usize> = Vec::new();
    for member in members {
        let Draft::Record(members, _) = member else { continue };
        for field in members {
            let known = fields.iter_mut().zip(&mut seen).find(|(it, _)| it.name == field.name);
            match known {
                Some((known, count)) => {
                    let both = [std::mem::replace(&mut known.draft, Draft::ANY), field.draft];
                    known.draft = Draft::union(both).unwrap_or(Draft::ANY);
                    known.required &= field.required;
                    *count += 1;
                }
                None => {
                    fields.push(field);
                    seen.push(1);
                }
            }
        }
    }
    for (field, count) in fields.iter_mut().zip(seen) {
        field.required &= count == n_members;
    }
    fields
}

/// Escapes a name as a step of a JSON pointer.
fn pointer(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Returns the sentence about a default; none for null, which says no more than that the field may be absent.
fn default_text(value: &Value) -> Option<String> {
    let text = Some(value).filter(|it| !it.is_null()).map(Value::to_string);
    let text = text.filter(|it| it.len() <= MAX_DEFAULT)?;
    Some(format!("The default is {text}."))
}

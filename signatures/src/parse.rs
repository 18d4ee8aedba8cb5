//! Parses text into signatures and types.
//!
//! A recursive descent over the grammar in the crate documentation. It recurses once per nested
//! list or record, so [`MAX_NESTING`] bounds it. The tokens of the text and the errors at a
//! position are in `cursor.rs`.

use std::collections::HashSet;
use std::str::FromStr;

use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::{IResult, Parser as _};

use crate::cursor::{Parser, name};
use crate::error::{Error, ErrorKind};
use crate::suggest;
use crate::types::{Bounds, Field, Record, Signature, Type};

/// The maximum nesting of lists and records in one type, in levels.
pub const MAX_NESTING: usize = 64;

/// The maximum length of the text of a signature or type, in bytes.
pub const MAX_SOURCE: usize = 64 * 1024;

impl FromStr for Signature {
    type Err = Error;

    /// Parses `(a :int) -> :string`, and the forms without inputs: `-> :string`, `:string`.
    fn from_str(source: &str) -> Result<Signature, Error> {
        let mut parser = open(source)?;
        parser.skip();
        let params = if parser.at('(') {
            let (params, _) = parser.fields('(', ')')?;
            parser.skip();
            if !parser.eat("->") {
                let found = parser.found();
                return Err(parser
                    .syntax(format!("expected `->` and the output type, found {found}"))
                    .with_help("a signature is `(inputs) -> output`; for any output use `:any`"));
            }
            params
        } else {
            parser.eat("->");
            Vec::new()
        };
        let output = parser.ty()?;
        parser.end()?;
        Ok(Signature { params, output })
    }
}

impl FromStr for Type {
    type Err = Error;

    /// Parses one type, such as `[{id :int, name :string?}]`.
    fn from_str(source: &str) -> Result<Type, Error> {
        let mut parser = open(source)?;
        let ty = parser.ty()?;
        parser.end()?;
        Ok(ty)
    }
}

impl Parser<'_> {
    /// Parses a type with its alternatives and its `?`.
    fn ty(&mut self) -> Result<Type, Error> {
        let mut members = Vec::new();
        let mut optional = false;
        loop {
            self.skip();
            let start = self.pos;
            let member = self.atom()?;
            let span = start..self.pos;
            if members.contains(&member) {
                let message = format!("the union names `{member}` twice");
                return Err(Error::new(ErrorKind::DuplicateType, span, message));
            }
            members.push(member);
            self.skip_blank();
            while self.eat("?") {
                optional = true;
                self.skip_blank();
                if self.at('[') {
                    return Err(self
                        .syntax("the range goes before the `?`")
                        .with_help("for example `:string[1..]?`"));
                }
            }
            if !self.eat("|") {
                break;
            }
        }
        let ty = match members.pop() {
            Some(only) if members.is_empty() => only,
            last => {
                members.extend(last);
                Type::Union(members)
            }
        };
        Ok(if optional { ty.optional() } else { ty })
    }

    fn atom(&mut self) -> Result<Type, Error> {
        match self.peek() {
            Some('[') => self.list(),
            Some('{') => {
                let (fields, open) = self.nested(|parser| parser.fields('{', '}'))?;
                // `{..}` is any map, as `{}` is.
                let open = open && !fields.is_empty();
                Ok(Type::Record(Record { fields, open }))
            }
            Some(':') => self.named(),
            _ => {
                let word = self.peek_token(name);
                let found = self.found();
                let error = self.syntax(format!("expected a type, found {found}"));
                Err(match word {
                    Some(word) if suggest::TYPE_NAMES.contains(&word) => {
                        error.with_help(format!("types start with a colon: `:{word}`"))
                    }
                    Some(word) => error.with_help(format!(
                        "types start with a colon; {}",
                        suggest::for_type(word)
                    )),
                    None => error.with_help(
                        "a type is like `:string`, `[:int]` or `{id :int, name :string?}`",
                    ),
                })
            }
        }
    }

    fn list(&mut self) -> Result<Type, Error> {
        let item = self.nested(|parser| {
            let open = parser.pos;
            parser.eat("[");
            parser.skip();
            if parser.at(']') {
                return Err(parser
                    .syntax("a list needs the type of its items, found `]`")
                    .with_help("for example `[:string]`; for items of any type `[:any]`"));
            }
            let item = parser.ty()?;
            parser.skip();
            if parser.eat("]") {
                return Ok(item);
            }
            Err(parser
                .unclosed(open, ']')
                .with_help("a list has one type of items; for several write `[:string|:int]`"))
        })?;
        let length = self.bounds(|text| text.parse().ok(), "a whole number from 0")?;
        Ok(Type::List(Box::new(item), length))
    }

    fn named(&mut self) -> Result<Type, Error> {
        let start = self.pos;
        self.eat(":");
        let Some(word) = self.token(name) else {
            self.pos = start;
            return Err(self
                .syntax("expected the name of a type right after `:`")
                .with_help("the colon belongs to the type: `name :string`"));
        };
        let integer = "an integer of 64 bits";
        Ok(match word {
            "string" => {
                Type::String(self.bounds(|text| text.parse().ok(), "a whole number from 0")?)
            }
            "int" => Type::Int(self.bounds(|text| text.parse().ok(), integer)?),
            "float" => Type::Float(self.bounds(finite, "a number")?),
            "enum" => self.words(start)?,
            "any" => self.unbounded(word, Type::Any)?,
            "bool" => self.unbounded(word, Type::Bool)?,
            "keyword" => self.unbounded(word, Type::Keyword)?,
            "datetime" => self.unbounded(word, Type::Datetime)?,
            "map" => self.unbounded(word, Type::Map)?,
            _ => {
                let message = format!("unknown type `:{word}`");
                return Err(Error::new(ErrorKind::UnknownType, start..self.pos, message)
                    .with_help(suggest::for_type(word)));
            }
        })
    }

    /// Returns the type, or an error if a range follows it.
    fn unbounded(&mut self, word: &str, ty: Type) -> Result<Type, Error> {
        self.skip_blank();
        if self.at('[') {
            let span = self.pos..self.pos + 1;
            let message = format!("`:{word}` takes no range");
            return Err(Error::new(ErrorKind::InvalidRange, span, message).with_help(
                "`:int`, `:float`, `:string` and lists have ranges; words go in `:enum[a b]`",
            ));
        }
        Ok(ty)
    }

    /// Parses the values of an enum whose name begins at the byte `start`.
    fn words(&mut self, start: usize) -> Result<Type, Error> {
        const HELP: &str =
            "for example `:enum[low mid high]`; quote a value that is not a plain word";
        self.skip_blank();
        let open = self.pos;
        if !self.eat("[") {
            let message = "`:enum` needs its values in brackets";
            return Err(Error::new(ErrorKind::Syntax, start..open, message).with_help(HELP));
        }
        let mut words = Vec::new();
        let mut seen = HashSet::new();
        loop {
            self.skip();
            let from = self.pos;
            if self.eat("]") {
                break;
            }
            let word = if self.at('"') {
                self.literal()?
            } else {
                self.eat(":");
                match self.token(name) {
                    Some(word) => word.to_owned(),
                    None if self.peek().is_none() => return Err(self.unclosed(open, ']')),
                    None => {
                        let found = self.found();
                        return Err(self
                            .syntax(format!("expected a value of the enum, found {found}"))
                            .with_help(HELP));
                    }
                }
            };
            if !seen.insert(word.clone()) {
                let message = format!("the enum names `{word}` twice");
                let span = from..self.pos;
                return Err(Error::new(ErrorKind::DuplicateValue, span, message));
            }
            words.push(word);
        }
        if words.is_empty() {
            let message = "an enum needs at least one value";
            return Err(Error::new(ErrorKind::Syntax, start..self.pos, message).with_help(HELP));
        }
        Ok(Type::Enum(words))
    }

    /// Parses the optional range after a type. Without a range, the bounds are open.
    fn bounds<T: PartialOrd>(
        &mut self,
        read: impl Fn(&str) -> Option<T>,
        wanted: &str,
    ) -> Result<Bounds<T>, Error> {
        self.skip_blank();
        let open = self.pos;
        if !self.eat("[") {
            return Ok(Bounds::OPEN);
        }
        let min = self.bound(&read, wanted)?;
        if !self.eat("..") {
            let found = self.found();
            let words = self.peek_token(name).is_some();
            let error = self.syntax(format!("expected a range such as `[1..10]`, found {found}"));
            return Err(match min {
                Some(_) => {
                    error.with_help("`[1..10]` is both ends, `[1..]` the least, `[..10]` the most")
                }
                None if words => error.with_help("for a choice of words write `:enum[a b]`"),
                None => error,
            });
        }
        let max = self.bound(&read, wanted)?;
        if !self.eat("]") {
            return Err(self.unclosed(open, ']'));
        }
        let invalid =
            |message: &str| Err(Error::new(ErrorKind::InvalidRange, open..self.pos, message));
        match (&min, &max) {
            (None, None) => invalid("the range has neither a least nor a greatest value"),
            (Some(least), Some(greatest)) if least > greatest => {
                invalid("the range is empty: its least value is above its greatest")
            }
            _ => Ok(Bounds { min, max }),
        }
    }

    /// Parses one end of a range, if there is one.
    fn bound<T>(
        &mut self,
        read: impl Fn(&str) -> Option<T>,
        wanted: &str,
    ) -> Result<Option<T>, Error> {
        self.skip_blank();
        let start = self.pos;
        let Some(text) = self.token(number) else {
            return Ok(None);
        };
        let span = start..self.pos;
        self.skip_blank();
        match read(text) {
            Some(bound) => Ok(Some(bound)),
            None => Err(Error::new(
                ErrorKind::InvalidRange,
                span,
                format!("expected {wanted}, found `{text}`"),
            )),
        }
    }

    /// Parses the fields of a record or the parameters of a signature, with their brackets.
    /// Parses fields, and returns whether `..` ends them.
    fn fields(&mut self, open: char, close: char) -> Result<(Vec<Field>, bool), Error> {
        let start = self.pos;
        self.pos += open.len_utf8();
        let mut fields = Vec::new();
        let mut seen = HashSet::new();
        loop {
            self.skip();
            if self.at(close) {
                self.pos += close.len_utf8();
                return Ok((fields, false));
            }
            let from = self.pos;
            if close == '}' && self.eat("..") {
                self.skip();
                if !self.at(close) {
                    return Err(self
                        .syntax("`..` is the last part of a record")
                        .with_help("for example `{id :int, ..}`"));
                }
                self.pos += close.len_utf8();
                return Ok((fields, true));
            }
            if let Some(word) = self.foreign_word() {
                let colon = usize::from(self.at(':'));
                let message = format!("expected a name, found `{word}`");
                let span = from + colon..from + colon + word.len();
                return Err(Error::new(ErrorKind::Syntax, span, message).with_help(format!(
                    "a name with other letters than a to z is quoted: `:\"{word}\" :int`"
                )));
            }
            let Some(name) = self.field_name()? else {
                self.pos = from;
                return Err(self.no_name(start, close));
            };
            if !seen.insert(name.clone()) {
                let message = format!("duplicate field `{name}`");
                return Err(Error::new(ErrorKind::DuplicateField, from..self.pos, message)
                    .with_help("every name occurs once; rename or remove one of the two"));
            }
            let name_end = self.pos;
            let may_be_absent = self.eat("?");
            self.skip();
            if self.at('?') {
                return Err(self
                    .syntax(format!("expected the type of `{name}`, found `?`"))
                    .with_help(format!(
                        "the `?` follows the type or the name: `{name}? :string`"
                    )));
            }
            if self.at(close) || self.peek().is_none() {
                let message = format!("`{name}` has no type");
                return Err(Error::new(ErrorKind::Syntax, from..name_end, message).with_help(
                    format!("for example `{name} :string`; for any value `{name} :any`"),
                ));
            }
            let ty = self.ty()?;
            self.skip();
            let description = if self.at('"') { Some(self.literal()?) } else { None };
            let field = Field { description, ..Field::new(name, ty) };
            // In `name? :int?`, the type says already that nil is a value.
            let absent_if_nil = may_be_absent && !field.is_optional();
            fields.push(if absent_if_nil { field.absent_if_nil() } else { field });
        }
    }

    /// Parses a name: plain, with or without a colon, or any text as `:"first name"`. A text
    /// without the colon would be the description of the preceding field.
    fn field_name(&mut self) -> Result<Option<String>, Error> {
        if self.eat(":") && self.at('"') {
            return self.literal().map(Some);
        }
        Ok(self.token(name).map(str::to_owned))
    }

    /// Returns the error for a missing field name.
    fn no_name(&self, open: usize, close: char) -> Error {
        if self.peek().is_none() || [")", "]", "}", "->"].into_iter().any(|it| self.follows(it)) {
            return self.unclosed(open, close);
        }
        let found = self.found();
        let error = self.syntax(format!("expected a name, found {found}"));
        if self.at('"') {
            return error.with_help(
                "plain names have no quotes, others a colon before them: `:\"first name\" :string`",
            );
        }
        error.with_help(
            "names are letters, digits, `_` and `-`; any other is quoted: `:\"a.b\" :int`",
        )
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == MAX_NESTING {
            let message = format!("types nest deeper than {MAX_NESTING}");
            return Err(Error::new(ErrorKind::Nesting, self.pos..self.pos + 1, message)
                .with_help("use `:any` or `:map` for the innermost parts"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

/// Returns a parser at the start of the text, or an error if the text is too long.
fn open(source: &str) -> Result<Parser<'_>, Error> {
    if source.len() <= MAX_SOURCE {
        return Ok(Parser::new(source));
    }
    let n_bytes = source.len();
    let message = format!("the signature has {n_bytes} bytes, more than the {MAX_SOURCE} allowed");
    Err(Error::new(ErrorKind::TooLong, 0..n_bytes, message))
}

fn number(input: &str) -> IResult<&str, &str> {
    // A dot counts only before a digit: `1..2` is the number 1 and a range.
    let fraction = (char('.'), digit1);
    let exponent = (one_of("eE"), opt(one_of("+-")), digit1);
    recognize((opt(char('-')), digit1, opt(fraction), opt(exponent))).parse(input)
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

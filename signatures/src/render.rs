//! Prints signatures and types in their canonical text.

use std::fmt::{self, Display, Formatter, Write};

use crate::cursor::is_name;
use crate::types::{Bounds, Field, Signature, Type};

impl Display for Signature {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('(')?;
        fields(&self.params, f)?;
        write!(f, ") -> {}", self.output)
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_name(&self.name) {
            f.write_str(&self.name)?;
        } else {
            write!(f, ":{}", Quoted(&self.name))?;
        }
        if self.nil_is_absent {
            f.write_str("? ")?;
            bare(&self.ty, f)?;
        } else {
            write!(f, " {}", self.ty)?;
        }
        match &self.description {
            Some(description) => write!(f, " {}", Quoted(description)),
            None => Ok(()),
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        bare(self, f)?;
        if self.is_optional() {
            f.write_char('?')?;
        }
        Ok(())
    }
}

/// A literal of the type language. Parsing its text gives the original back.
pub(crate) struct Quoted<'a>(pub(crate) &'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// An enum value: a bare word where the grammar allows it, and otherwise a literal.
pub(crate) struct Word<'a>(pub(crate) &'a str);

impl Display for Word<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if is_name(self.0) { f.write_str(self.0) } else { Quoted(self.0).fmt(f) }
    }
}

/// Writes a type without its final `?`.
fn bare(ty: &Type, f: &mut Formatter<'_>) -> fmt::Result {
    match ty {
        Type::Any => f.write_str(":any"),
        Type::Bool => f.write_str(":bool"),
        Type::Int(range) => write!(f, ":int{range}"),
        Type::Float(range) => write!(f, ":float{range}"),
        Type::String(length) => write!(f, ":string{length}"),
        Type::Keyword => f.write_str(":keyword"),
        Type::Datetime => f.write_str(":datetime"),
        Type::Map => f.write_str(":map"),
        Type::Enum(words) => {
            f.write_str(":enum[")?;
            for (i, word) in words.iter().enumerate() {
                let gap = if i == 0 { "" } else { " " };
                write!(f, "{gap}{}", Word(word))?;
            }
            f.write_char(']')
        }
        Type::List(item, length) => write!(f, "[{item}]{length}"),
        Type::Record(members) => {
            f.write_char('{')?;
            fields(members, f)?;
            f.write_str(if members.open { ", ..}" } else { "}" })
        }
        Type::Union(members) => {
            for (i, member) in members.iter().enumerate() {
                if i > 0 {
                    f.write_char('|')?;
                }
                bare(member, f)?;
            }
            Ok(())
        }
        Type::Optional(inner) => bare(inner, f),
    }
}

fn fields(fields: &[Field], f: &mut Formatter<'_>) -> fmt::Result {
    for (i, field) in fields.iter().enumerate() {
        let gap = if i == 0 { "" } else { ", " };
        write!(f, "{gap}{field}")?;
    }
    Ok(())
}

impl<T: Display> Display for Bounds<T> {
    /// Writes the range as it follows a type: `[1..100]`. Open bounds write nothing.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_open() {
            return Ok(());
        }
        f.write_char('[')?;
        if let Some(min) = &self.min {
            write!(f, "{min}")?;
        }
        f.write_str("..")?;
        if let Some(max) = &self.max {
            write!(f, "{max}")?;
        }
        f.write_char(']')
    }
}

//! Java sugar: `.`, `..`, `memfn`, `new`.

use super::analyzer::Analyzer;
use ptc_reader::{FormId, FormKind};
use ptc_values::code::Span;

impl Analyzer<'_> {
    /// Expands `(. object method args…)`.
    pub(super) fn method(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        match args {
            [target, member, rest @ ..] => self.member(*target, *member, rest, span),
            _ => self.malformed_member(span),
        }
    }

    pub(super) fn malformed_member<T>(&mut self, span: Span) -> Result<T, ()> {
        self.refuse(span, "`.` needs a value and a method", "write `(.method value …)`")
    }

    /// Expands `(. target member args…)`; the member may be a list with its arguments.
    pub(super) fn member(
        &mut self,
        target: FormId,
        member: FormId,
        args: &[FormId],
        span: Span,
    ) -> Result<FormId, ()> {
        let (member, args) = match self.forms.kids(member).split_first() {
            Some((member, inside)) => (*member, [inside, args].concat()),
            None => (member, args.to_vec()),
        };
        let FormKind::Symbol(member) = self.form(member).kind else {
            return self.malformed_member(span);
        };
        let member = self.forms.text(member).to_owned();
        let member = member.strip_prefix('-').unwrap_or(&member);
        // `(. Math (pow 2 3))` has a class as its target.
        if let FormKind::Symbol(class) = self.form(target).kind
            && let full = format!("{}/{member}", self.forms.text(class))
            && ptc_facts::registry::find(&full).is_some()
        {
            let name = self.forms.intern(&full);
            let head = self.forms.leaf(FormKind::Symbol(name), span);
            return Ok(self.call_form(&[&[head], &args[..]].concat(), span));
        }
        let name = self.forms.intern(&format!(".{member}"));
        let head = self.forms.leaf(FormKind::Symbol(name), span);
        Ok(self.call_form(&[&[head, target], &args[..]].concat(), span))
    }

    pub(super) fn members(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (mut value, members) = self.first("..", args, span, "a value and methods")?;
        for member in members {
            value = self.member(value, *member, &[], self.span(*member))?;
        }
        Ok(value)
    }

    /// Expands `(memfn method args…)` to a function that calls a method.
    pub(super) fn member_function(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (member, params) = self.first("memfn", args, span, "a method")?;
        let target = self.fresh_symbol(span);
        let call = self.member(target, member, params, span)?;
        Ok(self.fn_of(&[&[target], params].concat(), call, span))
    }

    /// Expands `(new Class args…)` to `(Class. args…)`.
    pub(super) fn new_form(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (class, args) = self.first("new", args, span, "a class")?;
        let FormKind::Symbol(class) = self.form(class).kind else {
            return self.refuse(
                span,
                "`new` needs the name of a class",
                "write `(Exception. \"what\")`",
            );
        };
        let name = format!("{}.", self.forms.text(class));
        let name = self.forms.intern(&name);
        let head = self.forms.leaf(FormKind::Symbol(name), span);
        Ok(self.call_form(&[&[head], args].concat(), span))
    }
}

//! Sugar that walks collections: `for`, `doseq`, `dotimes`, `while`, `lazy-seq`.

use super::analyzer::Analyzer;
use ptc_reader::{FormId, FormKind};
use ptc_values::code::Span;
use ptc_values::spelling::nearest;

impl Analyzer<'_> {
    /// Expands `for`, which collects, and `doseq`, which collects nothing. A `for` over one collection becomes a stage.
    /// All others become nested `reduce`s, so a tool call inside can suspend, and `:while` ends one early. They collect
    /// into a vector that grows in place.
    pub(super) fn for_form(
        &mut self,
        args: &[FormId],
        span: Span,
        collect: bool,
    ) -> Result<FormId, ()> {
        let head = if collect { "for" } else { "doseq" };
        let (bindings, body) = self.first(head, args, span, "names and collections in a vector")?;
        let parts = match self.form(bindings).kind {
            FormKind::Vector => self.forms.kids(bindings).to_vec(),
            _ => Vec::new(),
        };
        if parts.len() < 2
            || parts.len() % 2 == 1
            || matches!(self.form(parts[0]).kind, FormKind::Keyword(_))
        {
            return self.refuse(
                self.span(bindings),
                &format!("`{head}` needs alternating names and collections"),
                &format!("write `({head} [x xs] …)`"),
            );
        }
        if collect && body.is_empty() {
            return self.refuse(
                span,
                "`for` needs an expression for its items",
                "write `(for [x xs] (f x))`",
            );
        }
        let body = self.do_of(body, span);
        if collect && let Some(whole) = self.for_one(&parts, body, span) {
            return Ok(whole);
        }
        let so_far = self.fresh_symbol(span);
        let nil = self.forms_nil(span);
        let mut inner = if collect {
            self.call_core(&"conj", &[so_far, body], span)
        } else {
            self.call_core(&"do", &[body, nil], span)
        };
        for (at, pair) in parts.chunks_exact(2).enumerate().rev() {
            if at == 0 && collect && self.lowered.program.lazy_aware {
                // The outermost collection may be lazy, which makes the result lazy.
                let start = self.forms.branch(FormKind::Vector, span, &[]);
                let body = self.let_of(&[so_far, start], &[inner], span);
                let function = self.fn_of(&[pair[0]], body, span);
                let ends = parts
                    .iter()
                    .any(|part| self.forms.keyword(*part).is_some_and(|word| word == "while"));
                let ends = self.forms.leaf(FormKind::Bool(ends), span);
                return Ok(self.call_core(&"ptc/for", &[ends, function, pair[1]], span));
            }
            let place = self.span(pair[0]);
            let modifier = self.forms.keyword(pair[0]).map(str::to_owned);
            inner = match modifier.as_deref() {
                None => {
                    let function = self.fn_of(&[so_far, pair[0]], inner, span);
                    self.call_core(&"reduce", &[function, so_far, pair[1]], span)
                }
                Some("when") => self.call_core(&"if", &[pair[1], inner, so_far], span),
                Some("while") => {
                    let stop = self.call_core(&"reduced", &[so_far], span);
                    self.call_core(&"if", &[pair[1], inner, stop], span)
                }
                Some("let") => self.call_core(&"let", &[pair[1], inner], span),
                Some(other) => {
                    let near = nearest(other, ["when", "while", "let"]);
                    let help = near.map(|near| format!("did you mean `:{near}`?"));
                    return self.refuse(
                        place,
                        &format!("`{head}` has no option `:{other}`"),
                        help.as_deref().unwrap_or("use `:when`, `:while` or `:let`"),
                    );
                }
            };
        }
        let start = if collect { self.forms.branch(FormKind::Vector, span, &[]) } else { nil };
        let whole = self.let_of(&[so_far, start], &[inner], span);
        Ok(if collect { self.call_core(&"ptc/as-list", &[whole], span) } else { whole })
    }

    /// Expands a `for` over one collection into a stage, which gives one item or none for each item. Returns none for
    /// another `for`.
    fn for_one(&mut self, parts: &[FormId], body: FormId, span: Span) -> Option<FormId> {
        let (binding, options) = parts.split_at_checked(2)?;
        let word = |option: &[FormId]| option.first().and_then(|it| self.forms.keyword(*it));
        let options: Vec<(bool, FormId)> = options
            .chunks_exact(2)
            .map(|option| match word(option) {
                Some("when") => Some((true, option[1])),
                Some("let") => Some((false, option[1])),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let drops = options.iter().any(|(is_test, _)| *is_test);
        let mut result = body;
        for (is_test, form) in options.into_iter().rev() {
            result = if is_test {
                let none = self.forms.leaf(FormKind::Core(&"ptc/none"), span);
                self.call_core(&"if", &[form, result, none], span)
            } else {
                self.call_core(&"let", &[form, result], span)
            };
        }
        let function = self.fn_of(&binding[..1], result, span);
        let stage = if drops { &"ptc/given" } else { &"map" };
        Some(self.call_core(stage, &[function, binding[1]], span))
    }

    pub(super) fn lazy_seq(&mut self, body: &[FormId], span: Span) -> FormId {
        let body = self.do_of(body, span);
        let function = self.fn_of(&[], body, span);
        let endless = self.forms.leaf(FormKind::Bool(false), span);
        self.call_core(&"ptc/lazy", &[endless, function], span)
    }

    pub(super) fn dotimes(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (bindings, body) =
            self.first("dotimes", args, span, "a name and a number in a vector")?;
        let pair = self.forms.kids(bindings).to_vec();
        let [name, count] = *pair else {
            return self.refuse(
                self.span(bindings),
                "`dotimes` needs one name and a number",
                "write `(dotimes [i 10] …)`",
            );
        };
        let most = self.fresh_symbol(span);
        let zero = self.forms.leaf(FormKind::Int(0), span);
        let test = self.call_core(&"<", &[name, most], span);
        let next = self.call_core(&"inc", &[name], span);
        let again = self.call_core(&"recur", &[next], span);
        let mut steps = body.to_vec();
        steps.push(again);
        let steps = self.call_core(&"do", &steps, span);
        let nil = self.forms_nil(span);
        let choice = self.call_core(&"if", &[test, steps, nil], span);
        let variables = self.forms.branch(FormKind::Vector, span, &[name, zero]);
        let repeat = self.call_core(&"loop", &[variables, choice], span);
        Ok(self.let_of(&[most, count], &[repeat], span))
    }

    pub(super) fn while_form(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let (test, body) = self.first("while", args, span, "a test")?;
        let again = self.call_core(&"recur", &[], span);
        let mut steps = body.to_vec();
        steps.push(again);
        let steps = self.call_core(&"do", &steps, span);
        let nil = self.forms_nil(span);
        let choice = self.call_core(&"if", &[test, steps, nil], span);
        let variables = self.forms.branch(FormKind::Vector, span, &[]);
        Ok(self.call_core(&"loop", &[variables, choice], span))
    }
}

//! Checks the named options of builtins. An unknown option is ignored or fails at run time, and is
//! mostly a typing slip.

use super::scan::Scan;
use ptc_facts::registry::facts::Options;
use ptc_facts::shape::Shape;
use ptc_values::code::Code;
use ptc_values::ir::Operand;
use ptc_values::spelling::nearest;
use ptc_values::{Diagnostic, Value};

/// The keys of `fail`; others are allowed beside them.
const FAIL_KEYS: &[&str] = &["reason", "message", "op", "details"];

impl Scan<'_> {
    pub(super) fn check_options(
        &mut self,
        at: u32,
        builtin: &str,
        options: &Options,
        parts: &[Operand],
    ) {
        let args: Vec<&Shape> = parts.iter().map(|part| self.shape(*part)).collect();
        let given: Vec<&str> = match args.get(options.from..) {
            Some([map @ Shape::Map(_)]) => names_of(map),
            Some(pairs) => pairs.iter().step_by(2).copied().filter_map(name).collect(),
            None => return,
        };
        let unknown = given.into_iter().filter(|name| !options.known.contains(name));
        let found: Vec<Diagnostic> =
            unknown.map(|name| unknown_option(builtin, name, options.known)).collect();
        for problem in found {
            if options.closed {
                self.problem(at, problem);
            } else {
                self.warn(at, problem);
            }
        }
    }

    /// Checks the form that `ask` takes, if the program has it as a literal.
    pub(super) fn check_form(&mut self, at: u32, parts: &[Operand]) {
        let (Some(check), [form]) = (self.world.env.form_check, parts) else { return };
        let Some(form @ (Value::Str(_) | Value::Map(_))) = self.shape(*form).literal() else {
            return;
        };
        if let Err(problem) = check(&form) {
            self.problem(at, problem);
        }
    }

    /// Checks the keys of `fail`. Only a near miss of a known key is suspicious.
    pub(super) fn check_failure(&mut self, at: u32, failure: &Shape) {
        let given = names_of(failure);
        let free: Vec<&str> =
            FAIL_KEYS.iter().copied().filter(|known| !given.contains(known)).collect();
        let near = |name: &&str| nearest(name, free.iter().copied()).is_some();
        for name in given.into_iter().filter(|name| !FAIL_KEYS.contains(name)).filter(near) {
            self.warn(at, unknown_option("fail", name, &free));
        }
    }
}

fn names_of(map: &Shape) -> Vec<&str> {
    match map {
        Shape::Map(map) => map.fields.iter().map(|(name, _)| name.as_str()).collect(),
        Shape::Known(Value::Map(map)) => map.iter().filter_map(|(key, _)| key.name()).collect(),
        _ => Vec::new(),
    }
}

fn name(shape: &Shape) -> Option<&str> {
    match shape {
        Shape::Known(Value::Keyword(name)) => Some(name),
        _ => None,
    }
}

fn unknown_option(builtin: &str, name: &str, known: &[&str]) -> Diagnostic {
    let problem =
        Diagnostic::new(Code::UnknownOption, format!("`{builtin}` has no option `:{name}`"));
    problem.with_help(match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `:{near}`?"),
        None => {
            let known: Vec<String> = known.iter().map(|name| format!("`:{name}`")).collect();
            format!("its options are {}", known.join(", "))
        }
    })
}

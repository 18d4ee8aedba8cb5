//! Describes the problems of calls, returned values and names.

use ptc_signatures::{Mismatch, MismatchKind, Path, Segment, SignatureMode, Type, check};

use ptc_facts::shape::{Coerced, Shape};
use ptc_facts::tool::ToolDecl;
use ptc_values::code::Code;
use ptc_values::ir::Lambda;
use ptc_values::print::literal;
use ptc_values::spelling::nearest;
use ptc_values::{Diagnostic, Map};

/// Returns the certain and the possible problems of a call's arguments.
pub(super) fn arguments(decl: &ToolDecl, args: &Shape) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    if let [mismatch] = check(&Type::Map, args).as_slice() {
        return (vec![not_a_map(&decl.name, mismatch)], warnings);
    }
    let Some(signature) = &decl.signature else { return (problems, warnings) };
    if decl.mode.is_some_and(|mode| !mode.refuses()) {
        return (problems, warnings);
    }
    // Suggestions need the value before conversion.
    let helps = signature.check_input(args);
    let coerces = decl.mode == Some(SignatureMode::Coerce);
    let args = args.as_json(Coerced { texts: coerces, floats: coerces });
    let tool = &decl.name;
    let given: Vec<&str> = match &args {
        Shape::Map(map) => map.fields.iter().map(|(name, _)| name.as_str()).collect(),
        _ => Vec::new(),
    };
    let extra: Vec<&str> = given
        .iter()
        .copied()
        .filter(|name| !signature.params.iter().any(|param| param.name == *name))
        .collect();
    let mut meant = Vec::new();
    for name in extra {
        // An argument that is already present cannot be the intended name.
        let free = signature.params.iter().map(|param| param.name.as_str());
        let free = free.filter(|param| !given.contains(param));
        let problem = Diagnostic::new(
            Code::ToolArguments,
            format!("the tool `{tool}` has no argument `{name}`"),
        );
        match nearest(name, free) {
            Some(near) => {
                meant.push(near);
                problems.push(problem.with_help(format!("did you mean `{near}`?")));
            }
            None => {
                let strict = decl.mode == Some(SignatureMode::Strict);
                let doubtful = if strict { &mut problems } else { &mut warnings };
                let known: Vec<String> =
                    signature.params.iter().map(|param| format!("`{}`", param.name)).collect();
                doubtful.push(problem.with_help(match known.as_slice() {
                    [] => "it takes none".to_owned(),
                    known => format!("its arguments are {}", known.join(", ")),
                }));
            }
        }
    }
    for mismatch in signature.check_input(&args) {
        let missing = mismatch.kind == MismatchKind::Missing;
        if let (true, [Segment::Field(name)]) = (missing, mismatch.path.0.as_slice()) {
            if !meant.contains(&name.as_str()) {
                problems.push(missing_argument(tool, name, &mismatch));
            }
            continue;
        }
        let written = helps.iter().find(|it| it.path == mismatch.path);
        let help = mismatch.help.clone().or(written.and_then(|it| it.help.clone()));
        let mismatch = Mismatch { help, ..mismatch };
        let whole = format!("the tool `{tool}`");
        problems.push(wrong(Code::ToolArguments, &whole, "argument", &mismatch));
    }
    (problems, warnings)
}

/// Reports arguments that are not a map; the machine refuses them for every signature.
fn not_a_map(tool: &str, mismatch: &Mismatch) -> Diagnostic {
    let found = mismatch.redacted().found;
    let message = format!("the tool `{tool}` takes a map of arguments, found {found}");
    Diagnostic::new(Code::WrongType, message)
        .with_help(format!("write `(call {} {{:argument value}})`", literal(tool)))
}

fn missing_argument(tool: &str, name: &str, mismatch: &Mismatch) -> Diagnostic {
    let message = format!(
        "the tool `{tool}` needs the argument `{name}`, {}",
        with_article(&mismatch.expected)
    );
    Diagnostic::new(Code::ToolArguments, message).with_help(format!("add `:{name} …` to its map"))
}

/// Returns the certain problems of a returned value.
pub(super) fn returned(output: &Type, value: &Shape, mode: SignatureMode) -> Vec<Diagnostic> {
    let mut mismatches = check(output, value);
    if mode == SignatureMode::Coerce {
        // Values that match as JSON, or by coercion, are accepted.
        let left = check(output, &value.as_json(Coerced { texts: true, floats: false }));
        mismatches.retain(|it| left.iter().any(|left| left.path == it.path));
    }
    let report = |mismatch: &Mismatch| {
        let problem = wrong(Code::WrongReturn, "the returned value", "field", mismatch);
        match &mismatch.form {
            Some(form) if mismatch.path.is_root() => problem.with_form(form),
            _ => problem,
        }
    };
    mismatches.iter().map(report).collect()
}

/// Describes the place where a value does not match a signature.
fn wrong(code: Code, whole: &str, part: &str, mismatch: &Mismatch) -> Diagnostic {
    // The model reads this text, and admission knows the values of `ctx`.
    let mismatch = mismatch.redacted();
    let place = match mismatch.path.0.as_slice() {
        [] => whole.to_owned(),
        _ => format!("the {part} `{}` of {whole}", general(&mismatch.path)),
    };
    let message = format!("{place}: expected {}, found {}", mismatch.expected, mismatch.found);
    let problem = Diagnostic::new(code, message);
    match &mismatch.help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}

/// Writes a path with `[]` for every item, as all items have one shape.
fn general(path: &Path) -> String {
    let text = path.to_string();
    text.replace("[0]", "[]")
}

fn with_article(expected: &str) -> String {
    let plain = ["anything", "one of", "something"];
    if plain.iter().any(|word| expected.starts_with(word)) {
        return expected.to_owned();
    }
    let article = if expected.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {expected}")
}

/// Reports a key of memory without a value yet.
pub(super) fn unset_memory(key: &str, memory: Option<&Map>) -> Diagnostic {
    let problem = Diagnostic::new(
        Code::UnsetMemory,
        format!("nothing is kept under `memory/{key}` yet, so it is nil"),
    );
    let names = memory.into_iter().flat_map(Map::iter).filter_map(|(key, _)| key.name());
    match nearest(key, names) {
        Some(near) => problem.with_help(format!("did you mean `memory/{near}`?")),
        None => problem.with_help(format!("keep a value with `(memory/put :{key} value)`")),
    }
}

/// Reports a builtin that calls a function with a wrong number of arguments.
pub(super) fn wrong_given(name: &str, lambda: &Lambda, count: usize) -> Diagnostic {
    let problem = ptc_values::wrong_arity_of(lambda, count);
    let shown = name.strip_prefix("ptc/").unwrap_or(name);
    let plural = if count == 1 { "argument" } else { "arguments" };
    problem.with_help(format!("`{shown}` calls it with {count} {plural}"))
}

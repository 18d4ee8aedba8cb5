//! The mapping of a step's result to the payload and to the report of the run.

use ptc_prompt::expressions::{Step as PathStep, Writing, literal, path_of};
use ptc_signatures::spelling::nearest;
use ptc_signatures::{Field, Type};
use toml::Spanned;

use super::fault::FlowFault;
use super::places::marked;
use super::steps::Step;

/// The fields of the report that an output can have as its target.
const SPECIAL: [&str; 3] = ["message", "reasoning", "confidence"];

/// The mapping of the outputs of one step, as expressions that read `result`.
pub(super) struct Outputs {
    pub(super) lines: Vec<String>,
    /// Whether one of them calls [`FIND`].
    pub(super) finds: bool,
}

/// The definition of a function that finds an output whatever the case of its letters.
pub(super) const FIND: &str = "(defn output [result path]
  (reduce (fn [value key]
            (if (map? value)
              (first (for [[k v] value :when (= (str/lower-case k) key)] v))
              nil))
          result path))";

pub(super) fn outputs(step: &Step<'_>, has_payload: bool) -> Result<Outputs, FlowFault> {
    let mut all = Outputs { lines: Vec::new(), finds: false };
    for (source, target) in &step.file.output {
        let (value, is_certain, finds) = source_of(step, source)?;
        all.finds |= finds;
        let put = |value: &str| target_of(target, value, has_payload);
        let line = if is_certain {
            put(&value)?
        } else {
            format!("(when-some [value {value}]\n  {})", put("value")?)
        };
        all.lines.push(marked(&line, &target.span()));
    }
    Ok(all)
}

/// Returns the expression of an output, whether it is there in every result, and whether it calls [`FIND`].
fn source_of(step: &Step<'_>, source: &Spanned<String>) -> Result<(String, bool, bool), FlowFault> {
    let text = source.get_ref().trim();
    if text == "*" {
        return Ok(("result".to_owned(), true, false));
    }
    let names: Vec<&str> = text.split('.').collect();
    if names.iter().any(|it| it.is_empty()) {
        let message = format!("`{text}` is not the name of an output");
        return Err(FlowFault::new(source.span(), message).with_help("`*` is the whole result"));
    }
    let Some(Type::Record(record)) = step
        .gives()
        .filter(|it| !matches!(it, Type::Record(it) if it.open || it.fields.is_empty()))
    else {
        let lower: Vec<String> = names.iter().map(|it| literal(&it.to_lowercase())).collect();
        return Ok((format!("(output result [{}])", lower.join(" ")), false, true));
    };
    let mut fields: &[Field] = &record.fields;
    let (mut path, mut is_certain) = (Vec::new(), true);
    for name in &names {
        let Some(found) = fields.iter().find(|it| it.name.eq_ignore_ascii_case(name)) else {
            let message = format!("the result of `{}` has no `{name}`", step.tool.name);
            let known = fields.iter().map(|it| it.name.as_str());
            // Names are found whatever their case, and so is the nearest one.
            let lower: Vec<String> = known.clone().map(str::to_lowercase).collect();
            let near = nearest(&name.to_lowercase(), lower.iter().map(String::as_str));
            let near = lower.iter().position(|it| Some(it.as_str()) == near);
            let help = match near.and_then(|at| known.clone().nth(at)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has {}", known.collect::<Vec<_>>().join(", ")),
            };
            return Err(FlowFault::new(source.span(), message).with_help(help));
        };
        path.push(Writing::Program.key(&found.name));
        let inner = match &found.ty {
            Type::Optional(inner) => {
                is_certain = false;
                inner
            }
            other => other,
        };
        fields = match inner {
            Type::Record(record) => &record.fields,
            _ => &[],
        };
    }
    Ok(match &path[..] {
        [key] if key.starts_with(':') => (format!("({key} result)"), is_certain, false),
        _ => (format!("(get-in result [{}])", path.join(" ")), is_certain, false),
    })
}

/// Returns the expression that writes a value to a target.
pub(super) fn target_of(
    target: &Spanned<String>,
    value: &str,
    has_payload: bool,
) -> Result<String, FlowFault> {
    let text = target.get_ref().trim();
    let wrong =
        |message: String, help: &str| Err(FlowFault::new(target.span(), message).with_help(help));
    if let Some(special) = text.strip_prefix('$') {
        if !SPECIAL.contains(&special) {
            return wrong(
                format!("`{text}` is no field of a report"),
                "write $message, $reasoning or $confidence",
            );
        }
        return Ok(format!("(flow/report {{:{special} {value}}})"));
    }
    if !has_payload {
        return wrong(
            "the agent has no payload for an output".to_owned(),
            "add `[payload]` to the agent file",
        );
    }
    let (path, appends) = text.strip_suffix("[]").map_or((text, false), |path| (path, true));
    let help = "write a path such as \"order.total\", or \"rows[]\" to append";
    let Some((root, steps)) = path_of(path) else {
        return wrong(format!("`{text}` is not a path of the payload"), help);
    };
    let mut keys: Vec<String> = Vec::new();
    if !root.eq_ignore_ascii_case("payload") {
        keys.push(Writing::Program.key(root));
    }
    keys.extend(steps.iter().map(|step| match step {
        PathStep::Key(name) => Writing::Program.key(name),
        PathStep::Index(index) => index.to_string(),
    }));
    let keys = keys.join(" ");
    if keys.is_empty() {
        if appends {
            return wrong("the payload itself is no list".to_owned(), help);
        }
        return Ok(format!("(payload/merge [] {value})"));
    }
    let function = if appends { "payload/push" } else { "payload/put" };
    Ok(format!("({function} [{keys}] {value})"))
}

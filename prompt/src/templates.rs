//! The bundled templates.

use std::sync::OnceLock;

use minijinja::{AutoEscape, Environment, UndefinedBehavior};
use ptc_signatures::shown;

use crate::error::{Error, ErrorKind};

/// Renders a bundled template. Data enters as values only; no text from outside is parsed as a
/// template. Characters that move or hide text are shown as escapes.
pub(crate) fn render(name: &str, data: minijinja::Value) -> Result<String, Error> {
    let template = environment().get_template(name).map_err(|e| wrong(name, &e))?;
    let text = template.render(data).map_err(|e| wrong(name, &e))?;
    Ok(shown::escape_owned(text))
}

/// Renders the blocks of a bundled template, each alone, without the space around them.
pub(crate) fn blocks<'b>(
    name: &str,
    data: minijinja::Value,
    names: impl Iterator<Item = &'b str>,
) -> Result<Vec<String>, Error> {
    let template = environment().get_template(name).map_err(|e| wrong(name, &e))?;
    // The template defines its macros while it renders.
    let mut rendered = template.render_captured(data).map_err(|e| wrong(name, &e))?;
    let block = |block: &str| rendered.with_state_mut(|state| state.render_block(block));
    let blocks = names.map(block).map(|text| Ok(shown::escape_owned(text?.trim().to_owned())));
    blocks.collect::<Result<_, _>>().map_err(|e| wrong(name, &e))
}

/// Renders a message that must never fail. If the template fails, the error becomes the message. A
/// test renders each such template in all its branches.
pub(crate) fn message(name: &str, data: minijinja::Value) -> String {
    render(name, data).unwrap_or_else(|error| error.to_string())
}

/// Checks that a user's text parses as a template.
pub(crate) fn check(name: &str, text: &str) -> Result<(), Error> {
    environment().template_from_named_str(name, text).map(drop).map_err(|e| wrong(name, &e))
}

/// Renders a user's template.
pub(crate) fn render_custom(
    name: &str,
    text: &str,
    data: minijinja::Value,
) -> Result<String, Error> {
    let rendered = environment().render_named_str(name, text, data).map_err(|e| wrong(name, &e))?;
    Ok(shown::escape(rendered.trim_end()).into_owned())
}

/// The fuel of one rendering: more than any prompt takes, and a bound for templates that do not
/// end.
const FUEL: u64 = 50_000_000;

const TEMPLATES: [(&str, &str); 19] = [
    ("role", include_str!("../templates/role.j2")),
    ("rules", include_str!("../templates/rules.j2")),
    ("instructions", include_str!("../templates/instructions.j2")),
    ("inventory", include_str!("../templates/inventory.j2")),
    ("tools", include_str!("../templates/tools.j2")),
    ("reference", include_str!("../templates/reference.j2")),
    ("functions", include_str!("../templates/functions.j2")),
    ("program_tool", include_str!("../templates/program_tool.j2")),
    ("output", include_str!("../templates/output.j2")),
    ("mission", include_str!("../templates/mission.j2")),
    ("opening", include_str!("../templates/opening.j2")),
    ("observation", include_str!("../templates/observation.j2")),
    ("feedback", include_str!("../templates/feedback.j2")),
    ("answer", include_str!("../templates/answer.j2")),
    ("react", include_str!("../templates/react.j2")),
    ("decisions", include_str!("../templates/decisions.j2")),
    ("catalogue", include_str!("../templates/catalogue.j2")),
    ("earlier", include_str!("../templates/earlier.j2")),
    ("calls", include_str!("../templates/calls.j2")),
];

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_fuel(Some(FUEL));
        for (name, text) in TEMPLATES {
            // A template that does not parse is missing, and rendering it reports that.
            let _ = environment.add_template(name, text);
        }
        environment
    })
}

fn wrong(name: &str, error: &minijinja::Error) -> Error {
    Error::new(ErrorKind::Template, format!("the template `{name}` fails: {error}"))
}

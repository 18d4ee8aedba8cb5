//! The steps that a run starts at and skips: whether the program has them.

use ptc_lisp::syntax::{Syntax, syntax};
use ptc_signatures::spelling::nearest;

use super::check::Fault;
use super::settings::Agent;

impl Agent {
    /// Finds a step that the run is to start at or to skip and that its program does not have.
    pub(super) fn step_fault(&self) -> Option<Fault> {
        let chosen = self.steps.start_at.iter().map(|it| ("start_at", it));
        let mut chosen = chosen.chain(self.steps.skip.iter().map(|it| ("skip", it)));
        let fault = |key, message: String, help| Some(Fault { tool: None, key, message, help });
        let Some(workflow) = &self.workflow else {
            let (key, _) = chosen.next()?;
            let message = format!("`{key}` is for workflows, and agent `{}` is none", self.name);
            return fault(key, message, None);
        };
        let names = step_names(&workflow.program)?;
        // Steps of a program are inside one another, and `/` joins their names.
        let is_there = |path: &str| match &self.flow {
            Some(_) => names.iter().any(|it| it == path),
            None => path.split('/').all(|name| names.iter().any(|it| it == name)),
        };
        let (key, wrong) = chosen.find(|(_, path)| !is_there(path))?;
        let steps = self.flow.iter().flat_map(|it| &it.steps);
        if let Some(step) = steps.into_iter().find(|it| it.name == wrong.as_str()) {
            let message = format!("`{key}`: step `{wrong}` is {}", step.status.as_str());
            return fault(key, message, None);
        }
        let message = format!("`{key}`: agent `{}` has no step `{wrong}`", self.name);
        let near = nearest(wrong, names.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if names.is_empty() => "name a part of the program with `flow/step`".to_string(),
            None => format!("the steps are {}", names.join(", ")),
        };
        fault(key, message, Some(help))
    }
}

/// Returns the names of the steps of a program; `None` if the program computes one.
fn step_names(program: &str) -> Option<Vec<String>> {
    let parts = syntax(program).into_iter();
    let mut parts = parts.filter(|(kind, _)| !matches!(kind, Syntax::Blank | Syntax::Comment));
    let mut names = Vec::new();
    while let Some((_, part)) = parts.next() {
        if part != "flow/step" {
            continue;
        }
        let name = match parts.next()? {
            (Syntax::Text, text) => serde_json::from_str(text).ok()?,
            (Syntax::Keyword, name) => name.trim_start_matches(':').to_string(),
            _ => return None,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_found_in_the_text_of_a_program() {
        let names = |program: &str| step_names(program).map(|it| it.join(" "));
        let program = "(flow/step \"a\" f) ; (flow/step \"no\" f)\n(flow/step :b (fn [] (flow/step \"a\" f)))";
        assert_eq!(names(program), Some("a b".to_string()));
        assert_eq!(names("(+ 1 2)"), Some(String::new()));
        assert_eq!(names("(flow/step (str x) f)"), None);
    }
}

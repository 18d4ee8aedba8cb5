//! The names of functions, and those that conditions and mappings read.

/// Returns the name of a function for each step, such as `check-amount-step` for `CheckAmount`.
pub(super) fn function_names<'n>(steps: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for step in steps {
        let base = words(step);
        let mut name = format!("{base}-step");
        let mut number = 2;
        while all.contains(&name) {
            name = format!("{base}-{number}-step");
            number += 1;
        }
        all.push(name);
    }
    all
}

/// Returns the words of a name in lower case, joined by hyphens.
fn words(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            was_lower = false;
            if !words.is_empty() && !words.ends_with('-') {
                words.push('-');
            }
            continue;
        }
        if was_lower && c.is_ascii_uppercase() {
            words.push('-');
        }
        was_lower = !c.is_ascii_uppercase();
        words.push(c.to_ascii_lowercase());
    }
    let words = words.trim_end_matches('-');
    if words.starts_with(|c: char| c.is_ascii_alphabetic()) {
        words.to_owned()
    } else {
        format!("the-{words}")
    }
}

/// The map of the results of all steps, for conditions and mappings that read it.
pub(super) const RESULTS: &str = "(deref results)";

/// Returns the names of a flow, with the expressions that read them. The path is known to the program, so its payload
/// has no copy of it.
pub(super) fn flow_names(agent: &str) -> Vec<(String, String)> {
    let steps = "(mapv :step (flow/path))";
    let agent = ptc_prompt::expressions::literal(agent);
    let parts = [
        ("executionPath", steps),
        ("completedSteps", steps),
        ("completedStepIds", steps),
        ("currentStepId", "(:step (last (flow/path)))"),
        ("stepCount", "(count (flow/path))"),
        ("stepResults", RESULTS),
        ("agentId", &agent),
    ];
    let under = |root: &str| {
        parts.map(|(part, source)| (format!("{root}.{part}"), source.to_owned())).into_iter()
    };
    under("flowContext").chain(under("payload.__flowContext")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_after_steps() {
        let steps = ["ValidateRequest", "Send e-mail", "send-e-mail", "2nd look", "ÄÖ", "HTTPCall"];
        let expected = [
            "validate-request-step",
            "send-e-mail-step",
            "send-e-mail-2-step",
            "the-2nd-look-step",
            "the--step",
            "httpcall-step",
        ];
        assert_eq!(function_names(steps.into_iter()), expected);
    }
}

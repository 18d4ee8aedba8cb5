//! The changes of a system prompt, section by section.

use ptc_prompt::tokens;
use serde::Serialize;
use serde_json::{Value, json};

/// The lengths of a system prompt on record and of the present one, in tokens.
#[derive(Debug, PartialEq)]
pub(crate) struct PromptDrift {
    before: usize,
    after: usize,
    /// The sections whose texts differ.
    sections: Vec<SectionDrift>,
}

/// A section whose text has changed.
#[derive(Debug, PartialEq, Serialize)]
struct SectionDrift {
    /// The heading.
    section: String,
    /// Its tokens on record; 0 for a new section.
    before: usize,
    /// Its present tokens; 0 for a section that is gone.
    after: usize,
}

impl PromptDrift {
    /// Compares two prompts. Records have the text alone, so the headings in it are the sections.
    pub(crate) fn of(before: &str, after: &str) -> Option<PromptDrift> {
        if before == after {
            return None;
        }
        let (old, new) = (sections(before), sections(after));
        let text = |of: &[(String, String)], heading: &str| {
            of.iter().find(|it| it.0 == heading).map_or("", |it| it.1.trim_end()).to_owned()
        };
        let gone = old.iter().filter(|it| new.iter().all(|other| other.0 != it.0));
        let changed = new.iter().chain(gone).filter_map(|(heading, _)| {
            let (old, new) = (text(&old, heading), text(&new, heading));
            let (before, after) = (count(&old), count(&new));
            (old != new).then(|| SectionDrift { section: heading.clone(), before, after })
        });
        let sections = changed.collect();
        Some(PromptDrift { before: count(before), after: count(after), sections })
    }

    /// Returns the change in words: `prompt 743 → 690 tokens: Rules 79 → 70`.
    pub(crate) fn text(&self) -> String {
        let each = self.sections.iter().map(|it| {
            let SectionDrift { section, before, after } = it;
            match (before, after) {
                (0, after) => format!("{section} {after}, new"),
                (before, 0) => format!("{section} {before}, gone"),
                (before, after) if before == after => format!("{section} {before}, reworded"),
                (before, after) => format!("{section} {before} → {after}"),
            }
        });
        let each = each.collect::<Vec<_>>().join(" · ");
        format!("prompt {} → {} tokens: {each}", self.before, self.after)
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({"before": self.before, "after": self.after, "sections": self.sections})
    }
}

fn count(text: &str) -> usize {
    if text.is_empty() { 0 } else { tokens(text).count }
}

/// Returns the sections of a prompt by their headings. Equal headings are one section, and a text before the first heading
/// has none.
fn sections(prompt: &str) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut at = None;
    let mut is_code = false;
    for line in prompt.lines() {
        is_code ^= line.starts_with("```");
        let heading = line.strip_prefix("# ").filter(|_| !is_code);
        if heading.is_some() || at.is_none() {
            let name = heading.unwrap_or("start").trim().to_owned();
            let known = all.iter().position(|it| it.0 == name);
            at = Some(known.unwrap_or(all.len()));
            if known.is_none() {
                all.push((name, String::new()));
            }
        }
        if let Some((_, text)) = at.and_then(|at| all.get_mut(at)) {
            text.push_str(line);
            text.push('\n');
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_compared_by_section() {
        let before = "Hello.\n# Rules\n\n1. One\n2. Two\n\n# Old\n\nGone.\n\n# Same\n\n```\n# no heading\n```";
        let after =
            "Howdy!\n# Rules\n\n1. One\n\n# Same\n\n```\n# no heading\n```\n\n# New\n\nIt is new.";
        assert_eq!(PromptDrift::of(before, before), None);
        let drift = PromptDrift::of(before, after).unwrap();
        let expected = [
            ("start", "Hello.", "Howdy!"),
            ("Rules", "# Rules\n\n1. One\n2. Two", "# Rules\n\n1. One"),
            ("New", "", "# New\n\nIt is new."),
            ("Old", "# Old\n\nGone.", ""),
        ];
        let expected = expected.map(|(section, before, after)| {
            json!({"section": section, "before": count(before), "after": count(after)})
        });
        let whole = [count(before), count(after)];
        assert_eq!(
            drift.to_json(),
            json!({"before": whole[0], "after": whole[1], "sections": expected})
        );
        let rules = format!("Rules {} → {}", expected[1]["before"], expected[1]["after"]);
        let (start, new) = (&expected[0]["before"], &expected[2]["after"]);
        let (text, old) = (drift.text(), &expected[3]["before"]);
        let sections =
            format!("start {start}, reworded · {rules} · New {new}, new · Old {old}, gone");
        assert_eq!(text, format!("prompt {} → {} tokens: {sections}", whole[0], whole[1]));
    }
}

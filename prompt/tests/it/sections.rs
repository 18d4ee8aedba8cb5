//! Tests of a user's templates for sections and for the whole prompt.

use std::fmt::Write;

use crate::common::{signature, tool, value};
use ptc_lisp::Effect;
use ptc_prompt::{
    AgentSpec, Error, MissionMode, PromptLimits, PromptPart, PromptSpec, Sections, system,
};

/// Renders the prompt with these templates.
fn render(templates: &[(PromptPart, &str)]) -> Result<ptc_prompt::SystemPrompt, Error> {
    let mut sections = Sections::default();
    for (part, template) in templates {
        sections.set(*part, *template)?;
    }
    let ctx = value(r#"{"name": "{{ section }}", "n": 2}"#);
    let types = signature("(name :string, n :int) -> {ok :bool}");
    let tools = [tool("get", "(n :int) -> :int", "Gets {{ n }}.", Effect::Read)];
    system(&PromptSpec {
        agent: AgentSpec::default(),
        mission: "Greet {{name}}.",
        mode: MissionMode::Agent,
        ctx: &ctx,
        signature: Some(&types),
        tools: &tools,
        limits: PromptLimits::default(),
        payload: None,
        sections: Some(&sections),
        instructions: &[],
    })
}

#[test]
fn sections_are_extended_replaced_and_put_together() {
    let bundled = render(&[]).expect("it renders");
    let mut all = String::new();
    for (name, number, part, template) in [
        ("extended", 2, PromptPart::Rules, "{{ section }}\n8. Write every amount in EUR\n\n"),
        ("replaced", 1, PromptPart::Role, "# Role\n\nYou count{% if agent %} in turns{% endif %}."),
        ("emptied", 6, PromptPart::Output, ""),
        (
            "made of the data of the bundled one",
            3,
            PromptPart::Inventory,
            "# Data\n{% for row in rows %}\n{{ row.key }} is {{ row.type }}{% endfor %}",
        ),
        (
            "tools",
            4,
            PromptPart::Tools,
            "{% for tool in callable.entries %}{{ tool.line }}{% endfor %}",
        ),
        ("mission", 7, PromptPart::Mission, "# Mission\n\n{{ mission | upper }}\n\n{{ format }}"),
        ("reference", 5, PromptPart::Reference, "{{ section | length > 100 }}"),
    ] {
        let prompt = render(&[(part, template)]).expect(name);
        let text = &prompt.section(number).expect(name).text;
        let _ = writeln!(all, "=== {name}\n{text}\n");
        for other in (1..=7).filter(|other| *other != number) {
            assert_eq!(prompt.section(other), bundled.section(other), "{name}: section {other}");
        }
    }
    let whole = "{{ mission }}\n\n---\n\n{{ rules }}";
    let prompt =
        render(&[(PromptPart::Whole, whole), (PromptPart::Rules, "Obey.")]).expect("it renders");
    let _ = writeln!(all, "=== the whole\n{}\n", prompt.text());
    assert_eq!(prompt.sections.len(), 7);
    insta::assert_snapshot!(all);
}

#[test]
fn templates_that_do_not_work() {
    let mut all = String::new();
    for (part, template) in [
        (PromptPart::Rules, "{{ section"),
        (PromptPart::Rules, "{% if x %}"),
        (PromptPart::Rules, "{{ sektion }}"),
        (PromptPart::Whole, "{{ roles }}"),
        (PromptPart::Role, "{% for i in range(100000000) %}{{ i }}{% endfor %}"),
        (PromptPart::Role, "{% include 'nothing' %}"),
    ] {
        let error = render(&[(part, template)]).expect_err(template);
        let _ = writeln!(all, "{template}\n{}: {error}\n", error.code());
    }
    insta::assert_snapshot!(all);
}

//! Tests of the names that the language does not define.

use ptc_facts::registry::{FOREIGN, find, unsupported_names};
use ptc_facts::tool::{Effect, ToolDecl};
use ptc_values::Value;
use ptc_values::limits::Limits;

use crate::session::Session;

/// Every name is undefined, is listed once, and its help uses only existing names.
#[test]
fn foreign_names_are_undefined_and_their_help_is_defined() {
    let session = |tools| Session::new(Value::map([]), tools, Limits::default());
    let here = session(vec![]);
    let mut seen = std::collections::BTreeSet::new();
    let mut problems = Vec::new();
    for (name, help) in FOREIGN
        .iter()
        .flat_map(|(names, help)| names.split_whitespace().map(move |name| (name, *help)))
    {
        let found = here.admit(&format!("({name} 1)")).map_err(|it| it.diagnostics);
        let said = found.as_ref().err().and_then(|all| all.first()?.help());
        if said != Some(help) || !seen.insert(name) {
            problems.push(format!("{name}: {found:?}"));
        }
    }
    let with_tool = session(vec![ToolDecl::new("name", Effect::Read)]);
    for (_, help) in FOREIGN {
        for code in help.split('`').skip(1).step_by(2).filter(|code| code.starts_with('(')) {
            let code = code.replace('…', "1").replace("[1]", "[x]");
            let all = with_tool.admit(&code).err().map_or(vec![], |it| it.diagnostics);
            let heads: Vec<&str> =
                code.split('(').skip(1).filter_map(|part| part.split([' ', ')']).next()).collect();
            // Placeholders such as `xs` are left to the reader; called names are not.
            let unknown = |it: &&ptc_values::Diagnostic| {
                heads.iter().any(|head| it.message().starts_with(&format!("`{head}` ")))
            };
            problems.extend(all.iter().find(unknown).map(|it| format!("{code}: {it}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_defined_name_is_unsupported() {
    crate::library::install();
    for name in unsupported_names() {
        assert!(find(name).is_none(), "{name}");
    }
}

//! Reports of admission as text.

use std::fmt::Write as _;

use ptc_lisp::Report;

use crate::report;

/// Formats a report as text, one property a line.
pub(crate) fn for_people(report: &Report) -> String {
    let mut text = String::new();
    let tools: Vec<String> = report
        .tools
        .iter()
        .map(|tool| format!("{} ({}), {}", tool.name, tool.effect.as_str(), tool.times))
        .collect();
    let names = |from: &std::collections::BTreeSet<String>| {
        let all: Vec<&str> =
            from.iter().map(|name| if name == "*" { "all of it" } else { name }).collect();
        if all.is_empty() { Vec::new() } else { vec![all.join(", ")] }
    };
    let writes = if report.can_write() { "can write" } else { "only reads" };
    let ends =
        if report.always_ends { "always returns or fails" } else { "may end in a plain value" };
    let calls = if tools.is_empty() { vec!["no tool".to_owned()] } else { tools };
    let rows = [
        ("calls", calls),
        ("tools", if report.tools.is_empty() { Vec::new() } else { vec![writes.to_owned()] }),
        ("cost", report.worst_cost().map(|cost| format!("at most {cost}")).into_iter().collect()),
        ("ends", vec![ends.to_owned()]),
        ("reads ctx", names(&report.ctx)),
        ("reads memory", names(&report.memory_reads)),
        ("writes memory", names(&report.memory_writes)),
        ("defines", names(&report.defines)),
    ];
    for (name, items) in rows {
        for (at, item) in items.iter().enumerate() {
            // Writing to a string cannot fail.
            let name = if at == 0 { name } else { "" };
            let _ = writeln!(text, "  {name:<15}{}", report::clean(item));
        }
    }
    text
}

//! `ptc prompt`. The tests of `ptc-prompt` check the wording of the prompt.

use crate::support::run_ptc;

/// Runs `ptc prompt` on an agent; returns its stdout without the last line end.
fn prompt(options: &[&str]) -> String {
    let mut args = vec!["prompt", "agents/turns.toml"];
    args.extend(options);
    let output = run_ptc(&args, "");
    assert_eq!((output.code, output.stderr.as_str()), (Some(0), ""), "{options:?}");
    output.stdout.strip_suffix('\n').map(str::to_owned).expect("ends with a line end")
}

#[test]
fn the_sections_are_the_prompt_and_the_statistics_count_it() {
    let whole = prompt(&[]);
    let sections: Vec<String> =
        (1..=7).map(|number| prompt(&["--section", &number.to_string()])).collect();
    assert_eq!(sections.join("\n\n"), whole);

    let row = |number: &str, title: &str, text: &str| {
        let chars = text.chars().count();
        let tokens = (chars as f64 / 3.3).ceil();
        format!("{number:>3}  {title:<28}{chars:>10}{tokens:>10}\n")
    };
    let mut table = format!("{:>3}  {:<28}{:>10}{:>10}\n", "", "section", "chars", "tokens");
    for (number, text) in (1..).zip(&sections) {
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        table.push_str(&row(&number.to_string(), title.expect("is a heading"), text));
    }
    table.push_str(&row("", "all", &whole));
    table.push_str("\nTokens are an estimate: characters divided by 3.3.");
    assert_eq!(prompt(&["--stats"]), table);
}

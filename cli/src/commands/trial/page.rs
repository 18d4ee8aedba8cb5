//! The page of a trial: one HTML file with charts, without scripts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ptc_signatures::shown;
use ptc_subagent::trial::statistics;

use super::results::Row;
use super::summary::{ModelSummary, Summary, last};

/// A chart: a bar for every model.
struct Chart {
    title: &'static str,
    value: fn(&ModelSummary) -> f64,
    /// The counted attempts, for a chart of shares, which shows the bounds of the true share.
    counted: Option<fn(&ModelSummary) -> usize>,
    /// The value of a whole bar; by default the largest of all models.
    whole: Option<f64>,
    show: fn(&ModelSummary) -> String,
}

const CHARTS: [Chart; 8] = [
    Chart {
        title: "Right answers",
        value: |it| share(it.right, it.attempts),
        counted: Some(|it| it.right),
        whole: Some(1.0),
        show: |it| format!("{} of {} ({})", it.right, it.attempts, it.interval()),
    },
    Chart {
        title: "Right in the first turn",
        value: |it| share(it.right_in_first_turn, it.attempts),
        counted: Some(|it| it.right_in_first_turn),
        whole: Some(1.0),
        show: |it| format!("{} of {}", it.right_in_first_turn, it.attempts),
    },
    mean("Turns, mean of an attempt", |it| it.turns, |it| format!("{:.1}", it.turns)),
    mean(
        "Requests to models, mean of an attempt",
        |it| it.requests,
        |it| format!("{:.1}", it.requests),
    ),
    mean(
        "Calls of tools, mean of an attempt",
        |it| it.tool_calls,
        |it| format!("{:.1}", it.tool_calls),
    ),
    mean(
        "Tokens in and out, mean of an attempt",
        |it| it.input_tokens + it.output_tokens,
        |it| format!("{:.0} + {:.0}", it.input_tokens, it.output_tokens),
    ),
    mean("Seconds, mean of an attempt", |it| it.seconds, |it| format!("{:.1}", it.seconds)),
    mean(
        "Cost in dollars, all attempts",
        |it| it.cost.unwrap_or(0.0),
        |it| it.cost.map_or_else(|| "unknown".to_owned(), |cost| format!("{cost:.4}")),
    ),
];

/// Returns a chart whose longest bar is the largest value.
const fn mean(
    title: &'static str,
    value: fn(&ModelSummary) -> f64,
    show: fn(&ModelSummary) -> String,
) -> Chart {
    Chart { title, value, counted: None, whole: None, show }
}

/// Returns the page.
pub(super) fn html(summary: &Summary) -> String {
    let mut page = String::from(HEAD);
    for chart in &CHARTS {
        draw(&mut page, chart, &summary.models);
    }
    problems(&mut page, summary);
    missions(&mut page, summary);
    page.push_str("</main></body></html>\n");
    page
}

/// The height of a row of a chart; the place of its bars, and the length of a whole bar, in pixels.
const ROW: usize = 24;
const BARS: f64 = 260.0;
const LENGTH: f64 = 360.0;

/// Draws a chart: a row for each model, with its name, a bar, the bounds of the true value, and the value in words.
fn draw(page: &mut String, chart: &Chart, models: &[ModelSummary]) {
    let most = models.iter().map(chart.value).fold(0.0, f64::max);
    let most = chart.whole.unwrap_or(most);
    let length = |value: f64| if most > 0.0 { value / most * LENGTH } else { 0.0 };
    let title = chart.title;
    let height = models.len() * ROW;
    let _ = writeln!(
        page,
        "<section><h2>{title}</h2>\n<svg viewBox=\"0 0 860 {height}\" role=\"img\" aria-label=\"{title}\">"
    );
    for (at, model) in models.iter().enumerate() {
        let (top, middle, line) = (at * ROW + 5, at * ROW + 12, at * ROW + 17);
        let (name, value) = (model.subject.to_string(), (chart.show)(model));
        let width = length((chart.value)(model));
        let _ = writeln!(
            page,
            "<text x=\"0\" y=\"{line}\">{}</text><rect x=\"{BARS}\" y=\"{top}\" width=\"{width:.1}\" height=\"14\"/>",
            escape(&cut(&name))
        );
        if let Some(counted) = chart.counted {
            let (low, high) = statistics::interval(counted(model), model.attempts);
            let (from, to) = (BARS + length(low), BARS + length(high));
            let _ = writeln!(page, "<path d=\"M{from:.1} {middle}H{to:.1}\"/>");
        }
        let _ = writeln!(
            page,
            "<text x=\"{:.0}\" y=\"{line}\">{}</text>",
            BARS + LENGTH + 12.0,
            escape(&value)
        );
    }
    page.push_str("</svg></section>\n");
}

/// Returns a name that fits before a bar: the end tells more than the beginning.
fn cut(name: &str) -> String {
    let count = name.chars().count();
    if count <= LONGEST_NAME {
        return name.to_owned();
    }
    let end: String = name.chars().skip(count - LONGEST_NAME + 1).collect();
    format!("…{end}")
}

/// The number of characters that fit before a bar.
const LONGEST_NAME: usize = 34;

fn problems(page: &mut String, summary: &Summary) {
    page.push_str("<section><h2>What went wrong</h2>\n<table class=\"words\">\n");
    for model in &summary.models {
        let all: Vec<String> =
            model.problems.iter().map(|(code, count)| format!("{code} {count}")).collect();
        let all = if all.is_empty() { "nothing".to_owned() } else { all.join(", ") };
        let _ = writeln!(
            page,
            "<tr><th>{}</th><td>{}</td></tr>",
            escape(&model.subject.to_string()),
            escape(&all)
        );
    }
    page.push_str("</table></section>\n");
}

/// Writes a row for every mission and a cell for every attempt.
fn missions(page: &mut String, summary: &Summary) {
    page.push_str("<section><h2>Missions</h2>\n<table class=\"missions\">\n<tr><th></th>");
    for model in &summary.models {
        let _ = write!(page, "<th>{}</th>", escape(&model.subject.to_string()));
    }
    page.push_str("</tr>\n");
    let names: BTreeSet<&str> = summary.rows.iter().map(|row| row.mission.as_str()).collect();
    for name in names {
        let _ = write!(page, "<tr><th>{}</th>", escape(name));
        for model in &summary.models {
            page.push_str("<td>");
            let of_cell = |row: &&Row| row.mission == name && row.subject == model.subject;
            summary.rows.iter().filter(of_cell).for_each(|row| cell(page, row));
            page.push_str("</td>");
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table></section>\n");
}

fn cell(page: &mut String, row: &Row) {
    let (class, mark) = match (row.right, row.turns) {
        (true, 1) => ("right", "✓"),
        (true, _) => ("later", "✓"),
        (false, _) => ("wrong", "✗"),
    };
    let outcome = if row.right { "right" } else { last(row) };
    let title = format!("case {}: {outcome}, turns: {}, ptc show {}", row.case, row.turns, row.run);
    let _ = write!(page, "<span class=\"{class}\" title=\"{}\">{mark}</span>", escape(&title));
    if !row.right {
        let _ = write!(page, "<code>{}</code> {}<br>", escape(&row.run), escape(outcome));
    }
}

fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in shown::escape(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c => safe.push(c),
        }
    }
    safe
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<title>Trial</title>
<style>
:root { color-scheme: light dark; --line: #8886; --bar: #3b7dd8; --right: #2a9d4a; --wrong: #d0453a; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0; }
main { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.05rem; margin: 1.8rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 500; padding: .2rem .8rem .2rem 0; white-space: nowrap; }
td { padding: .2rem .6rem .2rem 0; vertical-align: top; }
.words { table-layout: fixed; }
.words th { width: 25%; overflow: hidden; text-overflow: ellipsis; }
svg { width: 100%; font-size: 14px; }
text { fill: currentColor; }
rect { fill: var(--bar); }
path { stroke: currentColor; stroke-width: 1.5; }
.missions tr { border-top: 1px solid var(--line); }
span { font-weight: 700; margin-right: .3rem; }
.right { color: var(--right); }
.later { color: var(--right); opacity: .6; }
.wrong { color: var(--wrong); }
code { font-size: .85em; }
</style></head><body><main>
<h1>Trial</h1>
<p>A bright mark is a right answer in the first turn, a pale one a right answer in a later turn. A line over a bar has the
bounds of the true share in 95 of 100 trials.</p>
";

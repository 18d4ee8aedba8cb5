//! Whole processes from tables: arguments and stdin in, exit code, stdout and stderr out.
//!
//! A case starts with `$ ptc …`; lines with `< ` are its stdin. Its outcome follows: `exit N`,
//! stdout in lines with `1| `, stderr in lines with `2| `. Runs, seeds, dates and times are written
//! as `[RUN]`, `[SEED]`, `[DATE]` and `[TIME]`. `[TEMP]` is a temporary folder. The cases of one
//! file share a store.

use std::fmt::Write as _;

use crate::support::{Output, commands, compare, data, ptc, run};

#[test]
fn eval() {
    check("eval.txt");
}

#[test]
fn programs_are_checked() {
    check("check.txt");
}

#[test]
fn a_run_and_its_record() {
    check("run.txt");
}

#[test]
fn models_keys_and_fallbacks() {
    check("models.txt");
}

#[test]
fn transcripts() {
    check("transcript.txt");
}

#[test]
fn bad_agents_and_bad_usage() {
    check("bad.txt");
}

#[test]
fn logins() {
    check("login.txt");
}

#[test]
fn prompts() {
    check("prompt.txt");
}

#[test]
fn inputs_from_the_command_line() {
    check("set.txt");
}

#[test]
fn payloads() {
    check("payload.txt");
}

#[test]
fn conversations() {
    check("conversation.txt");
}

#[test]
fn a_chat_from_lines() {
    check("chat.txt");
}

#[test]
fn commands_on_every_answer_style() {
    check("styles.txt");
}

#[test]
fn integers_past_64_bits() {
    check("exact.txt");
}

#[test]
fn many_inputs() {
    check("inputs.txt");
}

#[test]
fn a_project_and_its_doctor() {
    check("doctor.txt");
}

#[test]
fn documentation_from_the_command() {
    check("docs.txt");
}

#[test]
fn a_session_from_lines() {
    check("repl.txt");
}

#[test]
fn steps_over_programs() {
    check("debug.txt");
}

#[test]
fn runs_of_sub_agents() {
    check("family.txt");
}

#[test]
fn hidden_fields() {
    check("hidden.txt");
}

#[test]
fn every_fault_is_one_object() {
    check("json.txt");
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_written() {
    check("output.txt");
}

#[test]
fn a_resumed_run() {
    check("resume.txt");
}

#[test]
fn tokens_of_a_server() {
    check("token.txt");
}

#[test]
fn copies_and_checks_of_the_record() {
    check("store.txt");
}

#[test]
fn origins_of_arguments() {
    check("why.txt");
}

#[test]
fn artifacts_and_their_versions() {
    check("artifacts.txt");
}

#[test]
fn tools_without_an_effect() {
    check("effects.txt");
}

#[test]
fn every_help() {
    let text = std::fs::read_to_string(data().join("help.txt")).expect("reads");
    for command in commands() {
        let case = format!("$ ptc {command} --help\n");
        assert!(command == "help" || text.contains(&case), "help.txt lacks `{}`", case.trim());
    }
    check("help.txt");
}

fn check(file: &str) {
    let path = data().join(file);
    let text = std::fs::read_to_string(&path).expect("reads");
    let folder = tempfile::tempdir().expect("makes a folder");
    let store = folder.path().join("runs.sqlite");
    let temp = folder.path().to_string_lossy().into_owned();
    let mut actual = String::new();
    let mut last_run = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if is_outcome(line) {
            continue;
        }
        actual.push_str(line);
        actual.push('\n');
        let Some(command) = line.strip_prefix("$ ptc") else { continue };
        let mut stdin = String::new();
        while let Some(line) = lines.next_if(|it| it.starts_with("< ")) {
            let _ = writeln!(actual, "{line}");
            let _ = writeln!(stdin, "{}", line.trim_start_matches("< "));
        }
        let args: Vec<String> = words(command)
            .into_iter()
            .map(|it| it.replace("[RUN]", &last_run).replace("[TEMP]", &temp))
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let output = run(&mut ptc(&args, &store), stdin.as_bytes());
        if let Some(id) = find_run(&output) {
            last_run = id;
        }
        let settle_output = |text: &str| settle(&text.replace(&temp, "[TEMP]"));
        let _ = writeln!(actual, "exit {}", output.code.map_or(-1, |it| it));
        for (mark, text) in
            [("1|", settle_output(&output.stdout)), ("2|", settle_output(&output.stderr))]
        {
            for line in text.lines() {
                let _ = writeln!(actual, "{}", format!("{mark} {line}").trim_end());
            }
        }
    }
    compare(&path, &actual);
}

fn is_outcome(line: &str) -> bool {
    let starts = ["exit ", "1|", "2|"];
    starts.iter().any(|start| line.starts_with(start))
}

/// Splits a command line at spaces outside of quotes.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Returns the name of the run that the output mentions first.
fn find_run(output: &Output) -> Option<String> {
    let mut words = output.stderr.split([' ', '"', '\n']);
    words.find(|it| is_run(it)).map(str::to_owned)
}

fn is_run(word: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit() || c.is_ascii_lowercase();
    word.len() == 26 && word.starts_with('0') && word.chars().all(is_digit)
}

/// Replaces each text that varies from run to run by a word.
pub(crate) fn settle(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word_len = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = rest.get(..word_len).unwrap_or_default();
        if is_run(word) {
            out.push_str("[RUN]");
            rest = rest.get(word_len..).unwrap_or_default();
        } else if let Some(length) = time_length(rest) {
            out.push_str("[TIME]");
            rest = rest.get(length..).unwrap_or_default();
            // In a table, the next column begins two blanks after the word.
            if rest.starts_with("  ") {
                rest = rest.trim_start_matches(' ');
                out.push_str("  ");
            }
        } else if is_date(rest, "0000-00-00 00:00:00") {
            out.push_str("[DATE]             ");
            rest = rest.get(19..).unwrap_or_default();
        } else if is_date(rest, "0000-00-00 00:00") {
            out.push_str("[DATE]          ");
            rest = rest.get(16..).unwrap_or_default();
        } else if ["\"seed\":", "seed       "].iter().any(|it| out.ends_with(it))
            && word.parse::<u64>().is_ok()
        {
            out.push_str("[SEED]");
            rest = rest.get(word_len..).unwrap_or_default();
        } else if word.len() == 13 && word.starts_with('1') && word.parse::<u64>().is_ok() {
            out.push_str("[MS]");
            rest = rest.get(word_len..).unwrap_or_default();
        } else {
            let length = word_len.max(c.len_utf8());
            out.push_str(rest.get(..length).unwrap_or_default());
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    out
}

/// Returns the length in bytes of a time at the start of a text: `4 ms`, `1.2 s`, `2 min 5 s`.
fn time_length(text: &str) -> Option<usize> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).filter(|&it| it > 0)?;
    let rest = text.get(digits..)?;
    let unit = |length: usize, rest: &str, unit: &str| {
        let is_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
        rest.strip_prefix(unit).is_some_and(is_end).then_some(length + unit.len())
    };
    if let Some(rest) = rest.strip_prefix('.') {
        let (first, rest) = rest.split_at_checked(1)?;
        return first.parse::<u8>().ok().and_then(|_| unit(digits + 2, rest, " s"));
    }
    if let Some(rest) = rest.strip_prefix(" min ") {
        let seconds = rest.find(|c: char| !c.is_ascii_digit()).filter(|&it| it > 0)?;
        return unit(digits + 5 + seconds, rest.get(seconds..)?, " s");
    }
    unit(digits, rest, " ms")
}

/// Returns whether a text starts with a date of this shape.
fn is_date(text: &str, shape: &str) -> bool {
    let mut bytes = text.bytes();
    shape.bytes().all(|wanted| {
        let found = bytes.next().unwrap_or_default();
        if wanted == b'0' { found.is_ascii_digit() } else { found == wanted }
    })
}

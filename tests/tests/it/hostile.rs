//! The hostile corpus: each program ends as its file says, with a diagnostic that names the limit,
//! and leaves the process and the session sound.
//!
//! `UPDATE=1 cargo test -p ptc-tests --test it hostile` rewrites the expected ends.
//! `cargo run --release -p ptc-tests --example hostile` prints the time of each program with the
//! default limits.

use ptc_lisp::{Code, Diagnostic, Limits, Outcome};
use ptc_tests::{Answer, Corpus, World, assert_no_problems, hostile, root, updating};

/// A program that a session must still be able to run after a hostile one.
const NORMAL: &str = "(let [groups (group-by even? (range 10)) text (str/join \",\" (map inc [1 2]))]
  [(count (get groups true)) text (re-find #\"\\d+\" \"a12\") (try (/ 1 0) (catch Exception e :caught))])";

const NORMAL_ANSWER: &str = "=> [5 \"2,3\" \"12\" :caught]";

/// Returns the value and the name of the limit that belongs to a code.
fn limit(limits: &Limits, code: Code) -> Option<(u64, &'static str)> {
    Some(match code {
        Code::FuelLimit => (limits.fuel, "fuel"),
        Code::MemoryLimit => (limits.memory, "memory"),
        Code::CallDepthLimit => (limits.call_depth.into(), "call_depth"),
        Code::ValueDepthLimit => (limits.value_depth.into(), "value_depth"),
        Code::SourceSizeLimit => (limits.source_bytes.into(), "source_bytes"),
        Code::SourceNestingLimit => (limits.source_nesting.into(), "source_nesting"),
        Code::ToolCallLimit => (limits.tool_calls.into(), "tool_calls"),
        Code::ResultSizeLimit => (limits.result_bytes.into(), "result_bytes"),
        Code::KeptMemoryLimit => (limits.memory_bytes.into(), "memory_bytes"),
        _ => return None,
    })
}

/// Describes the facts that a diagnostic of a limit lacks, if any.
fn missing(limits: &Limits, problem: &Diagnostic) -> Option<String> {
    let help = problem.help_and_advice().unwrap_or_default();
    if help.contains("the limit cannot be raised") {
        let number = problem.message().chars().any(|c| c.is_ascii_digit());
        return (!number).then(|| format!("no number in: {}", problem.message()));
    }
    let (value, name) = limit(limits, problem.code_value())?;
    if !problem.message().contains(&value.to_string()) {
        return Some(format!("the message does not name {value}: {}", problem.message()));
    }
    (!help.contains(&format!("raise the limit `{name}`")))
        .then(|| format!("the help does not name `{name}`: {help}"))
}

/// Returns the problems of a program, and its end.
fn end(world: &mut World, source: &str) -> (Vec<Diagnostic>, Answer) {
    match world.session.admit(source) {
        Err(rejection) => {
            let answer = Answer::of(&world.run(source));
            (rejection.diagnostics, answer)
        }
        Ok(_) => match world.run_raw(source) {
            Err(ran) => (Vec::new(), Answer::of(&ran)),
            Ok((ended, _)) => {
                let mut problems = Vec::new();
                let mut shown = match &ended.outcome {
                    Outcome::Value(value) => format!("=> {value}"),
                    Outcome::Return(value) | Outcome::Continue(value) => format!("return {value}"),
                    Outcome::Fail(failure) => format!("fail {}", failure.reason),
                    Outcome::Error(problem) => {
                        problems.push(problem.clone());
                        format!("! {}", problem.code())
                    }
                };
                if let Err(problem) = world.session.commit(&ended) {
                    shown = format!("! {}", problem.code());
                    problems.push(problem);
                }
                (problems, Answer(vec![format!(";{}", cut(&shown))]))
            }
        },
    }
}

/// Cuts a long end to its beginning and its length.
fn cut(shown: &str) -> String {
    match shown.char_indices().nth(100) {
        Some((at, _)) => format!("{}… {} characters", &shown[..at], shown.chars().count()),
        None => shown.to_owned(),
    }
}

/// Runs the programs of one file.
fn check(name: &str) {
    let path = root().join("tests/hostile").join(name).with_extension("clj");
    let mut corpus = Corpus::read(&path);
    let mut problems = Vec::new();
    for block in &mut corpus.blocks {
        let mut world = hostile::world(block, hostile::limits());
        let limits = world.session.limits().clone();
        for case in &mut block.cases {
            let place = format!("{name}.clj:{}: {}", case.line, case.source);
            let (diagnostics, mut found) = end(&mut world, &case.source);
            // Other tests check messages; here only the code counts.
            for line in &mut found.0 {
                if let Some(code) = line.strip_prefix(";! ") {
                    *line = format!(";! {}", code.split(' ').next().unwrap_or_default());
                }
            }
            found.0.dedup();
            for problem in &diagnostics {
                problems.extend(missing(&limits, problem).map(|why| format!("{place}\n{why}")));
            }
            if updating() {
                case.answer = found;
            } else if case.answer != found {
                let (expected, found) = (case.answer.0.join("\n"), found.0.join("\n"));
                problems.push(format!("{place}\nexpected {expected}\nfound    {found}"));
            }
            let same_session = match world.run_raw(NORMAL) {
                Ok((ended, _)) => match ended.outcome {
                    Outcome::Value(value) => format!("=> {value}"),
                    _ => format!("{:?}", ended.outcome),
                },
                Err(ran) => ran.shown,
            };
            // A block that limits the size of sources refuses this program.
            if same_session != NORMAL_ANSWER && !same_session.contains("source-") {
                problems.push(format!("{place}\nthen in its session: {same_session}"));
            }
            let other_session = ptc_tests::eval(NORMAL).shown;
            if other_session != NORMAL_ANSWER {
                problems.push(format!("{place}\nthen in another session: {other_session}"));
            }
        }
    }
    if updating() {
        std::fs::write(&path, corpus.write()).unwrap();
    }
    assert_no_problems(&problems);
}

macro_rules! themes {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })+

        const THEMES: &[&str] = &[$(stringify!($name)),+];
    };
}

themes! { memory time depth output regex formats numbers collisions sorting branches catching lazy cells json data turns }

#[test]
fn every_file_is_run_and_there_are_enough() {
    let corpora = hostile::corpora();
    let count: usize =
        corpora.iter().flat_map(|corpus| &corpus.blocks).map(|block| block.cases.len()).sum();
    assert!(count >= 500, "the corpus has only {count} programs");
    let names: Vec<&str> =
        corpora.iter().filter_map(|corpus| corpus.name.strip_suffix(".clj")).collect();
    let mut themes = THEMES.to_vec();
    themes.sort_unstable();
    assert_eq!(names, themes);
}

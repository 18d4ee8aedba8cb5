//! Tests of snapshots: a program gives the same result in a restored session as in the original
//! one.

use std::fmt::Write as _;
use std::path::Path;

use ptc_lisp::snapshot::Snapshot;
use ptc_lisp::{Budget, Limits, Outcome, Session, Value, Yielded, derived_seed};
use ptc_tests::{Answer, Corpus, World, assert_no_problems, files, one_in, root, updating};
use serde_json::Value as Json;

/// The maximum size of a snapshot in these tests, in bytes.
const MAX: usize = 8 << 20;

/// Takes a snapshot of a session, through its JSON text.
fn snapshot(session: &Session) -> Snapshot {
    let snapshot = session.snapshot(MAX).unwrap();
    let text = snapshot.to_json().to_string();
    let read = Snapshot::from_json(&serde_json::from_str(&text).unwrap()).unwrap();
    assert_eq!(read, snapshot);
    read
}

/// Restores the session of a world into a new world.
fn resumed(world: &World, new: impl Fn() -> World) -> World {
    let mut again = new();
    let snapshot = snapshot(&world.session);
    let dropped = again.session.restore(&snapshot).unwrap();
    assert!(dropped.is_empty(), "{dropped:?}");
    assert_eq!(again.session.snapshot(MAX).unwrap(), snapshot);
    again
}

/// Runs programs one after another, each also in a session restored before it. Returns the
/// differences.
fn differences<'a>(
    name: &str,
    new: impl Fn() -> World,
    programs: impl IntoIterator<Item = &'a str>,
) -> Vec<String> {
    let mut problems = Vec::new();
    let mut world = new();
    for source in programs {
        let mut again = resumed(&world, &new);
        let (expected, found) = (world.run(source), again.run(source));
        if expected != found {
            problems.push(format!("{name}: {source}\nexpected {expected:?}\nfound    {found:?}"));
        }
        let (expected, found) = (snapshot(&world.session), snapshot(&again.session));
        if expected != found {
            let [expected, found] = [expected, found].map(|it| it.to_json());
            problems.push(format!("{name}: {source}\nexpected {expected}\nfound    {found}"));
        }
    }
    problems
}

#[test]
fn every_kind_of_value_and_function_is_restored() {
    let mut problems = Vec::new();
    for path in files(&root().join("tests/resumed"), "clj") {
        let mut corpus = Corpus::read(&path);
        for block in &mut corpus.blocks {
            let new = || block.world(Limits::default());
            let sources: Vec<String> = block.cases.iter().map(|case| case.source.clone()).collect();
            problems.extend(differences(&corpus.name, new, sources.iter().map(String::as_str)));
            let mut world = new();
            for case in &mut block.cases {
                world = resumed(&world, || {
                    World::new(block.ctx.as_deref().unwrap_or("{}"), Limits::default())
                });
                let found = Answer::of(&world.run(&case.source));
                if updating() {
                    case.answer = found;
                } else if case.answer != found {
                    let (line, answer) = (case.line, &case.answer);
                    problems.push(format!(
                        "{}:{line}: expected {answer:?}, found {found:?}",
                        corpus.name
                    ));
                }
            }
        }
        if updating() {
            std::fs::write(&path, corpus.write()).unwrap();
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn the_language_corpus_continues_from_snapshots() {
    let mut problems = Vec::new();
    for path in files(&root().join("tests/language"), "clj") {
        let corpus = Corpus::read(&path);
        for block in corpus.blocks.iter().step_by(one_in(8)) {
            let sources = block.cases.iter().map(|case| case.source.as_str());
            problems.extend(differences(&corpus.name, || block.world(Limits::default()), sources));
        }
    }
    assert_no_problems(&problems);
}

/// Returns the programs of a file of the conformance corpus.
fn programs(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let cases = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    cases.map(|case| case["source"].as_str().unwrap().to_owned()).collect()
}

/// Returns the result, the prints, the fuel and the place of the problem of a program without
/// tools.
fn outcome(session: &mut Session, source: &str) -> String {
    let admitted = match session.admit(source) {
        Ok(admitted) => admitted,
        Err(rejection) => return format!("{rejection:?}"),
    };
    let mut machine = session.start(&admitted);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    let ended = machine.finish();
    let kept = session.commit(&ended);
    let place = match &ended.outcome {
        Outcome::Error(problem) => problem.excerpt(),
        _ => None,
    };
    format!("{:?} {:?} {} {place:?} {kept:?}", ended.outcome, ended.prints, ended.fuel)
}

#[test]
fn values_of_the_conformance_corpus_are_restored() {
    const LOOK: &str = "[*1 (pr-str *1) (class *1) (ifn? *1) (= *1 *1)]";
    let folder = root().join("tests/conformance");
    let mut problems = Vec::new();
    let (mut count, every) = (0, one_in(8));
    for path in files(&folder, "jsonl") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for three in programs(&path).chunks(3).step_by(every) {
            count += three.len();
            let sources = three.iter().flat_map(|source| [source.as_str(), LOOK]);
            let new = || {
                Session::new(
                    Value::map([]),
                    Vec::new(),
                    Limits { fuel: 2_000_000, ..Limits::default() },
                )
            };
            let mut session = new();
            for source in sources {
                let before = snapshot(&session);
                let mut again = new();
                assert_eq!(again.restore(&before).unwrap(), [], "{source}");
                let (expected, found) =
                    (outcome(&mut session, source), outcome(&mut again, source));
                let same = expected == found && snapshot(&session) == snapshot(&again);
                if !same {
                    problems
                        .push(format!("{name}: {source}\nexpected {expected}\nfound    {found}"));
                }
            }
        }
    }
    assert_no_problems(&problems);
    assert!(count > 6_000 / every, "{count}");
}

/// Creates a world whose session has values of many kinds.
fn sample() -> World {
    let mut world = World::new(r#"{"orders": [1, 2]}"#, Limits::default());
    let programs = [
        "(require '[clojure.string :as s])\n(def rate 1.19)\n(defn gross\n  \"With tax.\"\n  [net]\n  (* net rate))\n\
         (defn label [x] (s/upper-case (str x)))",
        "(def seen (atom #{}))\n(def adders (mapv (fn [n] (fn [x] (+ x n))) [1 2]))\n(def add-all (comp (first adders) (second adders)))\n\
         (declare later)",
        "(def from-1 (iterate inc 1))\n(take 2 from-1)",
        "(memory/put :totals {\"a\" 1, \"b\" (gross 2)})\n(def failed (try (/ 1 0) (catch Exception e e)))\n\
         (def day (LocalDate/parse \"2024-02-29\"))\n[#{:x} '(a \"b\") (sorted-map 2 :b 1 :a) ctx/orders seen]",
    ];
    for source in programs {
        let ran = world.run(source);
        assert!(!ran.shown.starts_with('!'), "{ran:?}");
    }
    world.session.set_ctx_key("reply", Value::from("yes"));
    world
}

#[test]
fn a_snapshot_reads_well() {
    let json = snapshot(&sample().session).to_json();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).unwrap());
}

/// Programs that use the definitions of [`sample`].
const USES: [&str; 4] = [
    "[(gross 100) (label :a) (map #(% 1) adders) (add-all 1)]",
    "[(take 3 from-1) *1 *2 *3 memory later]",
    "[day failed ctx/reply (str rate) (= seen (last *1))]",
    "(throw failed)",
];

#[test]
fn damaged_snapshots_are_refused_or_read_and_never_stop_the_process() {
    let text = snapshot(&sample().session).to_json().to_string();
    let bytes = text.as_bytes();
    let mut restored = 0;
    for number in 0..3_000_u64 {
        let draw =
            |what: u64, below: usize| (derived_seed(number, &[what]) % below as u64) as usize;
        let mut damaged = bytes.to_vec();
        for change in 0..=draw(0, 3) as u64 {
            let at = draw(10 + change, damaged.len());
            let other = bytes[draw(20 + change, bytes.len())];
            match draw(30 + change, 5) {
                0 => damaged[at] = other,
                1 => damaged.insert(at, other),
                2 => drop(damaged.remove(at)),
                3 => damaged[at] = b"0123456789"[draw(40 + change, 10)],
                _ => {
                    let end = (at + draw(50 + change, 40)).min(damaged.len());
                    let part = damaged[at..end].to_vec();
                    let to = draw(60 + change, damaged.len());
                    damaged.splice(to..to, part);
                }
            }
        }
        let Ok(json) = serde_json::from_slice::<Json>(&damaged) else { continue };
        let Ok(snapshot) = Snapshot::from_json(&json) else { continue };
        let mut world = World::new(r#"{"orders": [1, 2]}"#, Limits::default());
        let before = world.session.snapshot(MAX).unwrap();
        if world.session.restore(&snapshot).is_err() {
            assert_eq!(world.session.snapshot(MAX).unwrap(), before);
            continue;
        }
        restored += 1;
        for source in USES {
            drop(world.session.admit(source).map(|_| world.run(source)));
        }
        drop(world.session.snapshot(MAX));
    }
    assert!(restored > 100, "{restored}");
}

/// Changes of the JSON of [`sample`], each at a path, with their problems.
#[test]
fn a_problem_names_its_place() {
    let whole = snapshot(&sample().session).to_json();
    let mut found = String::new();
    for (path, new) in [
        ("/format", r#""other""#),
        ("/version", "2"),
        ("/names", "{}"),
        ("/names/0", r#"["rate"]"#),
        ("/names/0", r#"["gross", "1"]"#),
        ("/names/0/1", r#""(1""#),
        ("/names/0/1", r#""1 2""#),
        ("/names/0/1", r#""""#),
        ("/names/0/1", r##""#part 99""##),
        ("/names/0/1", r##""#part -1""##),
        ("/names/0/1", r##""#nothing 1""##),
        ("/names/0/1", r##""#fn {:program 99 :function 1}""##),
        ("/names/0/1", r##""#fn {:program 0 :function 99}""##),
        ("/names/0/1", r##""#fn {:of \"comp\" :function 1 :over [1]}""##),
        ("/names/0/1", r##""#fn {:of \"eval\" :function 1}""##),
        ("/names/0/1", r##""#builtin \"eval\"""##),
        ("/names/0/1", r##""#regex \"(\"""##),
        ("/names/0/1", r##""#time [\"java.time.LocalDate\" \"2024-02-30\"]""##),
        ("/names/0/1", r##""#entry [1]""##),
        ("/names/0/1", r##""#sorted-map {:rows [1]}""##),
        ("/names/0/1", r##""#stage {:of \"fly\"}""##),
        ("/names/0/1", r##""#matcher {:regex \"a\" :text \"é\" :next 1}""##),
        ("/names/0/1", r##""#lazy {:call []}""##),
        ("/names/0/1", r#""'x""#),
        ("/names/0/1", r#""@x""#),
        ("/parts", r#"["[#part 1]", "2"]"#),
        ("/parts", r##"["#part 0"]"##),
        ("/history", "[]"),
        ("/seed", "7"),
        ("/seed", r#""-1""#),
        ("/programs/0/source", r#"["(defn gross [net]"]"#),
        ("/programs/0/known", "50"),
    ] {
        let mut json = whole.clone();
        *json.pointer_mut(path).unwrap() = serde_json::from_str(new).unwrap();
        let mut world = World::new(r#"{"orders": [1, 2]}"#, Limits::default());
        let answer = Snapshot::from_json(&json).and_then(|it| world.session.restore(&it));
        let lines = match answer {
            Err(problem) => vec![problem.to_string()],
            Ok(dropped) => dropped.iter().map(ToString::to_string).collect(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(found, "; {path} {new}\n{}\n", lines.join("\n"));
    }
    insta::assert_snapshot!(found);
}

#[test]
fn reducing_functions_and_their_sequences_are_all_kept() {
    let mut world = World::new("{}", Limits::default());
    world.run("(def rf ((partition-all 2) conj)) (def plain 1) (def both [rf plain])");
    world.run("(def xs (sequence (map inc) [1 2 3])) (first xs)");
    let snapshot = snapshot(&world.session);
    assert_eq!(snapshot.dropped(), []);
}

#[test]
fn functions_of_a_removed_tool_are_dropped() {
    let mut world = World::new("{}", Limits::default());
    world.run("(defn ask [x] (tool/echo {:v x})) (def n 1) (def table {:ask ask})");
    let mut again = World::without_tools("{}", Limits::default());
    let dropped = again.session.restore(&snapshot(&world.session)).unwrap();
    let dropped: Vec<String> = dropped.iter().map(ToString::to_string).collect();
    assert_eq!(
        dropped,
        [
            "`ask` is not kept: its program calls the missing tool `echo`",
            "`table` is not kept: its program calls the missing tool `echo`",
        ]
    );
    assert_eq!(again.run("n").shown, "=> 1");
    assert_eq!(again.run("(ask 1)").shown, "! unknown-name `ask` is used before it is defined");
}

#[test]
fn the_size_of_a_snapshot_is_bounded() {
    let mut world = World::new("{}", Limits::default());
    world.run("(def v (vec (range 1000)))");
    let size =
        |world: &World, max| world.session.snapshot(max).map_err(|problem| problem.to_string());
    assert!(size(&world, 6_000).is_ok());
    assert_eq!(
        size(&world, 1_000).unwrap_err(),
        "the snapshot is larger than the remaining 1000 bytes"
    );
    // A value with many references is written once.
    world.run("(def doubled (nth (iterate (fn [x] [x x]) v) 60))");
    assert!(size(&world, 20_000).is_ok());
    // Views of one vector share it only in memory.
    world.run("(def views (mapv (fn [n] (drop n v)) (range 1000)))");
    assert!(size(&world, 100_000).is_err());
}

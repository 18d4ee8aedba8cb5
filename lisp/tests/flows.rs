//! Labels: where the arguments of calls may come from.
//!
//! `cases/flows.txt` has programs, each with the labels of the calls that it may make. `inbox` and `ctx/mails` are
//! untrusted, `vault` is secret. A label that is not certain has a question mark.

mod rules;

use std::fmt::Write as _;
use std::sync::Arc;

use ptc_lisp::labels::{CallLabels, Label, Sources};
use ptc_lisp::snapshot::Snapshot;
use ptc_lisp::{Budget, Effect, Limits, Outcome, Payload, Session, ToolDecl, Value, Yielded, json};
use rules::AllowAll;

const CTX: &str = r#"{"boss": "b@x", "mails": [{"from": "e@y", "text": "hi", "tags": ["new"]}]}"#;

fn sources() -> Sources {
    let pairs =
        |all: &[(&str, &str)]| all.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
    Sources {
        tools: pairs(&[("inbox", "untrusted"), ("vault", "secret")]),
        inputs: pairs(&[("mails", "untrusted")]),
        ..Sources::default()
    }
}

fn session() -> Session {
    let tools = [("inbox", Effect::Read), ("vault", Effect::Read), ("clock", Effect::Read)];
    let writes = [("mail", Effect::Write), ("log", Effect::Write)];
    let all = tools.into_iter().chain(writes).map(|(name, effect)| ToolDecl::new(name, effect));
    let limits = Limits { tool_calls: 1_000, ..Limits::default() };
    let mut session = Session::new(json::parse(CTX).unwrap(), all.collect(), limits);
    session.set_labels(sources());
    session
}

/// Runs a program, and gives each call an answer. Returns the calls.
fn run(session: &mut Session, source: &str, answer: &dyn Fn(&str) -> Value) -> Vec<String> {
    let program = session.admit(source).unwrap_or_else(|it| panic!("{source}: {it}"));
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    let mut calls = Vec::new();
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::Calls(made) => {
                let made: Vec<_> = made.into_iter().collect();
                for call in made {
                    calls.push(format!("{} {}", call.name, json::write(&call.args).unwrap()));
                    machine.resume(&call.id, Ok(answer(&call.name)));
                }
            }
            Yielded::SliceUsed => {}
        }
    }
    let ended = machine.finish();
    session.commit(&ended).unwrap();
    if let Outcome::Error(problem) = &ended.outcome {
        calls.push(format!("error {problem}"));
    }
    calls
}

fn label(label: &Label) -> String {
    let mut marks: Vec<String> = label
        .iter()
        .map(|mark| format!("{}{}", mark.origin, if mark.certain { "" } else { "?" }))
        .collect();
    marks.sort();
    if marks.is_empty() { "-".to_owned() } else { marks.join("+") }
}

fn line(name: &str, call: &CallLabels) -> String {
    let mut line = name.to_owned();
    for (argument, of) in &call.arguments {
        let _ = write!(line, " {argument}:{}", label(of));
    }
    if call.arguments.is_empty() || !call.rest.is_empty() {
        let _ = write!(line, " *:{}", label(&call.rest));
    }
    let _ = write!(line, " at:{}", label(&call.place));
    line
}

/// Takes a snapshot of a session, and continues from its text in another session.
fn passed_on(session: &Session, mut to: Session) -> Session {
    let json = session.snapshot(1 << 20).unwrap().to_json();
    to.restore(&Snapshot::from_json(&json).unwrap()).unwrap();
    assert_eq!(to.snapshot(1 << 20).unwrap().to_json()["labels"], json["labels"]);
    to
}

/// Returns the labels of the calls of the last program, in the order of the source. Between programs, the session may be
/// passed on as text.
fn labels(source: &str, as_text: bool) -> String {
    let mut session = session();
    let parts: Vec<&str> = source.split("\n---\n").collect();
    let (last, before) = parts.split_last().unwrap();
    let answer = |name: &str| match name {
        "inbox" => json::parse(r#"[{"from": "e@y", "text": "hi", "id": 3}]"#).unwrap(),
        _ => Value::from("ok"),
    };
    for earlier in before {
        run(&mut session, earlier, &answer);
        if as_text {
            session = passed_on(&session, self::session());
        }
    }
    let program = session.admit(last).unwrap_or_else(|it| panic!("{last}: {it}"));
    let flows = program.flows().unwrap();
    let mut calls: Vec<_> = flows.calls.iter().collect();
    calls.sort_by_key(|(_, span, _)| span.start);
    let mut out = String::new();
    for (name, span, _) in calls {
        let tool = name.as_deref().unwrap_or("any");
        let found = flows.call(tool, *span);
        if !matches!(tool, "inbox" | "vault" | "clock") {
            let _ = writeln!(out, "=> {}", line(tool, &found));
        }
    }
    if flows.is_coarse {
        out.push_str("=> coarse\n");
    }
    out
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the file is written anew if `UPDATE` asks for it")]
fn calls_have_the_labels_of_their_arguments() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/flows.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut new = String::new();
    let mut count = 0;
    for case in text.split("\n\n") {
        let (comments, case): (Vec<&str>, Vec<&str>) =
            case.lines().partition(|line| line.starts_with(';'));
        let source: Vec<&str> = case.into_iter().filter(|line| !line.starts_with("=>")).collect();
        if !new.is_empty() {
            new.push('\n');
        }
        for comment in comments {
            let _ = writeln!(new, "{comment}");
        }
        if source.is_empty() {
            continue;
        }
        count += 1;
        let source = source.join("\n");
        let found = labels(&source, false);
        assert_eq!(labels(&source, true), found, "after a snapshot: {source}");
        let _ = write!(new, "{source}\n{found}");
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &new).unwrap();
    }
    assert_eq!(text, new);
    assert!(count >= 60, "{count} cases");
}

/// An agent that shares the payload may put there what it has read.
#[test]
fn a_shared_payload_has_the_label_of_the_agent() {
    let mut session = session();
    session.set_payload(Payload::new(Value::map([]), Arc::new(AllowAll)));
    let program = "(tool/inbox {}) (tool/mail {:to (payload/get [:to])})";
    let mut found = Vec::new();
    for sharing in [vec![], vec!["inbox".into()]] {
        session.set_labels(Sources { sharing, ..sources() });
        let flows = session.admit(program).unwrap().flows().cloned().unwrap();
        let (_, span, _) = flows.calls.iter().find(|it| it.0.as_deref() == Some("mail")).unwrap();
        found.push(line("mail", &flows.call("mail", *span)));
    }
    assert_eq!(found, ["mail to:- at:-", "mail to:inbox? at:-"]);
}

#[test]
fn a_snapshot_with_fewer_labels_may_have_any() {
    let source = "(call \"mail\" {:to rate :body memory/who})";
    let found = |session: &Session| {
        let program = session.admit(source).unwrap();
        let (_, _, labels) = &program.flows().unwrap().calls[0];
        line("mail", labels)
    };
    let all = "mail to:ctx/mails?+inbox?+vault? body:ctx/mails?+inbox?+vault? at:-";
    let mut made = session();
    run(&mut made, "(def rate 3) (memory/put :who ctx/boss)", &|_| Value::Nil);
    assert_eq!(found(&passed_on(&made, session())), "mail to:- body:- at:-");
    let json = made.snapshot(1 << 20).unwrap().to_json();
    let restored = |json: &serde_json::Value, sources: Sources| {
        let mut to = session();
        to.set_labels(sources);
        to.restore(&Snapshot::from_json(json).unwrap()).unwrap();
        found(&to)
    };
    let mut without = json.clone();
    without.as_object_mut().unwrap().remove("labels");
    assert_eq!(restored(&without, sources()), all);
    let mut to = session();
    to.restore(&Snapshot::from_json(&without).unwrap()).unwrap();
    let program =
        to.admit("(if (= (count ctx/boss) 9) (def rate 4)) (call \"mail\" {:to rate})").unwrap();
    let (_, _, labels) = &program.flows().unwrap().calls[0];
    assert_eq!(line("mail", labels), "mail to:ctx/mails?+inbox?+vault? at:-");
    let mut damaged = json.clone();
    damaged["labels"]["memory"] = serde_json::json!({"label": 99});
    assert_eq!(restored(&damaged, sources()), all);
    let more = Sources { payload: vec!["untrusted".into()], ..sources() };
    assert_eq!(restored(&json, more), all.replace("?+vault?", "?+payload?+vault?"));
}

/// Random programs over the trusted number `ctx/t` and the untrusted number `ctx/u`.
struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % count
    }

    fn name(&mut self, names: &[String]) -> String {
        match names.len() {
            0 => self.below(9).to_string(),
            count => names[self.below(count as u64) as usize].clone(),
        }
    }

    fn int(&mut self, depth: u32, names: &[String]) -> String {
        if depth == 0 {
            return match self.below(6) {
                0 => "ctx/u".to_owned(),
                1 => "ctx/t".to_owned(),
                2 => "@a".to_owned(),
                3 => "@b".to_owned(),
                _ => self.name(names),
            };
        }
        let d = depth - 1;
        let mut a = || self.int(d, names);
        let (x, y) = (a(), a());
        match self.below(24) {
            0 => format!("(+ {x} {y})"),
            1 => format!("(if {} {x} {y})", self.test(d, names)),
            2 => format!("(count {})", self.vector(d, names)),
            3 => format!("(get {} :a)", self.map(d, names)),
            4 => format!("(:b {})", self.map(d, names)),
            5 => format!("(reduce + {x} {})", self.vector(d, names)),
            6 => format!("(or (first {}) {x})", self.vector(d, names)),
            7 => {
                let name = format!("v{}", self.below(5));
                let more = [names, std::slice::from_ref(&name)].concat();
                format!("(let [{name} {x}] {})", self.int(d, &more))
            }
            8 => format!("(do (reset! {} {x}) {y})", self.atom()),
            9 => format!("(do (when {} (reset! {} {x})) {y})", self.test(d, names), self.atom()),
            10 => format!("(try {x} (catch Exception e {y}))"),
            11 => format!(
                "(try (if {} (throw (ex-info \"x\" {{:v {x}}})) 1) (catch Exception e (+ {y} (or (:v (ex-data e)) 0))))",
                self.test(d, names)
            ),
            12 => format!("(f {x} {y})"),
            13 => format!("(g {x})"),
            14 => {
                let more = [names, &["i".to_owned(), "s".to_owned()]].concat();
                let step = self.int(d, &more);
                format!("(loop [i 0 s {x}] (if (< i (mod {y} 3)) (recur (inc i) {step}) s))")
            }
            15 => format!("(or (some (fn [x] (when (odd? x) x)) {}) {x})", self.vector(d, names)),
            16 => format!("(apply + {})", self.vector(d, names)),
            17 => format!("(max {x} {y})"),
            18 => format!("(nth {} {x} {y})", self.vector(d, names)),
            19 => format!("(do (memory/put :m {x}) {y})"),
            20 => "(or (memory/get :m) 0)".to_owned(),
            21 => format!("((if {} inc dec) {x})", self.test(d, names)),
            22 => format!("(swap! {} + {x})", self.atom()),
            _ => format!("(quot {x} {y})"),
        }
    }

    fn atom(&mut self) -> &'static str {
        if self.below(2) == 0 { "a" } else { "b" }
    }

    fn test(&mut self, depth: u32, names: &[String]) -> String {
        let (a, b) = (self.int(depth, names), self.int(depth, names));
        match self.below(5) {
            0 => format!("(< {a} {b})"),
            1 => format!("(odd? {a})"),
            2 => format!("(and (pos? {a}) (= {a} {b}))"),
            3 => format!("(empty? {})", self.vector(depth, names)),
            _ => format!("(every? pos? {})", self.vector(depth, names)),
        }
    }

    fn vector(&mut self, depth: u32, names: &[String]) -> String {
        if depth == 0 {
            return format!("[{} {}]", self.int(0, names), self.int(0, names));
        }
        let d = depth - 1;
        let v = self.vector(d, names);
        match self.below(12) {
            0 => format!("(map (fn [x] (+ x {})) {v})", self.int(d, names)),
            1 => format!("(filter (fn [x] (< x {})) {v})", self.int(d, names)),
            2 => format!("(conj (vec {v}) {})", self.int(d, names)),
            3 => format!("(sort {v})"),
            4 => format!("(rest {v})"),
            5 => format!("(for [x {v} :when (odd? x)] (+ x {}))", self.int(d, names)),
            6 => format!("(take (mod {} 3) {v})", self.int(d, names)),
            7 => format!("(concat {v} {})", self.vector(d, names)),
            8 => format!("(vals {})", self.map(d, names)),
            9 => format!("(into [] (map inc) {v})"),
            10 => format!("(reverse (distinct {v}))"),
            _ => format!("(sort-by (fn [x] (- x)) {v})"),
        }
    }

    fn map(&mut self, depth: u32, names: &[String]) -> String {
        if depth == 0 {
            return format!("{{:a {} :b {}}}", self.int(0, names), self.int(0, names));
        }
        let d = depth - 1;
        let m = self.map(d, names);
        match self.below(7) {
            0 => format!("(assoc {m} :a {})", self.int(d, names)),
            1 => format!("(merge {m} {{:b {}}})", self.int(d, names)),
            2 => format!("(update {m} :a + {})", self.int(d, names)),
            3 => format!("(into {m} {{:a {}}})", self.int(d, names)),
            4 => format!("(update-vals {m} (fn [x] (+ x {})))", self.int(d, names)),
            5 => format!("(zipmap [:a :b] (conj (vec {}) 1 2))", self.vector(d, names)),
            _ => format!("(select-keys (assoc {m} :c {}) [:a :b])", self.int(d, names)),
        }
    }

    fn call(&mut self, depth: u32, names: &[String]) -> String {
        let (to, n) = (self.int(depth, names), self.int(depth, names));
        let call = format!("(tool/mail {{:to {to} :n {n}}})");
        match self.below(6) {
            0 => format!("(when {} {call})", self.test(depth, names)),
            1 => {
                let more = [names, &["x".to_owned()]].concat();
                let to = self.int(depth, &more);
                format!("(doseq [x {}] (tool/mail {{:to {to} :n x}}))", self.vector(depth, names))
            }
            2 => format!("(send {to} {n})"),
            3 => format!("(tool/mail {})", self.map(depth, names)),
            4 => format!("(when {} (return 1)) {call}", self.test(depth, names)),
            _ => call,
        }
    }

    fn program(&mut self) -> String {
        let own: Vec<String> = ["x", "y"].map(str::to_owned).into();
        let (f, g) = (self.int(2, &own), self.int(1, &own[..1]));
        let mut source = format!(
            "(def a (atom 1)) (def b (atom 2)) (defn g [x] {g}) (defn f [x y] {}) \
             (defn send [to n] (tool/mail {{:to to :n n}}))",
            f.replace("(f ", "(max ")
        )
        .replace("(g ", "(inc ")
        .replace("(defn inc ", "(defn g ");
        for _ in 0..3 {
            let depth = 1 + self.below(3) as u32;
            let _ = write!(source, "\n{}", self.call(depth, &[]));
        }
        source
    }
}

/// Returns the calls of a program by their places, and whether it ended.
fn calls_of(source: &str, u: i64) -> (Vec<(u32, Value)>, bool) {
    let mut session = numbers(u);
    let program = session.admit(source).unwrap();
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    let mut calls = Vec::new();
    loop {
        match machine.run(&mut budget) {
            Yielded::Done => break,
            Yielded::Calls(made) => {
                let made: Vec<_> = made.into_iter().collect();
                for call in made {
                    calls.push((call.span.start, call.args.clone()));
                    machine.resume(&call.id, Ok(Value::from(0)));
                }
            }
            Yielded::SliceUsed => {}
        }
    }
    let ended = machine.finish();
    let is_whole = matches!(ended.outcome, Outcome::Value(_) | Outcome::Return(_));
    let _ = session.commit(&ended);
    (calls, is_whole)
}

fn numbers(u: i64) -> Session {
    let tools = vec![ToolDecl::new("mail", Effect::Write)];
    let ctx = json::parse(&format!("{{\"t\": 3, \"u\": {u}}}")).unwrap();
    let mut session = Session::new(ctx, tools, Limits::default());
    session.assume_input();
    let inputs = vec![("u".into(), "untrusted".into())];
    session.set_labels(Sources { inputs, ..Sources::default() });
    session
}

#[test]
fn an_untrusted_value_changes_no_argument_without_a_label() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut labelled, mut refused) = (0, 0, 0);
    for number in 0..600 {
        let source = random.program();
        let Ok(program) = numbers(1).admit(&source) else {
            refused += 1;
            continue;
        };
        let flows = program.flows().unwrap();
        let runs: Vec<_> = [1, 2, 7, 0, -4].map(|u| calls_of(&source, u)).into();
        for (_, span, _) in &flows.calls {
            let labels = flows.call("mail", *span);
            if !labels.place.is_empty() {
                labelled += 1;
                continue;
            }
            for argument in ["to", "n"] {
                let name =
                    if source[span.start as usize..].contains(":to") { argument } else { "a" };
                if !labels.argument(name).is_empty() {
                    labelled += 1;
                    continue;
                }
                let values: Vec<(Vec<Option<Value>>, bool)> = runs
                    .iter()
                    .map(|(calls, is_whole)| {
                        let here = calls.iter().filter(|(at, _)| *at == span.start);
                        (here.map(|(_, args)| args.get(name).cloned()).collect(), *is_whole)
                    })
                    .collect();
                compared += 1;
                for pair in values.windows(2) {
                    let [(first, a), (second, b)] = pair else { continue };
                    // A run that a problem ended may lack calls: termination is not covered.
                    let count = if *a && *b { usize::MAX } else { first.len().min(second.len()) };
                    assert_eq!(
                        first.iter().take(count).collect::<Vec<_>>(),
                        second.iter().take(count).collect::<Vec<_>>(),
                        "program {number}, argument {name} at {}:\n{source}",
                        span.start
                    );
                }
            }
        }
    }
    assert!(
        compared > 300 && labelled > 300,
        "{compared} compared, {labelled} labelled, {refused} refused"
    );
}

#[test]
fn a_program_that_is_too_deep_has_every_label() {
    let nested = |levels: usize, inner: &str| {
        let mut source = inner.to_owned();
        for _ in 0..levels {
            source = format!("(first (map (fn [x] {source}) [1]))");
        }
        source
    };
    let call = "(call \"mail\" {:to \"b@x\"})";
    for (levels, coarse) in [(5, false), (24, false), (60, true)] {
        let source = nested(levels, call);
        let Ok(program) = session().admit(&source) else {
            assert!(levels > 24, "{levels} levels are refused");
            continue;
        };
        let flows = program.flows().unwrap();
        assert_eq!(flows.is_coarse, coarse, "{levels} levels");
        let labels =
            flows.call("mail", flows.calls.first().map_or_else(Default::default, |it| it.1));
        assert_eq!(labels.argument("to").is_empty(), !coarse);
    }
}

#[test]
fn programs_that_grow_without_end_are_walked_to_an_end() {
    let sources = [
        "(defn f [x] (f (conj [x] x))) (f ctx/mails)",
        "(defn f [x g] (if (empty? x) (g x) (f (rest x) (fn [y] (g (conj y 1)))))) (f ctx/mails identity)",
        "(loop [x {}] (if (> (count x) 3) x (recur (assoc x (str x) {:a x}))))",
        "(defn a [n] (b n)) (defn b [n] (if (pos? n) (a (dec n)) (call \"mail\" {:to n}))) (a (count ctx/mails))",
        "(let [m (atom {})] (swap! m assoc :f (fn [] @m)) ((:f @m)))",
        "(reduce (fn [f x] (comp f (fn [y] (str y x)))) identity ctx/mails)",
        "(def f (memoize (fn [x] (if (pos? x) (f (dec x)) x)))) (f 3)",
    ];
    for source in sources {
        let program = session().admit(source).unwrap_or_else(|it| panic!("{source}: {it}"));
        assert!(program.flows().is_some());
    }
}

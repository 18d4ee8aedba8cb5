//! Measures the language from source to value: every run reads, checks and evaluates its program,
//! with all limits on.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ptc_bench::records;
use ptc_lisp::{Budget, Effect, Limits, Outcome, Session, ToolDecl, Value, Yielded, json};
use ptc_signatures::SignatureMode;

/// The allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const FIB: &str = "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 22)";
const LOOP: &str = "(loop [i 0 sum 0] (if (< i 1000000) (recur (inc i) (+ sum i)) sum))";
const SEQUENCES: &str =
    "(reduce + 0 (map (fn [x] (* x 2)) (filter (fn [x] (odd? x)) (range 20000))))";
const RECORDS: &str = "
    (->> ctx/rows
         (filter (fn [row] (= (:status row) \"open\")))
         (group-by :customer)
         (map (fn [[customer rows]] {:customer customer
                                     :total (reduce + (map :total rows))
                                     :orders (count rows)}))
         (sort-by :total >)
         vec)";

/// Fifty list forms, as a model writes them.
const FIFTY: &str = r#"
(defn open? [order]
  (contains? #{"open" "late"} (:status order)))

(defn net [order]
  (let [gross (* (:price order) (:count order))
        discount (if (> gross 100) (* gross 0.05) 0)]
    (- gross discount)))

(defn summary [[customer orders]]
  (let [totals (map net orders)
        total (reduce + totals)
        late (filter (fn [order] (= (:status order) "late")) orders)]
    {:customer customer
     :orders (count orders)
     :total total
     :mean (/ total (count orders))
     :largest (apply max totals)
     :late (count late)
     :ids (vec (sort (map :id orders)))}))

(let [open (filter open? ctx/orders)
      by-customer (group-by :customer open)
      rows (->> by-customer
                (map summary)
                (filter (fn [row] (pos? (:orders row))))
                (sort-by :total >)
                (take 10))
      [first-row & others] rows]
  (when (empty? rows)
    (fail {:reason :nothing-open :message (str "no open orders of " (count ctx/orders))}))
  {:best (:customer first-row)
   :others (mapv :customer others)
   :total (reduce + (map :total rows))
   :next (first others)
   :rows (vec rows)})"#;

/// Runs a program to its value.
fn run(source: &str, ctx: Value) -> Value {
    let session = Session::new(ctx, Vec::new(), Limits::default());
    let Ok(program) = session.admit(source) else { return Value::Nil };
    let mut machine = session.start(&program);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    match machine.finish().outcome {
        Outcome::Value(value) => value,
        _ => Value::Nil,
    }
}

/// Measures reading and checking, the work before the first step of a program.
fn ready(c: &mut Criterion) {
    let session = Session::new(
        Value::map([(Value::keyword("orders"), Value::vector(Vec::new()))]),
        Vec::new(),
        Limits::default(),
    );
    let lists = |text: &str| text.matches('(').count();
    assert_eq!(lists(FIFTY), 50);
    c.bench_function("ready: a program of 50 forms, read and checked", |b| {
        b.iter(|| session.admit(black_box(FIFTY)).is_ok());
    });
    for (name, bytes) in [("10 KB", 10 << 10), ("100 KB", 100 << 10)] {
        let mut text = String::new();
        for number in 0.. {
            if text.len() >= bytes {
                break;
            }
            // Each copy defines its own functions.
            text += &FIFTY
                .replace("open?", &format!("open-{number}?"))
                .replace("(defn net", &format!("(defn net-{number}"))
                .replace("(map net", &format!("(map net-{number}"))
                .replace("(defn summary", &format!("(defn summary-{number}"))
                .replace("(map summary", &format!("(map summary-{number}"));
        }
        assert!(session.admit(&text).is_ok());
        c.bench_function(&format!("ready: {name} of source"), |b| {
            b.iter(|| session.admit(black_box(&text)).is_ok());
        });
    }
}

/// Measures the admission of programs that call tools with signatures, with many tools in scope.
fn admission(c: &mut Criterion) {
    for (forms, tools) in [(50, 50), (50, 500), (500, 50)] {
        let tools = (0..tools).map(|number| ToolDecl {
            signature: "(id :int, name :string?) -> [{id :int, total :float}]".parse().ok(),
            ..ToolDecl::new(format!("t{number}"), Effect::Read)
        });
        let order = r#"{"orders": [{"id": 1, "name": "a", "open": true}, {"id": 2, "name": "b"}]}"#;
        let ctx = json::parse(order).unwrap_or_default();
        let mut session = Session::new(ctx, tools.collect(), Limits::default());
        if let Ok(output) = "[[{id :int, total :float}]]".parse() {
            session.expect(output, SignatureMode::Coerce);
        }
        let mut text = String::new();
        for number in 0..forms / 5 - 1 {
            let tool = number % 50;
            let _ = writeln!(
                text,
                "(defn f{number} [o] (call \"t{tool}\" {{:id (:id o) :name (str (:name o))}}))"
            );
        }
        text += "(return (mapv (fn [o] (f0 o)) (filter :open ctx/orders)))";
        assert_eq!(text.matches('(').count(), forms);
        let admitted = session.admit(&text).ok();
        let times =
            admitted.and_then(|it| it.report().tools.first().map(|it| it.times.to_string()));
        assert_eq!(times.as_deref(), Some("at most once for each item of ctx/orders (2)"));
        let tools = session.tools().len();
        c.bench_function(&format!("admission: {forms} forms, {tools} tools"), |b| {
            b.iter(|| session.admit(black_box(&text)).is_ok());
        });
    }
}

fn language(c: &mut Criterion) {
    let none = || Value::map([]);
    // A wrong answer might be fast too.
    assert_eq!(run("(+ 1 2)", none()), Value::from(3));
    assert_eq!(run(FIB, none()), Value::from(17_711));
    assert_eq!(run(LOOP, none()), Value::from(499_999_500_000));
    assert_eq!(run(SEQUENCES, none()), Value::from(200_000_000));

    c.bench_function("tiny: (+ 1 2)", |b| b.iter(|| run(black_box("(+ 1 2)"), none())));
    c.bench_function("calls: fib(22)", |b| b.iter(|| run(black_box(FIB), none())));
    c.bench_function("loop: a million turns", |b| b.iter(|| run(black_box(LOOP), none())));
    c.bench_function("sequences: filter, map, reduce over 20,000", |b| {
        b.iter(|| run(black_box(SEQUENCES), none()));
    });

    let text = records();
    let whole = |text: &str| {
        let ctx = json::parse(text).unwrap_or_default();
        json::write(&run(RECORDS, ctx)).unwrap_or_default()
    };
    assert!(whole(&text).starts_with("[{\"customer\":\"c"));
    c.bench_function("records: 10,000 JSON in, filtered, grouped, sorted, JSON out", |b| {
        b.iter(|| whole(black_box(&text)));
    });
}

criterion_group!(benches, ready, admission, language);
criterion_main!(benches);

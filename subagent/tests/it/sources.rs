//! Sources: data that is loaded before a run.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ptc_subagent::provider::{NoModel, Scripted};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::sources::{OnSourceError, SourceCache, SourceDef, SourceInto, SourceRecord};
use ptc_subagent::store::Store;
use ptc_subagent::tool::{CallContext, Effect, FnTool, HostContext, ToolDef, ToolError};
use ptc_subagent::{Agent, Mission, PayloadDef, RunReport, RunSettings, Status, Stop};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::{exported, program};

/// A folder with one file of each kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("orders.json", r#"{"items": [{"id": 1, "total": 40}, {"id": 2, "total": 2.5}]}"#);
    write("lines.jsonl", "{\"id\": 1}\n\n{\"id\": 123456789012345678901234567890}\n");
    write("rates.csv", "\u{feff}currency,note\r\nUSD,\"a \"\"b\"\", c\"\r\n\r\nGBP,\n");
    write("rates.tsv", "currency\trate\nUSD\t0.5\n");
    let db = Connection::open(folder.path().join("shop.sqlite")).unwrap();
    db.execute_batch(
        "CREATE TABLE orders (id INTEGER, tenant TEXT, total REAL, note BLOB);
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
         INSERT INTO orders SELECT i, iif(i % 2, 'acme', 'o''brien'), i / 2.0, NULL FROM n;",
    )
    .unwrap();
    folder
}

/// Runs an agent without a model.
async fn run(agent: &Agent, input: Value) -> RunReport {
    Mission::new(agent, input).run(&NoModel).await.unwrap()
}

/// Reads an agent file in the folder.
fn agent(folder: &Path, text: &str) -> Result<Agent, ptc_subagent::Error> {
    let file = folder.join("agent.toml");
    std::fs::write(folder.join("all.clj"), "ctx").unwrap();
    std::fs::write(&file, format!("program = \"all.clj\"\n{text}")).unwrap();
    Agent::read(&file)
}

fn states(sources: &[SourceRecord]) -> Vec<String> {
    sources.iter().map(|it| format!("{} {}", it.name, it.summary())).collect()
}

#[tokio::test]
async fn m33_m34_m38_m42_m43_every_key_of_a_source() {
    let folder = folder();
    let agent = agent(
        folder.path(),
        r#"
        [payload]
        start = { kept = 1, orders = { first = 0 } }
        [[tools]]
        name = "rate"
        signature = "(currency :string) -> {rate :float}"
        returns = { rate = 0.5 }
        [[sources]]
        name = "orders"
        file = "orders.json"
        select = "(map :total (:items ctx/loaded))"
        path = "analysis.orders.totals"
        order = 2
        on_error = "stop"
        [[sources]]
        name = "acme"
        sqlite = "shop.sqlite"
        query = "SELECT id, total FROM orders WHERE tenant = :tenant ORDER BY id LIMIT :most"
        params = { tenant = "{{input.tenant}}", most = 3 }
        cache = "agent"
        cache_for = 60
        max_rows = 3
        max_bytes = 1000
        timeout = 5
        [[sources]]
        name = "usd"
        tool = "rate"
        args = { currency = "USD" }
        cache = "run"
        into = "payload"
        path = "orders.usd"
        order = 1
        [[sources]]
        name = "lines"
        file = "lines.jsonl"
        order = 1
        [[sources]]
        name = "csv"
        file = "rates.csv"
        order = 1
        [[sources]]
        name = "tsv"
        file = "rates.tsv"
        order = 1
        [[sources]]
        name = "off"
        file = "nowhere.json"
        enabled = false
        "#,
    );
    let report = run(&agent.unwrap(), json!({"tenant": "acme"})).await;
    let big = "123456789012345678901234567890";
    let expected = format!(
        r#"{{"tenant":"acme","acme":[{{"id":1,"total":0.5}},{{"id":3,"total":1.5}},{{"id":5,"total":2.5}}],"csv":[{{"currency":"USD","note":"a \"b\", c"}},{{"currency":"GBP","note":""}}],"lines":[{{"id":1}},{{"id":{big}}}],"tsv":[{{"currency":"USD","rate":"0.5"}}],"analysis":{{"orders":{{"totals":[40,2.5]}}}},"off":null,"state":null}}"#
    );
    assert_eq!(report.value.to_string(), expected);
    assert_eq!(
        report.payload.unwrap(),
        json!({"kept": 1, "orders": {"first": 0, "usd": {"rate": 0.5}}})
    );
    let expected = [
        "acme loaded, 3 rows, 48 bytes",
        "off off",
        "csv loaded, 2 rows, 43 bytes",
        "lines loaded, 2 rows, 50 bytes",
        "tsv loaded, 1 row, 22 bytes",
        "usd loaded, 12 bytes",
        "orders loaded, 2 rows, 60 bytes",
    ];
    assert_eq!(states(&report.sources), expected);
}

#[tokio::test]
async fn m34_m35_the_first_prompt_shows_them() {
    let folder = folder();
    let source = SourceDef::file("orders", folder.path().join("orders.json"))
        .with_select("(:items ctx/loaded)");
    let agent = Agent::new("Add up {{orders.0.total}} and the others.")
        .with_signature("(tenant :string) -> :float")
        .unwrap()
        .with_source(source);
    let model = Scripted::new([program("(return (reduce + (map :total ctx/orders)))")]);
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({"tenant": "acme"})).record_in(&store);
    let report = mission.run(&model).await.unwrap();
    assert_eq!(report.value, json!(42.5));
    assert_eq!(report.warnings, []);
    let record = store.show(report.run.as_str()).unwrap();
    assert!(record.setup.system.contains("Add up 40 and the others."), "{}", record.setup.system);
    assert!(record.setup.system.contains("orders"), "{}", record.setup.system);
    // Nothing is called for them.
    assert_eq!(report.tool_calls, 0);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

#[tokio::test]
async fn m37_m47_callers_win_key_by_key() {
    let folder = folder();
    let json = |name: &str, value: Value| {
        let path = folder.path().join(format!("{name}.json"));
        std::fs::write(&path, value.to_string()).unwrap();
        SourceDef::file(name, path)
    };
    let both = json!({"name": "of source", "rights": {"read": true, "write": true}});
    let agent = Agent::workflow("ctx")
        .with_payload(
            PayloadDef::new().with_start(json!({"state": {"of": "file", "n": 1}})).unwrap(),
        )
        .with_source(json("customer", both.clone()))
        .with_source(json("text", json!("of source")))
        .with_source(json("null", json!(1)))
        .with_source(json("state", json!({"of": "source", "m": 2})).with_into(SourceInto::Payload));
    let given = json!({"customer": {"name": "Ada", "rights": {"write": false}}, "text": "given", "null": null});
    let report = run(&agent, given).await;
    let expected = json!({"customer": {"name": "Ada", "rights": {"write": false, "read": true}}, "text": "given", "null": null, "state": null});
    assert_eq!(report.value, expected);
    assert_eq!(report.payload.unwrap(), json!({"state": {"of": "source", "m": 2, "n": 1}}));
    let expected =
        ["customer loaded, 56 bytes", "null given", "state loaded, 21 bytes", "text given"];
    assert_eq!(states(&report.sources), expected);
    let mission = Mission::new(&agent, json!({})).with_payload(json!({"state": {"of": "caller"}}));
    let report = mission.run(&NoModel).await.unwrap();
    assert_eq!(report.payload.unwrap(), json!({"state": {"of": "caller", "m": 2}}));
    assert_eq!(report.value.get("customer").unwrap(), both);
}

#[tokio::test]
async fn m39_m40_m41_parameters_are_values_and_never_sql() {
    let folder = folder();
    let shop = folder.path().join("shop.sqlite");
    let query = "SELECT count(*) AS n FROM orders WHERE tenant = :tenant";
    let source = |args: Value| {
        let source = SourceDef::sqlite("n", &shop, query).with_args(args);
        Agent::workflow("ctx/n").with_source(source.with_on_error(OnSourceError::Stop))
    };
    let count = async |tenant: &str, args: Value| {
        let agent = source(args);
        let context = HostContext::new(json!({"tenant": tenant, "all": [tenant]})).unwrap();
        let mission = Mission::new(&agent, json!({"t": tenant})).with_context(context);
        let report = mission.run(&NoModel).await.unwrap();
        report.error.map_or_else(|| report.value.to_string(), |it| it.message)
    };
    for args in [json!({"tenant": "{{context.tenant}}"}), json!({"tenant": "{{ input.t }}"})] {
        assert_eq!(count("acme", args.clone()).await, r#"[{"n":50}]"#);
        assert_eq!(count("o'brien", args.clone()).await, r#"[{"n":50}]"#);
        assert_eq!(count("x' OR '1'='1", args.clone()).await, r#"[{"n":0}]"#);
        assert_eq!(count("{{input.t}}", args).await, r#"[{"n":0}]"#);
    }
    assert_eq!(count("me", json!({"tenant": "ac{{context.tenant}}"})).await, r#"[{"n":50}]"#);
    let failed = |why: &str| format!("the source `n` was not loaded: {why}");
    let check = async |args: Value, why: &str| assert_eq!(count("acme", args).await, failed(why));
    check(json!({"tenant": "{{context.user}}"}), "`{{context.user}}` has no value").await;
    check(json!({"tenant": "a{{context.all}}"}), "`{{context.all}}` is no text, number or boolean")
        .await;
    check(json!({}), "the parameter `:tenant` has no value in `params`").await;
    check(json!({"tenant": 1, "x": 2}), "the query has no parameter `:x`").await;

    let check = async |query: &str, expected: &str| {
        let source = SourceDef::sqlite("n", &shop, query).with_max_rows(100).with_max_bytes(10_000);
        let agent = Agent::workflow("ctx/n").with_source(source.with_on_error(OnSourceError::Stop));
        let report = run(&agent, json!({})).await;
        let found = report.error.map_or_else(|| report.value.to_string(), |it| it.message);
        assert_eq!(found, expected, "{query}");
    };
    check("SELECT 1 AS a, NULL AS b, 'x' AS c, 0.5 AS d", r#"[{"a":1,"b":null,"c":"x","d":0.5}]"#)
        .await;
    check(
        "SELECT id, total FROM orders WHERE total > 40 ORDER BY id DESC LIMIT 3",
        r#"[{"id":100,"total":50.0},{"id":99,"total":49.5},{"id":98,"total":49.0}]"#,
    )
    .await;
    for (query, why) in [
        ("DELETE FROM orders", "the query must be one SELECT"),
        ("SELECT 1; DELETE FROM orders", "the query must be one SELECT"),
        ("ATTACH 'x.sqlite' AS x", "the query must be one SELECT"),
        ("DELETE FROM orders RETURNING id", "the query must be one SELECT"),
        ("SELECT 1 AS a, 2 AS a", "two columns are named `a`: rename one with `AS`"),
        ("SELECT x'00' AS a", "the column `a` has bytes: use `hex(…)` or `CAST(… AS TEXT)`"),
        ("SELECT a.id FROM orders a, orders b", "it has more than 100 rows"),
        ("SELECT printf('%10001d', 1) AS a", "its rows have more than 10000 bytes"),
    ] {
        check(query, &failed(why)).await;
    }
    let slow =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    let source = SourceDef::sqlite("n", &shop, slow).with_timeout(Duration::from_millis(50));
    let report = run(&Agent::workflow("1").with_source(source), json!({})).await;
    assert_eq!(report.warnings[0].message, failed("it took longer than 50ms"));
    let lost = SourceDef::sqlite("n", folder.path().join("lost.sqlite"), "SELECT 1");
    let report = run(&Agent::workflow("1").with_source(lost), json!({})).await;
    assert_eq!(report.warnings[0].message, failed("there is no such file"));
    assert!(!folder.path().join("lost.sqlite").exists());
}

/// Returns a tool that counts its calls, and the count.
fn counter() -> (ToolDef, Arc<AtomicU32>) {
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    let tool = FnTool::new(move |args: Value, cx: CallContext| {
        let n = counted.fetch_add(1, Ordering::Relaxed) + 1;
        let tenant = cx.context().get("tenant").map(|it| it.to_json().unwrap());
        async move { Ok(json!({"n": n, "args": args, "tenant": tenant})) }
    });
    (ToolDef::new("count", tool).with_effect(Effect::Read), count)
}

#[tokio::test(start_paused = true)]
async fn m44_caches_of_a_run_and_of_an_agent() {
    let check = async |cache: SourceCache, expected: [u32; 3]| {
        let (tool, count) = counter();
        let source = SourceDef::tool("read", "count").with_cache(cache);
        let child =
            Agent::workflow("(:n ctx/read)").with_name("child").with_tool(tool).with_source(source);
        let agent =
            Agent::workflow("[(tool/child {}) (tool/child {})]").with_tool(ToolDef::agent(child));
        let mut found = Vec::new();
        for wait in [0, 30, 60] {
            tokio::time::advance(Duration::from_secs(wait)).await;
            assert_eq!(run(&agent, json!({})).await.status, Status::Returned);
            found.push(count.load(Ordering::Relaxed));
        }
        assert_eq!(found, expected, "{cache:?}");
    };
    check(SourceCache::None, [2, 4, 6]).await;
    check(SourceCache::Run, [1, 2, 3]).await;
    check(SourceCache::Agent(Duration::from_mins(1)), [1, 1, 2]).await;

    // Callers with other arguments, or with another host context, share nothing.
    let (tool, count) = counter();
    let source = SourceDef::tool("read", "count")
        .with_args(json!({"t": "{{input.t}}"}))
        .with_cache(SourceCache::Agent(Duration::from_mins(1)));
    let agent = Agent::workflow("ctx/read").with_tool(tool).with_source(source);
    let run = async |t: &str, tenant: &str| {
        let context = HostContext::new(json!({"tenant": tenant})).unwrap();
        let report = Mission::new(&agent, json!({"t": t}))
            .with_context(context)
            .run(&NoModel)
            .await
            .unwrap();
        (report.value.to_json().unwrap(), report.sources[0].cached)
    };
    let value = |n: u32, t: &str, tenant: &str| json!({"n": n, "args": {"t": t}, "tenant": tenant});
    assert_eq!(run("a", "acme").await, (value(1, "a", "acme"), false));
    assert_eq!(run("a", "acme").await, (value(1, "a", "acme"), true));
    assert_eq!(run("b", "acme").await, (value(2, "b", "acme"), false));
    assert_eq!(run("a", "other").await, (value(3, "a", "other"), false));
    assert_eq!(count.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn m45_m49_a_file_with_a_wrong_source_is_refused() {
    let folder = folder();
    let tools = "[[tools]]\nname = \"w\"\neffect = \"write\"\ncommand = [\"w\"]\n[[tools]]\nname = \"p\"\nplanning = true\n";
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    let mut check = |text: &str, place: (usize, usize), message: &str| {
        let error = agent(folder.path(), &format!("{tools}{text}")).unwrap_err();
        found.push((text.to_string(), error.line_column(), error.message().to_string()));
        expected.push((text.to_string(), Some(place), message.to_string()));
    };
    let first = "[[sources]]\nname = \"a\"\nfile = \"orders.json\"\n";
    check(
        &format!("{first}cache = \"agent\""),
        (12, 9),
        "source `a` has `cache = \"agent\"` without `cache_for`",
    );
    check(
        &format!("{first}cache_for = 3"),
        (12, 13),
        "source `a` has `cache_for` without a cache that lasts",
    );
    check(
        &format!("{first}cache = \"agent\"\ncache_for = 0"),
        (13, 13),
        "`sources[0].cache_for`: 0 is not a number of seconds between 0 and a year",
    );
    check(&format!("{first}{first}"), (13, 8), "two sources are named `a`");
    let second = "[[sources]]\nname = \"b\"\nfile = \"orders.json\"\npath = \"a\"";
    check(&format!("{first}{second}"), (15, 8), "the sources `a` and `b` both go to `a` of `ctx`");
    check(
        &format!("{first}into = \"payload\""),
        (12, 8),
        "source `a` goes into the payload, and the agent has none",
    );
    check(&format!("{first}path = \"a..b\""), (12, 8), "source `a`: `a..b` is no path");
    check(&format!("{first}tool = \"w\""), (12, 8), "source `a` has both `file` and `tool`");
    check(
        &format!("{first}query = \"SELECT 1\""),
        (12, 9),
        "source `a` has `query` without `sqlite`",
    );
    check(
        &format!("{first}select = \"(map :a\""),
        (12, 10),
        "source `a`: `(map …` is never closed; the program ends first",
    );
    check(
        &format!("{first}select = \"(tool/w {{}})\""),
        (12, 10),
        "source `a`: there is no tool `w`",
    );
    check(
        &format!("{first}into = \"ctxt\""),
        (12, 8),
        "`ctxt` is not a value of `sources[0].into`",
    );
    let named = "[[sources]]\nname = \"a\"\n";
    check(named, (10, 8), "source `a` reads nothing");
    check(&format!("{named}sqlite = \"shop.sqlite\""), (11, 10), "source `a` has no `query`");
    check(
        &format!("{named}file = \"orders.parquet\""),
        (11, 8),
        &format!(
            "source `a`: `{}` has no known extension",
            folder.path().join("orders.parquet").display()
        ),
    );
    check(&format!("{named}tool = \"x\""), (11, 8), "source `a`: there is no tool `x`");
    check(&format!("{named}tool = \"w\""), (11, 8), "source `a`: the tool `w` writes");
    check(
        &format!("{named}tool = \"p\""),
        (11, 8),
        "source `a`: the tool `p` is for planning only",
    );
    let shop = format!("{named}sqlite = \"shop.sqlite\"\nquery = \"SELECT 1\"\n");
    check(
        &format!("{shop}params = {{ t = \"{{{{ctx.t}}}}\" }}"),
        (13, 10),
        "source `a`: `{{ctx.t}}` must begin with `context.` or `input.`",
    );
    assert_eq!(found, expected);
    // In code.
    let check = |source: SourceDef, message: &str| {
        let writes = FnTool::new(async |_: Value, _| Ok(json!(1)));
        let agent = Agent::workflow("1").with_tool(ToolDef::new("w", writes)).with_source(source);
        assert_eq!(agent.check().unwrap_err().message(), message);
    };
    let forever = SourceDef::file("a", "a.json").with_cache(SourceCache::Agent(Duration::ZERO));
    check(forever, "source `a`: `cache = \"agent\"` needs a time");
    check(SourceDef::tool("a", "w"), "source `a`: the tool `w` writes");
}

#[tokio::test]
async fn m46_settings_of_a_run_switch_sources() {
    let folder = tempfile::tempdir().unwrap();
    let (tool, count) = counter();
    let source = |name: &str| SourceDef::tool(name, "count");
    let agent = Agent::workflow("(count ctx)")
        .with_tool(tool)
        .with_source(source("one"))
        .with_source(source("two").with_enabled(false));
    let run = async |settings: &str| {
        let path = folder.path().join("settings.json");
        std::fs::write(&path, settings).unwrap();
        let settings = RunSettings::read(&path).unwrap();
        let mission = Mission::new(&agent, json!({})).with_settings(settings);
        let report = mission.run(&NoModel).await.unwrap();
        let states: Vec<String> = report.sources.iter().map(|it| it.state.to_string()).collect();
        (
            states.join(" "),
            count.swap(0, Ordering::Relaxed),
            report.warnings.iter().map(|it| it.message.clone()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(run("{}").await, ("loaded off".to_string(), 1, vec![]));
    assert_eq!(run(r#"{"sources": false}"#).await, ("off off".to_string(), 0, vec![]));
    assert_eq!(
        run(r#"{"sources": {"one": false, "two": true}}"#).await,
        ("off loaded".to_string(), 1, vec![])
    );
    let unknown = "the settings name `tow`, and no source has the name: did you mean `two`?";
    assert_eq!(run(r#"{"sources": {"tow": true}}"#).await.2, [unknown]);
    let gone = run(r#"{"tools": {"remove": ["count"]}}"#).await;
    assert_eq!(
        gone,
        (
            "failed off".to_string(),
            0,
            vec!["the source `one` was not loaded: the run has no tool `count`".to_string()]
        )
    );
}

/// No program reads the environment: the values of a configuration are a source.
#[tokio::test]
async fn m157_programs_read_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.json"), r#"{"MAX_ROWS": 10, "DEBUG": false}"#)
        .unwrap();
    let source = || SourceDef::file("config", folder.path().join("config.json"));
    let agent = Agent::workflow("[(get ctx/config \"MAX_ROWS\") (:DEBUG ctx/config)]");
    assert_eq!(run(&agent.with_source(source()), json!({})).await.value, json!([10, false]));
    let agent = Agent::new("List at most {{config.MAX_ROWS}} rows.").with_source(source());
    let model = Scripted::new([program("(return (:MAX_ROWS ctx/config))")]);
    let store = Store::in_memory().unwrap();
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&model).await.unwrap();
    assert_eq!(report.value, json!(10));
    let system = store.show(report.run.as_str()).unwrap().setup.system;
    assert!(system.contains("List at most 10 rows."), "{system}");
    let agent = Agent::workflow("(env/config \"HOME\")");
    assert_eq!(run(&agent, json!({})).await.stop, Some(Stop::Program));
}

#[tokio::test]
async fn m48_a_source_that_fails_warns_or_stops_and_is_on_record() {
    let folder = folder();
    let lost = || SourceDef::file("lost", folder.path().join("lost.json"));
    let why = "No such file or directory (os error 2)";
    let message = format!("the source `lost` was not loaded: {why}");
    let store = Store::in_memory().unwrap();
    let run = async |agent: &Agent| {
        let mission = Mission::new(agent, json!({"n": 1})).record_in(&store);
        let report = mission.run(&NoModel).await.unwrap();
        let record = store.show(report.run.as_str()).unwrap();
        assert_eq!(record.sources, report.sources);
        assert_eq!(states(&record.sources), [format!("lost failed: {why}")]);
        let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
        assert_eq!(replayed.differences, []);
        let again = replayed.report.unwrap();
        assert_eq!((again.status, &again.sources), (report.status, &report.sources));
        report
    };
    let warned = run(&Agent::workflow("[ctx/n ctx/lost]").with_source(lost())).await;
    assert_eq!((warned.status, &warned.value), (Status::Returned, &json!([1, null]).into()));
    assert_eq!(warned.warnings[0].message, message);

    let stops = Agent::workflow("1").with_source(lost().with_on_error(OnSourceError::Stop));
    let stopped = run(&stops).await;
    assert_eq!((stopped.stop, stopped.turns), (Some(Stop::SourceFailed), 0));
    assert_eq!(stopped.error.as_ref().unwrap().message, message);
    assert_eq!(stopped.exit_code(), 3);
    let error = Resume::of(&store, stopped.run.as_str()).unwrap_err();
    assert_eq!(
        error.message(),
        format!("run {} has ended (stopped: source-failed): it cannot be resumed", stopped.run)
    );

    // Without the value the input is not whole.
    let needed = Agent::workflow("1")
        .with_signature("(n :int, lost {a :int}) -> :int")
        .unwrap()
        .with_source(lost());
    assert_eq!(run(&needed).await.stop, Some(Stop::SourceFailed));
    let call = ToolDef::agent(needed.with_name("child"));
    assert_eq!(call.signature.as_ref().unwrap().to_string(), "(n :int, lost {a :int}?) -> :int");
    let parent = Agent::workflow("(try (tool/child {:n 1}) (catch Exception e (ex-message e)))")
        .with_tool(call);
    let report = Mission::new(&parent, json!({})).run(&NoModel).await.unwrap();
    assert_eq!(
        report.value,
        json!(format!("tool `child`: was stopped (source-failed): {message}"))
    );

    let panics = FnTool::new(async |_: Value, _| -> Result<Value, ToolError> { panic!("at work") });
    let agent = Agent::workflow("1")
        .with_tool(ToolDef::new("t", panics).with_effect(Effect::Read))
        .with_source(SourceDef::tool("lost", "t"));
    let report = Mission::new(&agent, json!({})).run(&NoModel).await.unwrap();
    assert_eq!(
        report.warnings[0].message,
        "the source `lost` was not loaded: tool `t`: broke down"
    );
}

#[tokio::test]
async fn a_cancelled_run_says_which_source_it_waited_for() {
    let never =
        FnTool::new(async |_: Value, _| std::future::pending::<Result<Value, ToolError>>().await);
    let agent = Agent::workflow("1")
        .with_tool(ToolDef::new("t", never).with_effect(Effect::Read))
        .with_source(SourceDef::tool("slow", "t"));
    let store = Store::in_memory().unwrap();
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let report = mission
        .cancel_on(tokio::time::sleep(Duration::from_millis(1)))
        .run(&NoModel)
        .await
        .unwrap();
    assert_eq!(report.stop, Some(Stop::Cancelled));
    assert_eq!(states(&report.sources), ["slow failed: the run was cancelled"]);
    assert_eq!(store.show(report.run.as_str()).unwrap().summary.stop, Some(Stop::Cancelled));
    assert!(Resume::of(&store, report.run.as_str()).is_err());
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

#[tokio::test]
async fn replays_and_resumed_runs_touch_no_source() {
    let (tool, count) = counter();
    let source = |name: &str| SourceDef::tool(name, "count").with_select("(:n ctx/loaded)");
    let child = Agent::workflow(
        "[ctx/own (do (ask {:title \"?\" :fields \"(a :bool)\"}) (payload/get [:n]))]",
    )
    .with_name("child")
    .with_payload(PayloadDef::new())
    .with_tool(tool.clone())
    .with_source(source("own"))
    .with_source(source("shared").with_path("n").with_into(SourceInto::Payload));
    let look = FnTool::new(async |_: Value, cx: CallContext| {
        Ok(cx.context().get("n").unwrap_or_default().to_json().unwrap())
    });
    let agent = Agent::workflow("[ctx/own (tool/child {}) (tool/look {})]")
        .with_payload(PayloadDef::new())
        .with_tool(tool)
        .with_tool(ToolDef::new("look", look).with_effect(Effect::Read))
        .with_tool(ToolDef::agent(child))
        .with_source(source("own"))
        .with_source(source("hidden").with_path("n").with_into(SourceInto::Context));
    let store = Store::in_memory().unwrap();
    let report = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    assert_eq!((report.status, count.load(Ordering::Relaxed)), (Status::Waiting, 4));
    let resume =
        Resume::of(&store, report.run.as_str()).unwrap().answer(None, json!({"a": true})).unwrap();
    let resumed = resume.mission(&agent).unwrap().run(&NoModel).await.unwrap();
    // Only the host context is loaded again, since no record has it.
    assert_eq!(count.load(Ordering::Relaxed), 5);
    assert_eq!(resumed.value, json!([2, [3, 4], 5]));
    assert!(!exported(&store, report.run.as_str()).contains("\"tenant\":null,\"n\":1"));
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!((replayed.differences, count.load(Ordering::Relaxed)), (vec![], 5));
    assert_eq!(replayed.report.unwrap().value, resumed.value);
    let text = exported(&store, report.run.as_str());
    let copy = Store::in_memory().unwrap();
    copy.import(None, std::io::Cursor::new(text)).unwrap();
    assert_eq!(
        copy.show(report.run.as_str()).unwrap().sources,
        store.show(report.run.as_str()).unwrap().sources
    );
}

#[tokio::test]
async fn m36_values_for_the_host_context_and_errors_about_it_are_nowhere() {
    const TOKEN: &str = "tok-0123456789";
    let seen = Arc::new(Mutex::new(String::new()));
    let keep = Arc::clone(&seen);
    let tool = FnTool::new(move |args: Value, cx: CallContext| {
        keep.lock().unwrap().push_str(&cx.context().to_string());
        let error = ToolError::failed(format!("no {args}"));
        async move {
            if args["user"].is_null() {
                Ok(json!({"token": TOKEN, "user": "ann"}))
            } else {
                Err(error)
            }
        }
    });
    let hidden = SourceDef::tool("hidden", "t").with_path("of").with_into(SourceInto::Context);
    let told = SourceDef::tool("told", "t")
        .with_args(json!({"user": "{{context.of.token}}", "who": "{{context.of.user}}"}))
        .with_order(1);
    let shape = SourceDef::tool("shape", "t").with_select("(+ 1 (:of ctx/context))").with_order(2);
    let early = SourceDef::tool("early", "t")
        .with_select("(fail {:message (:token ctx/loaded)})")
        .with_into(SourceInto::Context)
        .with_order(-1);
    let agent = Agent::new("Do it.")
        .with_signature("() -> :string")
        .unwrap()
        .with_tool(ToolDef::new("t", tool).with_effect(Effect::Read))
        .with_source(hidden)
        .with_source(told)
        .with_source(shape)
        .with_source(early);
    let store = Store::in_memory().unwrap();
    let events = Mutex::new(String::new());
    let mission = Mission::new(&agent, json!({})).record_in(&store);
    let mission = mission
        .observe(|run, event| events.lock().unwrap().push_str(&event.to_json(run).to_string()));
    let model = Scripted::new([program("(tool/t {}) (return \"done\")")]);
    let report = mission.run(&model).await.unwrap();
    let expected = [
        "early failed: `select`: it failed",
        "hidden loaded, 39 bytes",
        "told failed: tool `t`: no {\"user\":\"[context.of.token]\",\"who\":\"[context.of.user]\"}",
        "shape failed: `select`: wrong-type",
    ];
    assert_eq!(states(&report.sources), expected);
    assert!(seen.lock().unwrap().contains(TOKEN));
    let written = exported(&store, report.run.as_str())
        + &events.into_inner().unwrap()
        + &report.to_json().to_string();
    assert!(!written.contains(TOKEN), "{written}");
}

#[test]
fn sources_are_checked_without_loading_them() {
    let folder = folder();
    let shop = folder.path().join("shop.sqlite");
    let check = |source: SourceDef, expected: Result<(), &str>| {
        assert_eq!(source.check(), expected.map_err(str::to_string), "{}", source.place());
    };
    check(SourceDef::file("a", folder.path().join("orders.json")), Ok(()));
    check(SourceDef::file("a", folder.path().join("lost.json")), Err("there is no such file"));
    check(SourceDef::sqlite("a", &shop, "SELECT :t").with_args(json!({"t": 1})), Ok(()));
    check(
        SourceDef::sqlite("a", &shop, "SELECT 1").with_args(json!({"t": 1})),
        Err("the query has no parameter `:t`"),
    );
    check(SourceDef::sqlite("a", &shop, "SELECT x FROM y"), Err("no such table: y"));
}

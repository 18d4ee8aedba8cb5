//! Models under names of their own, the keys of their servers, and the effort of their requests.

use std::path::Path;
use std::sync::Mutex;

use ptc_subagent::host::Decisions;
use ptc_subagent::provider::{
    BoxFuture, KeyResolver, ModelAlias, ModelAliases, NoModel, Parameters, Provider, ProviderError,
    ProviderKind, Reply, Request,
};
use ptc_subagent::replay::{Replay, Resume};
use ptc_subagent::store::Store;
use ptc_subagent::tool::ToolDef;
use ptc_subagent::{Agent, Mission, RunChange, RunSettings, Scope};
use serde_json::{Value, json};

use crate::agent_file::check;
use crate::provider::{options, request};
use crate::provider_protocols::raw;
use crate::support::{Answer, Server, program, text};

const ONE: &str = "sk-one-0123456789";
const TWO: &str = "sk-two-0123456789";

fn write(folder: &Path, name: &str, content: &str) {
    std::fs::write(folder.join(name), content).unwrap();
}

/// Returns the values of a header in the requests of a server.
fn header(server: &Server, name: &str) -> Vec<Option<String>> {
    let of = |request: &String| {
        let lines = request.lines().filter_map(|it| it.split_once(": "));
        let mut values = lines.filter(|(key, _)| key.eq_ignore_ascii_case(name));
        values.next().map(|it| it.1.to_string())
    };
    server.requests().iter().map(of).collect()
}

async fn run(agent: &Agent) -> Result<Value, String> {
    let model = agent.choose_model(None, None).map_err(|error| error.to_string())?;
    let model =
        model.open().map_err(|error| format!("{error} | {}", error.help().unwrap_or_default()))?;
    let report = Mission::new(agent, json!({})).run(&*model).await.unwrap();
    match report.error {
        None => Ok(report.value.to_json().unwrap()),
        Some(error) => Err(error.help.unwrap_or(error.message)),
    }
}

/// Two agents share a file of models, and a third one, which names none, has those of its caller.
#[tokio::test]
async fn m152_m154_agents_share_models() {
    let calls = text(program("(return (tool/below {:n (dec ctx/n)}))"));
    let server = Server::start(vec![calls.clone(), calls, text(program("(return 1)"))]).await;
    let folder = tempfile::tempdir().unwrap();
    let models = |name: &str| {
        format!(
            "[fast]\nmodel = \"openai:{name}\"\nbase_url = \"{}\"\nmax_tokens = 70\neffort = 20\n\
             [usual]\nmodel = \"fast\"\neffort = 90\n",
            server.base_url
        )
    };
    write(folder.path(), "models.toml", &models("m"));
    let agent = |name: &str, keys: &str, below: Option<&str>| {
        let tool = below.map_or(String::new(), |it| {
            format!("[[tools]]\nagent = \"{it}.toml\"\nname = \"below\"\n")
        });
        let signature = "signature = \"(n :int) -> :int\"";
        write(
            folder.path(),
            &format!("{name}.toml"),
            &format!("prompt = \"Go.\"\n{signature}\n{keys}\n{tool}"),
        );
    };
    agent("third", "model = \"usual\"", None);
    agent("second", "model = \"usual\"\nmodels = \"models.toml\"\nmax_tokens = 60", Some("third"));
    agent("first", "model = \"fast\"\nmodels = \"models.toml\"", Some("second"));
    let read = |name: &str| Agent::read(&folder.path().join(name));
    let first = read("first.toml").unwrap();
    let mission = Mission::new(&first, json!({"n": 3}));
    let model = first.choose_model(None, None).unwrap().open().unwrap();
    assert_eq!(model.name(), "openai:m");
    assert_eq!(mission.run(&*model).await.unwrap().value, json!(1));
    let sent = |key: &str| server.bodies().iter().map(|it| it[key].clone()).collect::<Vec<_>>();
    assert_eq!(sent("model"), ["m", "m", "m"]);
    assert_eq!(sent("max_tokens"), [70, 60, 70]);
    assert_eq!(sent("reasoning_effort"), ["low", "high", "high"]);
    // Another set of models under the same names.
    write(folder.path(), "models.toml", &models("other"));
    let first = read("first.toml").unwrap();
    assert_eq!(first.choose_model(None, None).unwrap().spec.to_string(), "openai:other");
    let chosen = first.choose_model(Some("usual".parse().unwrap()), None).unwrap();
    assert_eq!((chosen.spec.to_string(), chosen.options.effort), ("openai:other".into(), Some(90)));
    let error = first.choose_model(Some("usul".parse().unwrap()), None).unwrap_err();
    assert_eq!(
        (error.to_string(), error.help()),
        (
            "model `usul` does not name its kind, and is not under `models`".to_string(),
            Some("did you mean `usual`?")
        )
    );
    // Alone it has no models.
    let error = read("third.toml").unwrap_err();
    assert!(
        error.to_string().ends_with("third.toml:3:10: model `usual` does not name its kind"),
        "{error}"
    );
}

#[test]
fn m152_aliases_that_lead_nowhere_have_a_place() {
    let wrong =
        |rest: &str, expected: &str| check("a.toml", &format!("prompt = \"p\"\n{rest}"), expected);
    wrong(
        "model = \"fats\"\nmodels.fast.model = \"openai:m\"",
        "a.toml:2:10: model `fats` does not name its kind, and is not under `models` | did you mean `fast`?",
    );
    wrong(
        "fallback_models = [\"openai:m\", \"fats\"]\nmodels.fast.model = \"openai:m\"",
        "a.toml:2:33: model `fats` does not name its kind, and is not under `models` | did you mean `fast`?",
    );
    wrong(
        "[models.fast]\nmodel = \"cheap\"",
        "a.toml:3:10: model `cheap` does not name its kind, and is not under `models` | write `openai:cheap` or \
         `recorded:FILE`",
    );
    wrong("[models.fast]\nmodel = \"fast\"", "a.toml:3:10: the model `fast` refers to itself");
    wrong(
        "[models.a]\nmodel = \"b\"\n[models.b]\nmodel = \"a\"",
        "a.toml:3:10: the model `a` refers to itself by way of `b`",
    );
    wrong(
        "[models.fast]\nmodel = \"openai:\"",
        "a.toml:3:10: model `openai:` has no name after the colon",
    );
    wrong("[models.fast]\neffort = 3", "a.toml:2:1: `models.fast` has no `model`");
    wrong(
        "[models.fast]\nmodel = \"openai:m\"\neffort = 101",
        "a.toml:4:10: `effort` is a number from 1 to 100",
    );
    wrong(
        "[models.fast]\nmodel = \"openai:m\"\nurl = \"x\"",
        "a.toml:4:1: unknown key `url` | the known keys are model, base_url, api_key_env, send_key, key_header, \
         prices, request_timeout, max_tokens, effort",
    );
    wrong(
        "[models.\"a:b\"]\nmodel = \"openai:m\"",
        "a.toml:2:1: `a:b` is not a name of a model: it has no colon",
    );
    wrong(
        "models = 7",
        "a.toml:2:10: `models`: found integer `7`, expected a table of models, or the path of a file with one",
    );
    wrong(
        "models = \"none.toml\"",
        "a.toml:2:11: cannot read the models `none.toml`: No such file or directory (os error 2)",
    );
    wrong(
        "api_key_env = \"A KEY\"",
        "a.toml:2:16: `A KEY` is not the name of an environment variable",
    );
    wrong("key_header = \"api key\"", "a.toml:2:15: `api key` is not the name of a header");
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "models.toml", "[fast]\nmodel = \"openai:m\"\n[slow]\nmodel = \"x\"");
    write(folder.path(), "a.toml", "prompt = \"p\"\nmodels = \"models.toml\"");
    let error = Agent::read(&folder.path().join("a.toml")).unwrap_err();
    let expected = "models.toml:4:10: model `x` does not name its kind, and is not under `models`";
    assert!(error.to_string().ends_with(expected), "{error}");
    // In code.
    let fast =
        |to: &str| ModelAliases::default().with("fast", ModelAlias::new(to.parse().unwrap()));
    let agent =
        |to: &str| Agent::new("p").with_model("fast".parse().unwrap()).with_models(fast(to));
    assert!(agent("openai:m").check().is_ok());
    let error = agent("fast").check().unwrap_err();
    assert_eq!(error.to_string(), "the model `fast` refers to itself");
}

/// Each server gets the key that was named for it, in the header that it wants, and no other.
#[tokio::test]
async fn m150_m151_m153_keys_go_to_their_servers() {
    let folder = tempfile::tempdir().unwrap();
    let check = async |keys: &str, name: &str, expected: Option<&str>| {
        let server = Server::start(vec![text(program("(return 1)"))]).await;
        let url = &server.base_url;
        let keys = keys.replace("URL", url);
        write(folder.path(), "a.toml", &format!("prompt = \"p\"\n{keys}"));
        let agent = Agent::read(&folder.path().join("a.toml")).unwrap();
        assert_eq!(run(&agent).await, Ok(json!(1)), "{keys}");
        assert_eq!(header(&server, name), [expected.map(str::to_string)], "{keys}");
        let others = ["authorization", "x-api-key", "api-key"].into_iter().filter(|it| *it != name);
        for other in others {
            assert_eq!(header(&server, other), [None], "{keys}");
        }
    };
    let own = "model = \"openai:m\"\nbase_url = \"URL\"";
    let named = "api_key_env = \"PTC_TEST_KEY_ONE\"";
    let one = format!("Bearer {ONE}");
    check(own, "authorization", None).await;
    check(&format!("{own}\n{named}"), "authorization", Some(&one)).await;
    let azure = format!("{own}\n{named}\nkey_header = \"api-key\"");
    check(&azure, "api-key", Some(ONE)).await;
    let alias = "model = \"fast\"\n[models.fast]\nmodel = \"openai:m\"\nbase_url = \"URL\"\n";
    check(&format!("{alias}{named}"), "authorization", Some(&one)).await;
    // What the agent says holds before what the alias says, and another alias in between.
    let two = format!("api_key_env = \"PTC_TEST_KEY_TWO\"\n{alias}{named}");
    check(&two, "authorization", Some(&format!("Bearer {TWO}"))).await;
    // A key of an alias is not for the server that the agent names.
    let moved = "model = \"fast\"\nbase_url = \"URL\"\n[models.fast]\nmodel = \"openai:m\"\n\
                 base_url = \"http://127.0.0.1:9\"\n";
    check(&format!("{moved}{named}"), "authorization", None).await;
    let bearer = "model = \"anthropic:m\"\nbase_url = \"URL\"\nkey_header = \"authorization\"\n";
    let server = Server::start(vec![raw(400, "")]).await;
    write(
        folder.path(),
        "a.toml",
        &format!("prompt = \"p\"\n{bearer}{named}").replace("URL", &server.base_url),
    );
    drop(run(&Agent::read(&folder.path().join("a.toml")).unwrap()).await);
    assert_eq!(header(&server, "authorization"), [Some(one)]);
    assert_eq!(header(&server, "x-api-key"), [None]);
}

/// A key that an agent names for its server does not follow it to another one.
#[test]
fn m151_another_server_gets_no_key_of_the_agent() {
    let agent = |own: &str, url: Option<&str>| {
        let mut agent = Agent::new("p");
        agent.model = Some(own.parse().unwrap());
        agent.base_url = url.map(str::to_string);
        (agent.api_key_env, agent.send_key) = (Some("PTC_TEST_KEY_ONE".to_string()), true);
        agent.models = ModelAliases::default().with("fast", {
            let mut alias = ModelAlias::new("openai:m".parse().unwrap());
            alias.base_url = Some("http://fast".to_string());
            alias.api_key_env = Some("PTC_TEST_KEY_TWO".to_string());
            alias
        });
        agent
    };
    let check = |agent: &Agent, chosen: Option<&str>, url: Option<&str>, expected: Option<&str>| {
        let chosen = chosen.map(|it| it.parse().unwrap());
        let found = agent.choose_model(chosen, url.map(str::to_string)).unwrap().options;
        assert_eq!(found.api_key_env.as_deref(), expected, "{:?}", found.base_url);
        assert_eq!(found.send_key, expected == Some("PTC_TEST_KEY_ONE"));
    };
    let (one, two) = (Some("PTC_TEST_KEY_ONE"), Some("PTC_TEST_KEY_TWO"));
    let own = agent("openai:m", Some("http://own/v1"));
    check(&own, None, None, one);
    check(&own, Some("openai:n"), None, one);
    check(&own, None, Some("http://own/v2"), one);
    check(&own, None, Some("http://other/v1"), None);
    check(&own, Some("fast"), None, two);
    check(&own, Some("fast"), Some("http://other"), None);
    let vendors = agent("openai:m", None);
    check(&vendors, Some("openai-responses:m"), None, one);
    check(&vendors, Some("anthropic:m"), None, None);
    check(&vendors, None, Some("https://api.openai.com/v1"), one);
    check(&vendors, None, Some("http://api.openai.com/v1"), None);
}

/// The resolver of a host is asked last, for the agent and those below it, and told the server.
#[tokio::test]
async fn m151_a_resolver_has_the_other_keys() {
    let reply = text(program("(return (tool/below {}))"));
    let server = Server::start(vec![reply, text(program("(return 1)"))]).await;
    let model = |variable: Option<&str>| {
        let mut agent = Agent::new("Go.").with_name("below");
        agent.model = Some("openai:m".parse().unwrap());
        agent.base_url = Some(server.base_url.clone());
        agent.api_key_env = variable.map(str::to_string);
        agent
    };
    let agent = model(Some("PTC_TEST_NO_KEY")).with_tool(ToolDef::agent(model(None)));
    let unset = "no key for `openai:m` | set PTC_TEST_NO_KEY, which was named for this model";
    assert_eq!(run(&agent).await, Err(unset.to_string()));
    let place = server.base_url.strip_suffix("/v1").unwrap().to_string();
    let agent = agent.with_key_resolver(KeyResolver::new(move |wanted| {
        assert_eq!((wanted.model, wanted.server), ("openai:m", place.as_str()));
        Some(format!("key of {}", wanted.variable))
    }));
    assert_eq!(run(&agent).await, Ok(json!(1)));
    let expected = ["Bearer key of PTC_TEST_NO_KEY", "Bearer key of OPENAI_API_KEY"];
    assert_eq!(header(&server, "authorization"), expected.map(|it| Some(it.to_string())));
}

/// A resumed run has the keys that it is told, also in its sub-agents and for their aliases. Its record stays as it is.
#[tokio::test]
async fn m151_a_resumed_run_has_new_keys_below_it() {
    let server = Server::start(vec![text(program("(return 1)"))]).await;
    let mut fast = ModelAlias::new("openai:m".parse().unwrap());
    fast.base_url = Some(server.base_url.clone());
    let below = Agent::new("Go.").with_name("below").with_model("fast".parse().unwrap());
    let below = below.with_models(ModelAliases::default().with("fast", fast));
    let source = "(do (ask {:title \"Go on?\" :fields \"(a :bool)\"}) (tool/below {}))";
    let agent = Agent::workflow(source).with_tool(ToolDef::agent(below));
    let store = Store::in_memory().unwrap();
    let waiting = Mission::new(&agent, json!({})).record_in(&store).run(&NoModel).await.unwrap();
    let mut decisions = Decisions::default();
    decisions.answers.push((None, json!({"a": true}).into()));
    decisions.keys.insert("fast".to_string(), "PTC_TEST_KEY_ONE".to_string());
    let resume = Resume::of(&store, waiting.run.as_str()).unwrap().decide(decisions).unwrap();
    let report = resume.mission(&agent).unwrap().run(&NoModel).await.unwrap();
    assert_eq!(report.value, json!(1), "{:?}", report.error);
    assert_eq!(header(&server, "authorization"), [Some(format!("Bearer {ONE}"))]);
    assert_eq!(store.show(report.run.as_str()).unwrap().setup.settings, None);
    let replayed = Replay::of(&store, report.run.as_str()).unwrap().run().await.unwrap();
    assert_eq!(replayed.differences, []);
}

/// An unauthorized server says how to name a key.
#[tokio::test]
async fn a_withheld_key_is_told() {
    let server = Server::start(vec![raw(401, "")]).await;
    let mut options = options(&server);
    options.send_key = false;
    let provider = "openai:m".parse::<ptc_subagent::provider::ModelSpec>().unwrap();
    let provider = provider.open(&options).unwrap();
    let error = provider.complete(&request()).await.unwrap_err();
    assert_eq!(
        error.help.as_deref(),
        Some(
            "OPENAI_API_KEY was not sent, since this is no server of its vendor: name the variable with a key of this \
             server with `api_key_env` (`--key-env`), or send OPENAI_API_KEY with `send_key = true`"
        )
    );
    assert_eq!(header(&server, "authorization"), [None]);
}

/// Nothing of a key is in anything that is written, with servers that repeat it.
#[tokio::test]
async fn m153_no_key_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("s.sqlite")).unwrap();
    let first = Server::start(vec![Answer::Echo(500)]).await;
    let second = Server::start(vec![Answer::EchoKey, Answer::Echo(404)]).await;
    let third = Server::start(vec![Answer::EchoKey, Answer::Echo(401)]).await;
    let file = format!(
        "prompt = \"p\"\nmodel = \"a\"\nfallback_models = [\"b\", \"c\"]\n[models.a]\nmodel = \"openai:m\"\n\
         base_url = \"{}\"\napi_key_env = \"PTC_TEST_KEY_ONE\"\n[models.b]\nmodel = \"openai:n\"\n\
         base_url = \"{}\"\napi_key_env = \"PTC_TEST_KEY_TWO\"\n[models.c]\nmodel = \"openai:o\"\n\
         base_url = \"{}\"\napi_key_env = \"PTC_TEST_UNSET\"\n",
        first.base_url, second.base_url, third.base_url
    );
    let agents = tempfile::tempdir().unwrap();
    write(agents.path(), "a.toml", &file);
    let resolved = "sk-three-0123456789";
    let agent = Agent::read(&agents.path().join("a.toml")).unwrap();
    let agent = agent.with_key_resolver(KeyResolver::new(move |_| Some(resolved.to_string())));
    let model = agent.choose_model(None, None).unwrap();
    let mut seen = vec![format!("{model:?} {agent:?}")];
    let mission = Mission::new(&agent, json!({}))
        .record_in(&store)
        .observe(|_, event| seen.push(format!("{event:?}")));
    let report = mission.run(&*model.open().unwrap()).await.unwrap();
    seen.push(report.to_json().to_string());
    seen.push(serde_json::to_string(&store.show(report.run.as_str()).unwrap()).unwrap());
    for server in [&first, &second, &third] {
        assert!(server.requests()[0].contains("sk-"));
    }
    let seen = seen.concat();
    assert!(seen.matches("[key]").count() > 3, "{seen}");
    drop(store);
    for key in [ONE, TWO, resolved] {
        assert!(!seen.contains(key));
        for file in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!bytes.windows(key.len()).any(|it| it == key.as_bytes()));
        }
    }
}

/// A model that keeps the effort of each request.
#[derive(Default)]
struct Efforts(Mutex<Vec<Option<u8>>>);

impl Provider for Efforts {
    fn complete<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Reply, ProviderError>> {
        self.0.lock().unwrap().push(request.parameters.effort);
        let system = request.system.text();
        let is_leaf = system.split_once("# Mission").is_some_and(|it| it.1.contains("Leaf."));
        let source = if is_leaf { "(return 1)" } else { "(return (tool/below {}))" };
        Box::pin(std::future::ready(Ok(Reply::new(program(source)))))
    }

    fn name(&self) -> String {
        "efforts".to_string()
    }
}

/// Its own effort comes before that of the caller.
#[tokio::test]
async fn m13_m155_effort_is_inherited() {
    let agent = |prompt: &str, effort: Option<u8>| {
        let parameters = Parameters { effort, ..Parameters::default() };
        Agent::new(prompt).with_name("below").with_parameters(parameters)
    };
    let check = async |efforts: [Option<u8>; 3], expected: [Option<u8>; 3]| {
        let [top, middle, leaf] = efforts;
        let middle = agent("Middle.", middle).with_tool(ToolDef::agent(agent("Leaf.", leaf)));
        let top = agent("Top.", top).with_tool(ToolDef::agent(middle));
        let model = Efforts::default();
        let report = Mission::new(&top, json!({})).run(&model).await.unwrap();
        assert_eq!(report.value, json!(1), "{:?}", report.error);
        assert_eq!(*model.0.lock().unwrap(), expected);
    };
    check([None, None, None], [None, None, None]).await;
    check([Some(80), None, None], [Some(80), Some(80), Some(80)]).await;
    check([Some(80), Some(20), None], [Some(80), Some(20), Some(20)]).await;
    check([Some(80), None, Some(5)], [Some(80), Some(80), Some(5)]).await;
    check([None, Some(20), None], [None, Some(20), Some(20)]).await;
}

/// Each protocol has its words for an effort.
#[tokio::test]
async fn m156_efforts_of_protocols() {
    let places = [
        "/reasoning_effort",
        "/reasoning/effort",
        "/output_config/effort",
        "/thinking/type",
        "/think",
    ];
    let mut found = Vec::new();
    for kind in ProviderKind::all() {
        for effort in [None, Some(1), Some(33), Some(34), Some(66), Some(67), Some(100)] {
            let server = Server::start(vec![raw(400, "")]).await;
            let spec = format!("{}:m", kind.name()).parse::<ptc_subagent::provider::ModelSpec>();
            let provider = spec.unwrap().open(&options(&server)).unwrap();
            let parameters = Parameters { effort, ..Parameters::default() };
            let request = Request { parameters, ..request() };
            drop(provider.complete(&request).await);
            let body = server.bodies().pop().unwrap();
            let sent = places
                .iter()
                .filter_map(|it| Some(format!("{it} {}", body.pointer(it)?.as_str()?)));
            let sent: Vec<String> = sent.collect();
            let effort = effort.map_or("-".to_string(), |it| it.to_string());
            found.push(
                format!("{} {effort}: {}", kind.name(), sent.join(" ")).trim_end().to_string(),
            );
        }
    }
    let mut expected = Vec::new();
    let rows: [(&str, &[&str]); 4] = [
        ("openai", &["/reasoning_effort"]),
        ("openai-responses", &["/reasoning/effort"]),
        ("anthropic", &["/output_config/effort", "/thinking/type adaptive"]),
        ("ollama", &["/think"]),
    ];
    for (kind, parts) in rows {
        expected.push(format!("{kind} -:"));
        for (effort, word) in
            [(1, "low"), (33, "low"), (34, "medium"), (66, "medium"), (67, "high"), (100, "high")]
        {
            let rest = parts.get(1).map_or(String::new(), |it| format!(" {it}"));
            expected.push(format!("{kind} {effort}: {} {word}{rest}", parts[0]));
        }
    }
    assert_eq!(found, expected);
}

/// A model without effort levels gets a budget for each step, or no effort.
#[tokio::test]
async fn m156_models_that_refuse_an_effort() {
    let refuses = |message: &str| raw(400, &json!({"error": {"message": message}}).to_string());
    let check = async |spec: &str, refusals: &[&str], part: &str, expected: &[Value]| {
        let mut answers: Vec<Answer> = refusals.iter().map(|it| refuses(it)).collect();
        answers.push(raw(400, "no"));
        let server = Server::start(answers).await;
        let provider = spec.parse::<ptc_subagent::provider::ModelSpec>().unwrap();
        let provider = provider.open(&options(&server)).unwrap();
        let parameters = Parameters { effort: Some(50), ..Parameters::default() };
        drop(provider.complete(&Request { parameters, ..request() }).await);
        let sent: Vec<Value> = server.bodies().iter().map(|it| it[part].clone()).collect();
        assert_eq!(sent, expected, "{spec}");
    };
    let none = "unknown parameter: reasoning_effort";
    check("openai:m", &[none], "reasoning_effort", &[json!("medium"), Value::Null]).await;
    let none = "'reasoning.effort' is not supported";
    check("openai-responses:m", &[none], "reasoning", &[json!({"effort": "medium"}), Value::Null])
        .await;
    check(
        "ollama:m",
        &["\"m\" does not support thinking"],
        "think",
        &[json!("medium"), Value::Null],
    )
    .await;
    let budget = json!({"type": "enabled", "budget_tokens": 15_500});
    let adaptive = json!({"type": "adaptive"});
    let refusals = ["adaptive thinking is not supported", "thinking is not supported"];
    check("anthropic:m", &refusals, "thinking", &[adaptive, budget, Value::Null]).await;
}

/// Returns the settings of a file.
fn settings(toml: &str) -> RunSettings {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "s.toml", toml);
    RunSettings::read(&folder.path().join("s.toml")).unwrap()
}

/// Runs an agent with settings, as a host does.
async fn run_with(agent: &Agent, toml: &str, store: &Store) -> Result<Value, String> {
    let settings = settings(toml);
    let model = settings.agent_of(agent).0.choose_model(None, None).unwrap();
    let model =
        model.open().map_err(|error| format!("{error} | {}", error.help().unwrap_or_default()))?;
    let mission = Mission::new(agent, json!({})).with_settings(settings).record_in(store);
    let report = mission.run(&*model).await.map_err(|error| error.to_string())?;
    let record = store.show(report.run.as_str()).unwrap();
    let recorded = serde_json::to_string(&record).unwrap();
    assert!(!recorded.contains(ONE) && !recorded.contains(TWO), "{recorded}");
    let replay = ptc_subagent::replay::Replay::of(store, report.run.as_str()).unwrap();
    assert_eq!(replay.run().await.unwrap().differences, []);
    report.value.to_json().map_err(|error| error.to_string())
}

/// The keys of a run hold for its model, those of sub-agents and the fallbacks, and for no later run.
#[tokio::test]
async fn m150_m151_keys_of_a_run() {
    let calls = || text(program("(return (tool/below {}))"));
    let done = || text(program("(return 1)"));
    let server = Server::start((0..5).flat_map(|_| [calls(), done()]).collect()).await;
    let child = "prompt = \"Help.\"\nname = \"below\"\nmodel = \"fast\"\n";
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "below.toml", child);
    let file = format!(
        "prompt = \"Go.\"\nmodel = \"fast\"\n[[tools]]\nagent = \"below.toml\"\n[models.fast]\nmodel = \"openai:m\"\n\
         base_url = \"{}\"\napi_key_env = \"PTC_TEST_KEY_ONE\"\n",
        server.base_url
    );
    write(folder.path(), "a.toml", &file);
    let agent = Agent::read(&folder.path().join("a.toml")).unwrap();
    let store = Store::in_memory().unwrap();
    let run = async |toml: &str| {
        let before = server.requests().len();
        let end = run_with(&agent, toml, &store).await;
        let sent = header(&server, "authorization").split_off(before);
        (end, sent.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    let (one, two) = (format!("Bearer {ONE}"), format!("Bearer {TWO}"));
    assert_eq!(run("").await, (Ok(json!(1)), format!("{one}, {one}")));
    let customer = "keys.fast = \"PTC_TEST_KEY_TWO\"";
    assert_eq!(run(customer).await, (Ok(json!(1)), format!("{two}, {two}")));
    let children = format!("for = \"children\"\n{customer}");
    assert_eq!(run(&children).await, (Ok(json!(1)), format!("{one}, {two}")));
    // A key of the kind is for the vendor, not for this server.
    let vendors = "keys.openai = \"PTC_TEST_KEY_TWO\"";
    assert_eq!(run(vendors).await, (Ok(json!(1)), format!("{one}, {one}")));
    // The agent has a server of its own, so the key of the alias is not for it.
    let mut own = agent.clone();
    own.base_url = Some(server.base_url.clone());
    assert_eq!(run_with(&own, customer, &store).await, Ok(json!(1)));
    let sent = header(&server, "authorization").split_off(8);
    assert_eq!(sent, [None, Some(format!("Bearer {TWO}"))]);
    // The key of nobody else stands in for one that is missing.
    let missing = "no key for `openai:m` | set PTC_TEST_UNSET, which was named for this model";
    assert_eq!(
        run("keys.fast = \"PTC_TEST_UNSET\"").await,
        (Err(missing.to_string()), String::new())
    );
    let (_, warnings) = settings("keys.fats = \"PTC_TEST_KEY_TWO\"").agent_of(&agent);
    let expected = "the settings name `fats`, and no kind or alias of a model has the name: did you mean `fast`?";
    assert_eq!(warnings[0].message, expected);
}

/// Settings are on record, so a base URL in them has no secret.
#[test]
fn m153_settings_have_no_secret() {
    for url in ["https://me:secret-word@host/v1", "https://host/v1?api_key=abc"] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "s.toml", &format!("base_url = \"{url}\""));
        let error = RunSettings::read(&folder.path().join("s.toml")).unwrap_err();
        let expected = "`base_url` has a password or a key, and settings are on record";
        assert_eq!(error.message(), expected);
        let mut change = RunChange::new();
        change.base_url = Some(url.to_string());
        let written = serde_json::to_value(RunSettings::from(change)).unwrap();
        assert_eq!(written, json!([{"base_url": "https://host/v1"}]));
    }
    let mut change = RunChange::new();
    change.base_url = Some("https://host/v1?api-version=3".to_string());
    let written = serde_json::to_value(RunSettings::from(change)).unwrap();
    assert_eq!(written, json!([{"base_url": "https://host/v1?api-version=3"}]));
}

/// The run names the server, so its key of the kind is for that server. The key of the agent is not.
#[tokio::test]
async fn m150_m151_a_run_with_another_server() {
    let server = Server::start(vec![text(program("(return 1)"))]).await;
    let store = Store::in_memory().unwrap();
    let mut agent = Agent::new("Go.").with_model("openai:m".parse().unwrap());
    agent.api_key_env = Some("PTC_TEST_KEY_ONE".to_string());
    let url = format!("base_url = \"{}\"\n", server.base_url);
    assert_eq!(run_with(&agent, &url, &store).await, Ok(json!(1)));
    let named = format!("{url}keys.openai = \"PTC_TEST_KEY_TWO\"");
    assert_eq!(run_with(&agent, &named, &store).await, Ok(json!(1)));
    let other = format!("{url}model = \"openai:n\"\nkeys.anthropic = \"PTC_TEST_KEY_TWO\"");
    assert_eq!(run_with(&agent, &other, &store).await, Ok(json!(1)));
    let expected = [None, Some(format!("Bearer {TWO}")), None];
    assert_eq!(header(&server, "authorization"), expected);
    let models: Vec<Value> = server.bodies().iter().map(|it| it["model"].clone()).collect();
    assert_eq!(models, ["m", "m", "n"]);
}

#[tokio::test]
async fn m113_m154_models_of_a_run() {
    let gone = Server::start(vec![raw(404, "")]).await;
    let calls = text(program("(return (tool/below {}))"));
    let done = text(program("(return 1)"));
    let there = Server::start(vec![calls.clone(), done.clone(), calls, done]).await;
    let model = |name: &str| {
        let mut alias = ModelAlias::new(format!("openai:{name}").parse().unwrap());
        let url = if name == "gone" { &gone.base_url } else { &there.base_url };
        alias.base_url = Some(url.clone());
        alias
    };
    let models = ["gone", "there"]
        .into_iter()
        .fold(ModelAliases::default(), |all, it| all.with(it, model(it)));
    let below = Agent::new("Help.").with_name("below");
    let agent = Agent::new("Go.").with_models(models).with_model("gone".parse().unwrap());
    let agent = agent.with_tool(ToolDef::agent(below));
    let store = Store::in_memory().unwrap();
    assert_eq!(run_with(&agent, "fallback_models = [\"there\"]", &store).await, Ok(json!(1)));
    assert_eq!((gone.requests().len(), there.requests().len()), (1, 2));
    assert_eq!(run_with(&agent, "model = \"there\"", &store).await, Ok(json!(1)));
    assert_eq!((gone.requests().len(), there.requests().len()), (1, 4));
}

/// The effort of the run comes first, also before that of a sub-agent, unless the settings are for the root alone.
#[tokio::test]
async fn m155_effort_of_a_run() {
    let agent = |prompt: &str, effort: Option<u8>| {
        let parameters = Parameters { effort, ..Parameters::default() };
        Agent::new(prompt).with_name("below").with_parameters(parameters)
    };
    let check = async |scope: Scope, leaf: Option<u8>, expected: [Option<u8>; 2]| {
        let agent = agent("Top.", Some(10)).with_tool(ToolDef::agent(agent("Leaf.", leaf)));
        let mut change = RunChange::new().with_scope(scope);
        change.effort = Some(90);
        let model = Efforts::default();
        let mission = Mission::new(&agent, json!({})).with_settings(change.into());
        assert_eq!(mission.run(&model).await.unwrap().value, json!(1));
        assert_eq!(*model.0.lock().unwrap(), expected);
    };
    check(Scope::All, Some(20), [Some(90), Some(90)]).await;
    check(Scope::Root, Some(20), [Some(90), Some(20)]).await;
    check(Scope::Root, None, [Some(90), Some(90)]).await;
    check(Scope::Children, None, [Some(10), Some(90)]).await;
}

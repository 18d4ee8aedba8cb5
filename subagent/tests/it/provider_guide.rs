//! The guide of providers: its configurations open, its tables are complete, and its prices are read.

use ptc_subagent::Agent;
use ptc_subagent::provider::{ModelSpec, Prices, ProviderErrorKind, ProviderKind, ProviderOptions};

use crate::provider::keys;

const PAGE: &str = include_str!("../../../docs/providers.md");

/// Returns the code blocks of the page that begin with this line.
fn blocks(mark: &str) -> Vec<&'static str> {
    let parts = PAGE.split(mark).skip(1);
    parts.map(|it| it.split_once("\n```").unwrap().0).collect()
}

#[test]
fn configurations() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("overdue.recording.jsonl");
    std::fs::write(recording, "{\"text\": \"hi\"}").unwrap();
    let mut names = Vec::new();
    for block in blocks("\n```toml\n") {
        let path = folder.path().join("a.toml");
        std::fs::write(&path, format!("prompt = \"p\"\n{block}\n")).unwrap();
        let agent = Agent::read(&path).unwrap();
        let own = agent.provider_options();
        let keys = own.api_key_env.iter().fold(keys(), |keys, it| keys.with(it, "a key"));
        let options = ProviderOptions { keys, ..own };
        let name = agent.model.unwrap().open(&options).unwrap().name();
        let name = name.replace(&format!("{}/", folder.path().display()), "");
        assert_eq!(block.lines().next(), Some(format!("model = \"{name}\"").as_str()));
        names.push(name);
    }
    // Every kind of model has a configuration and a row with its server and its key.
    for kind in ProviderKind::all() {
        let (name, protocol, server) = (kind.name(), kind.protocol(), kind.base_url());
        assert!(names.iter().any(|it| it.starts_with(&format!("{name}:"))), "{name}");
        let key = kind.key_variable();
        let row = format!("| `{name}:NAME` | {protocol} | `{server}` | `{key}`");
        assert!(PAGE.contains(&row), "{row}");
    }
}

#[test]
fn errors() {
    let first = |line: &'static str| line.strip_prefix("| `provider-")?.split_once('`');
    let listed: Vec<String> =
        PAGE.lines().filter_map(first).map(|(code, _)| format!("provider-{code}")).collect();
    let codes: Vec<&str> = ProviderErrorKind::ALL.iter().map(|it| it.code()).collect();
    assert_eq!(listed, codes);
    let transient: Vec<String> = ProviderErrorKind::ALL
        .iter()
        .filter(|it| it.is_transient())
        .map(|it| format!("`{}`", it.code()))
        .collect();
    let told = format!("tried again, three times in all: {}.", transient.join(", "));
    assert!(PAGE.contains(&told), "{told}");
    let switching: Vec<String> = ProviderErrorKind::ALL
        .iter()
        .filter(|it| it.may_pass_elsewhere())
        .map(|it| format!("`{}`", it.code()))
        .collect();
    let (last, others) = switching.split_last().unwrap();
    let told = format!("if its error is {} or {last}.", others.join(", "));
    assert!(PAGE.replace('\n', " ").contains(&told), "{told}");
}

#[test]
fn models_under_names() {
    let [agent] = blocks("\n```toml models\n")[..] else { panic!("{PAGE}") };
    let [models] = blocks("\n```toml models.toml\n")[..] else { panic!("{PAGE}") };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("models.toml"), models).unwrap();
    let path = folder.path().join("a.toml");
    std::fs::write(&path, format!("prompt = \"p\"\n{agent}\n")).unwrap();
    let agent = Agent::read(&path).unwrap();
    let chosen = agent.choose_model(None, None).unwrap();
    let names: Vec<String> = chosen.fallbacks.iter().map(|it| it.spec.to_string()).collect();
    assert_eq!(
        (chosen.spec.to_string().as_str(), names),
        ("openai:gpt-5-mini", vec!["anthropic:claude-sonnet-4-5".into()])
    );
    let usual = agent.choose_model(Some("usual".parse().unwrap()), None).unwrap();
    assert_eq!((usual.spec, usual.options.effort), (chosen.spec, Some(60)));
}

#[test]
fn prices() {
    let [block] = blocks("\n```toml prices\n")[..] else { panic!("{PAGE}") };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prices.toml");
    std::fs::write(&path, block).unwrap();
    let prices = Prices::read(&path).unwrap();
    let inputs = ["gpt-4.1-mini-2025-04-14", "qwen3:8b", "gpt-5"];
    let inputs = inputs.map(|model| prices.of(model).map(|it| it.input));
    assert_eq!(inputs, [Some(0.4), Some(0.0), None]);
}

/// The built-in prices apply only to a vendor's own server.
#[test]
fn built_in_prices_are_for_the_vendors() {
    let usage = ptc_subagent::provider::Usage {
        input_tokens: 1_000_000,
        output_tokens: 1_000_000,
        cached_input_tokens: 400_000,
        cost: None,
    };
    let check = |spec: &str, base_url: Option<&str>, expected: Option<&str>| {
        let base_url = base_url.map(str::to_string);
        let options = ProviderOptions { keys: keys(), base_url, ..ProviderOptions::default() };
        let provider = spec.parse::<ModelSpec>().unwrap().open(&options).unwrap();
        let cost = provider.price_of(&usage).map(|it| it.to_string());
        assert_eq!(cost.as_deref(), expected, "{spec}");
    };
    // 0.6 × 1.25 + 0.4 × 0.125 + 10
    check("openai:gpt-5", None, Some("$10.80"));
    check("openai-responses:gpt-5", Some("https://api.openai.com/v1/responses"), Some("$10.80"));
    check("openai:gpt-5", Some("http://localhost:1"), None);
    check("anthropic:claude-sonnet-4-5-20250929", None, Some("$16.92"));
    check("anthropic:claude-x", None, None);
    check("ollama:gpt-5", None, None);
}

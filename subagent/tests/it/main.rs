//! Tests of the crate with real sockets, processes and files.

mod advice;
mod agent_file;
mod approval;
mod arguments;
mod artifacts;
mod budgets;
mod charsets;
mod compositions;
mod concurrent;
mod conversation;
mod diagnostics;
mod effects;
mod elsewhere;
mod exact;
mod fallback_models;
mod flow_files;
mod forms;
mod guides;
mod hidden;
mod hidden_mistakes;
mod hidden_styles;
mod host;
mod host_context;
mod http_tool;
mod images;
mod kill;
mod labels;
mod live;
mod looking;
mod model_keys;
mod modes;
mod names;
mod needs;
mod openapi;
mod owner;
mod payload;
mod people;
mod policy;
mod program_change;
mod progress;
mod prompt_switches;
mod provider;
mod provider_calls;
mod provider_errors;
mod provider_fields;
mod provider_guide;
mod provider_protocols;
mod provider_streams;
mod reads;
mod replay;
mod resume;
mod run;
mod run_settings;
mod seeds;
mod shared_payload;
mod shown;
mod snapshots;
mod sources;
mod store;
mod store_care;
mod styles;
mod sub_agents;
mod support;
#[cfg(feature = "otlp")]
mod telemetry;
mod too_long;
mod tool;
mod transcript;
mod transcript_random;
mod transcript_summaries;
mod turns;
#[cfg(feature = "schemars")]
mod typed;
mod words;
mod workflow;

#[cfg(feature = "schemars")]
#[path = "../../examples/kinds_of_tools.rs"]
mod kinds_of_tools;
mod unseen;

#[cfg(feature = "schemars")]
#[tokio::test]
async fn every_kind_of_tool() {
    let expected =
        serde_json::json!({"dollars": 26.25, "left": 3, "fragile": true, "label": "printed"});
    assert_eq!(kinds_of_tools::run().await.unwrap(), expected);
}

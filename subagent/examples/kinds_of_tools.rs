//! Every kind of tool in one mission: `cargo run -p ptc-subagent --features schemars --example kinds_of_tools`.
//!
//! The tools are a closure over JSON, a closure over Rust types, a command, an HTTP endpoint, a table of answers, a
//! question to a model, and an agent. The replies of the models are constants, and a thread of this program serves the
//! endpoint. Everything else is real.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::Arc;

use ptc_subagent::provider::Scripted;
use ptc_subagent::schemars::{self, JsonSchema};
use ptc_subagent::tool::{CommandTool, Constant, Effect, FnTool, HttpTool, ToolDef, ToolError};
use ptc_subagent::{Agent, Answers, Mission, RunBudget};
use serde::Deserialize;
use serde_json::{Value, json};

/// The weight of an article, in kilograms.
#[derive(Deserialize, JsonSchema)]
struct Article {
    name: String,
}

/// Serves requests with the price of one article until the program ends. Returns the URL.
fn prices() -> std::io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/prices/{{name}}", listener.local_addr()?);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
            let answer = write!(&stream, "{head}Content-Length: 4\r\n\r\n12.5");
            drop(answer);
        }
    });
    Ok(url)
}

fn agent() -> Result<Agent, Box<dyn Error>> {
    // A closure that takes and returns JSON.
    let stock = FnTool::new(async |args: Value, _| match args["name"].as_str() {
        Some("lamp") => Ok(json!(3)),
        _ => Err(ToolError::failed("no such article")),
    });
    let stock = ToolDef::new("stock", stock)
        .with_signature("(name :string) -> :int")?
        .with_effect(Effect::Read);

    // A closure over Rust types. The signature comes from the types, and the description from the comment of the first.
    let weight = ToolDef::typed("weight", async |article: Article| {
        if article.name == "lamp" { Ok(2.25) } else { Err(ToolError::failed("no such article")) }
    })
    .with_effect(Effect::Read);

    // A command that reads its arguments from standard input and writes the result to standard output.
    let script = "sed 's/.*/{\"label\": \"printed\"}/'";
    let print = ToolDef::new("print", CommandTool::new(["sh", "-c", script], "."))
        .with_signature("(name :string) -> {label :string}")?
        .with_effect(Effect::Write);

    // An endpoint with the argument in its path.
    let price = ToolDef::new("price", HttpTool::new("GET", &prices()?)?)
        .with_signature("(name :string) -> :float")?
        .with_retries(2);

    // A table of answers.
    let rate = Constant::fails("no such currency").with_case(json!({"to": "USD"}), json!(1.25));
    let rate =
        ToolDef::new("rate", rate).with_signature("(to :string) -> :float")?.with_cache(true);

    // A question that a model answers with JSON.
    let fragile = Agent::new("Does a {{name}} break easily?")
        .with_name("fragile")
        .with_signature("(name :string) -> :bool")?
        .with_answers(Answers::Json);
    let fragile = ToolDef::agent(fragile).with_provider(Arc::new(Scripted::new(["true"])));

    // An agent that answers with a program.
    let carrier = Agent::new("What does it cost to send {{kilos}} kg?")
        .with_name("carrier")
        .with_signature("(kilos :float) -> :float")?
        .with_max_turns(1);
    let carried = ["```clojure\n(+ 4.0 (* 2 ctx/kilos))\n```"];
    let carrier = ToolDef::agent(carrier).with_provider(Arc::new(Scripted::new(carried)));

    let tools = [stock, weight, print, price, rate, fragile, carrier];
    let agent = Agent::new("What does a {{name}} cost in dollars, sent to the customer?")
        .with_signature(
            "(name :string) -> {dollars :float, left :int, fragile :bool, label :string}",
        )?
        .with_budget(RunBudget::default().with_turns(5));
    Ok(tools.into_iter().fold(agent, Agent::with_tool))
}

const PROGRAM: &str = r#"```clojure
(let [article {:name ctx/name}
      left (tool/stock article)
      kilos (tool/weight article)
      [price sending fragile] (pvalues (tool/price article)
                                       (tool/carrier {:kilos kilos})
                                       (tool/fragile article))]
  (when (zero? left) (fail {:reason :sold-out :message "nothing is left"}))
  (return {:dollars (* (tool/rate {:to "USD"}) (+ price sending))
           :left left
           :fragile fragile
           :label (:label (tool/print article))}))
```"#;

/// Runs the mission.
pub(crate) async fn run() -> Result<Value, Box<dyn Error>> {
    let agent = agent()?;
    let report =
        Mission::new(&agent, json!({"name": "lamp"})).run(&Scripted::new([PROGRAM])).await?;
    Ok(report.value::<Value>()?)
}

#[tokio::main]
#[cfg_attr(test, expect(dead_code, reason = "a test runs this file, too, as a module"))]
#[expect(clippy::print_stdout, reason = "it shows what came of it")]
async fn main() -> Result<(), Box<dyn Error>> {
    println!("{:#}", run().await?);
    Ok(())
}

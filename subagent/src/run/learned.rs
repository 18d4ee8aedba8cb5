//! The types of earlier results of tools, which prompts show.

use std::collections::BTreeMap;
use std::sync::Arc;

use ptc_lisp::json;
use ptc_prompt::type_of_all;
use ptc_signatures::{Signature, Type};
use serde_json::Value;

use crate::agent::Agent;
use crate::error::Error;
use crate::store::Store;
use crate::tool::ToolDef;

/// The maximum length of a learned type, in characters.
const MAX_TYPE: usize = 400;

impl Agent {
    /// Adds the types of earlier results to the descriptions of tools from servers that state none.
    ///
    /// The type is that of all results of the tool in the newest runs of the store. If they are of different kinds,
    /// nothing is added. The definition of the agent on record has the descriptions, so replays show the same.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`](crate::ErrorKind::Store) if the store cannot be read.
    pub fn learn(&mut self, store: &Store) -> Result<(), Error> {
        let mut known: BTreeMap<String, BTreeMap<String, Vec<Value>>> = BTreeMap::new();
        for tool in self.tools.iter_mut().filter(|it| has_unknown_results(it)) {
            let Some(server) = tool.server.clone() else { continue };
            if !known.contains_key(&server) {
                known.insert(server.clone(), store.results_of(&server)?);
            }
            let results = known.get(&server).and_then(|all| all.get(&tool.name));
            if let Some(learned) = results.and_then(|results| type_of(results)) {
                let line = format!("Earlier results have the type `{learned}`.");
                let description = tool.description.take().filter(|it| !it.is_empty());
                tool.description = Some(match description {
                    Some(text) => format!("{text}\n{line}"),
                    None => line,
                });
            }
        }
        Ok(())
    }

    /// Returns the agent with what [`Agent::learn`] adds. An agent without such tools is not copied.
    pub(crate) fn learned(agent: Arc<Agent>, store: &Store) -> Result<Arc<Agent>, Error> {
        if !agent.tools.iter().any(|it| it.server.is_some() && has_unknown_results(it)) {
            return Ok(agent);
        }
        let mut agent = Agent::clone(&agent);
        agent.learn(store)?;
        Ok(Arc::new(agent))
    }
}

fn has_unknown_results(tool: &ToolDef) -> bool {
    tool.signature.as_ref().is_none_or(|it| it.output == Type::Any)
}

/// Returns the type of results as text, without hidden fields. Deep parts are left out of a long type.
fn type_of(results: &[Value]) -> Option<String> {
    let results: Vec<ptc_lisp::Value> = results.iter().map(json::from_serde).collect();
    let types = (1..=4).rev().filter_map(|depth| type_of_all(&results, depth));
    let visible = types.map(|output| Signature { params: Vec::new(), output }.redacted().output);
    visible.map(|it| it.to_string()).find(|it| it.chars().count() <= MAX_TYPE)
}

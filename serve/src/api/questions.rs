//! The open questions of runs, with forms as JSON Schema.

use std::sync::Arc;

use hyper::StatusCode;
use ptc_subagent::form::Form;
use ptc_subagent::store::Hidden;
use ptc_subagent::{Data, Error};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::Request;
use crate::state::blocking;

/// Lists the open questions of all runs that the caller may see, the oldest run first.
pub(crate) async fn list(request: Request) -> Result<Answer, Problem> {
    let store = Arc::clone(request.state.store());
    let seen = request.state.visible(&request.caller);
    let agent = request.query("agent").map(str::to_string);
    let listed = blocking(move || {
        let mut all = Vec::new();
        for it in store.waiting()? {
            let is_seen = seen.as_ref().is_none_or(|seen| seen.contains(&it.agent));
            if !is_seen || agent.as_ref().is_some_and(|agent| *agent != it.agent) {
                continue;
            }
            let hidden = Hidden::of(&store.family(it.run.as_str())?)?;
            for question in &it.questions {
                let form = hidden.value(&question.form);
                let read = Form::read(&form).ok();
                let json = json!({
                    "id": question.id,
                    "run": it.run,
                    "agent": question.agent,
                    "kind": question.kind,
                    "title": read.as_ref().map(Form::summary),
                    "help": read.as_ref().and_then(|it| it.help.as_deref()),
                    "expires": question.expires,
                    "form": form,
                    "schema": read.as_ref().map(Form::to_schema),
                });
                all.push(json);
            }
        }
        Ok::<Vec<Value>, Error>(all)
    });
    let questions = listed.await?.map_err(Problem::from)?;
    Ok(Answer::json(StatusCode::OK, Data::from(json!({"questions": questions}))))
}

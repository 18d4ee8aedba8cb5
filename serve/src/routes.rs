//! The table of the routes: it is the router, the check of what requests look like, and the description of the API.

use hyper::Method;
use ptc_http::Kind;

use crate::access::Action;
use crate::api::{agents, artifacts, changes, events, health, questions, runs, session, start};
use crate::page;
use crate::route::{Content, Field, Route, Type};

/// Returns what a caller needs. `Open` routes have nothing of agents and runs.
macro_rules! action {
    (Open) => {
        None
    };
    ($action:ident) => {
        Some(Action::$action)
    };
}

/// Makes the row of a route.
macro_rules! route {
    ($method:ident $path:literal $id:ident $action:ident $kind:ident $handle:path, $about:literal,
     $($status:literal $content:expr),+ $(; $($key:ident: $fields:expr),+)?) => {
        Route {
            $($($key: $fields,)+)?
            ..Route {
                method: stringify!($method),
                path: $path,
                id: stringify!($id),
                about: $about,
                action: action!($action),
                kind: Kind::$kind,
                query: &[],
                headers: &[],
                body: &[],
                answers: &[$(($status, $content)),+],
                handle: |request| Box::pin($handle(request)),
            }
        }
    };
}

const WAIT: Field = Field::new(
    "wait",
    Type::Whole(start::MAX_WAIT),
    "The seconds to wait until the run has ended or waits.",
);

/// The query of a request that changes a run.
const WAITS: &[Field] = &[WAIT];

const SETTINGS: Field = Field::new(
    "settings",
    Type::Objects,
    "The settings of the run: one change, or a list of changes.",
);

/// The latest time, since those of the store are signed.
const MAX_TIME: u64 = i64::MAX.cast_unsigned();

const RUN: Content = Content::Json("Run");

/// All routes.
pub(crate) static ROUTES: &[Route] = &[
    route!(GET "/" page Open Short page::index, "Shows the page for browsers.", 200 Content::Page),
    route!(GET "/page/{file}" page_file Open Short page::file, "Gives a file of the page.",
        200 Content::Page),
    route!(GET "/v1/session" show_session Open Short session::show,
        "Shows the session of a browser.", 200 Content::Json("Session")),
    route!(POST "/v1/session" log_in Open Short session::begin,
    "Begins the session of a browser with a token.", 200 Content::Json("Done");
    body: &[Field::required("token", Type::Text, "The token.")]),
    route!(DELETE "/v1/session" log_out Open Short session::end, "Ends the session of a browser.",
        200 Content::Json("Done")),
    route!(GET "/v1/agents" list_agents View Short agents::list, "Lists the agents.",
        200 Content::Json("Agents")),
    route!(GET "/v1/agents/{agent}" show_agent View Short agents::one,
        "Shows an agent with its tools, its schemas and its prompt.", 200 Content::Json("Agent")),
    route!(GET "/v1/runs" list_runs View Short runs::list,
    "Lists runs, newest first, with their totals.", 200 Content::Json("Runs");
    query: &[
        Field::new("status", Type::Text, "The status, or the code of a stop."),
        Field::new("agent", Type::Text, "The name of the agent."),
        Field::new("tool", Type::Text, "The name of a tool that the run called."),
        Field::new("error", Type::Text, "The code of an error in the run."),
        Field::new("conversation", Type::Text, "A run of the conversation."),
        Field::new("since", Type::Whole(MAX_TIME), "The earliest start, in milliseconds since 1970."),
        Field::new("roots", Type::Flag, "Whether to leave out the runs of sub-agents."),
        Field::new("limit", Type::Whole(runs::MAX_PAGE), "The maximum number of runs."),
        Field::new("cursor", Type::Text, "The `next` of the page before."),
    ]),
    route!(POST "/v1/runs" start_run Run Call start::start, "Starts a run.",
    201 RUN, 200 RUN;
    query: WAITS,
    headers: &[Field::new("Idempotency-Key", Type::Text,
        "A key under which the same caller starts only one run.")],
    body: &[
        Field::required("agent", Type::Text, "The name of the agent."),
        Field::new("input", Type::Object, "The input; by default that of the agent."),
        SETTINGS,
        Field::new("payload", Type::Any, "The payload at the start."),
        Field::new("payload_from", Type::Text, "The run whose payload it starts with."),
        Field::new("after", Type::Text, "The run that it follows in a conversation."),
        Field::new("conversation", Type::Text,
            "Instead of `after`: the name of a conversation, which the run continues or begins."),
        Field::new("seed", Type::Whole(ptc_subagent::MAX_SEED), "The seed of random functions."),
    ]),
    route!(GET "/v1/runs/{run}" show_run View Short runs::one, "Shows a run.", 200 RUN),
    route!(GET "/v1/runs/{run}/record" show_record View Short runs::record,
        "Shows the record of a run.", 200 Content::Json("Record")),
    route!(GET "/v1/runs/{run}/page" draw_run View Short runs::page,
        "Shows a run and those below it as the page draws them.", 200 Content::Json("Page")),
    route!(GET "/v1/runs/{run}/artifacts" list_artifacts View Short artifacts::list,
    "Lists the artifacts of the conversation of a run.", 200 Content::Json("Artifacts");
    query: &[
        Field::new("name", Type::Text, "Only this artifact: its newest version, or `version`."),
        Field::new("version", Type::Whole(u32::MAX as u64), "The version."),
        Field::new("all", Type::Flag, "Whether hidden ones are listed too."),
    ]),
    route!(POST "/v1/runs/{run}/artifacts" put_artifact Edit Call artifacts::put,
    "Makes the next version of an artifact, which the next run of the conversation reads.",
    201 Content::Json("Artifact");
    body: &[
        Field::required("name", Type::Text, "The name."),
        Field::required("value", Type::Any, "The value."),
        Field::new("type", Type::Text, "The type, such as `text/markdown`."),
    ]),
    route!(DELETE "/v1/runs/{run}" delete_run Delete Call runs::delete,
        "Deletes a run that does not run, and those below it.", 200 Content::Json("Deleted")),
    route!(GET "/v1/runs/{run}/events" watch_run View Stream events::of_run,
        "Streams the events of a run from its start.", 200 Content::Events, 204 Content::Nothing;
        query: AFTER, headers: LAST),
    route!(POST "/v1/runs/{run}/cancel" cancel_run Edit Call changes::cancel, "Cancels a run.",
        200 RUN; query: WAITS),
    route!(POST "/v1/runs/{run}/answer" answer_run Edit Call changes::answer,
    "Answers a question of a run.", 202 RUN;
    query: WAITS,
    body: &[
        Field::new("question", Type::Text, "The id of the question, if there are several."),
        Field::new("answer", Type::Any, "The answer, as the schema of the question says."),
        Field::new("allow", Type::Flag, "Instead of `answer`: yes or no."),
        Field::new("reason", Type::Text, "The reason of a no."),
    ]),
    route!(POST "/v1/runs/{run}/resume" resume_run Edit Call changes::resume,
    "Resumes a run that was cancelled, that died, or whose model did not reply.", 202 RUN;
    query: WAITS,
    body: &[
        Field::new("done", Type::Object, "The results of calls in doubt that took effect, by call."),
        Field::new("retry", Type::Texts, "The calls in doubt to make again."),
        Field::new("accept_change", Type::Flag, "Whether a changed workflow may go on."),
    ]),
    route!(POST "/v1/runs/{run}/replay" replay_run View Call changes::replay,
    "Replays a run without a model and tools, with another program of a turn if one is given.",
    200 Content::Json("Replay");
    body: &[
        Field::new("turn", Type::Whole(u32::MAX as u64), "The turn whose program is replaced."),
        Field::new("program", Type::Text, "Its other program."),
    ]),
    route!(POST "/v1/runs/{run}/fork" fork_run Run Call changes::fork,
    "Starts a run that keeps the first turns of this one.", 201 RUN;
    query: WAITS,
    body: &[
        Field::required("turns", Type::Whole(u32::MAX as u64), "The number of turns to keep."),
        Field::new("model", Type::Text, "The model that goes on."),
        SETTINGS,
    ]),
    route!(GET "/v1/questions" list_questions View Short questions::list,
        "Lists the open questions of all runs.", 200 Content::Json("Questions");
        query: &[Field::new("agent", Type::Text, "The agent of the run.")]),
    route!(GET "/v1/events" watch_runs View Stream events::all,
        "Streams the events of all runs.", 200 Content::Events; query: AFTER, headers: LAST),
    route!(GET "/openapi.json" describe View Short health::describe, "Describes this API.",
        200 Content::Json("Description")),
    route!(GET "/metrics" metrics View Short health::metrics,
        "Shows counts and times as Prometheus reads them.", 200 Content::Text),
    route!(GET "/healthz" healthz Open Short health::live, "Tells that the server runs.",
        200 Content::Json("Health")),
    route!(GET "/readyz" readyz Open Short health::ready,
        "Tells whether the server takes runs, and can read its store.", 200 Content::Json("Health")),
];

const AFTER: &[Field] =
    &[Field::new("after", Type::Text, "The id of the last event that was seen.")];

const LAST: &[Field] =
    &[Field::new("Last-Event-ID", Type::Text, "The id of the last event that was seen.")];

/// The route of a request.
pub(crate) enum Found {
    /// The route, and the parts of the path that it names.
    Route(&'static Route, Vec<String>),
    /// The path has other methods.
    OtherMethod(Vec<&'static str>),
    /// There is no such path.
    Nothing,
}

/// Finds the route of a method and a path.
pub(crate) fn find(method: &Method, path: &str) -> Found {
    let mut others = Vec::new();
    for route in ROUTES {
        let Some(parts) = parts(route.path, path) else { continue };
        if route.method == method.as_str() {
            return Found::Route(route, parts);
        }
        others.push(route.method);
    }
    if others.is_empty() { Found::Nothing } else { Found::OtherMethod(others) }
}

/// Returns the parts of a path that a pattern names; `None` if they do not fit.
fn parts(pattern: &str, path: &str) -> Option<Vec<String>> {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    let mut parts = Vec::new();
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(parts),
            (Some(wanted), Some(given)) if wanted.starts_with('{') => {
                let part = percent_encoding::percent_decode_str(given).decode_utf8().ok()?;
                if part.is_empty() {
                    return None;
                }
                parts.push(part.into_owned());
            }
            (Some(wanted), Some(given)) if wanted == given => {}
            _ => return None,
        }
    }
}

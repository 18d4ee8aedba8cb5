//! A client of a Restate server: starts, answers and cancels runs, and reads their record.

use std::fmt::Write as _;

use ptc_subagent::store::Store;
use ptc_subagent::{Error, ErrorKind};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Response, Url};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::decide::{Begin, Begun, Decide};
use crate::log::Line;
use crate::names;
use crate::text::{self, Page};

/// The port at which a server has its administration, unless its address is given.
const ADMIN_PORT: u16 = 9070;

/// The media type of everything that is sent and received.
const JSON: &str = "application/json";

/// A client of a Restate server.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    ingress: Url,
    admin: Url,
}

/// The answer to a query of the administration.
#[derive(Deserialize)]
struct Rows<R> {
    rows: Vec<R>,
}

#[derive(Deserialize)]
struct Key {
    service_key: String,
}

/// An error that the server answers with.
#[derive(Deserialize)]
struct Problem {
    message: String,
}

impl Client {
    /// Creates a client of a server: the address of its ingress, and that of its administration, which by default is at
    /// port 9070 of the same machine.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if an address is no URL; [`ErrorKind::Store`] if HTTP cannot be set up.
    pub fn new(ingress: &str, admin: Option<&str>) -> Result<Client, Error> {
        let url = |text: &str| {
            let parsed: Result<Url, _> = text.parse();
            parsed.ok().filter(Url::has_host).ok_or_else(|| {
                let message = format!("`{text}` is not the address of a server");
                Error::new(ErrorKind::Input, message)
                    .with_help("write it as `http://127.0.0.1:8080`")
            })
        };
        let ingress = url(ingress)?;
        let admin = match admin {
            Some(admin) => url(admin)?,
            None => {
                let mut admin = ingress.clone();
                // A URL with a host has a port.
                let _ = admin.set_port(Some(ADMIN_PORT));
                admin
            }
        };
        let http = ptc_subagent::host::http_client(&ingress)?;
        Ok(Client { http, ingress, admin })
    }

    /// Starts a run. Returns its id.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the server cannot be asked, or refuses.
    pub async fn start(&self, begin: &Begin) -> Result<String, Error> {
        let begun: Begun = self.post(&[names::RUNS, "start"], begin).await?;
        Ok(begun.run)
    }

    /// Decides about a run that waits. It goes on by itself.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the server cannot be asked, or refuses: the run does not wait, or a decision does not fit.
    pub async fn decide(&self, run: &str, decide: &Decide) -> Result<(), Error> {
        self.post(&[names::RECORD, run, "decide"], decide).await
    }

    /// Cancels a run. It ends when the step that it waits for has ended.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the server cannot be asked, or has no such run.
    pub async fn cancel(&self, run: &str) -> Result<(), Error> {
        self.post(&[names::RUN, run, "cancel"], &()).await
    }

    /// Waits until a run ends. Returns the fields of the event that ended it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the server cannot be asked, or has no such run.
    pub async fn attach(&self, run: &str) -> Result<serde_json::Value, Error> {
        let path = ["restate", "workflow", names::RUN, run, "attach"];
        let answer = self.http.get(at(&self.ingress, &path)).send().await;
        body(answer).await
    }

    /// Reads the runs of the server whose ids begin with a text into a store in memory, with those below them.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Store`] if the server cannot be asked.
    pub async fn read(&self, prefix: &str) -> Result<Store, Error> {
        let mut query = format!(
            "SELECT DISTINCT service_key FROM state WHERE service_name = '{}'",
            names::RECORD
        );
        // Ids have nothing else, so no text of the user reaches the query.
        let prefix: String = prefix.chars().filter(char::is_ascii_alphanumeric).collect();
        if !prefix.is_empty() {
            // Writing to a string never fails.
            let _ = write!(query, " AND service_key LIKE '{}%'", prefix.to_ascii_lowercase());
        }
        let request =
            self.http.post(at(&self.admin, &["query"])).body(json!({"query": query}).to_string());
        let answer = request.header(CONTENT_TYPE, JSON).header(ACCEPT, JSON).send().await;
        let keys: Rows<Key> = body(answer).await?;
        let store = Store::in_memory()?;
        for Key { service_key } in keys.rows {
            let lines = self.log(&service_key).await?;
            let import = || store.import_lines(lines.iter().map(|it| it.get()));
            tokio::task::block_in_place(import)?;
        }
        Ok(store)
    }

    async fn log(&self, run: &str) -> Result<Vec<Line>, Error> {
        let (mut text, mut from) = (String::new(), Some(0));
        while let Some(number) = from {
            let page: Page = self.post(&[names::RECORD, run, "log"], &number).await?;
            text.push_str(&page.text);
            from = page.next;
        }
        text::lines(text.as_bytes()).map_err(|why| failed(&why))
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &[&str],
        send: &impl Serialize,
    ) -> Result<T, Error> {
        let request = self.http.post(at(&self.ingress, path));
        let send = serde_json::to_string(send).map_err(|error| failed(&error.to_string()))?;
        // A handler without an input refuses one.
        let request =
            if send == "null" { request } else { request.header(CONTENT_TYPE, JSON).body(send) };
        body(request.send().await).await
    }
}

/// Returns the address of a path below another one.
fn at(base: &Url, path: &[&str]) -> Url {
    let mut url = base.clone();
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend(path);
    }
    url
}

/// Reads an answer.
async fn body<T: DeserializeOwned>(answer: reqwest::Result<Response>) -> Result<T, Error> {
    let unreachable = |error: reqwest::Error| {
        let error = error.without_url();
        failed(&error.to_string()).with_help("is the Restate server running at this address?")
    };
    let answer = answer.map_err(unreachable)?;
    let status = answer.status();
    let bytes = answer.bytes().await.map_err(unreachable)?;
    if !status.is_success() {
        let problem: Option<Problem> = serde_json::from_slice(&bytes).ok();
        let why = problem.map_or_else(|| status.to_string(), |it| it.message);
        return Err(failed(&why));
    }
    let text: &[u8] = if bytes.is_empty() { b"null" } else { bytes.as_ref() };
    serde_json::from_slice(text).map_err(|error| failed(&error.to_string()))
}

fn failed(why: &str) -> Error {
    Error::new(ErrorKind::Store, format!("the Restate server: {why}"))
}

//! Records of runs: the native half of `Store`.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use napi::Result;
use napi_derive::napi;
use ptc_subagent::replay::{Difference, Replay, Replayed};
use ptc_subagent::store::{Filter, Hidden};
use ptc_subagent::{Data, Error, store};
use ptc_view::RunsPage;
use serde::Serialize;
use serde_json::json;

use crate::error::{plain, told};
use crate::text;
use crate::work::{Handle, Port};

/// A store of runs.
#[napi]
pub struct Store(Arc<store::Store>);

#[napi]
impl Store {
    /// Starts to open a store in a file, or one in memory.
    #[napi]
    pub fn open(port: &Port, id: u32, path: Option<String>) -> Result<Handle> {
        port.start_blocking(id, move |work| {
            let opened = match &path {
                Some(path) => store::Store::open(Path::new(path)),
                None => store::Store::in_memory(),
            };
            work.keep(Store(Arc::new(opened.map_err(|error| told(&error))?)));
            Ok("null".to_owned())
        })
    }

    /// Takes the store that was opened.
    #[napi]
    pub fn opened(handle: &Handle) -> Result<Store> {
        handle.take()
    }

    /// Starts to read the summaries of the newest runs, perhaps only those of the conversation of a run.
    #[napi]
    pub fn runs(
        &self,
        port: &Port,
        id: u32,
        limit: u32,
        conversation: Option<String>,
    ) -> Result<Handle> {
        let mut filter = Filter::default();
        filter.limit = Some(limit);
        filter.conversation = conversation;
        self.read(port, id, move |store| store.find(&filter).map(|found| found.runs))
    }

    /// Starts to read the record of a run.
    #[napi]
    pub fn show(&self, port: &Port, id: u32, run: String) -> Result<Handle> {
        self.read(port, id, move |store| store.show(&run))
    }

    /// Starts to make the page of a run and of the runs below it, as HTML.
    #[napi]
    pub fn page(&self, port: &Port, id: u32, run: String, shows_hidden: bool) -> Result<Handle> {
        let store = Arc::clone(&self.0);
        port.start_blocking(id, move |_| {
            let read = store.read(move |snapshot| {
                Ok::<_, Error>((snapshot.family(&run)?, snapshot.tree(&run)?))
            });
            let (family, records) = read.map_err(|error| told(&error))?;
            let hidden = if shows_hidden {
                Hidden::NOTHING
            } else {
                Hidden::of(&family).map_err(|error| told(&error))?
            };
            let mut page = RunsPage::default();
            for record in &records {
                page.add(&hidden.cover(record)).map_err(|error| plain(error.to_string()))?;
            }
            Ok(json!(page.of_one()).to_string())
        })
    }

    /// Starts to find the origins of the arguments of a call.
    #[napi]
    pub fn why(
        &self,
        port: &Port,
        id: u32,
        run: String,
        call: String,
        argument: Option<String>,
        shows_hidden: bool,
    ) -> Result<Handle> {
        self.read(port, id, move |store| {
            let (family, record) = store.read(move |snapshot| {
                Ok::<_, Error>((snapshot.family(&run)?, snapshot.show(&run)?))
            })?;
            let hidden = if shows_hidden { Hidden::NOTHING } else { Hidden::of(&family)? };
            hidden.cover(&record).why(&call, argument.as_deref())
        })
    }

    /// Starts to write runs, with those of their sub-agents, to a file.
    #[napi]
    pub fn export(&self, port: &Port, id: u32, runs: Vec<String>, path: String) -> Result<Handle> {
        let store = Arc::clone(&self.0);
        port.start_blocking(id, move |_| {
            let path = PathBuf::from(path);
            let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
            let file = File::create(&path).map_err(|error| unreadable(&path, &error))?;
            store
                .export(&runs, path.parent(), BufWriter::new(file))
                .map_err(|error| told(&error))?;
            Ok("null".to_owned())
        })
    }

    /// Starts to read the runs of a file. Its result has their ids.
    #[napi]
    pub fn import_runs(&self, port: &Port, id: u32, path: String) -> Result<Handle> {
        let store = Arc::clone(&self.0);
        port.start_blocking(id, move |_| {
            let path = PathBuf::from(path);
            let file = File::open(&path).map_err(|error| unreadable(&path, &error))?;
            let ids = store.import(path.parent(), BufReader::new(file));
            let ids = ids.map_err(|error| told(&error))?;
            Ok(json!(ids.iter().map(ToString::to_string).collect::<Vec<_>>()).to_string())
        })
    }

    /// Starts to record that the observer of a run has failed.
    #[napi]
    pub fn record_observer_failure(
        &self,
        port: &Port,
        id: u32,
        run: String,
        message: String,
    ) -> Result<Handle> {
        let store = self.own();
        port.start(id, |_| async move {
            let recorded = store.record_observer_failure(&run, &message).await;
            recorded.map(|()| "null".to_owned()).map_err(|error| told(&error))
        })
    }

    /// Starts to replay a run, perhaps with another program in one turn.
    #[napi]
    pub fn replay(
        &self,
        port: &Port,
        id: u32,
        run: String,
        turn: Option<u32>,
        program: Option<String>,
    ) -> Result<Handle> {
        let store = Arc::clone(&self.0);
        port.start(id, |work| async move {
            let replayed = async {
                let mut replay = Replay::of(&store, &run)?;
                if let (Some(turn), Some(program)) = (turn, &program) {
                    replay = replay.with_program(turn, program)?;
                }
                replay.run().await
            };
            tokio::select! {
                replayed = replayed => replayed.map(shown).map_err(|error| told(&error)),
                () = work.stopped() => Err(plain("the replay was stopped")),
            }
        })
    }
}

impl Store {
    /// Returns the store itself.
    pub(crate) fn own(&self) -> Arc<store::Store> {
        Arc::clone(&self.0)
    }

    fn read<T: Serialize>(
        &self,
        port: &Port,
        id: u32,
        read: impl FnOnce(&store::Store) -> std::result::Result<T, Error> + Send + 'static,
    ) -> Result<Handle> {
        let store = self.own();
        port.start_blocking(id, move |_| {
            let found = read(&store).and_then(|found| Data::written(&found));
            found.map(|it| text::of_data(&it)).map_err(|error| told(&error))
        })
    }
}

fn shown(replayed: Replayed) -> String {
    let list = |from: &[Difference]| Data::written(from).unwrap_or_default();
    let found = Data::from(json!({"report": null, "missing": replayed.missing}));
    let found = found.with("report", replayed.report.map(|it| it.to_json()).unwrap_or_default());
    let found = found.with("differences", list(&replayed.differences));
    text::of_data(&found.with("drift", list(&replayed.drift)))
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    plain(format!("{}: {error}", path.display()))
}

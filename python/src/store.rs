//! Records of runs: the native half of `ptc.Store`.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;

use ptc_subagent::replay::{Difference, Replay, Replayed};
use ptc_subagent::store::{Filter, Hidden};
use ptc_subagent::{Data, Error, store};
use ptc_view::RunsPage;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;
use serde_json::json;

use crate::callback::Stop;
use crate::error::raise;
use crate::runtime::{stopped, wait_here};
use crate::to_python::object;
use crate::work::Work;

/// A store of runs.
#[pyclass(module = "ptc._ptc", frozen)]
pub(crate) struct Store {
    store: Arc<store::Store>,
    /// The process that opened it. Its connections are of no use to a forked one.
    process: u32,
}

#[pymethods]
impl Store {
    /// Opens a store in a file, or one in memory.
    #[new]
    fn new(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Store> {
        let open = || match &path {
            Some(path) => store::Store::open(path),
            None => store::Store::in_memory(),
        };
        let store = Arc::new(py.detach(open).map_err(raise)?);
        Ok(Store { store, process: process::id() })
    }

    /// Returns the summaries of the newest runs, perhaps only those of the conversation of a run.
    fn runs<'py>(
        &self,
        py: Python<'py>,
        limit: u32,
        conversation: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut filter = Filter::default();
        filter.limit = Some(limit);
        filter.conversation = conversation;
        self.read(py, |store| store.find(&filter).map(|found| found.runs))
    }

    /// Returns the record of a run.
    fn show<'py>(&self, py: Python<'py>, run: &str) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |store| store.show(run))
    }

    /// Returns the page of a run and of the runs below it, as HTML.
    fn page(&self, py: Python<'_>, run: &str, shows_hidden: bool) -> PyResult<String> {
        let store = self.own()?;
        let run = run.to_owned();
        let (family, records) = py.detach(|| {
            let read = store.read(move |snapshot| {
                Ok::<_, Error>((snapshot.family(&run)?, snapshot.tree(&run)?))
            });
            read.map_err(raise)
        })?;
        let hidden =
            if shows_hidden { Hidden::NOTHING } else { Hidden::of(&family).map_err(raise)? };
        let mut page = RunsPage::default();
        for record in &records {
            page.add(&hidden.cover(record)).map_err(unwritten)?;
        }
        Ok(page.of_one())
    }

    /// Returns the origins of the arguments of a call.
    fn why<'py>(
        &self,
        py: Python<'py>,
        run: &str,
        call: &str,
        argument: Option<&str>,
        shows_hidden: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = run.to_owned();
        self.read(py, |store| {
            let (family, record) = store.read(move |snapshot| {
                Ok::<_, Error>((snapshot.family(&run)?, snapshot.show(&run)?))
            })?;
            let hidden = if shows_hidden { Hidden::NOTHING } else { Hidden::of(&family)? };
            hidden.cover(&record).why(call, argument)
        })
    }

    /// Writes runs, with those of their sub-agents, to a file.
    fn export(&self, py: Python<'_>, runs: Vec<String>, path: PathBuf) -> PyResult<()> {
        let store = self.own()?;
        let runs: Vec<&str> = runs.iter().map(String::as_str).collect();
        let file = BufWriter::new(File::create(&path)?);
        py.detach(|| store.export(&runs, path.parent(), file)).map_err(raise)
    }

    /// Reads the runs of a file. Returns their ids.
    fn import_runs(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let store = self.own()?;
        let file = BufReader::new(File::open(&path)?);
        let ids = py.detach(|| store.import(path.parent(), file)).map_err(raise)?;
        Ok(ids.iter().map(ToString::to_string).collect())
    }

    /// Records that the observer of a run has failed.
    fn record_observer_failure(&self, py: Python<'_>, run: &str, message: &str) -> PyResult<()> {
        let (store, stop) = (self.own()?, Stop::default());
        wait_here(py, &stop, store.record_observer_failure(run, message))?.map_err(raise)
    }

    /// Replays a run, perhaps with another program in one turn.
    fn replay<'py>(
        &self,
        py: Python<'py>,
        run: &str,
        program: Option<(u32, String)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (store, stop) = (self.own()?, Arc::new(Stop::default()));
        let replayed = wait_here(py, &stop, replay(store, run, program, stopped(&stop)))?;
        if let Some(error) = stop.take() {
            return Err(error);
        }
        shown(py, replayed)
    }

    /// Starts a replay on the threads of the package.
    fn start_replay(
        &self,
        run: String,
        program: Option<(u32, String)>,
        notify: Py<PyAny>,
    ) -> PyResult<Work> {
        let store = self.own()?.clone();
        Work::start(notify, |stop| async move {
            let replayed = replay(&store, &run, program, stop.wait()).await;
            move |py: Python<'_>| shown(py, replayed).map(Bound::unbind)
        })
    }
}

impl Store {
    /// Returns the store, which a forked process cannot use.
    pub(crate) fn own(&self) -> PyResult<&Arc<store::Store>> {
        if self.process == process::id() {
            return Ok(&self.store);
        }
        Err(PyRuntimeError::new_err("the store was opened before a fork: open it again"))
    }

    fn read<'py, T: Serialize + Send>(
        &self,
        py: Python<'py>,
        read: impl FnOnce(&store::Store) -> Result<T, Error> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let store = self.own()?;
        let found = py.detach(|| read(store)).map_err(raise)?;
        object(py, Data::written(&found).map_err(raise)?.value())
    }
}

/// Replays a run. Returns nothing if it is stopped.
async fn replay(
    store: &store::Store,
    run: &str,
    program: Option<(u32, String)>,
    stopped: impl Future<Output = ()>,
) -> Option<Result<Replayed, Error>> {
    let replayed = async {
        let mut replay = Replay::of(store, run)?;
        if let Some((turn, program)) = &program {
            replay = replay.with_program(*turn, program)?;
        }
        replay.run().await
    };
    tokio::select! {
        replayed = replayed => Some(replayed),
        () = stopped => None,
    }
}

fn shown(py: Python<'_>, replayed: Option<Result<Replayed, Error>>) -> PyResult<Bound<'_, PyAny>> {
    let replayed = replayed.ok_or_else(|| PyRuntimeError::new_err("the replay was stopped"))?;
    let replayed = replayed.map_err(raise)?;
    let list = |from: &[Difference]| Data::written(from).unwrap_or_default();
    let found = Data::from(json!({"report": null, "missing": replayed.missing}));
    let found = found.with("report", replayed.report.map(|it| it.to_json()).unwrap_or_default());
    let found = found.with("differences", list(&replayed.differences));
    object(py, found.with("drift", list(&replayed.drift)).value())
}

fn unwritten(error: serde_json::Error) -> PyErr {
    PyRuntimeError::new_err(format!("cannot show the runs: {error}"))
}

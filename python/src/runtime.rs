//! The runtimes that wait for calls.

use std::cell::RefCell;
use std::process;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::time::sleep;

use crate::callback::Stop;

/// The time between two looks at the signals of the process.
pub(crate) const SIGNALS: Duration = Duration::from_millis(50);

/// The longest wait for the threads of the package when Python ends. A function that blocks keeps its thread.
const END: Duration = Duration::from_secs(1);

thread_local! {
    /// The runtime of this thread, and the process that made it: a forked process makes its own.
    static HERE: RefCell<Option<(u32, Runtime)>> = const { RefCell::new(None) };
}

/// The runtime of runs, and the process that made it.
static SHARED: Mutex<Option<(u32, Runtime)>> = Mutex::new(None);

/// Waits on this thread for a future, without the lock of Python. A signal such as Ctrl-C reaches `stop`, if the future
/// waits for [`stopped`].
///
/// # Errors
///
/// The reason that this thread cannot wait.
pub(crate) fn wait_here<T: Send>(
    py: Python<'_>,
    stop: &Stop,
    future: impl Future<Output = T> + Send,
) -> PyResult<T> {
    py.detach(|| {
        if Handle::try_current().is_err() {
            return block_on(future);
        }
        // A tool of a program runs another program: this thread already waits for the first one. Only the main thread
        // sees signals, so it keeps looking.
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            scope.spawn(move || sender.send(block_on(future)));
            loop {
                match receiver.recv_timeout(SIGNALS) {
                    Ok(done) => return done,
                    Err(RecvTimeoutError::Timeout) => look_at_signals(stop),
                    Err(RecvTimeoutError::Disconnected) => {
                        return Err(broken("a thread broke down"));
                    }
                }
            }
        })
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> PyResult<T> {
    let pid = process::id();
    let known = HERE.with(RefCell::take).filter(|(owner, _)| *owner == pid);
    let runtime = match known {
        Some((_, runtime)) => runtime,
        None => Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|error| broken(&format!("cannot wait for calls: {error}")))?,
    };
    let done = runtime.block_on(future);
    HERE.with(|it| it.replace(Some((pid, runtime))));
    Ok(done)
}

/// Starts the work of a run on the threads of the package.
///
/// # Errors
///
/// The reason that there are no threads.
pub(crate) fn spawn(work: impl Future<Output = ()> + Send + 'static) -> PyResult<()> {
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    let pid = process::id();
    if shared.as_ref().is_none_or(|(owner, _)| *owner != pid) {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .thread_name("ptc-runs")
            .build()
            .map_err(|error| broken(&format!("cannot start threads: {error}")))?;
        // The threads of a parent process are not in this one, so its runtime cannot end here.
        std::mem::forget(shared.replace((pid, runtime)));
    }
    if let Some((_, runtime)) = shared.as_ref() {
        runtime.spawn(work);
    }
    Ok(())
}

/// Ends all runs. Python calls it before it ends.
#[pyfunction]
pub(crate) fn shutdown(py: Python<'_>) {
    let shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner).take();
    match shared {
        Some((owner, runtime)) if owner == process::id() => {
            py.detach(|| runtime.shutdown_timeout(END));
        }
        forked => std::mem::forget(forked),
    }
}

/// Waits until the program must stop: for an exception of a tool, or for a signal such as Ctrl-C.
pub(crate) async fn stopped(stop: &Stop) {
    let signals = async {
        loop {
            sleep(SIGNALS).await;
            look_at_signals(stop);
        }
    };
    tokio::select! {
        () = stop.wait() => (),
        () = signals => (),
    }
}

fn look_at_signals(stop: &Stop) {
    let look = |py: Python<'_>| py.check_signals().map_err(|error| stop.raise(error));
    // While the interpreter ends, nobody looks.
    let _ = Python::try_attach(look);
}

fn broken(message: &str) -> PyErr {
    PyRuntimeError::new_err(message.to_owned())
}

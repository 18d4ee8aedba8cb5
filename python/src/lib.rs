//! The native module of the Python package `ptc`.

#![expect(
    clippy::needless_pass_by_value,
    reason = "functions that Python calls own their arguments"
)]

mod agent;
mod callback;
mod error;
mod model;
mod problem;
mod python;
mod run;
mod runtime;
mod session;
mod store;
mod style;
mod to_python;
mod to_value;
mod tools;
mod work;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The native half of the package `ptc`.
#[pyo3::pymodule(name = "_ptc")]
mod native {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use pyo3::exceptions::PyImportError;
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::runtime::shutdown;
    #[pymodule_export]
    use crate::session::{Session, limits};
    #[pymodule_export]
    use crate::store::Store;
    #[pymodule_export]
    use crate::style::register_style;
    #[pymodule_export]
    use crate::work::Work;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python expects")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Refuses a second interpreter of the process, because objects of the first one are kept. Python 3.12 and later
    /// refuse it themselves.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        static OWNER: AtomicUsize = AtomicUsize::new(0);
        // Each interpreter has its own module `sys`.
        let own = module.py().import("sys")?.as_ptr() as usize;
        match OWNER.compare_exchange(0, own, Ordering::SeqCst, Ordering::SeqCst) {
            Err(owner) if owner != own => {
                Err(PyImportError::new_err("module ptc._ptc does not support subinterpreters"))
            }
            _ => Ok(()),
        }
    }
}

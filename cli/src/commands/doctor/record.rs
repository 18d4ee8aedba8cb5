//! The check of the record.

use std::path::Path;

use ptc_subagent::store::Store;

use super::check::{Check, State};
use crate::records;

/// Checks that runs can be recorded. Creates nothing: the first run creates the record.
pub(super) fn record(option: Option<&Path>) -> Check {
    let what = "record";
    let path = match records::place(option) {
        Ok((path, _)) => path,
        Err(fault) => {
            return Check::new(what, State::Fail, fault.to_string())
                .with_help("name a place with `--store FILE` or in PTC_STORE");
        }
    };
    let shown = path.display();
    if !path.exists() {
        let folder = path.ancestors().skip(1).find(|it| it.exists() || it.as_os_str().is_empty());
        let is_closed =
            folder.and_then(|it| it.metadata().ok()).is_some_and(|it| it.permissions().readonly());
        if is_closed {
            let why = format!("{shown} cannot be created: its folder is not writable");
            return Check::new(what, State::Fail, why)
                .with_help("name another place with `--store FILE` or in PTC_STORE");
        }
        return Check::new(what, State::Ok, format!("{shown} will be created by the first run"));
    }
    let count = Store::open_read_only(&path).and_then(|store| store.runs(1));
    match count {
        Err(error) => Check::of_error(what, &error),
        Ok(_) => match std::fs::OpenOptions::new().append(true).open(&path) {
            Ok(_) => Check::new(what, State::Ok, format!("{shown} opens and is writable")),
            Err(error) => {
                Check::new(what, State::Fail, format!("{shown} cannot be written: {error}"))
                    .with_help("name another place with `--store FILE` or in PTC_STORE")
            }
        },
    }
}

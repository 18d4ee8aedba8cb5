//! Chains of runs: each continues from the payload of the one before it, or from its conversation.

use std::collections::BTreeSet;

use super::Store;
use super::snapshot::Snapshot;
use crate::error::{Error, ErrorKind};
use crate::record::{EarlierPayload, RunId, RunRecord};

impl Store {
    /// Returns the payload of a run at its end, for [`Mission::continue_payload`](crate::Mission::continue_payload). A
    /// unique prefix of the id is enough. An absent run and a run without a payload are not errors.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Input`] if the runs that continue from one another form a circle, which only an edited record does;
    /// [`ErrorKind::Store`] and [`ErrorKind::DamagedRun`] if the store cannot be read.
    pub fn payload_of(&self, run: &str) -> Result<EarlierPayload, Error> {
        let run = run.to_string();
        self.read(move |snapshot| snapshot.payload_of(&run))
    }
}

impl Store {
    /// Checks that the runs of a conversation up to this one form no circle, which only an edited record does.
    pub(crate) fn check_conversation(&self, record: &RunRecord) -> Result<(), Error> {
        let run = record.summary.run.clone();
        let after = record.after.as_ref().map(|it| it.run.clone());
        self.read(move |snapshot| {
            let circle = "the runs of the conversation form a circle";
            check_chain(&run, after.as_ref(), circle, |run| snapshot.run_before(run))
        })
    }
}

impl Snapshot<'_> {
    /// Returns the payload of a run at its end, as [`Store::payload_of`] does.
    ///
    /// # Errors
    ///
    /// As [`Store::payload_of`].
    pub fn payload_of(&self, run: &str) -> Result<EarlierPayload, Error> {
        let record = match self.show(run) {
            Ok(record) => record,
            Err(error) if error.kind() == ErrorKind::UnknownRun => {
                let lost = Some(format!("no payload to continue from: {}", error.message()));
                return Ok(EarlierPayload { run: None, payload: None, lost });
            }
            Err(error) => return Err(error),
        };
        let first = record.summary.run.clone();
        let from = record.payload.as_ref().and_then(|it| it.from.as_ref());
        let circle = "the payloads of runs form a circle";
        check_chain(&first, from, circle, |run| self.payload_from(run))?;
        let payload = record.payload.and_then(|it| it.end);
        let lost = payload
            .is_none()
            .then(|| format!("no payload to continue from: run {first} has no payload at its end"));
        Ok(EarlierPayload { run: Some(first), payload, lost })
    }
}

/// Follows a chain of runs to its end. A run that is in it twice is an error.
fn check_chain(
    last: &RunId,
    before: Option<&RunId>,
    circle: &str,
    run_before: impl Fn(&str) -> Result<Option<String>, Error>,
) -> Result<(), Error> {
    let mut seen = BTreeSet::from([last.to_string()]);
    let mut next = before.map(ToString::to_string);
    while let Some(run) = next {
        next = run_before(&run)?;
        if let Some(twice) = seen.replace(run) {
            let message = format!("{circle}: run {twice} is in it twice");
            return Err(Error::new(ErrorKind::Input, message));
        }
    }
    Ok(())
}

//! Fields that are nowhere in the data: what the model is told, and the warnings of the report.

use ptc_lisp::{Admitted, Ended, Value, json};

use super::Programs;
use crate::agent::StrictFields;
use crate::data::Data;
use crate::record::RunError;
use crate::run::continuation::Suspect;
use crate::run::turn_end::TurnEnd;
use crate::run::turns::Rules;

impl Programs<'_> {
    /// Notes the warnings of admission.
    pub(super) fn note_warnings(
        &self,
        admitted: &Admitted,
        warnings: &[RunError],
        end: &mut TurnEnd,
    ) {
        end.is_strict = true;
        end.warnings = warnings.to_vec();
        if self.tells_unseen() {
            end.unseen = admitted.unseen_fields().cloned().collect();
        }
    }

    /// Notes the watched fields that a program did not find.
    pub(super) fn note_unseen(&self, ended: &mut Ended, end: &mut TurnEnd) {
        if !end.is_strict {
            return;
        }
        end.warnings.extend(ended.unseen.iter().map(RunError::from));
        if self.tells_unseen() {
            end.unseen.append(&mut ended.unseen);
        }
    }

    /// Returns whether the model is told. A program that is made from its reply is not its own.
    fn tells_unseen(&self) -> bool {
        self.agent.strict_fields != StrictFields::Off && self.rules.writes_programs
    }

    /// Returns whether a returned value is held back, so that the model is told of a field that is nowhere in the data.
    /// It is told once of each.
    pub(super) fn holds_back(&self, end: &TurnEnd) -> bool {
        self.agent.strict_fields == StrictFields::Hold
            && self.agent.workflow.is_none()
            && !Rules::of(self.agent).is_last(end.turn, false)
            && end.unseen.iter().any(|it| !self.told_unseen.contains(it.message()))
    }

    /// Remembers the unknown fields that the model is told, and the value of the program that reads them.
    pub(super) fn tell_unseen(&mut self, value: &Value, end: &TurnEnd) {
        if end.unseen.is_empty() {
            return;
        }
        self.told_unseen.extend(end.unseen.iter().map(|it| it.message().to_owned()));
        self.suspect = json::plain(value)
            .ok()
            .map(|value| Suspect { value: Data::made(value), warnings: end.warnings.clone() });
    }

    /// Takes the warnings about the program that made the answer. It may be that of an earlier turn, as by `(return *1)`.
    pub(super) fn warnings_of_answer(
        &mut self,
        answer: &Value,
        end: &mut TurnEnd,
    ) -> Vec<RunError> {
        let earlier = self.suspect.take().filter(|it| it.value.value() == answer);
        let mut all = earlier.map(|it| it.warnings).unwrap_or_default();
        for warning in std::mem::take(&mut end.warnings) {
            if !all.contains(&warning) {
                all.push(warning);
            }
        }
        all
    }
}

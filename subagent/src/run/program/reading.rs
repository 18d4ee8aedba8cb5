//! The reading of the model of a run: constants of its later programs may come from that.

use ptc_lisp::labels::{Flows, Label, Sources};
use ptc_lisp::{Rejection, Value, json};

use super::Programs;
use super::labels::{ProgramLabels, add, at_first, label_of, sources_of};
use crate::record::Earlier;
use crate::run::payload::GivenPayload;

impl Programs<'_> {
    /// Takes over the labels of a payload: those that a caller may have put there, and all if it is of an earlier run. The
    /// state after the run before in the conversation has exact ones.
    pub(in crate::run) fn label_payload(&mut self, given: &GivenPayload, after: Option<&Earlier>) {
        self.labels.of_payload.clone_from(&given.labels);
        let before = after.filter(|it| it.state.is_some()).map(|it| &it.run);
        if given.from.is_some() && given.from.as_ref() != before {
            let all = self.sources().everything();
            self.labels.of_payload.extend(all.iter().map(|mark| mark.name.to_string()));
        }
        self.session.set_labels(self.sources());
        self.note_quarantine();
    }

    /// Returns the label of the messages of users.
    pub(super) fn asked(&self) -> Label {
        let sources = self.sources();
        let mut asked = sources.conversation();
        match self.agent.message_input() {
            Some(name) => asked.add(&sources.input(name)),
            None => sources.inputs.iter().for_each(|(key, _)| asked.add(&sources.input(key))),
        }
        asked
    }

    /// Returns the labels of what programs read.
    pub(super) fn sources(&self) -> Sources {
        let mut sources = sources_of(self.agent, &self.tools);
        if self.agent.policy.has_labels() && !self.agent.trust.contains_key("payload") {
            sources.payload.extend(self.labels.of_payload.iter().map(Into::into));
        }
        sources
    }

    /// Gives the session the labels for the next program: a constant that is in no trusted text may come from what the
    /// model has read.
    pub(super) fn label_constants(&mut self) {
        if !self.agent.policy.has_labels() || self.agent.workflow.is_some() {
            return;
        }
        let mut sources = self.sources();
        let mut label = Label::default();
        add(&mut label, &self.session.reading().label);
        add(&mut label, &sources.shown(&at_first(self.agent, &self.tools, &sources)));
        self.labels.is_suspect = !label.is_empty();
        if self.labels.is_suspect {
            let trusted = self.trusted_text(&sources);
            sources.suspect_literals(label, &trusted);
        }
        self.session.set_labels(sources);
    }

    /// Notes what the model reads of the earlier runs of the conversation: messages of users, and answers. A user's
    /// message has the labels of the input.
    pub(super) fn note_earlier(&mut self, earlier: &Earlier) {
        let sources = self.sources();
        let mut label = match &earlier.state {
            // The answer may be a message about what the programs read, or the model's own text.
            Some(_) => {
                let reading = self.session.reading();
                let (value, mut label) = self.session.last();
                if value.is_nil() || !earlier.has_value() {
                    label.add(&reading.met);
                    label.add(&reading.label);
                }
                label
            }
            None => sources.everything(),
        };
        let asked = self.asked();
        label.add(&asked);
        self.session.add_conversation_label(&label);
        let reading = self.session.reading_mut();
        add(&mut reading.label, &sources.shown(&label));
        if asked.is_empty() {
            earlier.of_users().for_each(|text| reading.trust(&text));
        }
    }

    /// Notes what a program that has ended read and gave.
    pub(super) fn note_program(&mut self, source: &str, flows: &Flows) {
        let is_suspect = self.labels.is_suspect;
        let reading = self.session.reading_mut();
        if !is_suspect {
            reading.trust(source);
        }
        reading.met.add(&flows.met);
        let (value, printed, met) = (flows.value.clone(), flows.printed.clone(), flows.met.clone());
        self.labels.of_program = ProgramLabels { value, printed, met };
    }

    /// Notes that the model is going to read the value of the last program and what it printed. `is_more` says that it is
    /// going to read warnings or results of calls too.
    pub(super) fn note_observation(&mut self, is_more: bool) {
        if !self.agent.policy.has_labels() {
            return;
        }
        let sources = self.sources();
        let ProgramLabels { value, printed, met } = &self.labels.of_program;
        let reading = self.session.reading_mut();
        add(&mut reading.label, &sources.shown(value));
        add(&mut reading.label, &sources.shown(printed));
        if is_more {
            add(&mut reading.label, &sources.shown(met));
        }
    }

    /// Notes that the model is going to read why the last program failed, with its calls.
    pub(super) fn note_problem(&mut self) {
        if !self.agent.policy.has_labels() {
            return;
        }
        let met = self.sources().shown(&self.labels.of_program.met);
        add(&mut self.session.reading_mut().label, &met);
    }

    /// Notes that the model is going to read why a program is refused, if that may tell of values that it has not read.
    pub(super) fn note_refusal(&mut self, source: &str, rejection: &Rejection) {
        let reading = self.session.reading();
        let names = reading.met.iter().map(|mark| mark.name.clone());
        let unread: Vec<_> = names.filter(|it| reading.label.named(it).is_none()).collect();
        if !unread.is_empty() && self.session.refusal_tells(source, rejection, &unread) {
            let met = self.sources().shown(&reading.met);
            add(&mut self.session.reading_mut().label, &met);
        }
    }

    /// Returns the texts that the author, the mission and trusted tools gave.
    pub(super) fn trusted_text(&self, sources: &Sources) -> String {
        let mut text = self.agent.prompt.clone();
        for tool in &self.tools {
            // A server may write the declaration of a tool. The author of the agent writes the others.
            if tool.server.is_none() || label_of(self.agent, tool, 0).is_none() {
                text.push('\n');
                text.push_str(&tool.declaration().line());
            }
        }
        if let Some(map) = self.ctx.as_map() {
            for (key, value) in map.iter() {
                let name = Value::name(key).unwrap_or_default();
                if sources.input(name).is_empty()
                    && let Ok(value) = json::write(value)
                {
                    text.push('\n');
                    text.push_str(&value);
                }
            }
        }
        text.push_str(self.session.reading().trusted());
        text
    }
}

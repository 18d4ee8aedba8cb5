//! The reading of the model of a run: constants of its later programs may come from that.

use ptc_lisp::labels::{Flows, Sources};
use ptc_lisp::{Ended, Outcome, Value, json};

use super::Programs;
use super::labels::{ModelReading, add, at_first, label_of, sources_of};

impl Programs<'_> {
    /// Gives the session the labels for the next program: a constant that is in no trusted text may come from what the
    /// model has read.
    pub(super) fn label_constants(&mut self) {
        if !self.agent.policy.has_labels() || self.agent.workflow.is_some() {
            return;
        }
        let mut sources = sources_of(self.agent, &self.tools);
        let mut label = self.reading.label.clone();
        add(&mut label, &at_first(self.agent, &self.tools, &sources));
        if !self.earlier.is_empty() {
            add(&mut label, &sources.everything());
        }
        // The error of a program may quote what it met.
        for mark in label.iter() {
            let input = ("fail".into(), mark.name.clone());
            if !sources.inputs.contains(&input) {
                sources.inputs.push(input);
            }
        }
        self.reading.is_suspect = !label.is_empty();
        if self.reading.is_suspect {
            let trusted = self.trusted_text(&sources);
            sources.suspect_literals(label, &trusted);
        }
        self.session.set_labels(sources);
    }

    /// Takes a snapshot's place: it does not tell what the model has read, so that may be anything.
    pub(super) fn forget_reading(&mut self) {
        let everything = sources_of(self.agent, &self.tools).everything();
        self.reading = ModelReading::default();
        add(&mut self.reading.label, &everything);
    }

    /// Notes what the model is going to read of a program that has ended.
    pub(super) fn note_reading(
        &mut self,
        source: &str,
        ended: &Ended,
        flows: &Flows,
        is_plan: bool,
    ) {
        if !self.reading.is_suspect {
            self.reading.trust(source);
        }
        let shown = &mut self.reading.label;
        match &ended.outcome {
            Outcome::Value(_) | Outcome::Return(_) | Outcome::Continue(_) if !is_plan => {
                add(shown, &flows.value);
                add(shown, &flows.printed);
            }
            _ => add(shown, &flows.met),
        }
    }

    /// Returns the texts that the author, the mission and trusted tools gave.
    fn trusted_text(&self, sources: &Sources) -> String {
        let mut text = self.agent.prompt.clone();
        for tool in &self.tools {
            if label_of(self.agent, tool, 0).is_none() {
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
        text.push_str(&self.reading.trusted);
        text
    }
}

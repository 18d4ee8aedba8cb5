//! Spans of runs for a collector, if the environment names one and the command was built with the feature `otlp`.

use ptc_subagent::{Event, RunId, RunStarted};

#[cfg(feature = "otlp")]
use ptc_subagent::telemetry::Otlp;

/// The exporter of spans, if there is one.
pub(crate) struct Telemetry {
    #[cfg(feature = "otlp")]
    otlp: Option<Otlp>,
    /// The reason there is no exporter although the environment asks for one.
    #[cfg(feature = "otlp")]
    fault: Option<ptc_subagent::Error>,
}

#[cfg(feature = "otlp")]
impl Telemetry {
    /// Reads the environment. Must be called inside a runtime.
    pub(crate) fn from_env() -> Telemetry {
        match Otlp::from_env("ptc") {
            Ok(otlp) => Telemetry { otlp, fault: None },
            Err(error) => Telemetry { otlp: None, fault: Some(error) },
        }
    }

    /// Returns the observer for the events of one mission, which goes on with these runs.
    pub(crate) fn observer(
        &self,
        on_record: Vec<RunStarted>,
    ) -> impl FnMut(&RunId, &Event) + Send + use<> {
        let mut spans = self.otlp.as_ref().map(Otlp::spans);
        if let Some(spans) = &mut spans {
            spans.know(on_record);
        }
        move |run, event| {
            if let Some(spans) = &mut spans {
                spans.see(run, event);
            }
        }
    }

    /// Sends the remaining spans. Returns a warning if spans were lost; the command does not fail then.
    pub(crate) async fn finish(self) -> Option<String> {
        let sent = match (self.otlp, self.fault) {
            (Some(otlp), _) => otlp.finish().await,
            (None, Some(error)) => Err(error),
            (None, None) => Ok(()),
        };
        let error = sent.err()?;
        let help = error.help().map(|it| format!("\nhelp: {it}")).unwrap_or_default();
        Some(crate::report::clean(&format!("warning: {error}{help}\n")))
    }
}

#[cfg(not(feature = "otlp"))]
impl Telemetry {
    pub(crate) fn from_env() -> Telemetry {
        Telemetry {}
    }

    pub(crate) fn observer(&self, _: Vec<RunStarted>) -> impl FnMut(&RunId, &Event) + Send + use<> {
        |_, _| ()
    }

    pub(crate) fn finish(self) -> std::future::Ready<Option<String>> {
        std::future::ready(None)
    }
}

//! Spans of runs, made from their events. Their names follow OpenTelemetry's conventions for generative AI.
//!
//! [`Spans`] emits spans of `tracing` to any subscriber (feature `tracing`). `Otlp` sends them to a collector (feature
//! `otlp`). Runs depend on neither. `docs/observability.md` lists spans and attributes.

#[cfg(feature = "otlp")]
mod otlp;
mod spans;

#[cfg(feature = "otlp")]
pub use otlp::Otlp;
pub use spans::Spans;

//! Runs as spans: made of their events, named as OpenTelemetry's conventions for generative AI say.
//!
//! [`Spans`] makes spans of `tracing` (feature `tracing`), for any subscriber. `Otlp` sends them to a collector
//! (feature `otlp`). Nothing of a run depends on either. `docs/observability.md` lists spans and attributes.

#[cfg(feature = "otlp")]
mod otlp;
mod spans;

#[cfg(feature = "otlp")]
pub use otlp::Otlp;
pub use spans::Spans;

//! Tests of the server: real HTTP on loopback, a real store, scripted models.

mod api;
mod events;
mod hostile;
mod queue;
mod support;

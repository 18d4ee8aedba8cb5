//! Tests of the server: real HTTP on loopback, a real store, scripted models.

mod api;
mod callers;
mod connections;
mod description;
mod events;
mod guide;
mod hostile;
mod queue;
mod support;
mod walk;
mod webhooks;

//! Tests of prompts, feedback, and reading replies.

mod common;
mod data_stays_data;
mod extract;
mod extract_properties;
mod grammar;
mod key_rules;
mod memo;
mod messages;
mod prompts;
mod reference;
mod sections;
mod styles;

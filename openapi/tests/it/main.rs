//! Tests of reading documents and making requests.

mod laws;
mod multipart;
mod operations;

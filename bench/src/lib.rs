//! Benchmarks; see `benches/` and the README. The library is empty.

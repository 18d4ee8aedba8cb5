//! The version of the semantics of programs, prompts and limits.

/// The version of the semantics. It covers the value, the prints and the fuel of a program, and the texts of prompts,
/// reports and feedback.
///
/// A record names the version that it was made with. Within one version, a replay is exact to the byte. Across
/// versions, a replay and a resumed run compare only the calls and the endings of turns and runs. Every other
/// difference is drift. The version increases with every release that changes any of this. Records of store versions up
/// to 5 name no version, which counts as 0.
pub const SEMANTICS: u32 = 1;

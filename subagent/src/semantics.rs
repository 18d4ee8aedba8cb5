//! Which version of what programs, prompts and limits mean this is.

/// The version of semantics: what a program gives, prints and takes in fuel, and what prompts, reports and feedback say.
///
/// A record names the one that it was made with. Within one, a replay is exact to the byte. Across two, a replay and a
/// run that goes on compare the calls and how turns and runs end; whatever else differs is drift. It counts up with
/// every release that changes any of that. Records of store versions up to 5 name none, which is 0.
pub const SEMANTICS: u32 = 1;

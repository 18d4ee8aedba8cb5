//! JSON is read as `serde_json` reads it, and comes back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|text: &str| laws::json_agrees(text).expect("the law holds"));

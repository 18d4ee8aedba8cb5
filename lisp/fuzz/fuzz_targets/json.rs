//! JSON is read as by `serde_json`, and written values read back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|text: &str| laws::json_agrees(text).expect("the law holds"));

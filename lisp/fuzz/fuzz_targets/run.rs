//! Any program ends, however often its machine yields, and leaves its session valid.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|source: &str| laws::runs(source).expect("the law holds"));

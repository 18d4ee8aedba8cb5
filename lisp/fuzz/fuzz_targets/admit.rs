//! Any text is admitted, or refused with positions inside it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|source: &str| laws::admits(source).expect("the law holds"));

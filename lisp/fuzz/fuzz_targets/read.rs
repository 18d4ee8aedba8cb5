//! Any text is read or refused; a value that was read prints and reads back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|text: &str| laws::reads(text).expect("the law holds"));

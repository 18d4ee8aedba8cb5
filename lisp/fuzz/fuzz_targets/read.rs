//! Any text is read or refused; what is read prints and reads as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|text: &str| laws::reads(text).expect("the law holds"));

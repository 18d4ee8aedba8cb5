//! Any reply is read in every answer style, and a plan is a program without an error of syntax.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|reply: &str| laws::reads_replies(reply).expect("the law holds"));

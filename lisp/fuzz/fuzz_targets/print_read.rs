//! Printed values read back equal.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ptc_tests::laws;

fuzz_target!(|bytes: &[u8]| {
    laws::prints_and_reads(&laws::value_from(bytes)).expect("the law holds");
});

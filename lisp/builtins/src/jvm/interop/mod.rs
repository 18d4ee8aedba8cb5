//! Names of Java that models write from habit. They behave as in Java, but positions count
//! characters (D3) and integers grow (D4).
//!
//! Static functions and constants are in `fixed`, methods in `method`, those of dates in `time`,
//! classes in `class`. There are no methods that change their object.

macro_rules! table {
    (
        constants { $($cname:literal, $cdoc:literal, $cexample:literal, $cvalue:expr;)* }
        rows { $($name:literal, $usage:literal, $doc:literal, $example:literal, $facts:expr, $make:expr;)+ }
    ) => {
        pub const TABLE: &[Row] = &[
            $(ptc_machine::constant!($cname, $cdoc, $cexample, $cvalue),)*
            $(ptc_machine::pure($name, $usage, $doc, $example, $facts, |cx, args| {
                let make: fn(&mut Cx, &'static str, &mut [Value]) -> Res = $make;
                make(cx, $name, args)
            }),)+
        ];
    };
}

mod arguments;
mod big;
mod class;
mod fixed;
mod method;

pub use big::TABLE as BIG;
pub use class::{EXCEPTIONS, TABLE as CLASSES};
pub use fixed::TABLE;
pub use method::TABLE as METHODS;

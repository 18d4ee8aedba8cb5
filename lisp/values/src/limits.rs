//! The limits of one program, in one table.
//!
//! A row has everything about its limit except the code that enforces it. Keys of agent files, `--limits`, records and
//! the tables of the documentation come from it.

#![expect(clippy::cast_lossless, reason = "the table casts counts of both widths")]

use core::time::Duration;

use crate::code::Code;

/// The maximum nesting of map keys and set members, in levels. Hashing them may recur.
pub const MAX_KEY_DEPTH: u32 = 64;

/// The maximum number of values in a map key or set member, to bound hashing and comparing.
pub const MAX_KEY_PARTS: usize = 65_536;

/// Defines [`Limits`], its defaults and [`Limits::ALL`] from the rows of the table.
macro_rules! limits {
    ($($name:ident: $kind:ident($ty:ty) = $default:expr, $code:expr, $doc:literal;)+) => {
        /// The resources that one program may use. A program that reaches a limit ends with a diagnostic that names it.
        ///
        /// All but `program_time` are deterministic: the same program, data and tool results use the same amounts on
        /// any machine.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            $(
                #[doc = concat!("The limit on ", $doc, ".")]
                pub $name: $ty,
            )+
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)+ }
            }
        }

        impl Limits {
            /// The table of limits.
            pub const ALL: &[Limit] = &[
                $(
                    Limit {
                        name: stringify!($name),
                        counts: $doc,
                        code: $code,
                        max: limits!(@max $kind $ty),
                        get: |limits| limits!(@get $kind limits.$name),
                        set: |limits, value| limits!(@set $kind $ty, limits.$name, value),
                    },
                )+
            ];
        }
    };
    (@max Count $ty:ty) => { LimitValue::Count(<$ty>::MAX as u64) };
    (@max Time $ty:ty) => { LimitValue::Time(Duration::MAX) };
    (@get Count $place:expr) => { LimitValue::Count($place as u64) };
    (@get Time $place:expr) => { LimitValue::Time($place) };
    (@set Count $ty:ty, $place:expr, $value:expr) => {
        if let LimitValue::Count(count) = $value {
            $place = count.min(<$ty>::MAX as u64) as $ty;
        }
    };
    (@set Time $ty:ty, $place:expr, $value:expr) => {
        if let LimitValue::Time(time) = $value {
            $place = time;
        }
    };
}

limits! {
    fuel: Count(u64) = 30_000_000, Some(Code::FuelLimit),
        "units of work: one per call of a function of the program, per turn of a loop, per element a function touches";
    memory: Count(u64) = 64 << 20, Some(Code::MemoryLimit), "live bytes; garbage does not count";
    call_depth: Count(u32) = 20_000, Some(Code::CallDepthLimit), "nested calls";
    value_depth: Count(u32) = 512, Some(Code::ValueDepthLimit), "nested collections";
    source_bytes: Count(u32) = 256 << 10, Some(Code::SourceSizeLimit), "bytes of the program";
    source_nesting: Count(u32) = 500, Some(Code::SourceNestingLimit), "nested forms";
    tool_calls: Count(u32) = 256, Some(Code::ToolCallLimit), "tool calls of one program";
    // The driver of the machine enforces it.
    calls_in_flight: Count(u32) = 8, None, "concurrent tool calls; further ones wait";
    print_bytes: Count(u32) = 64 << 10, None, "bytes of printed text; the rest is cut with a note";
    result_bytes: Count(u32) = 4 << 20, Some(Code::ResultSizeLimit),
        "bytes of the value as JSON; also of the arguments of one tool call";
    memory_bytes: Count(u32) = 4 << 20, Some(Code::KeptMemoryLimit), "bytes of data kept between turns, as JSON";
    // The language has no clock: the driver of the machine enforces it.
    program_time: Time(Duration) = Duration::from_secs(10), Some(Code::TimeLimit),
        "seconds of computing; waiting for tools does not count";
}

/// A row of the table of limits.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// The name in agent files, options and messages.
    pub name: &'static str,
    /// The resource that it counts, with the unit.
    pub counts: &'static str,
    /// The code of a program that reaches it; `None` if reaching it is not an error.
    pub code: Option<Code>,
    /// The largest value, which also tells the kind of the limit.
    pub max: LimitValue,
    get: fn(&Limits) -> LimitValue,
    set: fn(&mut Limits, LimitValue),
}

/// The value of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitValue {
    /// A number in the unit of the limit.
    Count(u64),
    /// A duration. Files, options and records give it in seconds.
    Time(Duration),
}

impl Limit {
    /// Returns its value in these limits.
    pub fn get(&self, limits: &Limits) -> LimitValue {
        (self.get)(limits)
    }

    /// Sets its value in these limits. A count above [`Limit::max`] becomes that maximum. A value of the other kind
    /// changes nothing.
    pub fn set(&self, limits: &mut Limits, value: LimitValue) {
        (self.set)(limits, value);
    }
}

impl Limits {
    /// Returns the row of the limit with this name.
    pub fn find(name: &str) -> Option<&'static Limit> {
        Limits::ALL.iter().find(|limit| limit.name == name)
    }

    /// Returns the reason that programs cannot run within these limits, if there is one.
    pub fn fault(&self) -> Option<&'static str> {
        (self.calls_in_flight == 0).then_some("`calls_in_flight` is 0: no call could ever start")
    }

    /// Returns all limits as JSON, by their names; times in seconds.
    pub fn to_json(&self) -> serde_json::Map<String, serde_json::Value> {
        let row = |limit: &Limit| {
            let value = match limit.get(self) {
                LimitValue::Count(count) => count.into(),
                LimitValue::Time(time) => time.as_secs_f64().into(),
            };
            (limit.name.to_owned(), value)
        };
        Limits::ALL.iter().map(row).collect()
    }
}

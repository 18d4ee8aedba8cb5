//! The hostile corpus: programs that demand excessive resources, in `tests/hostile/*.clj`.
//!
//! The files are corpora ([`Corpus`]). Two remarks before a block configure it:
//! `;; limits: fuel=1000 memory=8000000` sets limits, and `;; data: NAME` adds generated data to
//! `ctx` that is too large for a file.

use ptc_lisp::{LimitValue, Limits, Value, json};

use crate::{Block, Corpus, World, files, root};

/// Returns the limits of a program whose block sets none.
pub fn limits() -> Limits {
    Limits { fuel: 300_000, memory: 32 << 20, ..Limits::default() }
}

/// Returns the files of the corpus.
pub fn corpora() -> Vec<Corpus> {
    files(&root().join("tests/hostile"), "clj").iter().map(|path| Corpus::read(path)).collect()
}

/// Returns the world in which the programs of a block run, one after another.
///
/// # Panics
/// Panics if a remark names a limit or data that do not exist.
pub fn world(block: &Block, limits: Limits) -> World {
    let limits = remarks(block, "limits:").fold(limits, with);
    let mut world = World::new(block.ctx.as_deref().unwrap_or("{}"), limits);
    for name in remarks(block, "data:") {
        let data = match name {
            "long" => long(),
            "strange" => {
                tools(&mut world);
                strange()
            }
            _ => panic!("no data `{name}`"),
        };
        for (key, value) in data {
            world.session.set_ctx_key(key, value);
        }
    }
    world
}

fn remarks<'b>(block: &'b Block, mark: &'b str) -> impl Iterator<Item = &'b str> {
    block.remarks.iter().filter_map(move |line| {
        Some(line.trim_start_matches(';').trim().strip_prefix(mark)?.trim())
    })
}

fn with(mut limits: Limits, text: &str) -> Limits {
    for setting in text.split_whitespace() {
        let (name, number) = setting.split_once('=').unwrap_or((setting, ""));
        let number = number.parse().unwrap_or_else(|_| panic!("`{setting}` is no limit"));
        let limit = Limits::find(name).unwrap_or_else(|| panic!("no limit `{name}`"));
        limit.set(&mut limits, LimitValue::Count(number));
    }
    limits
}

/// Returns long texts and collections.
fn long() -> Vec<(&'static str, Value)> {
    let text = "the quick brown fox jumps over the lazy dog ".repeat(23_000);
    // A linear congruential generator: its letters have no period that an engine could exploit.
    let mut state = 1_u32;
    let ab = (0..500_000).map(|_| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        if state >> 16 & 1 == 0 { 'a' } else { 'b' }
    });
    vec![
        ("other-text", Value::str(text.clone())),
        ("text", Value::str(text)),
        ("digits", Value::str("7".repeat(400_000))),
        ("blank", Value::str(" ".repeat(1_000_000))),
        ("accents", Value::str("é".repeat(500_000))),
        ("ab", Value::str(ab.collect::<String>())),
        ("items", Value::list((0..60_000).map(Value::from).collect())),
        ("table", Value::map((0..20_000).map(|at| (Value::str(format!("k{at}")), at.into())))),
    ]
}

fn nested(depth: usize) -> Value {
    json::parse(&("[".repeat(depth) + &"]".repeat(depth))).unwrap_or_default()
}

/// Returns data as a hostile service may send it.
fn strange() -> Vec<(&'static str, Value)> {
    let wide = Value::map((0..50_000).map(|at| (Value::str(format!("k{at}")), at.into())));
    let dup = json::parse(r#"{"a": 1, "a": 2, "b": 3, "a": {"a": 4}}"#).unwrap_or_default();
    let long_keys =
        (0..3).map(|at| (Value::str(format!("{at}{}", "k".repeat(300_000))), at.into()));
    vec![
        ("deep", nested(100_000)),
        ("also-deep", nested(100_000)),
        ("key key key", wide.clone()),
        ("", wide.clone()),
        ("wide", wide),
        ("dup", dup),
        ("long-keys", Value::map(long_keys)),
    ]
}

/// Adds tools with unexpected answers.
fn tools(world: &mut World) {
    world.tool("deep", |_| Ok(nested(100_000)));
    world.tool("long", |_| Ok(Value::str("x".repeat(5_000_000))));
    world.tool("wide", |_| {
        Ok(Value::map((0..2_000).map(|at| (Value::str(format!("k{at}")), at.into()))))
    });
    world.tool("nested-key", |_| Ok(Value::map([(nested(5_000), Value::from(1))])));
}

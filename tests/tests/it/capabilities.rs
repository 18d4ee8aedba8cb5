//! The capabilities of `capabilities.txt` and the tests that name them.
//!
//! A test names the ids of what it shows at the beginning of its name, in the comment above it, or in a comment inside:
//! `fn m16_m17_…`, `/// L12 to L21: …`, `test("m127 …")`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ptc_tests::{assert_no_problems, files, root, updating};

const TABLE: &str = "tests/capabilities.txt";

/// The letters of ids: one for each of the five systems.
const LETTERS: &str = "LKPMR";

/// The tests that name an id, as `FILE: NAME`.
type Named = BTreeMap<String, BTreeSet<String>>;

/// Returns the id of a word: a letter and a number.
fn id(word: &str) -> Option<(char, u32)> {
    let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let letter = word.chars().next().filter(|it| LETTERS.contains(*it))?;
    let digits = word.get(1..)?;
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| Some((letter, digits.parse().ok()?)))?
}

/// Returns the ids of a comment, with those between the two of `M16 to M20`.
fn ids_of_comment(text: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let Some((letter, first)) = id(word) else { continue };
        let mut last = first;
        if words.next_if_eq(&"to").is_some()
            && let Some((_, end)) = words.peek().and_then(|it| id(it))
        {
            last = end;
        }
        ids.extend((first..=last).map(|number| format!("{letter}{number}")));
    }
    ids
}

/// Returns the ids at the beginning of the name of a test.
fn ids_of_name(name: &str) -> Vec<String> {
    let words = name.split(['_', ' ']).map(str::to_uppercase);
    words.map_while(|it| id(&it).map(|(letter, number)| format!("{letter}{number}"))).collect()
}

/// Returns the name of the function or test that a line begins, and whether it is a test of itself.
fn begins(line: &str) -> Option<(String, bool)> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("test(\"") {
        return Some((rest.split('"').next()?.to_owned(), true));
    }
    if let Some(rest) = line.strip_prefix("def ") {
        let name = rest.split('(').next()?;
        return Some((name.to_owned(), name.starts_with("test_")));
    }
    let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ")?;
    Some((rest.split(['(', '<']).next()?.to_owned(), false))
}

/// Adds the ids that the tests of a file name.
fn read(file: &str, text: &str, named: &mut Named) {
    let (mut above, mut is_test, mut test) = (Vec::new(), false, None);
    let mut add = |test: &str, ids: Vec<String>| {
        for id in ids {
            named.entry(id).or_default().insert(format!("{file}: {test}"));
        }
    };
    for line in text.lines() {
        let code = line.trim_start();
        let is_inner = line.len() > code.len();
        if let Some(comment) = code.strip_prefix("///") {
            above.extend(ids_of_comment(comment));
        } else if code.starts_with("#[") {
            is_test |= code.contains("test]") || code.contains("test(");
        } else if let Some((name, tests)) = begins(line) {
            if tests || is_test {
                add(&name, [ids_of_name(name.trim_start_matches("test_")), above.clone()].concat());
                test = Some(name);
            } else if !is_inner {
                test = None;
            }
            (is_test, above) = (false, Vec::new());
        } else {
            (is_test, above) = (false, Vec::new());
            let marks = ["//", "# ", "\"\"\""];
            let comment = marks.iter().find_map(|it| code.strip_prefix(it));
            if let (Some(test), Some(comment)) = (&test, comment) {
                add(test, ids_of_comment(comment));
            }
        }
    }
}

/// Returns the ids that the tests of all crates and packages name.
fn named() -> Named {
    let root = root();
    let mut named = Named::new();
    for kind in ["rs", "py", "mjs"] {
        for path in files(&root, kind) {
            let file = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            let is_own = |part: &str| part == "tests" || part == "test";
            let is_foreign = |part: &str| {
                ["node_modules", "shared", "build"].contains(&part) || part.starts_with('.')
            };
            if file.split('/').any(is_foreign) {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
            if folder.iter().filter_map(|it| it.to_str()).any(is_own) {
                read(&file, &text, &mut named);
            } else if let Some((_, tests)) = text.split_once("#[cfg(test)]\nmod ") {
                read(&file, tests, &mut named);
            }
        }
    }
    named
}

/// Each capability has a test, and the table names the tests that there are.
#[test]
fn every_capability_is_at_its_tests() {
    let path = root().join(TABLE);
    let table = std::fs::read_to_string(&path).unwrap();
    let mut named = named();
    let (mut problems, mut now) = (Vec::new(), String::new());
    for line in table.lines().filter(|it| !it.starts_with(' ')) {
        now.extend([line, "\n"]);
        let Some(id) = line.split(' ').next().filter(|it| self::id(it).is_some()) else { continue };
        match named.remove(id) {
            Some(tests) => tests.iter().for_each(|it| now.extend(["    ", it, "\n"])),
            None => problems.push(format!("no test names {id}, or the table has it twice")),
        }
    }
    problems.extend(named.into_iter().map(|(id, at)| format!("{id} of {at:?} is not in {TABLE}")));
    assert_no_problems(&problems);
    if updating() {
        std::fs::write(&path, now).unwrap();
    } else {
        assert!(table == now, "{TABLE} names other tests: `UPDATE=1` writes it anew");
    }
}

#[test]
fn ids_are_found_where_tests_name_them() {
    let mut named = Named::new();
    let rust = "/// L3 to L5, `K2`: many.\n#[tokio::test]\nasync fn m1_m22_and_p3() {\n    // R7: here.\n    \
                fn inner() {}\n    // R8.\n}\n/// R9: a helper.\nfn helper() {\n    // R10\n}\n";
    read("a.rs", rust, &mut named);
    read("b.py", "def test_m2_styles() -> None:\n    \"\"\"M3: text.\"\"\"\n", &mut named);
    read("c.mjs", "test(\"m4 m5 flows\", () => {\n  // P1 of it\n});\n", &mut named);
    let found: Vec<(&str, &str)> = named
        .iter()
        .flat_map(|(id, tests)| tests.iter().map(|test| (id.as_str(), test.as_str())))
        .collect();
    let rust = "a.rs: m1_m22_and_p3";
    assert_eq!(
        found,
        [
            ("K2", rust),
            ("L3", rust),
            ("L4", rust),
            ("L5", rust),
            ("M1", rust),
            ("M2", "b.py: test_m2_styles"),
            ("M22", rust),
            ("M3", "b.py: test_m2_styles"),
            ("M4", "c.mjs: m4 m5 flows"),
            ("M5", "c.mjs: m4 m5 flows"),
            ("P1", "c.mjs: m4 m5 flows"),
            ("R7", rust),
            ("R8", rust),
        ]
    );
}

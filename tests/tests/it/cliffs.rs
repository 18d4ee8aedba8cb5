//! The groups of the table `cliffs` of `bench/`: all spellings of a group do the same work.

#[path = "../../../bench/src/bin/cliffs/groups.rs"]
mod groups;

use std::collections::HashSet;
use std::fs;

use groups::{Group, Spelling};
use ptc_lisp::{Limits, Outcome, Value, json};
use ptc_tests::{World, assert_no_problems, files, root};

/// The items of a run here: few, so that the test is fast.
const FEW: [u64; 2] = [24, 50];

fn all_groups() -> Vec<Group> {
    let files = files(&root().join("bench/cliffs"), "clj");
    let read = |path| groups::groups(&fs::read_to_string(path).unwrap()).unwrap();
    files.iter().flat_map(read).collect()
}

fn value(world: &mut World, source: &str) -> Result<Value, String> {
    match world.run_raw(source) {
        Ok((ended, _)) => match ended.outcome {
            Outcome::Value(value) => Ok(value),
            other => Err(format!("{other:?}")),
        },
        Err(ran) => Err(ran.shown),
    }
}

/// Runs all spellings of a group, and returns their value.
fn common_value(group: &Group, items: u64, problems: &mut Vec<String>) -> Option<Value> {
    let mut world = World::without_tools("{}", Limits::default());
    let ctx = match value(&mut world, &group.data(items)) {
        Ok(data) => json::write(&data).unwrap(),
        Err(problem) => {
            problems.push(format!("{}: data: {problem}", group.name));
            return None;
        }
    };
    let mut world = World::without_tools(&ctx, Limits::default());
    let mut common: Option<Value> = None;
    for Spelling { name, source, .. } in group.spellings(items) {
        let found = value(&mut world, &source);
        match (found, &common) {
            (Ok(found), None) => common = Some(found),
            (Ok(found), Some(common)) if found == *common => {}
            (Ok(found), Some(common)) => {
                problems.push(format!("{}: {name}: {found}\nexpected {common}", group.name));
            }
            (Err(problem), _) => problems.push(format!("{}: {name}: {problem}", group.name)),
        }
    }
    common
}

#[test]
fn spellings_of_a_group_give_the_same_value() {
    let mut problems = Vec::new();
    for group in all_groups() {
        let [one, other] = FEW.map(|items| common_value(&group, items, &mut problems));
        if one == other {
            problems.push(format!("{}: the value is the same for any number of items", group.name));
        }
    }
    assert_no_problems(&problems);
}

#[test]
fn groups_are_many_and_their_spellings_differ() {
    let groups = all_groups();
    assert!(groups.len() >= 60, "{} groups", groups.len());
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    for group in &groups {
        if !names.insert(&group.name) {
            problems.push(format!("{} is twice there", group.name));
        }
        if group.items <= FEW[1] {
            problems.push(format!("{}: {} items are too few to measure", group.name, group.items));
        }
        let spellings: Vec<_> = group.spellings(1).collect();
        let spelled: HashSet<_> = spellings.iter().map(|it| &it.name).collect();
        let sources: HashSet<_> = spellings.iter().map(|it| &it.source).collect();
        let counted = spellings.iter().filter(|it| !it.is_apart).count();
        if counted < 3 || spelled.len() < spellings.len() || sources.len() < spellings.len() {
            problems.push(format!("{}: its spellings are few, or two are equal", group.name));
        }
    }
    assert_no_problems(&problems);
}

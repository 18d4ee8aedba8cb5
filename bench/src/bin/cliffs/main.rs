//! Times programs that do the same work in several spellings, and prints the worst of each group beside its best.
//! `bench/README.md` tells what is counted.
//!
//! All spellings of a group give the same value, or nothing is timed. They run in turns, and the least time of each
//! counts.

mod groups;
mod instructions;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, ExitCode};

use ptc_bench::processor_time;
use ptc_lisp::{Admitted, Budget, Limits, Outcome, Session, Value, Yielded, json};

use crate::groups::{Group, Spelling};
use crate::table::{Cell, Row, Table};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An error with a message for the terminal.
type Failure = Box<dyn std::error::Error>;

/// The clones of each spelling, by the names of its group and its own.
type Clones = BTreeMap<String, BTreeMap<String, u64>>;

/// The least processor time of one turn of a spelling, in seconds.
const SLICE: f64 = 0.004;

const USAGE: &str = "\
Runs programs that do the same work in several spellings.

usage: cliffs [--only TEXT] [--all yes] [--rounds N] [--clones PATH] [--instructions yes]
       cliffs count
       cliffs runs [TEXT]

  --only TEXT    only groups with this text in their name
  --all yes      a row for every spelling
  --rounds N     turns of each spelling (9)
  --clones PATH  another build of this binary, with the feature `clones`, which counts the clones
  --instructions yes  counts instructions instead of time; needs valgrind, and a build that is not stripped

`count` prints the clones of every spelling as JSON. `runs` runs each spelling once, for callgrind, and prints its fuel.
";

struct Options {
    only: String,
    all: bool,
    rounds: u32,
    clones: Option<String>,
    instructions: bool,
}

/// A spelling that is admitted and checked.
struct Checked {
    name: String,
    is_apart: bool,
    program: Admitted,
    /// The runs in a turn.
    times: u64,
    /// The least time of a run in nanoseconds, or its instructions.
    least: f64,
}

impl Checked {
    fn new(name: String, is_apart: bool, program: Admitted) -> Checked {
        Checked { name, is_apart, program, times: 1, least: f64::INFINITY }
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let done = if args.peek().is_some_and(|arg| arg == "count") {
        count()
    } else if args.peek().is_some_and(|arg| arg == "runs") {
        runs(&args.nth(1).unwrap_or_default())
    } else {
        options(args).and_then(|options| measure(&options))
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell if standard error is closed.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, Failure> {
    let mut options =
        Options { only: String::new(), all: false, rounds: 9, clones: None, instructions: false };
    while let Some(arg) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match arg.as_str() {
            "--only" => options.only = value,
            "--all" => options.all = value == "yes",
            "--rounds" => options.rounds = value.parse()?,
            "--instructions" => options.instructions = value == "yes",
            "--clones" => options.clones = Some(value),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// Returns all groups, in the order of their files.
fn all_groups() -> Result<Vec<Group>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cliffs");
    let mut paths = fs::read_dir(folder)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        all.extend(groups::groups(&fs::read_to_string(path)?)?);
    }
    Ok(all)
}

fn measure(options: &Options) -> Result<(), Failure> {
    let clones = match &options.clones {
        Some(path) => {
            let output = Command::new(path).arg("count").output()?;
            if !output.status.success() {
                return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
            }
            Some(serde_json::from_slice::<Clones>(&output.stdout)?)
        }
        None => None,
    };
    let mut counts = None;
    if options.instructions {
        counts = Some(instructions::counts(&options.only)?.into_iter());
    }
    let mut table =
        Table::new(if options.instructions { "instructions" } else { "ns" }, clones.is_some());
    for group in all_groups()?.into_iter().filter(|it| it.name.contains(&options.only)) {
        let counted = clones.as_ref().and_then(|all| all.get(&group.name));
        let (session, spellings) = checked(&group)?;
        let costs = match &mut counts {
            Some(counts) => costs(spellings, counts)?,
            None => timed(&session, spellings, options.rounds)?,
        };
        let cells = costs
            .into_iter()
            .map(|it| Cell {
                clones: counted
                    .and_then(|all| all.get(&it.name))
                    .map(|all| per_item(*all as f64, &group)),
                cost: per_item(it.least, &group),
                name: it.name,
                is_apart: it.is_apart,
            })
            .collect();
        table.add(Row::new(group.name, cells)?);
    }
    table.print(options.all)
}

fn per_item(all: f64, group: &Group) -> f64 {
    all / group.items as f64
}

/// Admits the spellings of a group, and fails if they give different values.
fn checked(group: &Group) -> Result<(Session, Vec<Checked>), Failure> {
    let named =
        |name: &str, error: &dyn std::fmt::Display| format!("{}: {name}: {error}", group.name);
    let limits = Limits { fuel: 1 << 40, ..Limits::default() };
    let maker = Session::new(Value::map([]), Vec::new(), limits.clone());
    let data = maker.admit(&group.data(group.items)).map_err(|error| named("data", &error))?;
    let data = run(&maker, &data).map_err(|error| named("data", &error))?;
    // The data of agents is JSON.
    let ctx = json::parse(&json::write(&data)?)?;
    let session = Session::new(ctx, Vec::new(), limits);
    let mut spellings = Vec::new();
    let mut expected: Option<Value> = None;
    for Spelling { name, source, is_apart } in group.spellings(group.items) {
        let program = session.admit(&source).map_err(|error| named(&name, &error))?;
        let value = run(&session, &program).map_err(|error| named(&name, &error))?;
        if *expected.get_or_insert_with(|| value.clone()) != value {
            return Err(named(&name, &"gives another value than the first spelling").into());
        }
        spellings.push(Checked::new(name, is_apart, program));
    }
    Ok((session, spellings))
}

/// Times spellings in turns, without the time of a program that does nothing.
fn timed(
    session: &Session,
    mut spellings: Vec<Checked>,
    rounds: u32,
) -> Result<Vec<Checked>, Failure> {
    let program = session.admit("nil").map_err(|error| error.to_string())?;
    spellings.push(Checked::new(String::new(), true, program));
    for it in &mut spellings {
        // The first turn warms and tells how many runs are long enough for the clock.
        let once = turn(session, it)?;
        it.times = (SLICE * 1e9 / once).ceil().max(1.0) as u64;
    }
    for _ in 0..rounds {
        for it in &mut spellings {
            it.least = it.least.min(turn(session, it)?);
        }
    }
    let start = spellings.pop().map_or(0.0, |it| it.least);
    for it in &mut spellings {
        it.least -= start;
    }
    Ok(spellings)
}

/// Takes the counts of spellings, without that of a program that does nothing.
fn costs(
    mut spellings: Vec<Checked>,
    counts: &mut impl Iterator<Item = u64>,
) -> Result<Vec<Checked>, Failure> {
    for it in &mut spellings {
        it.least = counts.next().ok_or("callgrind missed a run")? as f64;
    }
    let start = counts.next().ok_or("callgrind missed a run")? as f64;
    for it in &mut spellings {
        it.least -= start;
    }
    Ok(spellings)
}

/// Runs each spelling once between two marks, and a program that does nothing after those of a group.
fn runs(only: &str) -> Result<(), Failure> {
    for group in all_groups()?.into_iter().filter(|it| it.name.contains(only)) {
        let (session, mut spellings) = checked(&group)?;
        let program = session.admit("nil").map_err(|error| error.to_string())?;
        spellings.push(Checked::new("nothing".to_owned(), true, program));
        for it in spellings {
            instructions::mark();
            let (value, fuel) = spent(&session, &it.program)?;
            drop(value);
            instructions::mark();
            writeln!(io::stdout(), "{}: {}: {fuel}", group.name, it.name)?;
        }
    }
    // Callgrind writes what came before the last mark.
    instructions::mark();
    Ok(())
}

/// Returns the mean time of the runs of one turn, in nanoseconds.
fn turn(session: &Session, spelling: &Checked) -> Result<f64, Failure> {
    let start = processor_time();
    for _ in 0..spelling.times {
        drop(run(session, &spelling.program)?);
    }
    Ok((processor_time() - start) * 1e9 / spelling.times as f64)
}

/// Runs a program from its start to its value.
fn run(session: &Session, program: &Admitted) -> Result<Value, Failure> {
    spent(session, program).map(|(value, _)| value)
}

/// Does the same, and returns its fuel too.
fn spent(session: &Session, program: &Admitted) -> Result<(Value, u64), Failure> {
    let mut machine = session.start(program);
    let mut budget = Budget::new(session.limits());
    while !matches!(machine.run(&mut budget), Yielded::Done) {}
    let ended = machine.finish();
    match ended.outcome {
        Outcome::Value(value) => Ok((value, ended.fuel)),
        Outcome::Error(diagnostic) => Err(diagnostic.to_string().into()),
        other => Err(format!("the program has no value: {other:?}").into()),
    }
}

/// Prints the clones of all spellings.
#[cfg(feature = "clones")]
fn count() -> Result<(), Failure> {
    let mut clones = Clones::new();
    for group in all_groups()? {
        let (session, spellings) = checked(&group)?;
        let counted = clones.entry(group.name).or_default();
        for it in spellings {
            let before = ptc_lisp::clones::made();
            drop(run(&session, &it.program)?);
            counted.insert(it.name, ptc_lisp::clones::made() - before);
        }
    }
    writeln!(io::stdout(), "{}", serde_json::to_string(&clones)?)?;
    Ok(())
}

#[cfg(not(feature = "clones"))]
fn count() -> Result<(), Failure> {
    Err("this build does not count clones; build it with `--features clones`".into())
}

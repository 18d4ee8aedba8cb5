//! Runs the programs of `bench/data` beside the same work in other languages, in turns, and prints
//! a table. `bench/README.md` tells what is counted.
//!
//! Each language is a process that answers requests: it loads a program with its records, and runs
//! it as often as asked. It reports processor time, which other work on the machine changes less.
//! The results are compared before anything is timed.

mod records;
mod rival;
mod table;
mod worker;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::{Map, Value};

use crate::rival::Rival;
use crate::table::{Row, Table};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// An error with a message for the terminal.
type Failure = Box<dyn std::error::Error>;

/// The processor time of one turn of a language, in seconds.
const SLICE: f64 = 0.03;

const USAGE: &str = "\
Runs programs over records beside the same work in other languages.

usage: data [--only TEXT] [--without NAME] [--rounds N] [--python PATH] [--monty-python PATH] [--beside PATH]
            [--keep FOLDER]

  --only TEXT          only programs with this text in their name
  --without NAME       without a language: cpython, monty or jaq; may be repeated
  --rounds N           turns of each language in a row (20)
  --python PATH        the CPython to measure (python3)
  --monty-python PATH  a Python that has `pydantic-monty` (the one to measure)
  --beside PATH        another build of this binary, as a further column
  --keep FOLDER        writes the records to this folder, and leaves them there
";

struct Options {
    only: String,
    without: Vec<String>,
    rounds: u32,
    python: String,
    monty_python: Option<String>,
    beside: Option<String>,
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).peekable();
    let done = if args.peek().is_some_and(|arg| arg == "worker") {
        worker::work()
    } else {
        options(args).and_then(|options| run(&options))
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
    let mut options = Options {
        only: String::new(),
        without: Vec::new(),
        rounds: 20,
        python: "python3".to_owned(),
        monty_python: None,
        beside: None,
        keep: None,
    };
    while let Some(arg) = args.next() {
        let value = args.next().ok_or(USAGE)?;
        match arg.as_str() {
            "--only" => options.only = value,
            "--without" => options.without.push(value),
            "--rounds" => options.rounds = value.parse()?,
            "--python" => options.python = value,
            "--monty-python" => options.monty_python = Some(value),
            "--beside" => options.beside = Some(value),
            "--keep" => options.keep = Some(value.into()),
            _ => return Err(USAGE.into()),
        }
    }
    Ok(options)
}

/// Starts the languages, the measured build first.
fn rivals(options: &Options) -> Result<Vec<Rival>, Failure> {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = bench.join("src/bin/data");
    let with = |name: &str| !options.without.iter().any(|it| it == name);
    let mut rivals =
        vec![Rival::start("ptc", &["clj"], Command::new(std::env::current_exe()?).arg("worker"))?];
    if let Some(other) = &options.beside {
        rivals.push(Rival::start("other ptc", &["clj"], Command::new(other).arg("worker"))?);
    }
    if with("cpython") {
        let mut command = Command::new(&options.python);
        rivals.push(Rival::start("CPython", &["py"], command.arg(source.join("cpython.py")))?);
    }
    if with("monty") {
        let mut command = Command::new(options.monty_python.as_ref().unwrap_or(&options.python));
        let endings = &["monty.py", "py"];
        rivals.push(Rival::start("Monty", endings, command.arg(source.join("monty.py")))?);
    }
    if with("jaq") {
        let mut command = Command::new(std::env::var("CARGO").unwrap_or("cargo".to_owned()));
        command.args(["run", "--release", "--quiet", "--manifest-path"]);
        rivals.push(Rival::start(
            "jaq",
            &["jq"],
            command.arg(bench.join("rivals/jaq/Cargo.toml")),
        )?);
    }
    Ok(rivals)
}

fn run(options: &Options) -> Result<(), Failure> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut rows = BTreeSet::new();
    for file in fs::read_dir(&programs)? {
        let path = file?.path();
        if path.extension().is_some_and(|end| end == "clj") {
            rows.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
        }
    }
    rows.retain(|row| row.contains(&options.only));
    if let Some(folder) = &options.keep {
        fs::create_dir_all(folder)?;
        return measure(options, &rows, &programs, folder);
    }
    let folder = std::env::temp_dir().join(format!("ptc-bench-data-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let done = measure(options, &rows, &programs, &folder);
    fs::remove_dir_all(&folder)?;
    done
}

fn measure(
    options: &Options,
    rows: &BTreeSet<String>,
    programs: &Path,
    folder: &Path,
) -> Result<(), Failure> {
    for set in records::SETS {
        let text = serde_json::to_string(&records::records(set))?;
        fs::write(folder.join(format!("{set}.json")), text)?;
    }
    let mut rivals = rivals(options)?;
    let names: Vec<&str> = rivals.iter().map(|rival| rival.name).collect();
    let mut table = Table::new(&names);
    for name in rows {
        let source = fs::read_to_string(programs.join(format!("{name}.clj")))?;
        let sets = sets(&source);
        let ctx = ctx(&sets, folder);
        let load = |rival: &mut Rival| match rival.program(programs, name) {
            Some(program) => rival.load(&program, &ctx).map(Some),
            None => Ok(None),
        };
        let mut row = turns(options, &mut rivals, name, "run", load)?;
        row.records = sets.iter().map(|set| records::count(set)).sum();
        for (rival, cell) in rivals.iter_mut().zip(&mut row.cells) {
            if cell.is_some() {
                let once = rival.time("ready", 1)?;
                let times = (SLICE / 3.0 / once).ceil() as u64;
                let ready = rival.time("ready", times)?.min(rival.time("ready", times)?);
                row.ready.push(Some(ready));
            } else {
                row.ready.push(None);
            }
        }
        table.print(row)?;
    }
    if "json".contains(&options.only) {
        for set in ["orders", "messages"] {
            let path = folder.join(format!("{set}.json"));
            for kind in ["json in", "json out"] {
                let load = |rival: &mut Rival| rival.load_json(&path).map(Some);
                let mut row = turns(options, &mut rivals, &format!("{kind}: {set}"), kind, load)?;
                row.records = records::count(set);
                row.apart = true;
                table.print(row)?;
            }
        }
    }
    table.finish()
}

/// Returns the sets of records that a program reads.
fn sets(source: &str) -> Vec<&'static str> {
    records::SETS.into_iter().filter(|set| source.contains(&format!("ctx/{set}"))).collect()
}

/// Returns the files of sets of records, by name.
fn ctx(sets: &[&str], folder: &Path) -> Value {
    let file = |set: &&str| -> (String, Value) {
        let path: PathBuf = folder.join(format!("{set}.json"));
        ((*set).to_owned(), path.to_string_lossy().into())
    };
    Value::Object(sets.iter().map(file).collect::<Map<String, Value>>())
}

/// Compares the results of all languages, and times them in turns.
fn turns(
    options: &Options,
    rivals: &mut [Rival],
    name: &str,
    work: &str,
    mut load: impl FnMut(&mut Rival) -> Result<Option<Value>, Failure>,
) -> Result<Row, Failure> {
    let mut row = Row::new(name);
    let mut times = Vec::new();
    let mut expected = None;
    for rival in &mut *rivals {
        let Some(result) = load(rival)? else {
            times.push(None);
            continue;
        };
        let first = expected.get_or_insert_with(|| result.clone());
        match table::difference(first, &result) {
            Ok(exact) => row.exact &= exact,
            Err(difference) => {
                return Err(format!("{name}: ptc and {} differ: {difference}", rival.name).into());
            }
        }
        // Warm, and long enough for the clock.
        let once = rival.time(work, 2)?;
        times.push(Some((SLICE / once).ceil() as u64));
    }
    row.cells = times.iter().map(|times| times.map(|_| f64::INFINITY)).collect();
    for _ in 0..options.rounds {
        for ((rival, times), cell) in rivals.iter_mut().zip(&times).zip(&mut row.cells) {
            if let (Some(times), Some(least)) = (times, cell) {
                *least = least.min(rival.time(work, *times)?);
            }
        }
    }
    Ok(row)
}

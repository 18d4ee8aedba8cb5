//! `ptc run --inputs`: one mission for each line of a file, several at a time.
//!
//! Each result is written at once, so that the same command continues where it was stopped.

mod ledger;

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::iter::Enumerate;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::vec::IntoIter;

use ptc_lisp::json;
use ptc_subagent::host::{ChosenModel, Start};
use ptc_subagent::provider::{ModelSpec, Provider};
use ptc_subagent::store::Store;
use ptc_subagent::tool::HostContext;
use ptc_subagent::{Agent, Data, Error, ErrorKind, Event, RunId, RunSettings, seed_of_part};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::agents;
use crate::args::{RunArgs, Yes};
use crate::ask;
use crate::figures::plural;
use crate::input;
use crate::model::chosen_model;
use crate::process::{exit_on_signals, runtime};
use crate::queue::PATIENCE;
use crate::records;
use crate::report::{self, Fault, Result};
use crate::run_files::check_files;
use crate::screen::{Activity, Live, LiveLineGuard, Screen};
use crate::set;
use crate::signals::interrupted;
use crate::telemetry::Telemetry;
use ledger::{ResultsFile, fingerprint};

/// The default number of missions that run at a time.
const DEFAULT_JOBS: usize = 4;

/// One line of the inputs.
struct Line {
    /// The number of the line in the file, from 1.
    number: usize,
    /// The input of the mission, or the reason it is invalid.
    input: std::result::Result<Data, Error>,
    /// The hash by which a second start recognizes the input.
    fingerprint: String,
}

/// The state that all missions share.
struct Shared {
    agent: Agent,
    model: ChosenModel,
    /// The provider of all missions; `None` for a recording, which each mission reads from its start.
    provider: Option<Box<dyn Provider>>,
    store: Store,
    cancelled: watch::Receiver<bool>,
    /// The seed from which the seeds of the missions are derived; without it, each mission has a fresh one.
    seed: Option<u64>,
    /// The data for tools alone.
    context: Option<HostContext>,
    settings: RunSettings,
    yes: Vec<Yes>,
}

/// Runs a mission for each line of `source`, which is a file or `-`.
pub(crate) fn command(args: &RunArgs, source: &str) -> Result<u8> {
    let mut batch = Batch::prepare(args, source)?;
    let runtime = runtime()?;
    let telemetry = runtime.block_on(async { Telemetry::from_env() });
    if !args.output.quiet {
        report::say_about_tools(&batch.shared.agent);
        batch.show_bar();
    }
    let is_over = Arc::new(AtomicBool::new(false));
    runtime.spawn(exit_on_signals(Arc::clone(&is_over)));
    let done = runtime.block_on(batch.work(&telemetry));
    let unsent = runtime.block_on(telemetry.finish());
    is_over.store(true, Ordering::Relaxed);
    if let Some(screen) = batch.screen {
        screen.finish();
    }
    if let Some(warning) = unsent {
        report::say(&warning);
    }
    let exit = done.and_then(|()| batch.finish(args));
    // A blocked print may still be running.
    runtime.shutdown_background();
    exit
}

/// The missions of the command, and their results so far.
struct Batch {
    shared: Arc<Shared>,
    cancel: watch::Sender<bool>,
    is_cancelled: bool,
    /// The lines that have no result yet, each with its place among them.
    pending: Enumerate<IntoIter<Line>>,
    /// The maximum number of missions that run at a time.
    jobs: usize,
    /// The number of lines.
    all: usize,
    /// The number of lines that have a result of an earlier start.
    kept: usize,
    tally: Tally,
    screen: Option<&'static Screen>,
    results_file: Option<ResultsFile>,
    printer: Printer,
    /// The reason that the file of results cannot be written. From then on, results are printed.
    unwritten: Option<Fault>,
    /// Whether the reader of stdout was stuck when the command was interrupted.
    is_unread: bool,
}

impl Batch {
    /// Reads the agent, the inputs and the results of an earlier start.
    fn prepare(args: &RunArgs, source: &str) -> Result<Batch> {
        let mut agent = agents::read(&args.agent.file)?;
        let settings = agents::settings(&args.settings, &args.model)?;
        let model = chosen_model(&args.model, &agent, &settings)?;
        check_files(args, &agent, &model.spec)?;
        agent.check()?;
        let lines = parse_lines(&input::named(source, "the inputs")?, args, &agent)?;
        let mut results_file = args.out.as_deref().map(ResultsFile::open).transpose()?;
        let (mut tally, mut pending) = (Tally::default(), Vec::new());
        let all = lines.len();
        for line in lines {
            let earlier = results_file.as_mut().map(|it| it.answer(line.number, &line.fingerprint));
            match earlier.transpose()? {
                Some(Some(result)) => tally.count(result),
                _ => pending.push(line),
            }
        }
        let provider = model.open()?;
        let provider = (!matches!(model.spec, ModelSpec::Recorded(_))).then_some(provider);
        let store = records::open_for_writing(args.store.as_deref())?;
        agent.learn(&store)?;
        let (cancel, cancelled) = watch::channel(false);
        let seed = args.seed.seed.or(agent.seed);
        let (context, yes) = (input::host_context(args.context.file())?, args.yes.yes.clone());
        let shared =
            Shared { agent, model, provider, store, cancelled, seed, context, settings, yes };
        Ok(Batch {
            shared: Arc::new(shared),
            cancel,
            is_cancelled: false,
            pending: pending.into_iter().enumerate(),
            jobs: args.jobs.map_or(DEFAULT_JOBS, usize::from),
            all,
            kept: tally.count,
            tally,
            screen: None,
            results_file,
            printer: Printer::default(),
            unwritten: None,
            is_unread: false,
        })
    }

    fn show_bar(&mut self) {
        let mut activity = Activity::idle();
        activity.set_progress(self.kept as u64, self.tally.to_string());
        self.screen = Some(Screen::start(Live::Bar(self.all as u64), activity));
    }

    /// Runs the missions until all have a result, the command is interrupted, or nobody reads the results.
    async fn work(&mut self, telemetry: &Telemetry) -> Result<()> {
        let mut stop = std::pin::pin!(interrupted());
        let mut running = JoinSet::new();
        loop {
            while running.len() < self.jobs && !self.is_cancelled && self.unwritten.is_none() {
                let Some((place, line)) = self.pending.next() else { break };
                let (shared, spans) = (Arc::clone(&self.shared), telemetry.observer(Vec::new()));
                running.spawn(async move { (place, run_line(&shared, line, spans).await) });
            }
            let joined = tokio::select! {
                joined = running.join_next() => joined,
                () = &mut stop, if !self.is_cancelled => {
                    self.cancel();
                    continue;
                }
            };
            let (place, result) = match joined {
                None => return Ok(()),
                Some(Ok((place, result))) => (place, result?),
                // The panic hook has reported the error.
                Some(Err(_)) => return Err(Fault::bug()),
            };
            // A cancelled mission has no result, so a second start runs it again.
            let Some(result) = result else { continue };
            self.keep(place, &result);
            self.print(stop.as_mut()).await?;
            // Results that nobody reads are not worth their price.
            if report::has_no_reader() {
                return Ok(());
            }
        }
    }

    /// Cancels the missions that run.
    fn cancel(&mut self) {
        self.is_cancelled = true;
        // Sending fails only if no mission is running.
        let _ = self.cancel.send(true);
    }

    /// Counts a result, and writes it to the file of results or queues it to be printed.
    fn keep(&mut self, place: usize, result: &Data) {
        self.tally.count(result);
        if let Some(screen) = self.screen {
            let (count, text) = (self.tally.count as u64, self.tally.to_string());
            screen.update(|activity| activity.set_progress(count, text));
        }
        match &mut self.results_file {
            Some(file) if self.unwritten.is_none() => {
                if let Err(fault) = file.append(result) {
                    // The result is paid for, so it is printed instead. No further mission starts.
                    self.printer.add_unordered(result);
                    self.unwritten = Some(fault);
                }
            }
            Some(_) => self.printer.add_unordered(result),
            None => self.printer.add(place, result),
        }
    }

    /// Prints the results whose turn it is. An interrupt ends the command even if the reader of stdout is slow or gone.
    async fn print(&mut self, mut stop: Pin<&mut impl Future<Output = ()>>) -> Result<()> {
        while !self.is_unread
            && let Some(text) = self.printer.next()
        {
            let held = self.screen.filter(|it| it.is_live()).map(|it| it.hold(""));
            let printing = tokio::task::spawn_blocking(move || {
                held.iter().for_each(LiveLineGuard::wait);
                report::print(&text)
            });
            let mut printing = std::pin::pin!(printing);
            let printed = tokio::select! {
                printed = &mut printing => Some(printed),
                () = &mut stop, if !self.is_cancelled => {
                    self.cancel();
                    tokio::time::timeout(PATIENCE, printing).await.ok()
                }
            };
            match printed {
                Some(Ok(printed)) => printed?,
                Some(Err(_)) => return Err(Fault::bug()),
                None => self.is_unread = true,
            }
            if report::has_no_reader() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Prints what is left, and the summary. Returns the exit code.
    fn finish(mut self, args: &RunArgs) -> Result<u8> {
        if !self.is_unread {
            self.printer.print_rest()?;
        }
        if !args.output.quiet {
            let out = args.out.as_ref().map(|it| report::clean(&it.display().to_string()));
            let (tally, is_cancelled) = (&self.tally, self.is_cancelled);
            report::say(&summary(self.all, self.kept, tally, is_cancelled, out.as_deref()));
        }
        if self.is_unread {
            Fault::new("output", "the reader does not read: some results are not printed").show();
        }
        if let Some(fault) = self.unwritten {
            let left = plural((self.all - self.tally.count) as u64, "input");
            report::say(&format!("{left} not run, because results cannot be written\n"));
            fault.show();
            self.tally.exit = self.tally.exit.max(fault.exit_code());
        }
        let exit = self.tally.exit;
        Ok(if self.is_cancelled { exit.max(report::LIMIT) } else { exit })
    }
}

/// Parses the lines and skips empty ones. A line that is not an object becomes one with an error; the others still run.
fn parse_lines(text: &str, args: &RunArgs, agent: &Agent) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (at, text) in text.lines().enumerate() {
        // Some systems begin a file with a byte order mark.
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        let wrong = |why: &str| Error::new(ErrorKind::Input, why);
        let parsed = json::parse(text).map_err(|error| wrong(&error.to_string()));
        let input = match parsed.and_then(|it| Data::of(&it)) {
            Ok(data) if data.value().as_map().is_none() => Err(wrong("it is not a JSON object")),
            Ok(data) => Ok(set::apply(data, &args.mission.set, agent.signature.as_ref())?),
            Err(error) => Err(error),
        };
        let fingerprint = fingerprint(&input.as_ref().map_or_else(|_| text.to_owned(), canonical));
        let input = input.map_err(|error| error.within(&format!("line {} of the inputs", at + 1)));
        lines.push(Line { number: at + 1, input, fingerprint });
    }
    Ok(lines)
}

/// Returns the text that identifies an input. Files of results are older than exact integers, so `serde_json` writes
/// every input that it can hold.
fn canonical(input: &Data) -> String {
    input.to_json().map_or_else(|_| input.to_string(), |it| it.to_string())
}

/// Runs one mission. Returns `None` if it was cancelled.
async fn run_line(
    shared: &Shared,
    line: Line,
    spans: impl FnMut(&RunId, &Event) + Send,
) -> Result<Option<Data>> {
    let Line { number, input, fingerprint } = line;
    let own;
    let provider: &dyn Provider = match &shared.provider {
        Some(provider) => &**provider,
        None => {
            own = shared.model.open()?;
            &*own
        }
    };
    let mut cancelled = shared.cancelled.clone();
    let outcome = match input {
        Err(error) => Err(error),
        Ok(input) => {
            let mut start = Start::of(input);
            // Each line has its own random numbers.
            start.seed = shared.seed.map(|seed| seed_of_part(seed, &[number as u64]));
            start.context.clone_from(&shared.context);
            start.settings = shared.settings.clone();
            let mission = start.mission(&shared.agent, Some(&shared.store)).await?;
            ask::allow(mission, &shared.yes)
                .observe(spans)
                .cancel_on(async move {
                    // The sender outlives the missions.
                    drop(cancelled.wait_for(|it| *it).await);
                })
                .run(provider)
                .await
        }
    };
    let report = match outcome {
        Ok(report) if report.stop == Some(ptc_subagent::Stop::Cancelled) => return Ok(None),
        Ok(report) => report.to_json(),
        // The error concerns only this input.
        Err(error) if matches!(error.kind(), ErrorKind::Input | ErrorKind::Prompt) => {
            let shown = report::problem("input", error.code(), error.message(), error.help());
            Data::from(report::not_started("input", &shown))
        }
        Err(error) => return Err(error.into()),
    };
    let result = Data::from(json!({ "line": number, "input_hash": fingerprint }));
    Ok(Some(report.fields().fold(result, |result, (name, value)| result.with(&name, value))))
}

/// The number of missions by outcome.
#[derive(Default)]
struct Tally {
    count: usize,
    returned: usize,
    failed: usize,
    stopped: usize,
    /// The largest exit code.
    exit: u8,
}

impl Tally {
    fn count(&mut self, result: &Data) {
        self.count += 1;
        let (status, stop) = (result.get("status"), result.get("stop"));
        let (status, stop) = (status.as_ref(), stop.as_ref());
        let exit = match (status.and_then(Data::as_str), stop.and_then(Data::as_str)) {
            (Some("returned"), _) => report::DONE,
            (Some("failed"), _) => report::FAILED,
            (_, Some("input")) => report::USAGE,
            (_, Some("turns") | None) => report::NO_PROGRAM,
            (_, Some("provider")) => report::PROVIDER,
            (_, Some("internal")) => report::BUG,
            (_, Some(_)) => report::LIMIT,
        };
        match exit {
            report::DONE => self.returned += 1,
            report::FAILED => self.failed += 1,
            _ => self.stopped += 1,
        }
        self.exit = self.exit.max(exit);
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} returned, {} failed, {} stopped", self.returned, self.failed, self.stopped)
    }
}

/// Returns the final note: the counts, and how to continue after an interruption.
fn summary(all: usize, kept: usize, tally: &Tally, cancelled: bool, out: Option<&str>) -> String {
    let mut text = format!("{}: {tally}\n", plural(all as u64, "input"));
    if kept > 0 {
        text = format!("{}; {kept} answered before\n", text.trim_end());
    }
    if cancelled {
        let left = all - tally.count;
        let how = out.map_or_else(
            || "with `--out FILE`, the same command continues".to_owned(),
            |out| format!("the same command continues from {out}"),
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "interrupted, {left} left: {how}");
    }
    text
}

/// A queue of results that are printed in the order of the inputs, each as soon as those before it are.
#[derive(Default)]
struct Printer {
    next: usize,
    waiting: BTreeMap<usize, String>,
    /// The results whose order does not matter.
    unordered: VecDeque<String>,
}

impl Printer {
    fn add(&mut self, place: usize, result: &Data) {
        self.waiting.insert(place, result_line(result));
    }

    fn add_unordered(&mut self, result: &Data) {
        self.unordered.push_back(result_line(result));
    }

    /// Returns the next result that may be printed.
    fn next(&mut self) -> Option<String> {
        if let Some(text) = self.waiting.remove(&self.next) {
            self.next += 1;
            return Some(text);
        }
        self.unordered.pop_front()
    }

    /// Prints the results that still wait for an earlier one.
    fn print_rest(self) -> Result<()> {
        self.waiting.into_values().try_for_each(|text| report::print(&text))
    }
}

/// Returns a result as a line of JSON.
fn result_line(result: &Data) -> String {
    report::clean(&result.to_string()) + "\n"
}

//! `ptc try`: missions with known answers, run live with one or more models.

mod page;
mod results;
mod summary;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ptc_subagent::provider::{Cost, GrammarServer, ModelSpec, Provider, ProviderOptions};
use ptc_subagent::store::Store;
use ptc_subagent::trial::TrialMission;
use ptc_subagent::{Agent, Answers, Data, Reference, RunSettings};
use tokio::task::JoinSet;

use crate::agents;
use crate::args::TryArgs;
use crate::figures::plural;
use crate::input;
use crate::process::{exit_on_signals, runtime};
use crate::records;
use crate::report::{self, Fault, Result};
use crate::signals::interrupted;
use results::{Results, Row, Subject};
use summary::Summary;

/// The default number of attempts at a time.
const DEFAULT_JOBS: usize = 4;

/// One attempt that is still to be made.
struct Task {
    model: usize,
    variant: usize,
    mission: usize,
    case: usize,
    repeat: u32,
    fingerprint: String,
}

/// The state that all attempts share.
struct Shared {
    models: Vec<Model>,
    variants: Vec<Variant>,
    store: Store,
}

/// A style and settings that missions are tried with.
struct Variant {
    /// Its name; empty for the agents as they are.
    name: String,
    settings: RunSettings,
    missions: Vec<(TrialMission, Agent)>,
}

struct Model {
    name: String,
    spec: ModelSpec,
    options: ProviderOptions,
    /// `None` for a recording, which each attempt reads from its start.
    provider: Option<Box<dyn Provider>>,
}

/// Runs `ptc try`.
pub(crate) fn command(args: &TryArgs) -> Result<u8> {
    if let Some(run) = &args.from {
        return add_run(args, run);
    }
    let variants = variants(args)?;
    let models = models(args)?;
    let before = args.against.as_deref().map(Results::read).transpose()?;
    let beside = args.beside.iter().map(|path| Results::read(path));
    let beside = beside.collect::<Result<Vec<Results>>>()?;
    let mut results = Results::open(args.out.as_deref())?;
    let mut tasks = Vec::new();
    let mut rows: Vec<Row> = Vec::new();
    let subjects: Vec<(usize, usize)> = (0..models.len())
        .flat_map(|model| (0..variants.len()).map(move |variant| (model, variant)))
        .collect();
    for &(model, variant) in &subjects {
        let Variant { name, settings, missions } = &variants[variant];
        for (mission, (trial, agent)) in missions.iter().enumerate() {
            let cases = args.cases.map_or(usize::MAX, usize::from);
            for (case, given) in trial.cases.iter().enumerate().take(cases) {
                let fingerprint = trial.fingerprint(agent, settings, given);
                for repeat in 1..=u32::from(args.repeat) {
                    let subject = Subject::new(&models[model].name, name);
                    let key = (subject, trial.name.clone(), case + 1, repeat);
                    match results.answer(&key, &fingerprint) {
                        Some(row) => rows.push(row.clone()),
                        None => {
                            let fingerprint = fingerprint.clone();
                            tasks.push(Task { model, variant, mission, case, repeat, fingerprint });
                        }
                    }
                }
            }
        }
    }
    let kept = rows.len();
    let all = kept + tasks.len();
    if !args.output.json {
        let mut parts = vec![
            plural(variants[0].missions.len() as u64, "mission"),
            plural(models.len() as u64, "model"),
        ];
        if variants.len() > 1 {
            parts.push(plural(variants.len() as u64, "variant"));
        }
        let earlier =
            if kept > 0 { format!(", {kept} of them made before") } else { String::new() };
        let all = plural(all as u64, "attempt");
        report::say(&format!("{}: {all}{earlier}\n", parts.join(", ")));
    }
    let store = records::open_for_writing(args.store.as_deref())?;
    let order = subjects
        .iter()
        .map(|(model, variant)| Subject::new(&models[*model].name, &variants[*variant].name));
    let mut order: Vec<Subject> = order.collect();
    let shared = Arc::new(Shared { models, variants, store });
    let end = make_attempts(args, &shared, tasks, &mut results, &mut rows)?;
    for row in beside.iter().flat_map(Results::rows) {
        if !order.contains(&row.subject) {
            order.push(row.subject.clone());
        }
        rows.push(row.clone());
    }
    let summary = Summary::of(&order, rows, before.as_ref());
    if let Some(path) = &args.html {
        std::fs::write(path, page::html(&summary)).map_err(|error| {
            Fault::new("output", format!("cannot write {}: {error}", path.display()))
        })?;
    }
    if args.output.json {
        report::print_json(&summary.to_json())?;
    } else {
        report::print(&summary.to_text())?;
    }
    Ok(match end {
        End::Stopped(why) => {
            let next = match args.out {
                Some(_) => "the same command continues the trial",
                None => "with `--out FILE`, a trial can be continued",
            };
            report::say(&format!("stopped: {why}; {next}\n"));
            report::LIMIT
        }
        End::Done if args.min_right.is_some_and(|least| summary.is_below(least)) => {
            report::say("a model has fewer right answers than `--min-right` asks for\n");
            report::NO_PROGRAM
        }
        End::Done => report::DONE,
    })
}

enum End {
    Done,
    /// Attempts are left, for this reason.
    Stopped(String),
}

/// Adds a recorded run to a mission.
fn add_run(args: &TryArgs, run: &str) -> Result<u8> {
    let expected = args.expected.as_deref();
    let expected = expected.map(|text| input::json_option("--expected", text)).transpose()?;
    let expected = expected.map(|it| Data::of(&it)).transpose()?;
    let store = records::open_for_writing(args.store.as_deref())?;
    let count = TrialMission::add_run(&args.folder, &store, run, expected)?;
    let folder = args.folder.display();
    let cases = plural(count as u64, "case");
    report::print(&format!("{folder} has {cases}; `ptc try {folder} --model SPEC` tries it\n"))?;
    Ok(report::DONE)
}

/// Returns the combinations of styles and settings, each with the missions that are tried with it.
fn variants(args: &TryArgs) -> Result<Vec<Variant>> {
    let missions = missions(args)?;
    let mut settings = vec![(String::new(), RunSettings::new())];
    if !args.variant.is_empty() {
        let one = |path: &PathBuf| {
            if path.as_os_str() == "-" {
                return Ok((String::new(), RunSettings::new()));
            }
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok((name, agents::settings_of_file(path)?))
        };
        settings = args.variant.iter().map(one).collect::<Result<_>>()?;
    }
    let styles: Vec<Option<&str>> = match &args.style[..] {
        [] => vec![None],
        all => all.iter().map(|it| Some(it.as_str())).collect(),
    };
    let mut variants: Vec<Variant> = Vec::new();
    for style in styles {
        let mut missions = missions.clone();
        if let Some(answers) = style.and_then(Answers::find) {
            for (_, agent) in &mut missions {
                agent.answers = answers.clone();
                agent.check()?;
            }
        }
        for (settings_name, settings) in &settings {
            let names = [style.unwrap_or_default(), settings_name.as_str()];
            let names: Vec<&str> = names.into_iter().filter(|it| !it.is_empty()).collect();
            let name = names.join(" · ");
            if variants.iter().any(|it| it.name == name) {
                let message = format!("two variants are named `{name}`");
                return Err(Fault::new("usage", message));
            }
            let (settings, missions) = (settings.clone(), missions.clone());
            variants.push(Variant { name, settings, missions });
        }
    }
    Ok(variants)
}

/// Reads the chosen missions, and applies the settings of the command line to their agents.
fn missions(args: &TryArgs) -> Result<Vec<(TrialMission, Agent)>> {
    let mut missions = TrialMission::read_all(&args.folder)?;
    for name in &args.only {
        if !missions.iter().any(|mission| mission.name == *name) {
            return Err(Fault::new("usage", format!("there is no mission `{name}`")));
        }
    }
    missions.retain(|mission| match &args.only[..] {
        [] => args.set.has(mission.held_out),
        names => names.contains(&mission.name),
    });
    let reference = args.reference.as_deref();
    let reference =
        reference.and_then(|name| Reference::ALL.into_iter().find(|it| it.as_str() == name));
    let missions = missions
        .into_iter()
        .map(|mission| {
            let mut agent = match mission.agent_on_record() {
                Some(agent) => agent.clone(),
                None => agents::read(&mission.file)?,
            };
            agent.check()?;
            agent.prompt_limits.reference = reference.unwrap_or(agent.prompt_limits.reference);
            if args.grammar {
                agent.grammar = Some(GrammarServer::default());
            }
            if let Some(turns) = args.turns.filter(|_| agent.max_turns > 1) {
                agent.max_turns = turns;
            }
            if args.max_tokens.is_some() {
                agent.parameters.max_tokens = args.max_tokens;
            }
            if let Some(wait) = args.wait {
                let wait = Duration::from_secs(wait);
                agent.request_timeout = wait;
                agent.timeout = wait.saturating_mul(agent.max_turns).max(agent.timeout);
            }
            Ok((mission, agent))
        })
        .filter(|it| !args.with_tools || it.as_ref().map_or(true, |it| !it.1.tools.is_empty()));
    let missions = missions.collect::<Result<Vec<_>>>()?;
    if missions.is_empty() {
        return Err(Fault::new("usage", "no mission is chosen").with_help("`--set all` takes all"));
    }
    Ok(missions)
}

fn models(args: &TryArgs) -> Result<Vec<Model>> {
    let one = |name: &String| {
        let spec: ModelSpec = name.parse()?;
        let mut options =
            ProviderOptions { base_url: args.base_url.clone(), ..ProviderOptions::from_env() };
        if let ModelSpec::Server { kind, .. } = &spec {
            let named = args.key_env.iter().find(|it| it.model == kind.name());
            options.api_key_env = named.map(|it| it.variable.clone());
        }
        if let Some(variable) = &options.api_key_env {
            options.keys = options.keys.with_variable(variable);
        }
        if let Some(wait) = args.wait {
            options.request_timeout = Duration::from_secs(wait);
        }
        let provider = spec.open(&options)?;
        let provider = (!matches!(spec, ModelSpec::Recorded(_))).then_some(provider);
        Ok(Model { name: name.clone(), spec, options, provider })
    };
    args.model.iter().map(one).collect()
}

/// Makes the attempts, several at a time, until all are made, a ceiling is reached or the command is interrupted.
fn make_attempts(
    args: &TryArgs,
    shared: &Arc<Shared>,
    tasks: Vec<Task>,
    results: &mut Results,
    rows: &mut Vec<Row>,
) -> Result<End> {
    let jobs = args.jobs.map_or(DEFAULT_JOBS, usize::from);
    let runtime = runtime()?;
    let is_over = Arc::new(AtomicBool::new(false));
    runtime.spawn(exit_on_signals(Arc::clone(&is_over)));
    let ended = runtime.block_on(async {
        let mut stop = std::pin::pin!(interrupted());
        let (mut pending, mut running) = (tasks.into_iter(), JoinSet::new());
        let mut stopped: Option<String> = None;
        loop {
            while stopped.is_none() && running.len() < jobs {
                stopped = ceiling(args, rows);
                if stopped.is_some() {
                    break;
                }
                let Some(task) = pending.next() else { break };
                let shared = Arc::clone(shared);
                running.spawn(async move { attempt(&shared, task).await });
            }
            let row = tokio::select! {
                joined = running.join_next() => match joined {
                    None => break,
                    Some(Ok(row)) => row?,
                    // The panic hook has reported the error.
                    Some(Err(_)) => return Err(Fault::bug()),
                },
                () = &mut stop => {
                    // Runs that are cut off end on record as interrupted, and are made again.
                    running.abort_all();
                    stopped = Some("interrupted".to_owned());
                    break;
                }
            };
            results.append(&row)?;
            if !args.output.json {
                report::say(&row.line());
            }
            rows.push(row);
        }
        let is_done = pending.next().is_none() && stopped.as_deref() != Some("interrupted");
        Ok(match stopped {
            Some(why) if !is_done => End::Stopped(why),
            _ => End::Done,
        })
    });
    is_over.store(true, Ordering::Relaxed);
    ended
}

/// Returns the ceiling that the attempts have reached, if any.
fn ceiling(args: &TryArgs, rows: &[Row]) -> Option<String> {
    let cost: f64 = rows.iter().filter_map(|row| row.cost).sum();
    let tokens: u64 = rows.iter().map(|row| row.input_tokens + row.output_tokens).sum();
    if let Some(most) = args.max_cost.filter(|most| cost >= *most) {
        return Some(format!("${cost:.4} of ${most} are spent"));
    }
    let most = args.max_total_tokens.filter(|most| tokens >= *most)?;
    Some(format!("{tokens} of {most} tokens are used"))
}

async fn attempt(shared: &Shared, task: Task) -> Result<Row> {
    let Task { model, variant, mission, case, repeat, fingerprint } = task;
    let (model, variant) = (&shared.models[model], &shared.variants[variant]);
    let (trial, agent) = &variant.missions[mission];
    // Each repetition has random numbers of its own, and the same ones in every trial.
    let agent = &agent.clone().with_seed(agent.seed.unwrap_or(u64::from(repeat)));
    let own;
    let provider: &dyn Provider = match &model.provider {
        Some(provider) => &**provider,
        None => {
            own = model.spec.open(&model.options)?;
            &*own
        }
    };
    let (case_given, store) = (&trial.cases[case], Some(&shared.store));
    let attempt = trial.attempt(agent, case_given, &variant.settings, provider, store).await?;
    let report = &attempt.report;
    Ok(Row {
        subject: Subject::new(&model.name, &variant.name),
        mission: trial.name.clone(),
        case: case + 1,
        repeat,
        held_out: trial.held_out,
        right: attempt.is_right,
        status: report.status.as_str().to_owned(),
        stop: report.stop.map(|stop| stop.as_str().to_owned()),
        run: report.run.to_string(),
        turns: report.turns,
        tool_calls: report.tool_calls,
        requests: attempt.requests,
        prompt_tokens: attempt.prompt_tokens,
        input_tokens: report.usage.input_tokens,
        output_tokens: report.usage.output_tokens,
        cost: crate::figures::cost(&report.usage).map(Cost::dollars),
        seconds: attempt.duration.as_secs_f64(),
        problems: attempt.problems,
        fingerprint,
    })
}

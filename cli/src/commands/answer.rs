//! `ptc answer`: answers the question of a waiting run, and resumes it.

use ptc_lisp::json;
use ptc_subagent::Data;
use ptc_subagent::form::Form;
#[cfg(feature = "restate")]
use ptc_subagent::host::Decisions;
use ptc_subagent::replay::Resume;
use serde_json::Value;

use crate::agents::{NAME_AGENT, agent_of, with_tools};
use crate::args::AnswerArgs;
use crate::ask;
use crate::input;
use crate::mission::{PATIENCE, report_end, run_to_end};
use crate::model::model_on_record;
use crate::process::runtime;
use crate::progress::Progress;
use crate::records;
use crate::report::{self, Fault, Result};
#[cfg(feature = "restate")]
use crate::restate;

/// Runs `ptc answer`.
pub(crate) fn command(args: &AnswerArgs) -> Result<u8> {
    #[cfg(feature = "restate")]
    if let Some(client) = restate::client(&args.store)? {
        return answer_there(args, &client);
    }
    if records::open_for_reading(args.store.file())?.is_none() {
        return Err(records::unknown(Some(&args.run)));
    }
    let store = records::open_for_writing(args.store.file())?;
    let mut resume = Resume::of(&store, &args.run)?;
    if let Some((question, answer)) = answer_of(args, &resume)? {
        resume = resume.answer(question, answer)?;
    } else if !args.cancel && !ask::can_ask() {
        return list(args, &resume);
    }
    let resume = with_tools(resume)?;
    let agent = agent_of(resume.record(), args.agent.file(), NAME_AGENT)?;
    if args.cancel {
        let report = runtime()?.block_on(resume.cancel(&agent))?;
        return report_end(&report, args.json, args.progress.quiet);
    }
    let context = input::host_context(args.context.file())?;
    let provider =
        model_on_record(&args.model, &agent, resume.record())?.open_for(&resume, &agent)?;
    let mut progress =
        Progress::new(args.progress.quiet, args.store.file()).after_record(resume.record());
    let summary = resume.record().summary.clone();
    let resume = resume.with_keys(args.model.variables());
    let mission = resume.mission(&agent)?.with_context(context).wait_at_most(PATIENCE);
    progress.show_resumed(&summary);
    run_to_end(mission, &*provider, progress, None, &[], args.json, args.progress.quiet)
}

/// Returns the answer of the command line, and the question that it names.
fn answer_of<'a>(
    args: &'a AnswerArgs,
    resume: &Resume<'_>,
) -> Result<Option<(Option<&'a str>, Data)>> {
    let has_verdict = args.yes || args.no.is_some();
    let (question, value) = match args.answer.as_slice() {
        [] => (None, None),
        [only] if has_verdict => (Some(only.as_str()), None),
        [only] => (None, Some(only)),
        [_, value] if has_verdict => {
            let message = format!("`{value}` and `--yes` or `--no` are two answers");
            return Err(Fault::new("usage", message));
        }
        [question, value, ..] => (Some(question.as_str()), Some(value)),
    };
    Ok(match value {
        Some(text) => Some((question, value_of(text)?)),
        None if has_verdict => Some((question, verdict(resume, question, args)?.into())),
        None => None,
    })
}

/// Lists the open questions of a run.
fn list(args: &AnswerArgs, resume: &Resume<'_>) -> Result<u8> {
    let open = resume.questions();
    if args.json {
        report::print_json(&serde_json::json!(open))?;
    } else if open.is_empty() {
        report::say("the run asks nothing\n");
    } else {
        report::print(&records::questions(&resume.record().summary.run, &open))?;
    }
    Ok(report::DONE)
}

/// Answers a run of a Restate server, or cancels it.
#[cfg(feature = "restate")]
fn answer_there(args: &AnswerArgs, client: &ptc_restate::Client) -> Result<u8> {
    let store = restate::read(client, &args.run)?;
    if args.cancel {
        let run = records::named_or_newest(&store, Some(&args.run))?;
        return restate::cancel(client, &store.show(&run)?.summary.run);
    }
    let resume = Resume::of(&store, &args.run)?;
    match answer_of(args, &resume)? {
        None => list(args, &resume),
        Some((question, answer)) => {
            let mut decisions = Decisions::default();
            decisions.answers.push((question.map(str::to_owned), answer));
            restate::decide(client, Some(&args.run), decisions)
        }
    }
}

/// Reads an answer: the JSON of a file or of the text, or the text itself.
fn value_of(text: &str) -> Result<Data> {
    let value = match text.strip_prefix('@') {
        Some(_) => input::json_option("VALUE", text)?,
        None => match json::parse(text) {
            Ok(value) => value,
            Err(_) => return Ok(Value::String(text.to_owned()).into()),
        },
    };
    Data::of(&value).map_err(|error| {
        Fault::new("usage", format!("the answer has no JSON form: {}", error.message()))
    })
}

/// Returns the answer for `--yes` or `--no`.
fn verdict(resume: &Resume<'_>, question: Option<&str>, args: &AnswerArgs) -> Result<Value> {
    let open = resume.question(question)?;
    let reason = args.no.as_deref().filter(|reason| !reason.is_empty());
    let form = Form::read(&open.form).ok();
    form.and_then(|form| form.verdict(args.yes, reason)).ok_or_else(|| {
        let what = if reason.is_some() { "yes or no with a reason" } else { "yes or no" };
        Fault::new("usage", format!("question {} does not ask for {what}", open.id))
            .with_help("give its answer as JSON")
    })
}

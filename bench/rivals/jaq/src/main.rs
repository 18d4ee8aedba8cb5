//! The worker of jaq: answers requests of the suite of data programs, one line of JSON each.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars, data, unwrap_valr};
use jaq_json::write::{Pp, write};
use jaq_json::{Val, read};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Program = Filter<data::JustLut<Val>>;

#[derive(Default)]
struct Worker {
    source: String,
    program: Option<Program>,
    ctx: Val,
    text: String,
    /// The sets of records read so far.
    sets: HashMap<String, Val>,
}

fn main() -> Result<()> {
    let mut worker = Worker::default();
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        match worker.answer(&request) {
            Ok(answer) => println!("{answer}"),
            Err(error) => println!("{}", json!({"error": error.to_string()})),
        }
        io::stdout().flush()?;
    }
    Ok(())
}

impl Worker {
    /// Returns the answer to a request, as JSON.
    fn answer(&mut self, request: &Value) -> Result<String> {
        if let Some(path) = request["program"].as_str() {
            self.source = fs::read_to_string(path)?;
            self.program = Some(compile(&self.source)?);
            let mut ctx = jaq_json::Map::default();
            for (name, path) in request["ctx"].as_object().into_iter().flatten() {
                let path = path.as_str().unwrap_or_default();
                ctx.insert(Val::from(name.clone()), self.set(path)?);
            }
            self.ctx = Val::obj(ctx);
            return Ok(format!("{{\"result\": {}}}", written(&self.run()?)?));
        }
        if let Some(path) = request["json"].as_str() {
            self.text = fs::read_to_string(path)?;
            self.ctx = parsed(&self.text)?;
            return Ok(format!("{{\"result\": {}}}", written(&self.ctx)?));
        }
        let (Some(kind), Some(times)) = (request["time"].as_str(), request["times"].as_u64())
        else {
            bail!("an unknown request");
        };
        let start = processor_time();
        for _ in 0..times {
            match kind {
                "run" => drop(self.run()?),
                "ready" => drop(compile(&self.source)?),
                "json in" => drop(parsed(&self.text)?),
                _ => drop(written(&self.ctx)?),
            }
        }
        Ok(json!({"seconds": (processor_time() - start).as_secs_f64() / times as f64}).to_string())
    }

    fn set(&mut self, path: &str) -> Result<Val> {
        if !self.sets.contains_key(path) {
            self.sets.insert(path.to_owned(), parsed(&fs::read_to_string(path)?)?);
        }
        Ok(self.sets[path].clone())
    }

    /// Runs the program, and returns its only output.
    fn run(&self) -> Result<Val> {
        let program = self.program.as_ref().ok_or_else(|| anyhow!("no program"))?;
        let ctx = Ctx::<data::JustLut<Val>>::new(&program.lut, Vars::new([]));
        let mut outputs = program.id.run((ctx, self.ctx.clone())).map(unwrap_valr);
        let output = outputs.next().ok_or_else(|| anyhow!("no output"))?;
        output.map_err(|error| anyhow!("{error}"))
    }
}

/// Returns the time that processors have spent on this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn compile(source: &str) -> Result<Program> {
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let modules = Loader::new(defs)
        .load(&arena, File { code: source, path: () })
        .map_err(|errors| anyhow!("{errors:?}"))?;
    Compiler::default().with_funs(funs).compile(modules).map_err(|errors| anyhow!("{errors:?}"))
}

fn parsed(text: &str) -> Result<Val> {
    read::parse_single(text.as_bytes()).map_err(|error| anyhow!("{error:?}"))
}

fn written(value: &Val) -> Result<String> {
    let mut bytes = Vec::new();
    write(&mut bytes, &Pp::default(), 0, value)?;
    Ok(String::from_utf8(bytes)?)
}

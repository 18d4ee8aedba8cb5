//! The worker of the language: answers requests of the runner, one line of JSON each.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, Write};

use ptc_bench::processor_time;
use ptc_lisp::{Budget, Limits, Outcome, Session, Value, Yielded, json};
use serde_json::json;

use crate::Failure;

/// Answers requests until the runner closes the pipe.
pub(crate) fn work() -> Result<(), Failure> {
    let mut worker = Worker::default();
    for line in io::stdin().lock().lines() {
        let request: serde_json::Value = serde_json::from_str(&line?)?;
        let answer =
            worker.answer(&request).unwrap_or_else(|error| json!({"error": error.to_string()}));
        writeln!(io::stdout(), "{answer}")?;
    }
    Ok(())
}

#[derive(Default)]
struct Worker {
    source: String,
    ctx: Value,
    text: String,
    /// The sets of records read so far.
    sets: HashMap<String, Value>,
}

impl Worker {
    fn answer(&mut self, request: &serde_json::Value) -> Result<serde_json::Value, Failure> {
        if let Some(path) = request["program"].as_str() {
            self.source = fs::read_to_string(path)?;
            let mut ctx = Vec::new();
            for (name, path) in request["ctx"].as_object().into_iter().flatten() {
                ctx.push((Value::str(name), self.set(path.as_str().unwrap_or_default())?));
            }
            self.ctx = Value::map(ctx);
            return Ok(json!({"result": json::to_serde(&self.run()?)?}));
        }
        if let Some(path) = request["json"].as_str() {
            self.text = fs::read_to_string(path)?;
            self.ctx = json::parse(&self.text)?;
            return Ok(json!({"result": json::to_serde(&self.ctx)?}));
        }
        let (Some(kind), Some(times)) = (request["time"].as_str(), request["times"].as_u64())
        else {
            return Err("an unknown request".into());
        };
        let start = processor_time();
        for _ in 0..times {
            match kind {
                "run" => drop(self.run()?),
                "ready" => drop(self.session().admit(&self.source)?),
                "json in" => drop(json::parse(&self.text)?),
                _ => drop(json::write(&self.ctx)?),
            }
        }
        Ok(json!({"seconds": (processor_time() - start) / times as f64}))
    }

    fn set(&mut self, path: &str) -> Result<Value, Failure> {
        if !self.sets.contains_key(path) {
            self.sets.insert(path.to_owned(), json::parse(&fs::read_to_string(path)?)?);
        }
        Ok(self.sets[path].clone())
    }

    fn session(&self) -> Session {
        Session::new(self.ctx.clone(), Vec::new(), Limits::default())
    }

    /// Reads, checks and runs the program.
    fn run(&self) -> Result<Value, Failure> {
        let session = self.session();
        let program = session.admit(&self.source)?;
        let mut machine = session.start(&program);
        let mut budget = Budget::new(session.limits());
        while !matches!(machine.run(&mut budget), Yielded::Done) {}
        match machine.finish().outcome {
            Outcome::Return(value) => Ok(value),
            Outcome::Error(diagnostic) => Err(diagnostic.to_string().into()),
            other => Err(format!("the program did not return: {other:?}").into()),
        }
    }
}

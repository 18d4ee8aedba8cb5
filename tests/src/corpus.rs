//! Corpora: programs with their expected answers, as plain text.
//!
//! ```text
//! ;; A remark.
//! (+ 1
//!    2)
//! ;=> 3
//! (/ 7 2)
//! ;=> 3.5
//! ;clj D4 7/2
//! ```
//!
//! A program is a line and the following lines that begin with white space. Its answer follows it:
//! `;=> value`, `;return value`, `;fail value`, or `;! code message` for each problem. Before the
//! answer, `;print line` is a printed line and `;call name args` a tool call.
//!
//! `;clj ID value` is a different answer of Clojure, with the id of the divergence in the
//! specification. Programs without an empty line between them share a session, as turns of one run
//! do. A block may start with `;ctx JSON`.

use std::path::Path;

use ptc_lisp::Limits;

use crate::world::{Ran, World};

/// A corpus file.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The name of the file.
    pub name: String,
    /// The sessions.
    pub blocks: Vec<Block>,
}

/// The programs of one session.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The remarks before the block.
    pub remarks: Vec<String>,
    /// The data of the session.
    pub ctx: Option<String>,
    /// The programs, in order.
    pub cases: Vec<Case>,
}

/// A program with its expected answer.
#[derive(Debug, Clone, Default)]
pub struct Case {
    /// The line where it starts, from 1.
    pub line: usize,
    /// The program.
    pub source: String,
    /// The expected answer.
    pub answer: Answer,
    /// A different answer of Clojure: the id of the divergence and the answer.
    pub clojure: Option<String>,
}

/// An answer, line by line, as in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer(pub Vec<String>);

impl Answer {
    /// Returns the answer of a run.
    pub fn of(ran: &Ran) -> Answer {
        let prints = ran.prints.iter().flat_map(|line| line.split('\n'));
        let mut lines: Vec<String> = prints.map(|line| format!(";print {line}")).collect();
        lines.extend(ran.calls.iter().map(|call| format!(";call {}", call.text)));
        lines.extend(ran.shown.lines().map(|line| format!(";{line}")));
        Answer(lines)
    }
}

impl Block {
    /// Returns the world in which the programs of this block start.
    pub fn world(&self, limits: Limits) -> World {
        World::new(self.ctx.as_deref().unwrap_or("{}"), limits)
    }
}

impl Corpus {
    /// Reads a corpus.
    ///
    /// # Panics
    /// Panics if the file cannot be read or has a line that belongs to no program.
    pub fn read(path: &Path) -> Corpus {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path)
            .unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
        let mut blocks = Vec::new();
        let mut block = Block::default();
        for (at, line) in text.lines().enumerate() {
            let answers = [";=>", ";!", ";return", ";continue", ";fail", ";print", ";call"];
            if line.trim().is_empty() {
                blocks.push(std::mem::take(&mut block));
            } else if line.starts_with(";;") && block.cases.is_empty() {
                block.remarks.push(line.to_owned());
            } else if let Some(ctx) = line.strip_prefix(";ctx ") {
                block.ctx = Some(ctx.to_owned());
            } else if line.starts_with([' ', '\t']) || line.starts_with(';') {
                let case = block.cases.last_mut();
                let case = case.unwrap_or_else(|| {
                    panic!("{name}:{}: expected a program before `{line}`", at + 1)
                });
                if let Some(clojure) = line.strip_prefix(";clj ") {
                    case.clojure = Some(clojure.to_owned());
                } else if answers.iter().any(|answer| line.starts_with(answer)) {
                    case.answer.0.push(line.to_owned());
                } else if line.starts_with(';') {
                    panic!("{name}:{}: not an answer: `{line}`; comments begin a block", at + 1);
                } else {
                    case.source.push('\n');
                    case.source.push_str(line);
                }
            } else {
                let source = line.to_owned();
                block.cases.push(Case { line: at + 1, source, ..Case::default() });
            }
        }
        blocks.push(block);
        blocks.retain(|block| !block.cases.is_empty() || !block.remarks.is_empty());
        Corpus { name, blocks }
    }

    /// Returns the corpus as text.
    pub fn write(&self) -> String {
        let mut out = String::new();
        for (at, block) in self.blocks.iter().enumerate() {
            if at > 0 {
                out.push('\n');
            }
            let ctx = block.ctx.iter().map(|ctx| format!(";ctx {ctx}"));
            for line in block.remarks.iter().cloned().chain(ctx) {
                out.push_str(&line);
                out.push('\n');
            }
            for case in &block.cases {
                let clojure = case.clojure.iter().map(|clojure| format!(";clj {clojure}"));
                let lines = std::iter::once(case.source.clone()).chain(case.answer.0.clone());
                for line in lines.chain(clojure) {
                    out.push_str(&line);
                    out.push('\n');
                }
            }
        }
        out
    }
}

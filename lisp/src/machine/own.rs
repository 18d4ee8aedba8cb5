//! What every task has of its own: what it draws from, what it prints and what it keeps.
//!
//! A branch begins with the memory of the task that it branched off from and with nothing printed.
//! What it prints and puts into memory goes to that task when all branches before it are over. So
//! both stand in the order of the program, whichever branch is faster.

use std::sync::Arc;

use super::prints::Prints;
use crate::admission::SeenFields;
use crate::limits::Limits;
use crate::random::Random;
use crate::value::{Map, Value};

/// What a task has of its own.
#[derive(Clone)]
pub(crate) struct Own {
    /// What it draws from.
    pub(crate) random: Random,
    /// What is kept between turns, as it sees it.
    pub(crate) memory: Arc<Map>,
    pub(super) prints: Prints,
    /// Fields that results of tools had besides those that are declared.
    pub(super) seen: SeenFields,
    /// What it has put into memory, if it is a branch.
    puts: Option<Arc<Map>>,
    is_branch: bool,
}

/// What branches begin with.
pub(super) struct Beginning {
    random: Random,
    memory: Arc<Map>,
    prints: Prints,
}

impl Beginning {
    /// What a branch has when it begins, by the number of its fork and its place there.
    pub(super) fn branch(&self, fork: u32, place: u32) -> Own {
        Own {
            random: self.random.of_branch(fork, place),
            memory: self.memory.clone(),
            prints: self.prints.clone(),
            seen: SeenFields::new(),
            puts: None,
            is_branch: true,
        }
    }
}

impl Own {
    /// What the program's own line has.
    pub(super) fn of_program(memory: Arc<Map>, random: Random) -> Own {
        let (prints, seen) = (Prints::default(), SeenFields::new());
        Own { random, memory, prints, seen, puts: None, is_branch: false }
    }

    /// What branches of this task begin with; `captured`: they print to a text.
    pub(super) fn at_fork(&self, captured: bool) -> Beginning {
        let (random, memory) = (self.random, self.memory.clone());
        Beginning { random, memory, prints: self.prints.of_branch(captured) }
    }

    /// Keeps a value for later turns.
    pub(crate) fn put(&mut self, key: Value, value: Value) {
        if self.is_branch {
            let puts = self.puts.get_or_insert_default();
            Map::make_mut(puts).insert((key.clone(), value.clone()));
        }
        Map::make_mut(&mut self.memory).insert((key, value));
    }

    /// Takes in what a branch has printed and kept.
    pub(super) fn take_in(&mut self, branch: Own, limits: &Limits) {
        for (key, value) in branch.puts.iter().flat_map(|puts| puts.iter()) {
            self.put(key.clone(), value.clone());
        }
        self.prints.take_in(branch.prints, limits);
        for (tool, names) in branch.seen {
            crate::admission::note_names(&mut self.seen, &tool, names);
        }
    }

    /// Whether there is nothing to take in.
    pub(super) fn is_untouched(&self) -> bool {
        self.puts.is_none() && self.seen.is_empty() && self.prints.is_untouched()
    }

    /// The work of taking it in.
    pub(super) fn weight(&self) -> u64 {
        self.puts.as_ref().map_or(0, |puts| puts.len()) as u64 + self.prints.weight()
    }

    /// Every value it holds; gives the bytes that it takes besides.
    pub(super) fn each_value(&self, visit: &mut impl FnMut(&Value)) -> u64 {
        visit(&Value::Map(self.memory.clone()));
        self.puts.iter().for_each(|puts| visit(&Value::Map(puts.clone())));
        self.prints.bytes()
    }
}

//! What builtins may touch: fuel, memory accounting, printed lines, what is kept between turns.

use std::fmt::Write as _;
use std::sync::Arc;

use super::{Budget, Limits, MAX_KEY_DEPTH, MAX_KEY_ITEMS};
use crate::diagnostic::{Code, Diagnostic};
use crate::value::print::Style;
use crate::value::{Map, Seq, Set, Value, Vector, print};

/// The result of a builtin.
pub(crate) type Res<T = Value> = Result<T, Diagnostic>;

/// New bytes after which live bytes are counted again. Counting walks what the machine holds, so
/// it must be rare next to allocating as much.
const COUNT_EVERY: u64 = 8 << 20;

/// The context of a running program.
pub(crate) struct Cx {
    pub(crate) limits: Limits,
    fuel: u64,
    fuel_given: u64,
    /// Fuel at which the machine yields.
    pub(super) yield_at: u64,
    pub(super) calls_left: u32,
    /// Bytes allocated since live bytes were counted.
    allocated: u64,
    /// Live bytes when they were last counted.
    live: u64,
    prints: Vec<String>,
    print_bytes: usize,
    print_cut: bool,
    pub(crate) memory: Arc<Map>,
}

impl Cx {
    pub(super) fn new(limits: Limits, memory: Arc<Map>) -> Cx {
        Cx {
            limits,
            fuel: 0,
            fuel_given: 0,
            yield_at: 0,
            calls_left: 0,
            allocated: 0,
            live: 0,
            prints: Vec::new(),
            print_bytes: 0,
            print_cut: false,
            memory,
        }
    }

    pub(super) fn load(&mut self, budget: &Budget) {
        self.fuel = budget.fuel;
        self.fuel_given = budget.fuel;
        self.yield_at = budget.fuel.saturating_sub(budget.slice.max(1));
        self.calls_left = budget.tool_calls;
    }

    /// Writes back what is left; gives what was used.
    pub(super) fn store(&mut self, budget: &mut Budget) -> u64 {
        budget.fuel = self.fuel;
        budget.tool_calls = self.calls_left;
        self.fuel_given - self.fuel
    }

    pub(super) fn finish(&mut self) -> (Vec<String>, Arc<Map>) {
        if self.print_cut {
            self.prints
                .push(format!("… (printed text is kept up to {} bytes)", self.limits.print_bytes));
        }
        (std::mem::take(&mut self.prints), self.memory.clone())
    }

    /// Pays for work before it is done.
    #[inline]
    pub(crate) fn spend(&mut self, units: u64) -> Res<()> {
        match self.fuel.checked_sub(units) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(self.out_of_fuel()),
        }
    }

    pub(super) fn fuel_left(&self) -> u64 {
        self.fuel
    }

    #[cold]
    fn out_of_fuel(&mut self) -> Diagnostic {
        self.fuel = 0;
        Diagnostic::new(
            Code::FuelLimit,
            format!("the program used up its fuel of {} units of work", self.limits.fuel),
        )
        .with_help(
            "check that every loop ends, and do less work per element; or raise the limit `fuel`",
        )
    }

    /// Whether the machine should stop for a moment: its slice is used up, or live bytes are due.
    #[inline]
    pub(super) fn pausing(&self) -> bool {
        self.fuel < self.yield_at || self.allocated > COUNT_EVERY
    }

    pub(super) fn slice_over(&self) -> bool {
        self.fuel < self.yield_at
    }

    #[inline]
    pub(super) fn counting_due(&self) -> bool {
        self.allocated > COUNT_EVERY
    }

    /// Notes bytes that are already allocated.
    pub(crate) fn charge(&mut self, bytes: u64) {
        self.allocated = self.allocated.saturating_add(bytes);
    }

    /// Pays for bytes before they are allocated.
    #[inline]
    pub(crate) fn alloc(&mut self, bytes: u64) -> Res<()> {
        self.allocated = self.allocated.saturating_add(bytes);
        if bytes > self.limits.memory {
            return Err(self.too_much());
        }
        Ok(())
    }

    #[cold]
    pub(crate) fn too_much(&self) -> Diagnostic {
        Diagnostic::new(
            Code::MemoryLimit,
            format!("the program keeps more than its limit of {} bytes of memory", self.limits.memory),
        )
        .with_help("keep less at a time: filter and summarise before collecting; or raise the limit `memory`")
    }

    /// Takes the live bytes that were counted.
    pub(super) fn counted(&mut self, live: u64) -> Res<()> {
        self.live = live;
        self.allocated = 0;
        if live > self.limits.memory { Err(self.too_much()) } else { Ok(()) }
    }

    /// Whether values may nest so deep.
    pub(crate) fn depth(&self, depth: u32) -> Res<()> {
        if depth <= self.limits.value_depth {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::ValueDepthLimit,
            format!("values nest deeper than the limit of {} levels", self.limits.value_depth),
        )
        .with_help("build flatter data; or raise the limit `value_depth`"))
    }

    /// Makes a sequence.
    pub(crate) fn list(&mut self, items: Vec<Value>) -> Res {
        self.alloc(items.len() as u64 * 16 + 64)?;
        let seq = Seq::new(items);
        self.depth(seq.depth())?;
        Ok(Value::List(Arc::new(seq)))
    }

    /// Makes a sequence of a sequence that is already there.
    pub(crate) fn seq(&mut self, seq: Seq) -> Res {
        self.alloc(64)?;
        self.depth(seq.depth())?;
        Ok(Value::List(Arc::new(seq)))
    }

    /// Makes a vector.
    pub(crate) fn vector(&mut self, items: Vec<Value>) -> Res {
        self.alloc(items.len() as u64 * 16 + 64)?;
        let vector = Vector::new(items);
        self.depth(vector.depth())?;
        Ok(Value::Vector(Arc::new(vector)))
    }

    /// Gives a vector that was changed; `grown` bytes are new.
    pub(crate) fn changed_vector(&mut self, vector: Arc<Vector>, grown: u64) -> Res {
        self.alloc(grown)?;
        self.depth(vector.depth())?;
        Ok(Value::Vector(vector))
    }

    /// Makes a map.
    pub(crate) fn map(&mut self, map: Map) -> Res {
        self.alloc(map.len() as u64 * 40 + 64)?;
        self.changed_map(Arc::new(map), 0)
    }

    /// Gives a map that was changed; `grown` bytes are new.
    pub(crate) fn changed_map(&mut self, map: Arc<Map>, grown: u64) -> Res {
        self.alloc(grown)?;
        self.depth(map.depth())?;
        Ok(Value::Map(map))
    }

    /// A map or set that may be changed; pays for the copy if somebody else holds it.
    pub(crate) fn own_table<'t, R: crate::value::Row>(
        &mut self,
        table: &'t mut Arc<crate::value::Table<R>>,
    ) -> Res<&'t mut crate::value::Table<R>> {
        let rows = crate::value::Table::copy_cost(table);
        self.spend(rows)?;
        self.alloc(rows.saturating_mul(40))?;
        Ok(crate::value::Table::make_mut(table))
    }

    /// A vector that may be changed; pays for the copy if somebody else holds it.
    pub(crate) fn own_vector<'v>(&mut self, vector: &'v mut Arc<Vector>) -> Res<&'v mut Vector> {
        let items = Vector::copy_cost(vector);
        self.spend(items)?;
        self.alloc(items.saturating_mul(16))?;
        Ok(Vector::make_mut(vector))
    }

    /// Makes a set.
    pub(crate) fn set(&mut self, set: Set) -> Res {
        self.alloc(set.len() as u64 * 24 + 64)?;
        self.depth(set.depth())?;
        Ok(Value::Set(Arc::new(set)))
    }

    /// Makes a string.
    pub(crate) fn string(&mut self, text: impl Into<arcstr::ArcStr> + AsRef<str>) -> Res {
        self.alloc(text.as_ref().len() as u64 + 32)?;
        Ok(Value::Str(text.into()))
    }

    /// Whether a value may be a key of a map or a member of a set.
    pub(crate) fn key(&self, key: &Value) -> Res<()> {
        if crate::value::may_be_key(key) {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::ValueDepthLimit,
            format!("a key of a map or a member of a set nests deeper than {MAX_KEY_DEPTH} levels or has more than {MAX_KEY_ITEMS} items"),
        )
        .with_help("use a flat value, such as an id, as the key"))
    }

    /// The text of values, one after another.
    pub(crate) fn text_of(&mut self, out: &mut String, value: &Value, readable: bool) -> Res<()> {
        let before = out.len();
        let style = if readable { Style::Readable } else { Style::Text };
        let whole = print::append(out, value, style, self.limits.memory as usize);
        self.alloc((out.len() - before) as u64)?;
        if whole { Ok(()) } else { Err(self.too_much()) }
    }

    /// Keeps a printed line, as far as there is room.
    pub(crate) fn print(&mut self, values: &[Value], readable: bool) -> Res<()> {
        let room = (self.limits.print_bytes as usize).saturating_sub(self.print_bytes);
        if room == 0 {
            self.print_cut = true;
            return Ok(());
        }
        let style = if readable { Style::Readable } else { Style::Printed };
        let mut line = String::new();
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                line.push(' ');
            }
            if !print::append(&mut line, value, style, room) {
                self.print_cut = true;
                break;
            }
        }
        self.spend(line.len() as u64 / 16 + 1)?;
        if line.len() > room {
            let mut end = room;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line.truncate(end);
            let _ = write!(line, "…");
            self.print_cut = true;
        }
        self.print_bytes += line.len() + 1;
        self.prints.push(line);
        Ok(())
    }
}

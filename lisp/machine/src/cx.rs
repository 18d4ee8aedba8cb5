//! The context of builtins: fuel, memory accounting, printed lines, values kept between turns.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use arcstr::ArcStr;

use super::alive::Alive;
use super::budget::Budget;
use super::own::Own;
use super::own_payload::PayloadEnd;
use super::waiting::WaitingTasks;
use super::world::World;
use ptc_facts::access::FieldPlaces;
use ptc_facts::field_watch::FieldWatch;
use ptc_values::code::Code;
use ptc_values::limits::{Limits, MAX_KEY_DEPTH, MAX_KEY_PARTS};
use ptc_values::print::{Appended, Style};
use ptc_values::{
    CHARGE_BYTES, COPY_MAX, Cell, CellKind, Diagnostic, Ext, Grown, Lazy, Map, Order, Positions,
    Res, Row, Search, Seq, Set, Shapes, Stage, Table, Value, Vector, compare_within, equal_within,
    is_comparable, is_long, parts, print,
};

/// New bytes after which live bytes are counted again. A count walks all values of the machine, so
/// it must be rare compared with allocating as much.
const COUNT_EVERY: u64 = 8 << 20;

/// The context of a running program.
pub struct Cx {
    pub limits: Limits,
    fuel: u64,
    fuel_given: u64,
    /// Fuel at which the machine yields.
    yield_at: u64,
    /// Fuel at which it pauses: to yield, or at once when a count of live bytes is due.
    pause_at: u64,
    pub calls_left: u32,
    /// Bytes allocated since live bytes were counted.
    allocated: u64,
    /// Live bytes when they were last counted.
    live: u64,
    /// New bytes after which live bytes are counted again.
    count_after: u64,
    /// The number of parts of values in the last count.
    pub parts: usize,
    /// The private state of the running task.
    pub own: Own,
    /// The state that the session lent. Memory, payload and random numbers are those of `own` while the program runs.
    pub world: World,
    /// A buffer for building a text.
    pub scratch: String,
    /// Character indexes of long texts.
    pub positions: Positions,
    /// The shapes in which fields of records were looked up last.
    pub fields: FieldPlaces,
    /// The shapes of the last new records.
    pub shapes: Shapes,
    /// Tasks that wait for a value that another task computes.
    pub(super) waiting: WaitingTasks,
    /// Cells live as long as their program (D7).
    cells: Alive,
    /// Lazy sequences live as long as the session: an earlier one may hold links of this program. Those of a program that
    /// is not lazy-aware end with it.
    lazies: Option<Arc<Mutex<Alive>>>,
    /// Whether the last argument of the next call is the sequence of all remaining arguments.
    pub(super) rest_given: bool,
}

impl Cx {
    pub(super) fn new(limits: Limits, world: World, watch: FieldWatch) -> Cx {
        let lent = world.lazies.get().filter(|_| world.lazy_aware);
        let lazies = lent.cloned();
        Cx {
            limits,
            fuel: 0,
            fuel_given: 0,
            yield_at: 0,
            pause_at: 0,
            calls_left: 0,
            allocated: world.uncounted,
            live: 0,
            count_after: COUNT_EVERY,
            parts: 0,
            own: Own::of_main(&world),
            scratch: String::new(),
            positions: Positions::default(),
            fields: FieldPlaces::new(watch),
            shapes: Shapes::default(),
            waiting: WaitingTasks::default(),
            cells: Alive::default(),
            lazies,
            rest_given: false,
            world,
        }
    }

    pub fn load(&mut self, budget: &Budget) {
        self.fuel = budget.fuel;
        self.fuel_given = budget.fuel;
        self.yield_at = budget.fuel.saturating_sub(budget.slice.max(1));
        self.pause_at = if self.counting_due() { u64::MAX } else { self.yield_at };
        self.calls_left = budget.tool_calls;
    }

    /// Writes back the remaining budget; returns the fuel used.
    pub fn store(&mut self, budget: &mut Budget) -> u64 {
        budget.fuel = self.fuel;
        budget.tool_calls = self.calls_left;
        self.fuel_given - self.fuel
    }

    /// Returns the fuel used since [`Cx::load`].
    pub(super) fn fuel_taken(&self) -> u64 {
        self.fuel_given - self.fuel
    }

    /// Returns the number of tool calls that the program has left.
    pub fn calls_left(&self) -> u32 {
        self.calls_left
    }

    /// Gives the world back, with the payload and the operations that made it.
    pub(super) fn finish(mut self) -> (World, Option<PayloadEnd>) {
        let payload = self.own.take_payload();
        if let (Some(lent), Some(end)) = (&mut self.world.payload, &payload) {
            lent.value = end.value.clone();
        }
        self.world.memory = self.own.memory;
        self.world.uncounted = self.allocated;
        (self.world, payload)
    }

    /// Returns whether builtins may return values whose use calls functions.
    pub fn is_lazy_aware(&self) -> bool {
        self.world.lazy_aware
    }

    /// Marks the last argument of the next call as the sequence of all remaining arguments.
    pub fn rest_is_given(&mut self) {
        self.rest_given = true;
    }

    /// Returns whether this number of items can fit into memory.
    pub fn has_room(&self, items: u64) -> bool {
        items.saturating_mul(16) <= self.limits.memory
    }

    /// Makes a cell, and registers it to be closed when the program ends.
    pub fn cell(&mut self, kind: CellKind, value: Value) -> Res {
        self.alloc(112)?;
        let cell = Arc::new(Ext::Cell(Cell::new(kind, value)));
        self.cells.add(&cell);
        Ok(Value::Ext(cell))
    }

    /// Makes a lazy sequence, and registers it to be closed when the session ends.
    pub fn lazy(&mut self, lazy: Lazy) -> Res {
        // Locking, registering and closing it takes longer than an item of a list.
        self.spend(3)?;
        self.alloc(128)?;
        let lazy = Arc::new(Ext::Lazy(lazy));
        let lazies = self.lazies.get_or_insert_default();
        lazies.lock().unwrap_or_else(PoisonError::into_inner).add(&lazy);
        Ok(Value::Ext(lazy))
    }

    /// Makes a reducing function of a transducer. Registers one that keeps items, because it may
    /// hold itself, so that the end of the session empties it.
    pub fn step(&mut self, step: Stage, keeps_items: bool) -> Res {
        self.spend(1)?;
        if step.length > self.limits.call_depth {
            return Err(self.too_deep());
        }
        self.stage(step, keeps_items)
    }

    /// Makes a step that a sequence keeps.
    pub fn stage(&mut self, step: Stage, keeps_items: bool) -> Res {
        self.alloc(256)?;
        let step = Arc::new(Ext::Stage(step));
        if keeps_items {
            let lazies = self.lazies.get_or_insert_default();
            lazies.lock().unwrap_or_else(PoisonError::into_inner).add(&step);
        }
        Ok(Value::Ext(step))
    }

    #[cold]
    pub fn too_deep(&self) -> Diagnostic {
        Diagnostic::new(
            Code::CallDepthLimit,
            format!("calls nest deeper than the limit of {}", self.limits.call_depth),
        )
        .with_help("use `loop` and `recur`, or `reduce`")
        .with_advice("raise the limit `call_depth`")
    }

    /// Pays for work before it is done.
    #[inline]
    pub fn spend(&mut self, units: u64) -> Res<()> {
        match self.fuel.checked_sub(units) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(self.out_of_fuel()),
        }
    }

    pub fn fuel_left(&self) -> u64 {
        self.fuel
    }

    /// Pays for a call or a turn of a loop; returns whether the machine should pause.
    #[inline]
    pub fn tick(&mut self) -> Res<bool> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(self.pausing())
            }
            None => Err(self.out_of_fuel()),
        }
    }

    #[cold]
    fn out_of_fuel(&mut self) -> Diagnostic {
        self.fuel = 0;
        Diagnostic::new(
            Code::FuelLimit,
            format!("the program used up its fuel of {} units of work", self.limits.fuel),
        )
        .with_help("check that every loop ends, and do less work per element")
        .with_advice("raise the limit `fuel`")
    }

    /// Returns whether the machine should pause: the slice is over, or a count is due.
    #[inline]
    pub fn pausing(&self) -> bool {
        self.fuel < self.pause_at
    }

    pub fn slice_over(&self) -> bool {
        self.fuel < self.yield_at
    }

    #[inline]
    pub fn counting_due(&self) -> bool {
        self.allocated > self.count_after
    }

    /// Charges bytes that are already allocated.
    #[inline]
    pub fn charge(&mut self, bytes: u64) {
        self.allocated = self.allocated.saturating_add(bytes);
        if self.counting_due() {
            self.pause_at = u64::MAX;
        }
    }

    /// Pays for bytes before they are allocated.
    #[inline]
    pub fn alloc(&mut self, bytes: u64) -> Res<()> {
        self.charge(bytes);
        if bytes > self.limits.memory {
            return Err(self.too_much());
        }
        Ok(())
    }

    #[cold]
    pub fn too_much(&self) -> Diagnostic {
        Diagnostic::new(
            Code::MemoryLimit,
            format!(
                "the program keeps more than its limit of {} bytes of memory",
                self.limits.memory
            ),
        )
        .with_help("keep less at a time: filter and summarise before collecting")
        .with_advice("raise the limit `memory`")
    }

    /// Records a new count of live bytes.
    pub fn counted(&mut self, live: u64) -> Res<()> {
        self.live = live;
        self.allocated = 0;
        self.pause_at = self.yield_at;
        // The count leaves out the bytes of the indexes.
        self.positions.clear();
        // A program cannot pass its limit before it has filled the room. A count takes time in proportion to the live bytes,
        // so the wait grows with them too. Near the limit it is as short as at the start, so no program passes it by more.
        let room = self.limits.memory.saturating_sub(live);
        self.count_after = (room / 2).max(live / 2).min(room).max(COUNT_EVERY);
        if live > self.limits.memory { Err(self.too_much()) } else { Ok(()) }
    }

    /// Checks a nesting of values against the limit.
    pub fn depth(&self, depth: u32) -> Res<()> {
        if depth <= self.limits.value_depth {
            return Ok(());
        }
        Err(Diagnostic::new(
            Code::ValueDepthLimit,
            format!("values nest deeper than the limit of {} levels", self.limits.value_depth),
        )
        .with_help("build flatter data")
        .with_advice("raise the limit `value_depth`"))
    }

    pub fn list(&mut self, items: Vec<Value>) -> Res {
        self.alloc(items.len() as u64 * 16 + 64)?;
        let seq = self.built_seq(items)?;
        Ok(Value::List(Arc::new(seq)))
    }

    /// Makes a value of an existing sequence.
    pub fn seq(&mut self, seq: Seq) -> Res {
        self.alloc(64)?;
        self.depth(seq.depth())?;
        Ok(Value::List(Arc::new(seq)))
    }

    pub fn vector(&mut self, items: Vec<Value>) -> Res {
        self.alloc(items.len() as u64 * 16 + 64)?;
        let vector = self.built_vector(items)?;
        Ok(Value::Vector(Arc::new(vector)))
    }

    /// Returns a changed vector as a value and charges `grown` new bytes.
    pub fn changed_vector(&mut self, mut vector: Arc<Vector>, grown: u64) -> Res {
        self.alloc(grown)?;
        self.build_vector(&mut vector)?;
        Ok(Value::Vector(vector))
    }

    pub fn map(&mut self, mut map: Map) -> Res {
        self.alloc(map.len() as u64 * 40 + 64)?;
        self.shapes.share(&mut map);
        self.changed_map(Arc::new(map), 0)
    }

    /// Makes a map of existing rows.
    pub fn map_of(&mut self, rows: impl Iterator<Item = (Value, Value)>) -> Res {
        let mut map = Map::default();
        for row in rows {
            self.key(row.key())?;
            map.insert(row);
        }
        self.map(map)
    }

    /// Returns a changed map as a value and charges `grown` new bytes.
    pub fn changed_map(&mut self, mut map: Arc<Map>, grown: u64) -> Res {
        self.alloc(grown)?;
        self.build_map(&mut map)?;
        Ok(Value::Map(map))
    }

    /// Returns a map or set to change, as a copy if it is shared.
    pub fn own_table<'t, R: Row>(&mut self, table: &'t mut Arc<Table<R>>) -> Res<&'t mut Table<R>> {
        self.before_change(table)?;
        Ok(Table::make_mut(table))
    }

    /// Returns a map or set to change, with room for `rows` new rows.
    pub fn own_table_for<'t, R: Row>(
        &mut self,
        table: &'t mut Arc<Table<R>>,
        rows: usize,
    ) -> Res<&'t mut Table<R>> {
        self.before_change(table)?;
        Ok(Table::make_mut_for(table, rows))
    }

    /// Pays for a change of a table. A long table may be a tree, where a change copies the path
    /// down twice. Sharing decides whether it is a tree, so the price must not depend on that.
    pub fn before_change<R: Row>(&mut self, table: &Arc<Table<R>>) -> Res<()> {
        if table.is_long() {
            self.spend(3)?;
        }
        self.alloc(Table::copy_cost(table).saturating_mul(40))
    }

    /// Inserts a row into a table and pays for the comparisons. The key must be a valid key and, in
    /// a sorted table, comparable with the others.
    pub fn insert<R: Row<Key = Value>>(&mut self, table: &mut Table<R>, row: R) -> Res<()> {
        self.key(row.key())?;
        match table.order() {
            None => table.insert(row),
            Some(_) if table.contains(row.key()) => table.insert(row),
            Some(Order::Natural) => {
                if table.is_empty() && !is_comparable(row.key()) {
                    return Err(ptc_facts::messages::no_sorted_key(row.key()));
                }
                let mut search = Search::default();
                while let Some((key, number)) = table.probe(search) {
                    match self.compare(row.key(), key)? {
                        Ordering::Equal => {
                            table.replace_at(number, row);
                            return Ok(());
                        }
                        order => search.narrow(order, number),
                    }
                }
                let moved = table.insert_at(search, row);
                self.spend(moved as u64)?;
            }
            Some(Order::By(_)) => {
                return Err(Diagnostic::new(
                    Code::Unsupported,
                    "a collection that a function sorts cannot be changed inside another collection",
                )
                .with_help(
                    "take it out, change it with `assoc`, `conj` or `update`, and put it back",
                ));
            }
        }
        Ok(())
    }

    /// Returns a vector to change, as a copy if it is shared.
    pub fn own_vector<'v>(&mut self, vector: &'v mut Arc<Vector>) -> Res<&'v mut Vector> {
        if vector.len() > COPY_MAX {
            self.spend(1)?;
        }
        let items = Vector::copy_cost(vector);
        self.alloc(items.saturating_mul(16))?;
        Ok(Vector::make_mut(vector))
    }

    pub fn set(&mut self, set: Set) -> Res {
        self.alloc(set.len() as u64 * 24 + 64)?;
        self.depth(set.depth())?;
        Ok(Value::Set(Arc::new(set)))
    }

    /// Makes a set of existing members.
    pub fn set_of(&mut self, members: impl Iterator<Item = Value>) -> Res {
        let mut set = Set::default();
        for member in members {
            self.key(&member)?;
            set.insert(member);
        }
        self.set(set)
    }

    pub fn string(&mut self, text: impl Into<arcstr::ArcStr> + AsRef<str>) -> Res {
        self.alloc(text.as_ref().len() as u64 + 32)?;
        Ok(Value::Str(text.into()))
    }

    /// Checks that a value may be a map key or set member; pays for its parts.
    #[inline]
    pub fn key(&mut self, key: &Value) -> Res<()> {
        if key.depth() == 0 {
            self.charge_arguments(std::slice::from_ref(key))
        } else {
            self.nested_key(key)
        }
    }

    /// A key is compared and hashed repeatedly, so its values, with repeats, are bounded.
    fn nested_key(&mut self, key: &Value) -> Res<()> {
        if Grown::of(key).is_some() {
            let key = self.settled(key)?;
            return self.charge_arguments(std::slice::from_ref(key));
        }
        self.build_range(key)?;
        let parts = parts(key, MAX_KEY_PARTS);
        if parts > MAX_KEY_PARTS || key.depth() > MAX_KEY_DEPTH {
            return Err(Diagnostic::new(
                Code::ValueDepthLimit,
                format!(
                    "a key of a map or a member of a set may nest {MAX_KEY_DEPTH} levels and hold {MAX_KEY_PARTS} values, and this one is larger"
                ),
            )
            .with_help("use a small value, such as an id, as the key; the limit cannot be raised"));
        }
        self.spend(parts as u64)
    }

    /// Pays for calling data. A keyword is looked for in its first argument, and other data looks for its own.
    #[inline]
    pub(super) fn pay_for_lookup(&mut self, callee: &Value, args: &[Value]) -> Res<()> {
        let is_name = matches!(callee, Value::Keyword(_) | Value::Symbol(_));
        if is_name && is_long(callee) {
            self.look_for(callee)?;
        }
        args.iter().skip(usize::from(is_name)).try_for_each(|key| self.look_for(key))
    }

    /// Pays for looking for a value among keys: it is hashed and compared with one, at any size.
    #[inline]
    pub fn look_for(&mut self, key: &Value) -> Res<()> {
        if key.depth() == 0 {
            self.charge_arguments(std::slice::from_ref(key))
        } else {
            self.look_for_nested(key)
        }
    }

    fn look_for_nested(&mut self, key: &Value) -> Res<()> {
        if Grown::of(key).is_some() {
            let key = self.settled(key)?;
            return self.charge_arguments(std::slice::from_ref(key));
        }
        self.build_range(key)?;
        self.spend(parts(key, MAX_KEY_PARTS) as u64)
    }

    /// Pays for long unstructured arguments of a builtin, because it may read all of each.
    #[inline]
    pub fn charge_arguments(&mut self, args: &[Value]) -> Res<()> {
        if args.iter().any(is_long) { self.charge_long_arguments(args) } else { Ok(()) }
    }

    #[cold]
    fn charge_long_arguments(&mut self, args: &[Value]) -> Res<()> {
        let mut cost = 0;
        for arg in args {
            match arg {
                Value::Str(text) | Value::Keyword(text) | Value::Symbol(text) => {
                    cost += text.len() as u64 / CHARGE_BYTES;
                }
                Value::Big(big) => cost += big.bits() / (CHARGE_BYTES * 8),
                _ => {}
            }
        }
        self.spend(cost)
    }

    /// Pays for finding a position in a text, unless its character index is cached.
    #[inline]
    pub fn charge_lookup(&mut self, text: &ArcStr) -> Res<()> {
        if text.len() as u64 >= CHARGE_BYTES && !self.positions.knows(text) {
            self.spend(text.len() as u64 / CHARGE_BYTES)?;
        }
        Ok(())
    }

    /// Compares two values with the language's `=` and pays for it.
    pub fn equal(&mut self, a: &Value, b: &Value) -> Res<bool> {
        if let Some(answer) = equal_ranges(a, b) {
            self.spend(1)?;
            return Ok(answer);
        }
        let (answer, cost) = equal_within(a, b, self.fuel);
        self.spend(cost)?;
        answer.ok_or_else(|| self.out_of_fuel())
    }

    /// Orders two values and pays for it.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Res<Ordering> {
        let (answer, cost) = compare_within(a, b, self.fuel);
        self.spend(cost)?;
        match answer {
            Ok(Some(order)) => Ok(order),
            Ok(None) => Err(self.out_of_fuel()),
            Err((a, b)) => Err(ptc_facts::messages::no_order(a, b)),
        }
    }

    /// Appends the text of a value.
    pub fn text_of(&mut self, out: &mut String, value: &Value, readable: bool) -> Res<()> {
        let style = if readable { Style::Readable } else { Style::Text };
        self.styled(out, value, style)
    }

    /// Appends the text of a value in any style.
    pub fn styled(&mut self, out: &mut String, value: &Value, style: Style) -> Res<()> {
        let before = out.len();
        let how = self.append(out, value, style, self.limits.memory as usize)?;
        self.alloc((out.len() - before) as u64)?;
        if how == Appended::Whole { Ok(()) } else { Err(self.too_much()) }
    }

    /// Appends a text that may be cut; pays for the digits of large integers.
    pub(super) fn append(
        &mut self,
        out: &mut String,
        value: &Value,
        style: Style,
        max_bytes: usize,
    ) -> Res<Appended> {
        match print::append(out, value, style, max_bytes, &mut self.fuel) {
            Appended::TooMuchWork => Err(self.out_of_fuel()),
            how => Ok(how),
        }
    }
}

/// Compares two ranges that are not built.
fn equal_ranges(a: &Value, b: &Value) -> Option<bool> {
    let (Value::List(a), Value::List(b)) = (a, b) else { return None };
    let (a, b) = (a.unbuilt()?, b.unbuilt()?);
    // The step of a single integer does not matter.
    let steps_are_equal = a.step == b.step || a.left == Some(1);
    Some(a.left == b.left && a.next == b.next && steps_are_equal)
}

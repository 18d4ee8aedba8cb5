//! Register code: operations of eight bytes on the slots of a frame. Each function of a program is lowered into it once.

use std::sync::{Arc, OnceLock};

use arcstr::ArcStr;

use ptc_values::{BuiltinId, ir};

/// The slots that operations of a frame can name.
pub(crate) const WINDOW: usize = 256;

/// One step. Slot 0 of a frame is the running function, the parameters follow, then the locals, then the temporaries.
/// A jump names its target; `Unless…` jumps if the test does not hold.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Op {
    /// Moves a value out of its slot.
    Move {
        to: u8,
        from: u8,
    },
    Copy {
        to: u8,
        from: u8,
    },
    Drop {
        slot: u8,
    },
    Int {
        to: u8,
        int: i32,
    },
    Const {
        to: u8,
        constant: u32,
    },
    Capture {
        to: u8,
        index: u16,
    },
    Myself {
        to: u8,
    },
    Jump {
        to: u32,
    },
    Unless {
        test: u8,
        taken: bool,
        to: u32,
    },
    If {
        test: u8,
        taken: bool,
        to: u32,
    },
    UnlessLess {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessLessEq {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessGreater {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessGreaterEq {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessEqual {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessNotEqual {
        a: u8,
        b: u8,
        to: u16,
    },
    UnlessLessInt {
        a: u8,
        to: u16,
        int: i32,
    },
    UnlessLessEqInt {
        a: u8,
        to: u16,
        int: i32,
    },
    UnlessGreaterInt {
        a: u8,
        to: u16,
        int: i32,
    },
    UnlessGreaterEqInt {
        a: u8,
        to: u16,
        int: i32,
    },
    UnlessEqualInt {
        a: u8,
        to: u16,
        int: i32,
    },
    UnlessNotEqualInt {
        a: u8,
        to: u16,
        int: i32,
    },
    /// Jumps unless a slot and a constant compare so.
    UnlessConst {
        op: ir::Op,
        a: u8,
        constant: u16,
        to: u16,
    },
    /// Jumps unless the integer in a slot is even, or odd.
    UnlessEven {
        a: u8,
        rest: u8,
        to: u16,
    },
    Add {
        to: u8,
        a: u8,
        b: u8,
    },
    Sub {
        to: u8,
        a: u8,
        b: u8,
    },
    Mul {
        to: u8,
        a: u8,
        b: u8,
    },
    /// Adds an integer: `inc`, `dec`, `+` and `-` of a constant. The node tells which.
    AddInt {
        to: u8,
        a: u8,
        int: i32,
    },
    MulInt {
        to: u8,
        a: u8,
        int: i32,
    },
    /// Any other operation of two slots.
    Two {
        op: ir::Op,
        to: u8,
        a: u8,
        b: u8,
    },
    /// Any other operation of a slot and an integer.
    TwoInt {
        op: ir::Op,
        to: u8,
        a: u8,
        int: i32,
    },
    /// Any operation of a slot and a constant.
    TwoConst {
        op: ir::Op,
        to: u8,
        a: u8,
        constant: u16,
    },
    /// Any operation of a constant and a slot.
    ConstTwo {
        op: ir::Op,
        to: u8,
        b: u8,
        constant: u16,
    },
    /// The callee is at `first`, its arguments follow.
    Call {
        to: u8,
        first: u8,
        count: u8,
    },
    /// Calls the function in a slot. If it is none, or its call is rare, it is copied to `first`.
    CallSlot {
        to: u8,
        first: u8,
        count: u8,
        callee: u8,
    },
    CallSelf {
        to: u8,
        first: u8,
        count: u8,
    },
    /// Calls a function of the program that captures nothing.
    CallKnown {
        to: u8,
        first: u8,
        count: u8,
        lambda: u32,
    },
    CallGlobal {
        to: u8,
        first: u8,
        count: u8,
        global: u32,
    },
    /// Copies the first items of a vector or a list, and skips the lookups of each that follow.
    Items {
        to: u8,
        from: u8,
        count: u8,
        taken: bool,
        over: u16,
    },
    /// Tests whether a vector, a list, a text or nil has items, as `seq` and `empty?` do, and skips the call that follows. If
    /// the test holds, it skips the jump behind the call too.
    HasItems {
        to: u8,
        a: u8,
        is_seq: bool,
        taken: bool,
        over: u16,
    },
    /// Copies the item at a position of a vector, a list or nil, and skips the call that follows.
    Item {
        to: u8,
        from: u8,
        at: u8,
        taken: bool,
        over: u16,
    },
    /// Makes the rest of a vector, a list or nil from a position on, and skips the call that follows.
    Rest {
        to: u8,
        from: u8,
        at: u8,
        taken: bool,
        over: u16,
    },
    /// The same, but an empty rest is nil.
    Next {
        to: u8,
        from: u8,
        at: u8,
        taken: bool,
        over: u16,
    },
    /// Only pays for the rest, and skips the call that follows.
    RestLater {
        to: u8,
        from: u8,
        over: u16,
    },
    /// Moves a variable of a loop to its rest, for which [`Op::RestLater`] has paid, or takes the value of its call.
    RestNow {
        slot: u8,
        from: u8,
        at: u8,
        or_nil: bool,
    },
    /// Looks up a value in data that is called, and skips the call that follows.
    Lookup {
        to: u8,
        data: u8,
        key: u8,
        taken: bool,
        over: u16,
    },
    /// Pays for a turn and jumps.
    Turn {
        to: u32,
    },
    /// Adds an integer to one variable, pays for a turn and jumps.
    TurnAdd {
        slot: u8,
        to: u16,
        int: i32,
    },
    /// Moves one variable, pays for a turn and jumps.
    TurnMove {
        slot: u8,
        from: u8,
        to: u16,
    },
    /// Calls a builtin that calls nothing. Its arguments begin at `first`.
    Pure {
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    },
    /// `str` of several values.
    Text {
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    },
    /// Calls a builtin that can borrow its only argument.
    Borrow {
        to: u8,
        a: u8,
        taken: bool,
        id: BuiltinId,
    },
    /// Calls a builtin that can borrow its two arguments. `taken` has a bit for each.
    Borrow2 {
        to: u8,
        a: u8,
        b: u8,
        taken: u8,
        id: BuiltinId,
    },
    /// Takes a function that was made before, and skips the call that makes it.
    Known {
        to: u8,
        cache: u16,
        over: u16,
    },
    Remember {
        from: u8,
        cache: u16,
    },
    /// Calls a builtin that may call. Its arguments begin behind `first`.
    Calling {
        to: u8,
        first: u8,
        count: u8,
        id: BuiltinId,
    },
    /// The same for a builtin that takes a range item by item. `stays` tells that another such builtin takes its value.
    Pull {
        to: u8,
        first: u8,
        count: u8,
        stays: bool,
        id: BuiltinId,
    },
    /// Looks up a keyword in a slot.
    Field {
        to: u8,
        map: u8,
        taken: bool,
        key: u16,
    },
    /// `get` of a slot and a keyword.
    GetField {
        to: u8,
        map: u8,
        taken: bool,
        key: u16,
    },
    /// `ptc/as-map` of a slot.
    AsMap {
        to: u8,
        from: u8,
        taken: bool,
    },
    Pay {
        to: u8,
        fuel: u32,
    },
    Vector {
        to: u8,
        first: u8,
        count: u16,
    },
    Map {
        to: u8,
        first: u8,
        count: u16,
    },
    /// A map whose keys are those of a shape; the values begin at `first`.
    Record {
        to: u8,
        first: u8,
        count: u8,
        shape: u16,
    },
    Set {
        to: u8,
        first: u8,
        count: u16,
    },
    Function {
        to: u8,
        first: u8,
        lambda: u32,
    },
    /// Another function of the same `letfn`.
    Sibling {
        to: u8,
        lambda: u32,
    },
    Global {
        to: u8,
        global: u32,
    },
    Def {
        to: u8,
        from: u8,
        global: u32,
    },
    Ctx {
        to: u8,
        key: u32,
    },
    /// A record of arguments for the call of a tool, which is the next operation.
    Arguments {
        to: u8,
        first: u8,
        count: u8,
        shape: u16,
    },
    /// `is_record` tells that the arguments are the record that was just made.
    Tool {
        to: u8,
        args: u8,
        is_record: bool,
        tool: u32,
    },
    /// Calls a tool by the name in a slot, with the arguments behind it.
    Named {
        to: u8,
        first: u8,
    },
    /// Ends the program with a value: see [`ir::Node::Return`] and [`ir::Node::Fail`].
    Leave {
        from: u8,
        fails: bool,
    },
    /// Reads what the program did not make.
    Read {
        to: u8,
        what: Outside,
        index: u32,
    },
    /// Moves temporaries into one slot, the first of them.
    Pack {
        first: u8,
        count: u8,
    },
    /// Moves them back, and the value in `from` to its place.
    Unpack {
        to: u8,
        first: u8,
        from: u8,
    },
    /// Makes the slot of the locals that have no slot of their own.
    Spill {
        slot: u8,
        count: u32,
    },
    LoadSpilled {
        to: u8,
        slot: u8,
        taken: bool,
        index: u32,
    },
    StoreSpilled {
        from: u8,
        slot: u8,
        index: u32,
    },
    /// Begins a row of operands that is too long for slots, or adds to it.
    Gather {
        to: u8,
        first: u8,
        count: u8,
        begins: bool,
    },
    /// Runs the node with its gathered operands.
    Spread {
        to: u8,
        first: u8,
        from: u8,
    },
    /// Adds an entry to the problems that wait for a `finally`: none.
    BeginFinally,
    /// Raises the problem that waited for the `finally`, if there is one.
    EndFinally,
    /// Calls the function of a branch.
    Branch,
    /// Tells the debugger that a form begins.
    Begin {
        node: u32,
    },
    /// Tells the debugger that a form has the value in a slot.
    End {
        from: u8,
        node: u32,
    },
    /// Tells the debugger of a `recur`.
    Again {
        node: u32,
    },
    /// The function needs more slots than a frame has.
    TooLarge,
    /// The node is none that the checker makes.
    Broken,
    Return {
        from: u8,
    },
}

impl Op {
    /// Sets the target of a jump.
    pub(crate) fn jump_to(&mut self, target: u32) {
        match self {
            Op::Jump { to } | Op::Unless { to, .. } | Op::If { to, .. } => *to = target,
            Op::UnlessLess { to, .. }
            | Op::UnlessLessEq { to, .. }
            | Op::UnlessGreater { to, .. }
            | Op::UnlessGreaterEq { to, .. }
            | Op::UnlessEqual { to, .. }
            | Op::UnlessNotEqual { to, .. }
            | Op::UnlessLessInt { to, .. }
            | Op::UnlessLessEqInt { to, .. }
            | Op::UnlessGreaterInt { to, .. }
            | Op::UnlessGreaterEqInt { to, .. }
            | Op::UnlessEqualInt { to, .. }
            | Op::UnlessNotEqualInt { to, .. }
            | Op::UnlessConst { to, .. }
            | Op::UnlessEven { to, .. }
            | Op::Items { over: to, .. }
            | Op::HasItems { over: to, .. }
            | Op::Item { over: to, .. }
            | Op::Rest { over: to, .. }
            | Op::Next { over: to, .. }
            | Op::RestLater { over: to, .. }
            | Op::Known { over: to, .. }
            | Op::Lookup { over: to, .. } => *to = target as u16,
            _ => {}
        }
    }
}

const _: () = assert!(size_of::<Op>() == 8);

/// A place outside the program that an operation reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    /// All of the mission's data.
    Data,
    /// A key of the memory kept between turns.
    Memory,
    /// All memory kept between turns.
    AllMemory,
    /// The value of an earlier turn: 1, 2 or 3 turns back.
    History,
}

/// A range of operations whose problems another place of the code takes.
#[derive(Debug, Clone)]
pub(crate) struct Trap {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The node of the `try`.
    pub(crate) node: u32,
    /// The first temporary at the beginning of the `try`.
    pub(crate) top: u8,
    pub(crate) takes: Takes,
}

#[derive(Debug, Clone)]
pub(crate) enum Takes {
    /// Each `catch`: its class, the slot of its name, and its code.
    Catch(Arc<[(ArcStr, Local, u32)]>),
    /// A `finally`.
    Finally(u32),
    /// The `finally` itself: its problem replaces the one that waits for it.
    Pending,
}

/// The place of a local: a slot, or a place in the slot of spilled locals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Local {
    Slot(u8),
    Spilled(u32),
}

/// The code of one arity of a function.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// The node of each operation, for problems and for rare operands.
    pub(crate) nodes: Vec<u32>,
    /// Constant keys of records.
    pub(crate) shapes: Vec<Box<[u32]>>,
    /// The ranges with a `try`, inner ones first.
    pub(crate) traps: Vec<Trap>,
    /// The number of functions that are made once.
    pub(crate) caches: u32,
    /// The operation of its two parameters that is all it does.
    pub(crate) one: Option<ir::Op>,
    pub(crate) lambda: u32,
    pub(crate) params: u8,
    pub(crate) variadic: bool,
    /// The function, the parameters and the locals. The temporaries above are empty when it returns.
    pub(crate) locals: u8,
    /// The slots that it uses.
    pub(crate) slots: u16,
    /// The slot of spilled locals.
    pub(crate) spilled: u8,
    /// Whether its frame needs the function.
    pub(crate) needs_itself: bool,
    /// Whether its body calls nothing. The trace of a problem does not name it if a builtin called it.
    pub(crate) calls_nothing: bool,
    /// Whether its calls see nothing besides their arguments and do nothing besides their value, once somebody has asked.
    pub(crate) is_quiet: OnceLock<bool>,
}

/// The locals with a slot of their own. The others share one.
pub(crate) const MOST_LOCALS: u32 = 100;

impl Local {
    /// Returns the place of a local of any function.
    pub(crate) fn of(slot: u32) -> Local {
        match slot.checked_sub(MOST_LOCALS) {
            None => Local::Slot(slot as u8 + 1),
            Some(index) => Local::Spilled(index),
        }
    }
}

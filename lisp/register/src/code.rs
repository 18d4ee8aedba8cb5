//! Register code: operations of eight bytes on the slots of a frame.

use std::sync::Arc;

use ptc_values::ir::{Op as Operation, Program};
use ptc_values::{BuiltinId, Value};

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
        op: Operation,
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
        op: Operation,
        to: u8,
        a: u8,
        b: u8,
    },
    /// Any other operation of a slot and an integer.
    TwoInt {
        op: Operation,
        to: u8,
        a: u8,
        int: i32,
    },
    /// Any operation of a slot and a constant.
    TwoConst {
        op: Operation,
        to: u8,
        a: u8,
        constant: u16,
    },
    /// Any operation of a constant and a slot.
    ConstTwo {
        op: Operation,
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
    /// `is_record` tells that the arguments are the record that was just made.
    Tool {
        to: u8,
        args: u8,
        is_record: bool,
        tool: u32,
    },
    Return {
        from: u8,
    },
}

const _: () = assert!(size_of::<Op>() == 8);

/// The code of one arity of a function.
pub(crate) struct Code {
    pub(crate) ops: Box<[Op]>,
    /// The node of each operation, for problems and for rare operands.
    pub(crate) nodes: Box<[u32]>,
    /// Constant keys of records.
    pub(crate) shapes: Box<[Box<[u32]>]>,
    /// Its first place among functions that are made once.
    pub(crate) caches: u32,
    pub(crate) consts: Arc<[Value]>,
    /// The operation of its two parameters that is all it does.
    pub(crate) one: Option<Operation>,
    /// Its program among those that are linked.
    pub(crate) program: u32,
    pub(crate) params: u8,
    pub(crate) variadic: bool,
    /// The function, the parameters and the locals. The temporaries above are empty when it returns.
    pub(crate) locals: u8,
    /// Whether its frame needs the function.
    pub(crate) needs_itself: bool,
    /// Whether a call is free.
    pub(crate) is_free: bool,
}

/// A program with its lowered functions.
pub(crate) struct Linked {
    pub(crate) program: Arc<Program>,
    /// The code of the first arity of each lambda; the others follow it.
    pub(crate) firsts: Vec<Option<u32>>,
    pub(crate) consts: Arc<[Value]>,
}

/// All code of a task.
#[derive(Default)]
pub(crate) struct Codes {
    pub(crate) list: Vec<Code>,
    pub(crate) programs: Vec<Linked>,
    /// The number of functions that are made once.
    pub(crate) caches: u32,
}

/// A global that holds a function without captured values: its code, and its number of parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quick {
    pub(crate) code: u32,
    pub(crate) params: u8,
}

impl Quick {
    /// A global that holds no such function. No call has so many arguments.
    pub(crate) const NONE: Quick = Quick { code: 0, params: u8::MAX };
}

impl Code {
    #[inline(always)]
    pub(crate) fn constant(&self, constant: u32) -> &Value {
        self.consts.get(constant as usize).unwrap_or(&Value::Nil)
    }
}

/// The use of a value by the frame below the function that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Stores it.
    Call,
    /// Stores it, and puts the function back into the slot that lent it.
    Lent,
    /// Gives it to the innermost builtin that calls back.
    Item,
    /// Puts it into a map that an `update` changes in place.
    Field,
    /// The same at the end of a path.
    Path,
}

/// A caller that waits for a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) code: u32,
    pub(crate) pc: u32,
    pub(crate) base: u32,
    /// The slot of the value.
    pub(crate) to: u8,
    /// The number of arguments of the callee.
    pub(crate) count: u8,
    pub(crate) kind: Kind,
    /// The slot that lent the function.
    pub(crate) from: u8,
}

const _: () = assert!(size_of::<Frame>() <= 16);

//! Checked programs: a flat arena of small nodes.
//!
//! A node refers to its parts by [`Operand`]: a slot of the frame, a constant, or another node. So reading a local or a
//! constant costs no node, and dropping a program drops a few vectors.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use arcstr::ArcStr;

use crate::builtin_id::BuiltinId;
use crate::code::Span;

/// The source of a node's part: four bits of kind and an index.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Operand(u32);

/// A decoded [`Operand`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandKind {
    /// A slot of the frame; the value stays in it.
    Local(u32),
    /// A slot that is not read afterwards. The value is moved out, so an update finds the only reference.
    Take(u32),
    /// A constant of the program.
    Const(u32),
    /// A captured value of the running function.
    Capture(u32),
    /// A node that calls no function of the program and nests at most [`MAX_DIRECT`] deep.
    Direct(u32),
    /// Any other node.
    Deep(u32),
}

/// The nesting of direct nodes. The trace of a problem does not name a function whose body is one, if a builtin calls it.
pub const MAX_DIRECT: u8 = 16;

const INDEX_BITS: u32 = 28;
const MAX_INDEX: u32 = (1 << INDEX_BITS) - 1;

/// The kind of a deep node.
const DEEP: u32 = 8;

impl Operand {
    pub fn new(kind: OperandKind) -> Operand {
        let (bits, index) = match kind {
            OperandKind::Local(index) => (0, index),
            OperandKind::Take(index) => (1, index),
            OperandKind::Const(index) => (2, index),
            OperandKind::Capture(index) => (3, index),
            OperandKind::Direct(index) => (4, index),
            OperandKind::Deep(index) => (DEEP, index),
        };
        // A source is limited to 256 KiB by default and to 4 GiB at most, so no arena gets near 2^28 entries.
        Operand(bits << INDEX_BITS | (index & MAX_INDEX))
    }

    #[inline]
    pub fn kind(self) -> OperandKind {
        let index = self.0 & MAX_INDEX;
        match self.0 >> INDEX_BITS {
            0 => OperandKind::Local(index),
            1 => OperandKind::Take(index),
            2 => OperandKind::Const(index),
            3 => OperandKind::Capture(index),
            4 => OperandKind::Direct(index),
            _ => OperandKind::Deep(index),
        }
    }

    /// Returns the node, if it is a deep one.
    #[inline]
    pub fn deep(self) -> Option<u32> {
        (self.0 >> INDEX_BITS >= DEEP).then_some(self.0 & MAX_INDEX)
    }

    /// Returns whether it is a slot or a constant, whose value needs no evaluation.
    #[inline]
    pub fn is_at_hand(self) -> bool {
        self.0 >> INDEX_BITS <= 2
    }

    pub fn node(self) -> Option<u32> {
        match self.kind() {
            OperandKind::Direct(node) | OperandKind::Deep(node) => Some(node),
            _ => None,
        }
    }

    #[inline]
    pub fn slot(self) -> Option<u32> {
        (self.0 >> INDEX_BITS <= 1).then_some(self.0 & MAX_INDEX)
    }

    /// Returns the index without the kind, for an operand of a known kind.
    #[inline]
    pub fn index(self) -> u32 {
        self.0 & MAX_INDEX
    }
}

/// A range of operands of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Args {
    pub first: u32,
    pub count: u32,
}

impl Args {
    /// Returns the range without the first `skipped` operands.
    #[inline]
    pub fn from(self, skipped: u32) -> Args {
        Args { first: self.first + skipped, count: self.count - skipped }
    }
}

/// Arithmetic and comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    /// `inc`: the right operand is 1.
    Inc,
    /// `dec`: the right operand is 1.
    Dec,
    Mul,
    Div,
    Quot,
    Rem,
    Mod,
    Less,
    LessEq,
    Greater,
    GreaterEq,
    /// `=` of two values of any kind.
    Equal,
    NotEqual,
}

/// The orders of two numbers for which a comparison holds: less, equal, greater, one bit each.
#[derive(Debug, Clone, Copy)]
pub struct Order(u8);

impl Order {
    const LESS: u8 = 1;
    const EQUAL: u8 = 2;
    const GREATER: u8 = 4;

    #[inline]
    pub fn holds(self, a: i64, b: i64) -> bool {
        let order = u8::from(a > b) << 1 | u8::from(a == b);
        self.0 >> order & 1 == 1
    }
}

impl Op {
    /// Returns the name that programs use.
    pub fn name(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Inc => "inc",
            Op::Dec => "dec",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Quot => "quot",
            Op::Rem => "rem",
            Op::Mod => "mod",
            Op::Less => "<",
            Op::LessEq => "<=",
            Op::Greater => ">",
            Op::GreaterEq => ">=",
            Op::Equal => "=",
            Op::NotEqual => "not=",
        }
    }

    /// Returns the second operand in the source, given the amount that the code adds.
    pub fn written(self, plus: i32) -> i64 {
        match self {
            Op::Sub => -i64::from(plus),
            Op::Dec => 1,
            _ => i64::from(plus),
        }
    }

    /// Returns the orders for which the operation holds, if it is a comparison.
    #[inline]
    pub fn order(self) -> Option<Order> {
        Some(Order(match self {
            Op::Less => Order::LESS,
            Op::LessEq => Order::LESS | Order::EQUAL,
            Op::Greater => Order::GREATER,
            Op::GreaterEq => Order::GREATER | Order::EQUAL,
            Op::Equal => Order::EQUAL,
            Op::NotEqual => Order::LESS | Order::GREATER,
            _ => return None,
        }))
    }
}

/// One step of a program.
///
/// Admission and the debugger read nodes. A machine runs the code that it makes of them.
#[derive(Debug, Clone, Copy)]
pub enum Node {
    If {
        test: Operand,
        then: Operand,
        other: Operand,
    },
    And(Args),
    Or(Args),
    /// Evaluates all and gives the last.
    Do(Args),
    /// Puts a value into a slot of the frame.
    Bind {
        slot: u32,
        value: Operand,
    },
    /// Calls the value of the first operand with the others as arguments.
    Call(Args),
    /// Calls the function of a global with these arguments. The operand before them gives the function as a value.
    CallGlobal {
        global: u32,
        args: Args,
    },
    /// Calls the running function with these arguments.
    CallSelf(Args),
    /// Calls a builtin.
    Builtin {
        id: BuiltinId,
        args: Args,
    },
    /// An operation on two operands.
    Op {
        op: Op,
        a: Operand,
        b: Operand,
    },
    /// Looks up a keyword in a map.
    Get {
        key: u32,
        map: Operand,
    },
    Vector(Args),
    /// Keys and values alternate.
    Map(Args),
    Set(Args),
    /// A function; the operands are its captured values.
    Function {
        lambda: u32,
        captures: Args,
    },
    /// The running function itself.
    Myself,
    /// Another function of the same `letfn`, with the same captured values.
    Sibling(u32),
    /// The body of a loop whose variables start at a slot.
    Loop {
        first: u32,
        body: Operand,
    },
    /// The next turn of a loop.
    Recur {
        target: u32,
        args: Args,
    },
    /// The next turn of the running function.
    RecurFunction(Args),
    Global(u32),
    Def {
        global: u32,
        value: Operand,
    },
    /// A key of the mission's data.
    Ctx(u32),
    /// All of the mission's data.
    CtxAll,
    /// A key of the memory kept between turns.
    Memory(u32),
    /// All memory kept between turns.
    MemoryAll,
    /// The value of an earlier turn: 1, 2 or 3 turns back.
    History(u8),
    /// A tool call: the tool's index in the program's tools, and the argument map.
    Tool {
        tool: u32,
        args: Operand,
    },
    /// A tool call with a computed name: the name and the argument map.
    Named(Args),
    Return(Operand),
    Fail(Operand),
    /// A `try`, by its index in the program's list.
    Try(u32),
}

// Passes read nodes one after the other: four fit a cache line.
const _: () = assert!(size_of::<Node>() <= 16);

/// A read of a field of a record whose fields are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownRead {
    pub node: u32,
    /// Whether the record has the field.
    pub is_present: bool,
}

/// A checked program. It is immutable and shared by the functions it makes.
#[derive(Default)]
pub struct Program<V> {
    pub source: Arc<str>,
    pub nodes: Vec<Node>,
    pub spans: Vec<Span>,
    pub operands: Vec<Operand>,
    pub consts: Vec<V>,
    pub lambdas: Vec<Lambda>,
    pub tools: Vec<ArcStr>,
    /// Thread steps that put the value where a builtin does not take its collection.
    pub threads: Vec<Span>,
    /// Tools that its functions can call by computed names, in this program or a later one.
    pub named: Vec<ArcStr>,
    pub tries: Vec<Try>,
    /// The names of its source in the order of their scopes; empty unless a debugger needs them.
    pub locals: Vec<Local>,
    /// The reads of fields of records, in the order of their nodes.
    pub reads: Vec<KnownRead>,
    /// The number of names that earlier programs had defined when this one was checked.
    pub known: u32,
    /// Whether this is a part of the language, whose calls do not count as the program's.
    pub builtin: bool,
    /// Whether its functions can receive values whose use calls functions.
    pub lazy_aware: bool,
    /// Whether a call can define a global: see [`Program::defines_late`].
    pub late: OnceLock<bool>,
}

/// A name of the source within a function.
pub struct Local {
    pub name: ArcStr,
    pub lambda: u32,
    pub what: Named,
    /// The nodes in its scope, except those around the place where it is bound.
    pub nodes: std::ops::Range<u32>,
    /// The form whose value it gets; `None` for parameters.
    pub bound: Option<Span>,
}

/// The location of a name's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Slot(u32),
    Capture(u32),
}

/// A function of a program; the first is the program itself.
#[derive(Default)]
pub struct Lambda {
    pub name: Option<ArcStr>,
    pub arities: Arities,
    /// Whether its body reads the function itself or its captured values. Then its frame needs the function, not only
    /// the number of this lambda.
    pub needs_itself: bool,
    /// The code that a machine made of it, once one has called the function.
    pub code: OnceLock<Box<dyn Any + Send + Sync>>,
}

/// The arities of a function. Nearly all functions have one, which is stored inline.
#[derive(Default)]
pub struct Arities {
    first: Option<Arity>,
    more: Vec<Arity>,
}

impl Arities {
    pub fn push(&mut self, arity: Arity) {
        match self.first {
            None => self.first = Some(arity),
            Some(_) => self.more.push(arity),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arity> {
        self.first.iter().chain(&self.more)
    }
}

pub struct Try {
    pub body: Operand,
    pub catches: Vec<Catch>,
    pub finally: Option<Operand>,
}

/// A `catch`: its class, the slot it binds, its body.
pub struct Catch {
    pub class: ArcStr,
    pub slot: u32,
    pub body: Operand,
}

#[derive(Clone, Copy)]
pub struct Arity {
    /// The number of parameters, without the rest parameter.
    pub params: u32,
    pub variadic: bool,
    /// The number of slots of its frame.
    pub frame: u32,
    /// The first node of its body.
    pub start: u32,
    pub body: Operand,
}

impl<V> Program<V> {
    #[inline]
    pub fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    #[inline]
    pub fn args(&self, args: Args) -> &[Operand] {
        &self.operands[args.first as usize..(args.first + args.count) as usize]
    }

    /// Returns a node; `None` if there is no such node.
    pub fn core(&self, node: u32) -> Option<Node> {
        self.nodes.get(node as usize).copied()
    }

    /// Returns the operand before a range.
    pub fn before(&self, args: Args) -> Option<Operand> {
        self.operands.get((args.first as usize).checked_sub(1)?).copied()
    }

    /// Returns whether a call of a function can define a global.
    pub fn defines_late(&self) -> bool {
        *self.late.get_or_init(|| {
            let arities = self.lambdas.iter().skip(1).flat_map(|lambda| lambda.arities.iter());
            let defines = |arity: &Arity| {
                let last = arity.body.node().unwrap_or(arity.start) as usize;
                let nodes = self.nodes.get(arity.start as usize..=last).unwrap_or_default();
                nodes.iter().any(|node| matches!(node, Node::Def { .. }))
            };
            self.known > 0 || arities.into_iter().any(defines)
        })
    }

    pub fn span(&self, node: u32) -> Span {
        self.spans.get(node as usize).copied().unwrap_or_default()
    }

    /// Visits the nodes that a node is made of, including the body of a function.
    pub fn each_part(&self, node: u32, visit: &mut impl FnMut(u32)) {
        let Some(found) = self.core(node) else { return };
        let mut one = |part: Operand| part.node().into_iter().for_each(&mut *visit);
        self.each_operand(found, &mut one);
        if let Node::Function { lambda, .. } = found
            && let Some(lambda) = self.lambdas.get(lambda as usize)
        {
            lambda.arities.iter().for_each(|arity| one(arity.body));
        }
    }

    /// Visits the operands of a node.
    pub fn each_operand(&self, core: Node, visit: &mut impl FnMut(Operand)) {
        match core {
            Node::If { test, then, other } => [test, then, other].into_iter().for_each(visit),
            Node::And(args)
            | Node::Or(args)
            | Node::Do(args)
            | Node::Call(args)
            | Node::CallGlobal { args, .. }
            | Node::CallSelf(args)
            | Node::Builtin { args, .. }
            | Node::Vector(args)
            | Node::Map(args)
            | Node::Set(args)
            | Node::Recur { args, .. }
            | Node::RecurFunction(args)
            | Node::Named(args)
            | Node::Function { captures: args, .. } => {
                self.args(args).iter().copied().for_each(visit);
            }
            Node::Op { a, b, .. } => [a, b].into_iter().for_each(visit),
            Node::Bind { value: part, .. }
            | Node::Get { map: part, .. }
            | Node::Loop { body: part, .. }
            | Node::Def { value: part, .. }
            | Node::Tool { args: part, .. }
            | Node::Return(part)
            | Node::Fail(part) => visit(part),
            Node::Try(index) => {
                if let Some(found) = self.tries.get(index as usize) {
                    let handlers = found.catches.iter().map(|catch| catch.body);
                    [found.body].into_iter().chain(handlers).chain(found.finally).for_each(visit);
                }
            }
            Node::Myself
            | Node::Sibling(_)
            | Node::Global(_)
            | Node::Ctx(_)
            | Node::CtxAll
            | Node::Memory(_)
            | Node::MemoryAll
            | Node::History(_) => {}
        }
    }
}

impl Lambda {
    /// Returns the first arity if it takes exactly `count` arguments.
    #[inline]
    pub fn just(&self, count: usize) -> Option<&Arity> {
        self.arities
            .first
            .as_ref()
            .filter(|arity| !arity.variadic && arity.params as usize == count)
    }

    /// Returns the arity for `count` arguments: an exact one before a variadic one.
    #[inline]
    pub fn arity(&self, count: u32) -> Option<&Arity> {
        self.just(count as usize)
            .or_else(|| self.arities.iter().find(|arity| !arity.variadic && arity.params == count))
            .or_else(|| self.arities.iter().find(|arity| arity.variadic && arity.params <= count))
    }

    /// Returns the variadic arity if no other arity has more parameters.
    pub fn variadic(&self) -> Option<&Arity> {
        let found = self.arities.iter().find(|arity| arity.variadic)?;
        self.arities.iter().all(|arity| arity.params <= found.params).then_some(found)
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind().fmt(f)
    }
}

impl Try {
    /// Returns the body (part 0), a handler, or the `finally`.
    pub fn part_mut(&mut self, part: u32) -> Option<&mut Operand> {
        let handlers = self.catches.len();
        match part as usize {
            0 => Some(&mut self.body),
            handler if handler <= handlers => {
                self.catches.get_mut(handler - 1).map(|catch| &mut catch.body)
            }
            _ => self.finally.as_mut(),
        }
    }
}

impl Node {
    /// Returns a part of the node that is stored in a field.
    pub fn field_mut(&mut self, field: u8) -> Option<&mut Operand> {
        let parts = match self {
            Node::If { test, then, other } => [Some(test), Some(then), Some(other)],
            Node::Op { a, b, .. } => [Some(a), Some(b), None],
            Node::Bind { value: part, .. }
            | Node::Get { map: part, .. }
            | Node::Loop { body: part, .. }
            | Node::Def { value: part, .. }
            | Node::Tool { args: part, .. }
            | Node::Return(part)
            | Node::Fail(part) => [Some(part), None, None],
            _ => [None, None, None],
        };
        parts.into_iter().nth(usize::from(field)).flatten()
    }
}

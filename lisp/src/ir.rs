//! Checked programs: a flat arena of small nodes.
//!
//! A node names its parts by [`Operand`]: a slot of the frame, a constant, or another node. So
//! reading a local or a constant costs no node, and dropping a program drops a few vectors.

use std::sync::Arc;

use arcstr::ArcStr;

use crate::builtins::BuiltinId;
use crate::diagnostic::Span;
use crate::value::Value;

/// Where a part of a node comes from: three bits of kind and an index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand(u32);

/// An [`Operand`], taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A slot of the frame; the value stays there.
    Local(u32),
    /// A slot of the frame that nobody reads afterwards: the value is moved out, so that what
    /// changes it finds the only reference.
    Take(u32),
    /// A constant of the program.
    Const(u32),
    /// A value the running function closed over.
    Capture(u32),
    /// A node that calls no function of the program and is nested at most [`MAX_DIRECT`] deep: it
    /// is evaluated at once.
    Direct(u32),
    /// Any other node: it is evaluated with frames on the machine's stack.
    Deep(u32),
}

/// How deep nodes nest that are evaluated by native calls. Bounds the native stack of the machine.
pub(crate) const MAX_DIRECT: u8 = 16;

const INDEX_BITS: u32 = 29;
const MAX_INDEX: u32 = (1 << INDEX_BITS) - 1;

impl Operand {
    pub(crate) fn new(place: Place) -> Operand {
        let (kind, index) = match place {
            Place::Local(index) => (0, index),
            Place::Take(index) => (1, index),
            Place::Const(index) => (2, index),
            Place::Capture(index) => (3, index),
            Place::Direct(index) => (4, index),
            Place::Deep(index) => (5, index),
        };
        // A source is at most 4 GiB long, and its limit is 256 KiB; no arena gets near 2^29.
        Operand(kind << INDEX_BITS | (index & MAX_INDEX))
    }

    #[inline]
    pub(crate) fn place(self) -> Place {
        let index = self.0 & MAX_INDEX;
        match self.0 >> INDEX_BITS {
            0 => Place::Local(index),
            1 => Place::Take(index),
            2 => Place::Const(index),
            3 => Place::Capture(index),
            4 => Place::Direct(index),
            _ => Place::Deep(index),
        }
    }

    /// The node to evaluate with frames, if it is one.
    #[inline]
    pub(crate) fn deep(self) -> Option<u32> {
        (self.0 >> INDEX_BITS == 5).then_some(self.0 & MAX_INDEX)
    }
}

/// A run of operands of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Args {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

/// Arithmetic and comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
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

/// One step of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Node {
    If {
        test: Operand,
        then: Operand,
        other: Operand,
    },
    And(Args),
    Or(Args),
    /// Evaluates all, gives the last.
    Do(Args),
    /// Puts a value into a slot of the frame.
    Bind {
        slot: u32,
        value: Operand,
    },
    /// Calls whatever value the first operand is; the others are its arguments.
    Call(Args),
    /// Calls a function of the language.
    Builtin {
        id: BuiltinId,
        args: Args,
    },
    /// A fused operation on two operands.
    Op {
        op: Op,
        a: Operand,
        b: Operand,
    },
    /// A keyword looked up in a map.
    Get {
        key: u32,
        map: Operand,
    },
    Vector(Args),
    /// Keys and values in turn.
    Map(Args),
    Set(Args),
    /// A function; the operands are what it closes over.
    Function {
        lambda: u32,
        captures: Args,
    },
    /// The running function itself.
    Myself,
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
    /// A key of what is kept between turns.
    Memory(u32),
    /// All of what is kept between turns.
    MemoryAll,
    /// The value of an earlier turn: 1, 2 or 3 back.
    History(u8),
    /// A tool call: the tool's place in the program's tools, and the argument map.
    Tool {
        tool: u32,
        args: Operand,
    },
    Return(Operand),
    Fail(Operand),
    /// A `try`, by its place in the program's list.
    Try(u32),
    /// Another function of the same `letfn`: it closes over what the running one does.
    Sibling(u32),
}

// Nodes are read once per step of the machine: four to a cache line.
const _: () = assert!(size_of::<Node>() <= 16);

/// A checked program. Immutable and shared by the functions it makes.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) source: Arc<str>,
    pub(crate) nodes: Vec<Node>,
    /// The span of each node.
    pub(crate) spans: Vec<Span>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) consts: Vec<Value>,
    pub(crate) lambdas: Vec<Lambda>,
    pub(crate) tools: Vec<ArcStr>,
    pub(crate) tries: Vec<Try>,
    /// Whether this is a part of the language itself: its calls are not counted as the program's.
    pub(crate) builtin: bool,
}

/// A function of a program; the first one is the program itself.
#[derive(Default)]
pub(crate) struct Lambda {
    pub(crate) name: Option<ArcStr>,
    pub(crate) arities: Vec<Arity>,
}

/// A `try` with what catches and what ends it.
pub(crate) struct Try {
    pub(crate) body: Operand,
    pub(crate) catches: Vec<Catch>,
    pub(crate) finally: Option<Operand>,
}

/// A `catch`: the class it wants, the slot it binds, its body.
pub(crate) struct Catch {
    pub(crate) class: ArcStr,
    pub(crate) slot: u32,
    pub(crate) body: Operand,
}

/// One arity of a function.
#[derive(Clone, Copy)]
pub(crate) struct Arity {
    /// How many parameters it has, without the one that takes the rest.
    pub(crate) params: u32,
    pub(crate) variadic: bool,
    /// How many slots its frame has.
    pub(crate) frame: u32,
    pub(crate) body: Operand,
}

impl Program {
    pub(crate) fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    pub(crate) fn args(&self, args: Args) -> &[Operand] {
        &self.operands[args.first as usize..(args.first + args.count) as usize]
    }

    pub(crate) fn span(&self, node: u32) -> Span {
        self.spans.get(node as usize).copied().unwrap_or_default()
    }
}

impl Lambda {
    /// The arity that takes this many arguments: an exact one before one that takes a rest.
    pub(crate) fn arity(&self, count: u32) -> Option<&Arity> {
        self.arities
            .iter()
            .find(|arity| !arity.variadic && arity.params == count)
            .or_else(|| self.arities.iter().find(|arity| arity.variadic && arity.params <= count))
    }
}

impl std::fmt::Debug for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.place().fmt(f)
    }
}

impl Try {
    /// Its body, its handlers in turn, and what ends it.
    pub(crate) fn part_mut(&mut self, part: u32) -> Option<&mut Operand> {
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

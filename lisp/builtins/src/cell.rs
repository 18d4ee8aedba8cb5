//! Atoms, volatiles and delays.

use super::facts::{ANY, MADE, Moves, Options, Pulls, UNSEEN, as_value, listed};
use super::{Row, callback, pure, take, wrong_type};
use ptc_machine::{Answer, CallbackState, Change, Shortcut, cell_of, over};
use ptc_values::code::Code;
use ptc_values::{Cell, CellKind, Diagnostic, Ext, Res, Value};

pub const TABLE: &[Row] = &[
    callback(
        "atom",
        "x & options",
        "An atom with the value x, for this program only; with `:validator f` only values that f accepts.",
        "@(atom 1) => 1",
        UNSEEN,
        as_value(ANY).pulls(Pulls::AsValue).options(Options {
            from: 1,
            known: &["validator", "meta"],
            closed: false,
        }),
        |cx, args| {
            let (value, validator) = atom_options(args)?;
            let atom = cx.cell(CellKind::Atom, value.clone())?;
            if validator.is_nil() {
                return Ok(CallbackState::value(atom));
            }
            atom_of("atom", &atom)?.set_validator(validator);
            Ok(Change::put(atom, value, None, Answer::Atom).into())
        },
    ),
    callback(
        "deref",
        "x",
        "The value in an atom, a volatile, a delay or a reduced value; also written @x.",
        "(deref (atom 1)) => 1",
        UNSEEN,
        as_value(MADE),
        |_, mut args| {
            let cell = take(&mut args, 0);
            match &cell {
                Value::Ext(ext) => match &**ext {
                    Ext::Cell(one) if one.kind() == CellKind::Delay => {
                        CallbackState::force(cell.clone())
                    }
                    Ext::Cell(one) => one.get().map(CallbackState::value).ok_or_else(over),
                    Ext::Reduced(inner) => Ok(CallbackState::value(inner.clone())),
                    _ => Err(wrong_type("deref", "an atom or a delay", &cell)),
                },
                other => Err(wrong_type("deref", "an atom or a delay", other)),
            }
        },
    )
    .shortcut(Shortcut::Deref),
    callback(
        "reset!",
        "atom x",
        "Sets an atom to x; returns x.",
        "(reset! (atom 1) 2) => 2",
        UNSEEN,
        as_value(MADE).pulls(Pulls::AsValue),
        |_, args| put("reset!", args, Answer::New),
    )
    .shortcut(Shortcut::Reset),
    callback(
        "reset-vals!",
        "atom x",
        "Sets an atom to x; returns the old and the new value.",
        "(reset-vals! (atom 1) 2) => [1 2]",
        UNSEEN,
        as_value(MADE),
        |_, args| put("reset-vals!", args, Answer::Both),
    ),
    callback(
        "compare-and-set!",
        "atom old new",
        "Sets an atom to new if its value is old; returns whether it did.",
        "(compare-and-set! (atom 1) 1 2) => true",
        UNSEEN,
        listed(ANY),
        |_, mut args| {
            let (atom, old, new) = (take(&mut args, 0), take(&mut args, 1), take(&mut args, 2));
            atom_of("compare-and-set!", &atom)?;
            Ok(Change::put(atom, new, Some(old), Answer::Made).into())
        },
    ),
    callback(
        "swap!",
        "atom f & args",
        "Sets an atom to f of its value; returns the new value.",
        "(swap! (atom 1) + 10) => 11",
        UNSEEN,
        as_value(MADE).pulls(Pulls::AsValue),
        |_, args| swap("swap!", CellKind::Atom, args, Answer::New),
    )
    .shortcut(Shortcut::Swap(CellKind::Atom)),
    callback(
        "swap-vals!",
        "atom f & args",
        "Sets an atom to f of its value; returns the old and the new value.",
        "(swap-vals! (atom 1) inc) => [1 2]",
        UNSEEN,
        as_value(MADE),
        |_, args| swap("swap-vals!", CellKind::Atom, args, Answer::Both),
    ),
    callback(
        "set-validator!",
        "atom f",
        "Limits an atom to values that f accepts; nil allows all values.",
        "(set-validator! (atom 1) pos?) => nil",
        UNSEEN,
        listed(ANY),
        |_, mut args| {
            let (atom, validator) = (take(&mut args, 0), take(&mut args, 1));
            atom_of("set-validator!", &atom)?;
            Ok(Change::put(atom, validator, None, Answer::Validator).into())
        },
    ),
    pure(
        "get-validator",
        "atom",
        "The validator of an atom; nil if it has none.",
        "(get-validator (atom 1)) => nil",
        listed(ANY),
        |_, args| Ok(atom_of("get-validator", &args[0])?.validator()),
    ),
    pure(
        "add-watch",
        "atom key f",
        "Calls f with key, atom, old and new value at every change; returns the atom.",
        "(let [a (atom 1)] (add-watch a :log (fn [k _ old new] (println k old new))) (swap! a inc)) => 2",
        listed(ANY),
        |cx, args| {
            let (key, watch) = (take(args, 1), take(args, 2));
            let atom = atom_of("add-watch", &args[0])?;
            let mut watches = atom.watches();
            cx.spend(watches.len() as u64 + 1)?;
            cx.alloc(watches.len() as u64 * 32 + 96)?;
            let mut place = None;
            for (at, (other, _)) in watches.iter().enumerate() {
                if cx.equal(other, &key)? {
                    place = Some(at);
                }
            }
            match place.and_then(|at| watches.get_mut(at)) {
                Some(old) => old.1 = watch,
                None => watches.push((key, watch)),
            }
            atom.set_watches(watches);
            Ok(take(args, 0))
        },
    ),
    pure(
        "remove-watch",
        "atom key",
        "Removes the watch with a key; returns the atom.",
        "@(remove-watch (atom 1) :log) => 1",
        listed(ANY),
        |cx, args| {
            let atom = atom_of("remove-watch", &args[0])?;
            let watches = atom.watches();
            cx.spend(watches.len() as u64 + 1)?;
            let mut kept = Vec::new();
            for (key, watch) in watches {
                if !cx.equal(&key, &args[1])? {
                    kept.push((key, watch));
                }
            }
            atom.set_watches(kept);
            Ok(take(args, 0))
        },
    ),
    pure(
        "volatile!",
        "x",
        "A volatile with the value x: an atom without validator and watches.",
        "@(volatile! 1) => 1",
        as_value(ANY).pulls(Pulls::AsValue),
        |cx, args| {
            let value = take(args, 0);
            cx.cell(CellKind::Volatile, value)
        },
    ),
    pure(
        "volatile?",
        "x",
        "Whether it is a volatile.",
        "(volatile? (volatile! 1)) => true",
        as_value(ANY),
        |_, args| Ok(Value::Bool(is(CellKind::Volatile, &args[0]))),
    ),
    pure(
        "vreset!",
        "volatile x",
        "Sets a volatile to x; returns x.",
        "(vreset! (volatile! 1) 2) => 2",
        as_value(ANY).pulls(Pulls::AsValue).moves(Moves::All),
        |_, args| {
            let value = take(args, 1);
            let volatile = cell_of("vreset!", CellKind::Volatile, &args[0])?;
            volatile.replace(value.clone()).ok_or_else(over)?;
            Ok(value)
        },
    ),
    callback(
        "vswap!",
        "volatile f & args",
        "Sets a volatile to f of its value; returns the new value.",
        "(vswap! (volatile! 1) + 10) => 11",
        UNSEEN,
        as_value(MADE).pulls(Pulls::AsValue),
        |_, args| swap("vswap!", CellKind::Volatile, args, Answer::New),
    )
    .shortcut(Shortcut::Swap(CellKind::Volatile)),
    pure("ptc/delay", "f", "The implementation of `delay`.", "", as_value(ANY), |cx, args| {
        let function = take(args, 0);
        cx.cell(CellKind::Delay, function)
    }),
    pure(
        "delay?",
        "x",
        "Whether it is a delay.",
        "(delay? (delay 1)) => true",
        as_value(ANY),
        |_, args| Ok(Value::Bool(is(CellKind::Delay, &args[0]))),
    ),
    callback(
        "force",
        "x",
        "The value of a delay, computed on first use; any other value unchanged.",
        "(force (delay (+ 1 2))) => 3",
        UNSEEN,
        as_value(ANY),
        |_, mut args| {
            let value = take(&mut args, 0);
            if is(CellKind::Delay, &value) {
                CallbackState::force(value)
            } else {
                Ok(CallbackState::value(value))
            }
        },
    ),
    pure(
        "realized?",
        "x",
        "Whether the value of a delay has been computed; a sequence always is.",
        "(realized? (delay 1)) => false",
        as_value(ANY),
        |_, args| match &args[0] {
            Value::List(_) => Ok(Value::Bool(true)),
            Value::Ext(ext) if let Ext::Lazy(lazy) = &**ext => Ok(Value::Bool(lazy.is_made())),
            other => {
                let delay = cell_of("realized?", CellKind::Delay, other)?;
                Ok(Value::Bool(delay.is_computed().ok_or_else(over)?))
            }
        },
    ),
];

fn atom_options(args: Vec<Value>) -> Res<(Value, Value)> {
    let mut args = args.into_iter();
    let value = args.next().unwrap_or_default();
    let mut validator = Value::Nil;
    while let Some(option) = args.next() {
        let Some(setting) = args.next() else {
            return Err(Diagnostic::new(
                Code::WrongArity,
                format!(
                    "`atom` takes options in pairs, and {} has no value",
                    super::describe(&option)
                ),
            )
            .with_class("IllegalArgumentException")
            .with_help("write `(atom x :validator f)`"));
        };
        // Clojure ignores other options.
        if matches!(&option, Value::Keyword(name) if name == "validator") {
            validator = setting;
        }
    }
    Ok((value, validator))
}

fn swap(who: &str, kind: CellKind, args: Vec<Value>, answer: Answer) -> Res<CallbackState> {
    let mut args = args.into_iter();
    let (cell, function) = (args.next().unwrap_or_default(), args.next().unwrap_or_default());
    cell_of(who, kind, &cell)?;
    Ok(Change::compute(cell, function, args.collect(), answer).into())
}

fn put(who: &str, mut args: Vec<Value>, answer: Answer) -> Res<CallbackState> {
    let (atom, value) = (take(&mut args, 0), take(&mut args, 1));
    atom_of(who, &atom)?;
    Ok(Change::put(atom, value, None, answer).into())
}

fn atom_of<'a>(who: &str, value: &'a Value) -> Res<&'a Cell> {
    cell_of(who, CellKind::Atom, value)
}

fn is(kind: CellKind, value: &Value) -> bool {
    cell_of("", kind, value).is_ok()
}

//! Calls of builtins that take a range, or stages over one, item by item.

use super::Core;
use super::codes::Codes;
use super::cx::Cx;
use super::each::Each;
use super::pipe::FIRST_BLOCK;
use super::problems::invariant_violated;
use super::quiet::Quiet;
use super::reducing::streamed;
use super::row::Imp;
use super::slots::{put, taken};
use super::taken::Taken;
use super::then::Then;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_facts::registry::facts::Pulls;
use ptc_facts::registry::{Registered, named};
use ptc_values::{BuiltinId, Ext, Lazy, Numbers, Pulled, Res, Value};

type Slots = [Value; WINDOW];

impl<W: Tracer> Core<W> {
    /// Calls a builtin whose arguments begin behind `first`. `stays` tells that another such builtin takes the value, so
    /// that a stage can wait for it.
    pub(super) fn pull(
        &mut self,
        codes: &Codes,
        slots: &mut Slots,
        (to, first, count): (u8, u8, u8),
        id: BuiltinId,
        stays: bool,
    ) -> Res<Then> {
        let start = usize::from(first) + 1;
        let args = slots.get_mut(start..start + usize::from(count));
        let args = args.ok_or_else(invariant_violated)?;
        let Some(at) = args.iter().position(|arg| Pulled::of(arg).is_some()) else {
            return Ok(self.calling(codes, slots, to, first, count, id));
        };
        let pulls = id.builtin().facts.pulls;
        if let (Pulls::Stage { .. }, [function, source]) = (pulls, &*args)
            && let Some(pulled) = Pulled::of(source)
        {
            let is_long = pulled.numbers.at_most(FIRST_BLOCK + 1) > FIRST_BLOCK;
            if stays && is_long && Quiet::new(&self.globals).is_quiet(function) {
                let mut pulled = pulled.clone();
                pulled.stages.push((id, function.clone()));
                self.cx.alloc(96)?;
                args.fill(Value::Nil);
                put(&mut slots[usize::from(to)], Ext::Pulled(pulled).into_value());
                return Ok(self.next());
            }
        }
        let wanted = match pulls {
            Pulls::First(wanted) => wanted(args),
            _ => None,
        };
        // In a program with lazy sequences, a builtin that would take more than there is room for gets one.
        let taken_count = match pulls {
            Pulls::First(_) => wanted.map_or(u64::MAX, |wanted| wanted as u64),
            Pulls::Numbers | Pulls::Stage { .. } if args.len() == 2 => u64::MAX,
            _ => 0,
        };
        let count_there = |arg: &Value| {
            Pulled::of(arg).map_or(0, |pulled| pulled.numbers.left.unwrap_or(u64::MAX))
        };
        let most = args.iter().map(count_there).max().unwrap_or(0).min(taken_count);
        if args.iter().any(|arg| Lazy::of(arg).is_some())
            || (self.cx.lazy_aware && !self.cx.has_room(most))
        {
            for arg in args {
                *arg = self.cx.unpulled(arg)?;
            }
            return Ok(self.calling(codes, slots, to, first, count, id));
        }
        let args = taken(slots, first + 1, count.into());
        let state = match self.cx.imp(id) {
            Imp::Step(step) if wanted.is_none() => Each::eager(&mut self.cx, step, args)?.into(),
            Imp::CallbackState(make) => make(&mut self.cx, args)?,
            _ => {
                let wanted = wanted.unwrap_or(usize::MAX);
                Taken::new(&mut self.cx, id, args, at, wanted)?.into()
            }
        };
        let called = self.pushed(state);
        self.called(codes, slots, called, first, to)
    }
}

impl Cx {
    /// Makes the lazy sequence of numbers, and of the stages over them. Other values stay what they are.
    fn unpulled(&mut self, value: &Value) -> Res {
        let Some(pulled) = Pulled::of(value) else { return Ok(value.clone()) };
        let Numbers { next, step, left } = pulled.numbers;
        let (maker, args) = match left {
            None => ("ptc/from", vec![Value::Int(next)]),
            Some(left) => {
                let far = i128::from(next) + i128::from(step) * (i128::from(left) - 1);
                let end = Value::Int((far + i128::from(step.signum())) as i64);
                ("ptc/up-to", vec![Value::Int(next), end, Value::Int(step)])
            }
        };
        let mut sequence = self.lazy(Lazy::unmade(named(maker), args, left.is_none()))?;
        for (stage, function) in &pulled.stages {
            let mut args = [Value::Builtin(*stage), function.clone(), sequence];
            sequence = streamed(self, &mut args)?;
        }
        Ok(sequence)
    }
}

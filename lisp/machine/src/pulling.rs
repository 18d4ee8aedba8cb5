//! Calls of builtins that take stages over a range, or items without an end, item by item.

use super::codes::Codes;
use super::each::Each;
use super::machine_core::Core;
use super::pipe::{FIRST_BLOCK, lazy_of};
use super::problems::invariant_violated;
use super::quiet::Quiet;
use super::row::Implementation;
use super::slots::{put, taken};
use super::taken::Taken;
use super::then::Then;
use super::tracer::Tracer;
use crate::ops::WINDOW;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::Pulls;
use ptc_values::{BuiltinId, Ext, Lazy, Origin, Pulled, Res, Value};

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
        let pulls = id.builtin().facts.pulls;
        if let (Pulls::Stage { .. }, [function, source]) = (pulls, &*args)
            && stays
            && let Some(mut pulled) = pulled(source)
        {
            // Items without an end are made when they are asked for, one by one, as those of a lazy sequence are.
            let is_quiet = |left| {
                left > FIRST_BLOCK as u64
                    && Quiet::new(&self.cx.world.globals.values).is_quiet(function)
            };
            if pulled.left().is_none_or(is_quiet) {
                pulled.stages.push((id, function.clone()));
                self.cx.alloc(96)?;
                args.fill(Value::Nil);
                put(&mut slots[usize::from(to)], Ext::Pulled(pulled).into_value());
                return Ok(self.next());
            }
        }
        let Some(at) = args.iter().position(|arg| Pulled::of(arg).is_some()) else {
            return Ok(self.calling(codes, slots, to, first, count, id));
        };
        let wanted = match pulls {
            Pulls::First(wanted) => wanted(args),
            _ => None,
        };
        if self.needs_lazy(id, args, wanted) {
            for arg in args {
                if let Some(pulled) = Pulled::of(arg) {
                    *arg = lazy_of(&mut self.cx, pulled, false)?;
                }
            }
            return Ok(self.calling(codes, slots, to, first, count, id));
        }
        let args = taken(slots, first + 1, count.into());
        let state = match self.cx.imp(id) {
            Implementation::Step(step) if wanted.is_none() => {
                Each::eager(&mut self.cx, step, args)?.into()
            }
            Implementation::CallbackState(make) => make(&mut self.cx, args)?,
            _ => {
                let wanted = wanted.unwrap_or(usize::MAX);
                Taken::new(&mut self.cx, id, args, at, wanted)?.into()
            }
        };
        let called = self.pushed(state);
        self.called(codes, slots, called, first, to)
    }

    /// Returns whether a builtin must get lazy sequences for the collections that are not built.
    fn needs_lazy(&self, id: BuiltinId, args: &[Value], wanted: Option<usize>) -> bool {
        if args.iter().any(|arg| Lazy::of(arg).is_some()) {
            return true;
        }
        let mut pulled = args.iter().filter_map(Pulled::of);
        let builtin = id.builtin();
        if builtin.max.is_none() && args.len() > 2 {
            // Several collections are walked without calls between their items.
            return pulled.any(|it| matches!(it.origin, Origin::Iterated { .. }));
        }
        let Some(pulled) = pulled.next() else { return false };
        let most = match builtin.facts.pulls {
            Pulls::First(_) => wanted.map_or(u64::MAX, |wanted| wanted as u64),
            // It goes on lazily itself.
            Pulls::Stage { ends: true } if pulled.left().is_none() => return false,
            Pulls::Stage { .. } => u64::MAX,
            _ => return false,
        };
        // In a program with lazy sequences, what there is no room for is one.
        self.cx.world.lazy_aware && !self.cx.has_room(pulled.left().unwrap_or(u64::MAX).min(most))
    }
}

/// Returns items that are not made yet: a range that is not built, or stages over one.
fn pulled(value: &Value) -> Option<Pulled> {
    match value {
        Value::List(seq) => {
            let origin = Origin::Numbers(seq.unbuilt()?);
            Some(Pulled { origin, stages: Vec::new() })
        }
        other => Pulled::of(other).cloned(),
    }
}

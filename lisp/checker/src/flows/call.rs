//! Calls of functions.

use ptc_facts::flows::{Flow, Held, Key, Label, Site};
use ptc_facts::registry::Registered;
use ptc_values::ir::Arity;

use super::state::{Frame, Known, Turns};
use super::walk::Walk;

/// The calls of one function that are told apart. More of them are taken together.
const MOST_CALLS: usize = 12;

/// The most times that a function that calls itself is walked.
const MOST_REPEATS: usize = 20;

impl Walk<'_> {
    /// Calls a value.
    pub(super) fn call(&mut self, callee: &Flow, args: &[Flow], at: Site) -> Flow {
        if callee.is_never() || args.iter().any(Flow::is_never) {
            return Flow::never();
        }
        let outer = self.control.clone();
        let chosen = callee.chosen();
        self.may_fail(&chosen);
        self.test(&chosen);
        let mut result = Flow::never();
        for held in callee.held().iter().copied() {
            let one = match held {
                Held::Lambda(site) => self.lambda(site, args),
                Held::Builtin(id) => match id.for_count(args.len()) {
                    Ok(id) => self.builtin(id, args, at),
                    Err(_) => Flow::never(),
                },
                Held::Made(site) => self.made(site, args),
                Held::Cell(_) => Flow::never(),
            };
            result = result.or(&one);
        }
        self.control = outer;
        if callee.is_data() {
            let found = match (callee.as_key(), args) {
                (Some(key @ Key::Name(_)), [map, ..]) => {
                    let found = map.get(&key);
                    args.iter().skip(1).fold(found, |found, other| found.or(other))
                }
                (None, [key, ..]) => match key.as_key() {
                    Some(key) => callee.get(&key),
                    None => callee.value().with(&key.deep()),
                },
                _ => Flow::default(),
            };
            result = result.or(&found);
        }
        result.with(&chosen)
    }

    /// Calls everything that can be called with any of some values, any number of times. Returns what that gives.
    pub(super) fn call_any(&mut self, held: &[Held], with: &Flow) -> Flow {
        let mut result = Flow::never();
        for one in held {
            let one = match *one {
                Held::Lambda(site) => {
                    let program = self.kept.programs.get(site.program as usize).cloned();
                    let lambda = program.as_ref().and_then(|it| it.lambdas.get(site.at as usize));
                    let arities = lambda.map(|it| it.arities.iter().copied().collect());
                    let arities: Vec<Arity> = arities.unwrap_or_default();
                    arities.iter().fold(Flow::never(), |all, arity| {
                        let mut args = vec![with.clone(); arity.params as usize];
                        if arity.variadic {
                            args.push(with.clone());
                        }
                        all.or(&self.lambda_with(site, arity, args))
                    })
                }
                // The functions and cells that it gets are among the others.
                Held::Builtin(id) => self.act(id, with),
                Held::Made(site) => self.made(site, std::slice::from_ref(with)),
                Held::Cell(_) => Flow::never(),
            };
            result = result.or(&one);
        }
        result
    }

    /// Calls a function that a builtin made of others.
    fn made(&mut self, site: Site, args: &[Flow]) -> Flow {
        let made = self.kept.made.get(&site).cloned().unwrap_or_else(Flow::never);
        if self.making.contains(&site) {
            return made.flat();
        }
        self.making.push(site);
        let mut whole = made.flat();
        for arg in args {
            whole = whole.with(&arg.deep()).with_held(&arg.all_held());
        }
        let whole = self.whole(whole, true);
        self.making.pop();
        whole
    }

    /// Adds the contents of the cells that a flow holds, and what its functions give if they are called with it.
    pub(super) fn whole(&mut self, mut whole: Flow, calls: bool) -> Flow {
        for _ in 0..MOST_REPEATS {
            let before = whole.clone();
            for held in whole.held().to_vec() {
                if let Held::Cell(site) = held
                    && let Some(inside) = self.kept.cells.get(&site)
                {
                    whole = whole.with(&inside.deep()).with_held(&inside.all_held());
                }
            }
            if calls {
                let result = self.call_any(whole.held(), &whole);
                whole = whole.with(&result.deep()).with_held(&result.all_held());
            }
            if whole == before {
                return whole;
            }
        }
        self.is_coarse = true;
        whole
    }

    fn lambda(&mut self, site: Site, args: &[Flow]) -> Flow {
        let program = self.kept.programs.get(site.program as usize).cloned();
        let lambda = program.as_ref().and_then(|it| it.lambdas.get(site.at as usize));
        let Some(arity) = lambda.and_then(|it| it.arity(args.len() as u32)).copied() else {
            return Flow::never();
        };
        let mut args = args.to_vec();
        if self.known.get(&site).is_some_and(|all| all.iter().any(|it| it.is_open)) {
            // A function that calls itself is a loop.
            let place = self.place();
            args = args.into_iter().map(|arg| arg.with(&place)).collect();
        }
        if arity.variadic {
            let rest = args.split_off(arity.params as usize);
            let rest = rest.into_iter().zip(0..).map(|(item, at)| (Key::At(at), item));
            args.push(Flow::fields(rest.collect()));
        }
        self.lambda_with(site, &arity, args)
    }

    fn lambda_with(&mut self, site: Site, arity: &Arity, args: Vec<Flow>) -> Flow {
        let (place, is_tried) = (self.place(), self.tries > 0);
        let known = self.known.entry(site).or_default();
        let same_count = |it: &Known| it.args.len() == args.len();
        let found = known
            .iter_mut()
            .position(|it| it.is_tried == is_tried && it.args == args && it.place == place);
        let at = if let Some(at) = found {
            let found = &mut known[at];
            found.is_asked = true;
            let (result, risk) = (found.result.clone(), found.risk.clone());
            let presence = found.presence.clone();
            self.presence.add(&presence);
            self.may_fail(&risk);
            return result;
        } else if known.len() >= MOST_CALLS
            && let Some(last) = known.iter().rposition(same_count)
        {
            // Calls beyond the limit are taken together, into the last one.
            let last_known = &mut known[last];
            let joined: Vec<Flow> =
                last_known.args.iter().zip(&args).map(|(old, new)| old.or(new)).collect();
            let mut place = place;
            place.add(&last_known.place);
            let is_new = joined != last_known.args || place != last_known.place;
            (last_known.args, last_known.place) = (joined, place);
            last_known.is_asked = true;
            if last_known.is_open || !is_new {
                let result = last_known.result.clone();
                if is_new {
                    self.has_grown = true;
                }
                return result;
            }
            last
        } else {
            known.push(Known {
                args,
                place,
                is_tried,
                result: Flow::never(),
                risk: Label::default(),
                presence: Label::default(),
                is_open: false,
                is_asked: false,
            });
            known.len() - 1
        };
        self.walk_body(site, arity, at)
    }

    fn walk_body(&mut self, site: Site, arity: &Arity, at: usize) -> Flow {
        let Some(program) = self.kept.programs.get(site.program as usize).cloned() else {
            return Flow::default();
        };
        let outer = (std::mem::take(&mut self.risk), std::mem::take(&mut self.presence));
        let mut result = Flow::never();
        for repeat in 0.. {
            let Some(known) = self.known.get_mut(&site).and_then(|all| all.get_mut(at)) else {
                break;
            };
            (known.is_open, known.is_asked) = (true, false);
            let args = known.args.clone();
            let place = known.place.clone();
            let mut frame = Frame {
                program: program.clone(),
                number: site.program,
                lambda: site.at,
                slots: vec![Flow::default(); arity.frame as usize],
                turns: Vec::new(),
            };
            for (slot, arg) in args.iter().enumerate() {
                frame.set(slot as u32, arg.clone());
            }
            let control = std::mem::replace(&mut self.control, place);
            result = self.turn(&mut frame, Turns::new(None, 0), arity.body);
            self.control = control;
            let Some(known) = self.known.get_mut(&site).and_then(|all| all.get_mut(at)) else {
                break;
            };
            let both = known.result.or(&result);
            let is_stable = both == known.result && known.args == args;
            known.result = both;
            known.risk.add(&self.risk);
            known.presence.add(&self.presence);
            known.is_open = false;
            if is_stable || !known.is_asked || self.is_coarse {
                result = known.result.clone();
                break;
            }
            self.is_coarse = repeat == MOST_REPEATS;
        }
        let risk = std::mem::replace(&mut self.risk, outer.0);
        let presence = std::mem::replace(&mut self.presence, outer.1);
        self.may_fail(&risk);
        self.presence.add(&presence);
        result
    }
}

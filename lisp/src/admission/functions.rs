//! Calls of functions: what they do, what they are given, and which of them are out of sight.

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::calls::Calls;
use super::flow::{self, How};
use super::options::takes_options;
use super::problems;
use super::scan::{Effect, Fact, Given, Scan};
use super::shape::{Callee, Length, Shape};
use super::times::Times;
use crate::builtins::BuiltinId;
use crate::ir::{Args, Operand};
use crate::value::Value;

/// So many parts of a node are looked at without an allocation.
const FEW: usize = 4;

impl Scan<'_> {
    /// A function goes where its calls are no longer seen.
    pub(super) fn escape(&mut self, shape: &Shape) {
        if let Shape::Function(callee) = shape {
            self.escaped_callee(*callee);
        }
    }

    fn escaped_callee(&mut self, callee: Callee) {
        if !self.escaped.contains(&callee) {
            self.escaped.push(callee);
        }
    }

    /// The function that a part of a node is.
    pub(super) fn callee(&self, part: Operand) -> Option<Callee> {
        match self.shape(part) {
            Shape::Function(callee) => Some(*callee),
            _ => None,
        }
    }

    /// The same for the value of a part of a node.
    pub(super) fn escape_part(&mut self, part: Operand) {
        if let Some(callee) = self.callee(part) {
            self.escaped_callee(callee);
        }
    }

    /// What getting several parts does, whose functions escape.
    pub(super) fn escape_all(&mut self, parts: &[Operand]) -> Effect {
        for part in parts {
            self.escape_part(*part);
        }
        self.effects(parts)
    }

    /// A call of a function, known or not.
    pub(super) fn call(&mut self, at: u32, callee: Option<Callee>, parts: &[Operand]) -> Fact {
        let effect = self.escape_all(parts);
        let Some(callee) = callee else { return effect.of(Shape::ANY) };
        self.passes(callee, parts);
        self.enters(at, callee, Some(parts.len()));
        self.check_arity(at, callee, parts.len());
        let (own, ends, result) = self.body_of(callee);
        let own = Effect { calls: self.keep(own), ends };
        self.both(effect, own).of(result)
    }

    /// What calling a function does. One that is not looked at yet is looked at later.
    pub(super) fn body_of(&mut self, callee: Callee) -> (Calls, bool, Shape) {
        let nothing = (Calls::default(), false, Shape::ANY);
        match callee {
            Callee::Lambda(lambda) => {
                if let Some(frame) = self.frames.last() {
                    self.edges.push((frame.lambda, lambda));
                }
                let whole =
                    self.program.lambdas.get(lambda as usize).map(|it| it.arities.iter().count());
                let open = self.frames.iter().any(|frame| frame.lambda == lambda);
                let looked_at = self.functions.get(lambda as usize).map(|it| it.arities);
                match self.known(lambda) {
                    Some(known) if !open && looked_at == whole => {
                        (known.calls.clone(), known.ends, known.result.clone())
                    }
                    _ => {
                        match self.frames.last_mut() {
                            Some(frame) if frame.lambda == lambda => frame.recurs = true,
                            _ => self.ahead.push(lambda),
                        }
                        nothing
                    }
                }
            }
            Callee::Kept => {
                self.leaves_inside = true;
                (self.kept(), false, Shape::ANY)
            }
        }
    }

    /// All that functions of earlier programs can call, any number of times.
    pub(super) fn kept(&self) -> Calls {
        let place = |name: &ArcStr| self.tool_names().position(|tool| tool == name).unwrap_or(0);
        let tools = self.world.kept_tools.iter();
        Calls::of(tools.map(|name| (place(name) as u32, Times::UNBOUNDED)).collect())
    }

    /// The tools that calls are counted by: those of the program, those of earlier programs, those of
    /// computed names.
    pub(super) fn tool_names(&self) -> impl Iterator<Item = &ArcStr> {
        self.program.tools.iter().chain(self.world.kept_tools).chain(&self.names)
    }

    /// Notes what a function is called with.
    pub(super) fn gives(&mut self, callee: Callee, shapes: Vec<Shape>) {
        if let Callee::Lambda(lambda) = callee
            && let Some(number) = self.arity_of(lambda, shapes.len())
        {
            self.gives_arity(lambda, number, shapes);
        }
    }

    /// The same for a call with these parts.
    pub(super) fn passes(&mut self, callee: Callee, parts: &[Operand]) {
        if let Callee::Lambda(lambda) = callee
            && let Some(number) = self.arity_of(lambda, parts.len())
        {
            let shapes = self.passed(lambda, number, parts);
            self.gives_arity(lambda, number, shapes);
        }
    }

    /// The same for an arity, by its number.
    pub(super) fn gives_arity(&mut self, lambda: u32, number: usize, mut shapes: Vec<Shape>) {
        shapes.truncate(self.fixed(lambda, number));
        let Some(function) = self.functions.get_mut(lambda as usize) else { return };
        match function.seen.iter_mut().find(|(known, _)| *known == number) {
            Some((_, known)) => {
                for (known, shape) in known.iter_mut().zip(&shapes) {
                    *known = known.or(shape);
                }
            }
            None => function.seen.push((number, shapes)),
        }
    }

    /// What an arity is given by these parts. A parameter that the function passes on to itself in its own
    /// place adds nothing to what it is given.
    pub(super) fn passed(&self, lambda: u32, number: usize, parts: &[Operand]) -> Vec<Shape> {
        let fixed = self.fixed(lambda, number);
        let is_own = |at: usize, part: Operand| {
            at < fixed
                && self.origin(part).is_some_and(|(frame, slot)| {
                    (frame.lambda, frame.arity, slot as usize) == (lambda, number, at)
                })
        };
        let shape = |(at, part): (usize, &Operand)| {
            if is_own(at, *part) {
                Shape::Kinds(Kinds::NONE)
            } else {
                self.shape(*part).clone().plain()
            }
        };
        parts.iter().enumerate().map(shape).collect()
    }

    /// How many parameters an arity has that take one argument each.
    fn fixed(&self, lambda: u32, number: usize) -> usize {
        let lambda = self.program.lambdas.get(lambda as usize);
        let arity = lambda.and_then(|lambda| lambda.arities.iter().nth(number));
        arity.map_or(0, |arity| arity.params as usize)
    }

    /// The number of the arity that takes so many arguments.
    fn arity_of(&self, lambda: u32, count: usize) -> Option<usize> {
        let lambda = self.program.lambdas.get(lambda as usize)?;
        let arity = lambda.arity(count as u32)?;
        lambda.arities.iter().position(|other| std::ptr::eq(other, arity))
    }

    pub(super) fn gives_anything(&mut self, callee: Callee) {
        if let Callee::Lambda(lambda) = callee
            && let Some(function) = self.functions.get_mut(lambda as usize)
        {
            function.takes_anything = true;
        }
    }

    /// What functions are given, for the next look: of those whose calls are all known.
    pub(super) fn given_next(&self) -> Given {
        let mut next = Given::new();
        for (lambda, function) in self.functions.iter().enumerate() {
            let lambda = lambda as u32;
            if function.takes_anything || self.escaped.contains(&Callee::Lambda(lambda)) {
                continue;
            }
            for (arity, shapes) in &function.seen {
                if shapes.iter().any(|shape| shape.kinds() != Kinds::ANY) {
                    next.insert((lambda, *arity), shapes.clone());
                }
            }
        }
        next
    }

    pub(super) fn builtin(&mut self, at: u32, id: BuiltinId, args: Args) -> Fact {
        let builtin = id.builtin();
        let parts = self.program.args(args);
        self.check_order(at, id, parts);
        match flow::calls(id, parts.len()) {
            Some(calls) if parts.len() > calls.function => self.calling(at, id, calls, parts),
            _ if builtin.name == "pcalls" => {
                let mut effect = self.effects(parts);
                for part in parts {
                    if let Some(callee) = self.callee(*part) {
                        let one = self.call(at, Some(callee), &[]);
                        let calls = Effect { ends: false, ..one.effect() };
                        effect = self.both(effect, calls);
                    }
                }
                effect.of(Shape::Kinds(Kinds::LIST))
            }
            _ => {
                let effect = self.escape_all(parts);
                let shape = match flow::kinds_of(id) {
                    Some(kinds) if !takes_options(builtin.name) => Shape::Kinds(kinds),
                    _ => self.given_by(at, id, parts),
                };
                effect.of(shape)
            }
        }
    }

    /// What a builtin gives that calls nothing.
    fn given_by(&mut self, at: u32, id: BuiltinId, parts: &[Operand]) -> Shape {
        let name = id.builtin().name;
        if takes_options(name) {
            self.check_options(at, name, parts);
        }
        let known = self.memory_read(at, name, parts);
        known.unwrap_or_else(|| {
            let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
            flow::of_builtin(id, self.shapes(parts, &mut few, &mut many))
        })
    }

    /// What is known of parts of a node, without an allocation when they are few.
    fn shapes<'s>(
        &'s self,
        parts: &[Operand],
        few: &'s mut [&'s Shape; FEW],
        many: &'s mut Vec<&'s Shape>,
    ) -> &'s [&'s Shape] {
        let shapes = parts.iter().map(|part| self.shape(*part));
        match few.get_mut(..parts.len()) {
            Some(few) => {
                few.iter_mut().zip(shapes).for_each(|(place, shape)| *place = shape);
                few
            }
            None => {
                many.extend(shapes);
                many
            }
        }
    }

    /// A builtin that calls one of its arguments.
    fn calling(&mut self, at: u32, id: BuiltinId, calls: flow::Calls, parts: &[Operand]) -> Fact {
        let name = id.builtin().name;
        let effect = self.effects(parts);
        let flow::Calls { function, how } = calls;
        for (index, part) in parts.iter().enumerate() {
            if index != function {
                self.escape_part(*part);
            }
        }
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        let length = items_of(how, function, shapes);
        let callee = match shapes.get(function) {
            Some(Shape::Function(callee)) => *callee,
            part => {
                let result = part.map_or(Shape::ANY, |part| result_of(part, how, shapes));
                return effect.of(flow::of_calls(name, shapes, &result, length.as_ref()));
            }
        };
        match given(how, function, shapes) {
            Some(given) => {
                self.check_given(at, name, callee, given.len(), length.as_ref());
                self.gives(callee, given.into_iter().map(Shape::plain).collect());
            }
            None => self.gives_anything(callee),
        }
        let (own, ends, result) = self.body_of(callee);
        let own = match (how, &length) {
            (How::Once, _) => own,
            (_, Some(length)) => match (length.collection(), length.most) {
                (Some(of), _) => own.for_each(&of),
                (None, Some(most)) => own.times(most),
                (None, None) => own.unbounded(),
            },
            (_, None) => own.unbounded(),
        };
        let some = length.as_ref().is_some_and(|length| length.least > 0);
        let is_certain = how == How::Once || some && how == How::Each;
        if is_certain {
            self.enters(at, callee, (how == How::Each).then(|| parts.len() - function - 1));
        }
        let ends = ends && is_certain;
        let own = Effect { calls: self.keep(own), ends };
        let effect = self.both(effect, own);
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        effect.of(flow::of_calls(name, shapes, &result, length.as_ref()))
    }

    /// A call with a number of arguments that a function of the program does not take.
    pub(super) fn check_arity(&mut self, at: u32, callee: Callee, count: usize) {
        if let Callee::Lambda(lambda) = callee
            && let Some(lambda) = self.program.lambdas.get(lambda as usize)
            && lambda.arity(count as u32).is_none()
        {
            self.problem(at, crate::machine::wrong_arity_of(lambda, count));
        }
    }

    /// The same of a function that a builtin calls: certain only if there is something to call it for.
    pub(super) fn check_given(
        &mut self,
        at: u32,
        name: &str,
        callee: Callee,
        count: usize,
        length: Option<&Length>,
    ) {
        if let Callee::Lambda(lambda) = callee
            && let Some(lambda) = self.program.lambdas.get(lambda as usize)
            && lambda.arity(count as u32).is_none()
        {
            let problem = problems::wrong_given(name, lambda, count);
            if length.is_some_and(|length| length.least > 0)
                && !matches!(name, "reduce" | "reductions")
            {
                self.problem(at, problem);
            } else {
                self.warn(at, problem);
            }
        }
    }
}

/// How many items a function is called for.
fn items_of(how: How, function: usize, args: &[&Shape]) -> Option<Length> {
    match how {
        How::Once => Some(Length::exactly(1)),
        How::Each | How::Indexed => {
            let lengths = args.get(function + 1..)?;
            match lengths {
                [only] => only.length(),
                several => {
                    // The shortest decides; one that is known bounds them all.
                    let known = several.iter().filter_map(|shape| shape.length());
                    known.min_by_key(|length| length.most.unwrap_or(u64::MAX)).map(|it| it.up_to())
                }
            }
        }
        How::Fold => args.last()?.length().map(|length| length.up_to()),
        How::Args => {
            let count = args.len().saturating_sub(function + 1) as u64;
            Some(Length { least: 0, ..Length::exactly(count) })
        }
        How::Vals | How::Keys => args.first()?.length().map(|length| length.up_to()),
        How::Entries => args.get(2)?.length().map(|length| length.up_to()),
        How::Count => match args.first()? {
            Shape::Known(Value::Int(count)) => {
                Some(Length::exactly(u64::try_from(*count).unwrap_or(0)))
            }
            _ => None,
        },
    }
}

/// What a function is called with; none if that is not known.
fn given(how: How, function: usize, args: &[&Shape]) -> Option<Vec<Shape>> {
    match how {
        How::Each => Some(args.get(function + 1..)?.iter().map(|shape| shape.item()).collect()),
        How::Indexed => Some(vec![Shape::Kinds(Kinds::INT), args.get(1)?.item()]),
        How::Fold => Some(vec![Shape::ANY, args.last()?.item()]),
        How::Count => Some(Vec::new()),
        How::Vals | How::Keys | How::Args => Some(vec![Shape::ANY]),
        How::Entries => Some(vec![Shape::ANY, Shape::ANY, Shape::ANY]),
        How::Once => None,
    }
}

/// What a function that is no function of the program gives for an item.
fn result_of(function: &Shape, how: How, args: &[&Shape]) -> Shape {
    match (function, how) {
        (Shape::Known(Value::Keyword(key)), How::Each) => {
            args.get(1).map_or(Shape::ANY, |list| list.item().field_of(key))
        }
        _ => Shape::ANY,
    }
}

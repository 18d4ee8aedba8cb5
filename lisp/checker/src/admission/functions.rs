//! Scans calls of functions: their effects, their arguments, and the functions that escape.

use arcstr::ArcStr;
use ptc_signatures::Kinds;

use super::calls::Calls;
use super::expected::is_position;
use super::fields::applied;
use super::problems;
use super::scan::{Effect, Fact, Frame, Given, Scan};
use ptc_facts::registry;
use ptc_facts::registry::Builtin;
use ptc_facts::registry::Registered;
use ptc_facts::registry::facts::{Callback, FieldsRead, How};
use ptc_facts::shape::gives::{self, Input};
use ptc_facts::shape::{Callee, FieldRead, Length, Shape};
use ptc_facts::times::Times;
use ptc_values::ir::{Args, Operand, OperandKind};
use ptc_values::{BuiltinId, Value};

/// The number of parts of a node that need no allocation.
const FEW: usize = 4;

impl Scan<'_> {
    /// Marks a function as escaped: its further calls are not visible.
    pub(super) fn escape(&mut self, shape: &Shape) {
        if let Shape::Function(callee) = shape {
            self.escape_callee(*callee);
        }
    }

    fn escape_callee(&mut self, callee: Callee) {
        if !self.graph.escaped.contains(&callee) {
            self.graph.escaped.push(callee);
        }
    }

    /// Marks the results of escaped functions as escaped, because their callers may call them.
    pub(super) fn escape_results(&mut self) {
        let mut at = 0;
        while let Some(callee) = self.graph.escaped.get(at).copied() {
            if let Callee::Lambda(lambda) = callee
                && let Some(Shape::Function(given)) = self.known(lambda).map(|it| &it.result)
            {
                self.escape_callee(*given);
            }
            at += 1;
        }
    }

    pub(super) fn callee(&self, part: Operand) -> Option<Callee> {
        match self.shape(part) {
            Shape::Function(callee) => Some(*callee),
            _ => None,
        }
    }

    pub(super) fn escape_part(&mut self, part: Operand) {
        if let Some(callee) = self.callee(part) {
            self.escape_callee(callee);
        }
    }

    /// Returns the effect of evaluating the parts, whose functions escape.
    pub(super) fn escape_all(&mut self, parts: &[Operand]) -> Effect {
        for part in parts {
            self.escape_part(*part);
        }
        self.effects(parts)
    }

    /// Scans a call of a known or unknown function.
    pub(super) fn call(&mut self, at: u32, callee: Option<Callee>, parts: &[Operand]) -> Fact {
        let effect = self.escape_all(parts);
        self.record_call(callee);
        let Some(callee) = callee else { return effect.of(Shape::ANY) };
        let shapes = parts.iter().map(|part| self.shape(*part).clone().plain()).collect();
        self.record_arguments(callee, shapes);
        self.record_certain_call(at, callee, Some(parts.len()));
        self.check_arity(at, callee, parts.len());
        let (own, ends, result) = self.body_of(callee);
        let own = Effect { calls: self.store_calls(own), ends };
        self.both(effect, own).of(result)
    }

    /// Returns the effect and result of calling a function. A body not scanned yet is resolved later.
    pub(super) fn body_of(&mut self, callee: Callee) -> (Calls, bool, Shape) {
        let nothing = (Calls::default(), false, Shape::ANY);
        match callee {
            Callee::Lambda(lambda) => {
                if let Some(frame) = self.frames.last() {
                    self.graph.edges.push((frame.lambda, lambda));
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
                            _ => self.graph.called_early.push(lambda),
                        }
                        nothing
                    }
                }
            }
            Callee::Kept => {
                self.failures.functions_may_end = true;
                (self.kept_tool_calls(), false, Shape::ANY)
            }
        }
    }

    /// Returns the calls that functions of earlier programs can make, without a bound.
    pub(super) fn kept_tool_calls(&self) -> Calls {
        let place = |name: &ArcStr| self.tool_names().position(|tool| tool == name).unwrap_or(0);
        let tools = self.world.env.kept_tools.iter();
        Calls::of(tools.map(|name| (place(name) as u32, Times::UNBOUNDED)).collect())
    }

    /// Returns the tools by which calls are counted: those of the program, of earlier programs, and of computed names.
    pub(super) fn tool_names(&self) -> impl Iterator<Item = &ArcStr> {
        self.program.tools.iter().chain(self.world.env.kept_tools).chain(&self.named_tools.names)
    }

    pub(super) fn record_arguments(&mut self, callee: Callee, shapes: Vec<Shape>) {
        if let Callee::Lambda(lambda) = callee
            && let Some(number) = self.arity_of(lambda, shapes.len())
        {
            self.record_arguments_of_arity(lambda, number, shapes);
        }
    }

    /// Records a self-call of the running function; `recur` stays in the same arity.
    pub(super) fn recurs(&mut self, parts: &[Operand], is_recur: bool) {
        let Some(frame) = self.frames.last_mut() else { return };
        frame.recurs = true;
        let (lambda, own) = (frame.lambda, frame.arity);
        let number = if is_recur { Some(own) } else { self.arity_of(lambda, parts.len()) };
        if let Some(number) = number {
            let shapes = parts.iter().map(|part| self.shape(*part).clone().plain()).collect();
            self.record_arguments_of_arity(lambda, number, shapes);
        }
    }

    fn record_arguments_of_arity(&mut self, lambda: u32, number: usize, mut shapes: Vec<Shape>) {
        shapes.truncate(self.fixed(lambda, number));
        let given = &self.assumed.given;
        let is_unknown =
            |frame: &Frame| frame.lambda == lambda && !given.contains_key(&(lambda, frame.arity));
        if self.assumed.optimistic
            && !given.contains_key(&(lambda, number))
            && self.frames.iter().any(is_unknown)
        {
            // Its arguments to itself depend on its own arguments, which are unknown yet.
            self.changing.deferred.push((lambda, number));
            return;
        }
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

    /// Returns the number of parameters that take one argument each.
    fn fixed(&self, lambda: u32, number: usize) -> usize {
        let lambda = self.program.lambdas.get(lambda as usize);
        let arity = lambda.and_then(|lambda| lambda.arities.iter().nth(number));
        arity.map_or(0, |arity| arity.params as usize)
    }

    /// Returns the number of the arity for `count` arguments.
    fn arity_of(&self, lambda: u32, count: usize) -> Option<usize> {
        let lambda = self.program.lambdas.get(lambda as usize)?;
        let arity = lambda.arity(count as u32)?;
        lambda.arities.iter().position(|other| std::ptr::eq(other, arity))
    }

    pub(super) fn accept_any_arguments(&mut self, callee: Callee) {
        if let Callee::Lambda(lambda) = callee
            && let Some(function) = self.functions.get_mut(lambda as usize)
        {
            function.takes_anything = true;
        }
    }

    /// Returns the arguments of functions whose calls are all known, for the next pass.
    pub(super) fn given_next(&self) -> Given {
        let mut next = Given::new();
        for (lambda, function) in self.functions.iter().enumerate() {
            let lambda = lambda as u32;
            if function.takes_anything || self.graph.escaped.contains(&Callee::Lambda(lambda)) {
                continue;
            }
            for (arity, shapes) in &function.seen {
                let key = (lambda, *arity);
                let is_any = |shape: &Shape| matches!(shape, Shape::Kinds(Kinds::ANY));
                // A known argument stays known, so that the passes end.
                if !shapes.iter().all(is_any) || self.assumed.given.contains_key(&key) {
                    next.insert(key, shapes.clone());
                }
            }
        }
        next
    }

    pub(super) fn builtin(&mut self, at: u32, id: BuiltinId, args: Args) -> Fact {
        let builtin = id.builtin();
        let parts = self.program.args(args);
        self.check_order(at, builtin, parts);
        self.check_expected(at, builtin, parts);
        self.check_comparator(at, builtin, parts);
        if let (FieldsRead::Value | FieldsRead::Field, [set, value, ..]) =
            (builtin.facts.reads, parts)
        {
            self.compare_member(at, *set, *value);
        }
        match builtin.facts.calls_of(parts.len()) {
            Some(Callback { how: How::Thunks, .. }) => {
                let mut effect = self.effects(parts);
                for part in parts {
                    if let Some(callee) = self.callee(*part) {
                        let one = self.call(at, Some(callee), &[]);
                        let calls = Effect { ends: false, ..one.effect() };
                        effect = self.both(effect, calls);
                    }
                }
                effect.of(self.given_by(at, builtin, parts))
            }
            Some(calls) => {
                if let Some(options) = &builtin.facts.options {
                    self.check_options(at, builtin.name, options, parts);
                }
                self.calling(at, builtin, calls, parts)
            }
            None => {
                let effect = self.escape_all(parts);
                let shape = match self.transduced(at, builtin, parts) {
                    Some(shape) => shape,
                    None => self.given_by(at, builtin, parts),
                };
                effect.of(shape)
            }
        }
    }

    /// Returns the result of a builtin that calls no function.
    fn given_by(&mut self, at: u32, builtin: &'static Builtin, parts: &[Operand]) -> Shape {
        if let Some(options) = &builtin.facts.options {
            self.check_options(at, builtin.name, options, parts);
        }
        if builtin.name == "ask" {
            self.check_form(at, parts);
        }
        if builtin.facts.reads != FieldsRead::Nothing {
            return self.field_read(at, builtin, parts);
        }
        if let Some(kinds) = builtin.facts.kinds() {
            return Shape::Kinds(kinds);
        }
        let read = self.memory_read(at, builtin.name, parts);
        read.or_else(|| self.payload_read(builtin.name, parts)).unwrap_or_else(|| {
            let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
            builtin.facts.shape(&Input::alone(self.shapes(parts, &mut few, &mut many)))
        })
    }

    /// Returns the shapes of parts of a node, without an allocation for a few.
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

    /// Scans a builtin that calls one of its arguments.
    fn calling(
        &mut self,
        at: u32,
        builtin: &'static Builtin,
        calls: Callback,
        parts: &[Operand],
    ) -> Fact {
        let (builtin, calls) = self.resolve_apply(builtin, calls, parts);
        let effect = self.effects(parts);
        self.record_mapped_reads(at, builtin, parts);
        let Callback { function, how, .. } = calls;
        let called = parts.get(function).map(|part| self.shape(*part));
        let callee = match called {
            Some(Shape::Function(callee)) => Some(*callee),
            _ => None,
        };
        if !matches!(called, Some(Shape::Known(_))) {
            self.record_call(callee);
        }
        for (index, part) in parts.iter().enumerate() {
            if index != function {
                self.escape_part(*part);
            }
        }
        // A written set that a builtin calls with items.
        if let (How::Each, [set, items]) = (how, parts)
            && self.is_written_set(*set)
        {
            let item = self.shape(*items).item();
            self.compare_with_members(at, *set, &item);
        }
        match callee {
            Some(callee) => self.calling_function(at, builtin, calls, parts, callee, effect),
            None => {
                let shape = self.calling_data(at, builtin, calls, parts);
                effect.of(shape)
            }
        }
    }

    /// Records the reads of fields by a keyword or path that a builtin applies to the items of its last argument.
    fn record_mapped_reads(&mut self, at: u32, builtin: &'static Builtin, parts: &[Operand]) {
        if let (FieldsRead::Mapped, [_, mapped, .., last]) = (builtin.facts.reads, parts) {
            let mut reads = Vec::new();
            applied(self.shape(*mapped), &[self.shape(*last).item()], &mut reads);
            for read in reads {
                self.record_read(at, read);
            }
        }
    }

    /// Returns the result of a builtin that calls a keyword, a map, a set or an unknown function.
    fn calling_data(
        &mut self,
        at: u32,
        builtin: &'static Builtin,
        Callback { function, how, .. }: Callback,
        parts: &[Operand],
    ) -> Shape {
        let is_literal = parts.first().is_some_and(|it| matches!(it.kind(), OperandKind::Const(_)));
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        let length = items_of(how, function, shapes);
        let mut reads = Vec::new();
        let result = match (shapes.get(function), given(how, function, shapes)) {
            (Some(part), Some(given)) => applied(part, &given, &mut reads),
            _ => Shape::ANY,
        };
        let changed = changed_field(how, shapes);
        reads.extend(changed.filter(|read| !(read.is_impossible() && is_literal)));
        let (result, times) = (&result, length.as_ref());
        let shape = builtin.facts.shape(&Input { args: shapes, result, folded: None, times });
        for read in reads {
            self.record_read(at, read);
        }
        shape
    }

    /// Scans a builtin that calls a function of a program: what it is given, how often it is called, and its result.
    fn calling_function(
        &mut self,
        at: u32,
        builtin: &'static Builtin,
        Callback { function, how, .. }: Callback,
        parts: &[Operand],
        callee: Callee,
        effect: Effect,
    ) -> Fact {
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        let length = items_of(how, function, shapes);
        let changed = changed_field(how, shapes);
        let start = match (how, shapes) {
            (How::Fold | How::Entries, [_, start, _]) => (*start).clone(),
            (How::Fold, [_, list]) => list.item(),
            _ => Shape::ANY,
        };
        let given = given(how, function, shapes);
        if let Some(read) = changed {
            self.record_read(at, read);
        }
        let folded = matches!(how, How::Fold | How::Entries).then(|| {
            let (_, _, became) = self.body_of(callee);
            self.accumulator((at, 0), &start, &became.plain())
        });
        match given {
            Some(mut given) => {
                if let (Some(first), Some(folded)) = (given.first_mut(), &folded) {
                    *first = folded.clone();
                }
                self.check_given(at, builtin.name, callee, given.len(), length.as_ref());
                self.record_arguments(callee, given.into_iter().map(Shape::plain).collect());
            }
            None => self.accept_any_arguments(callee),
        }
        let (own, ends, result) = self.body_of(callee);
        self.escape(&result);
        let some = length.as_ref().is_some_and(|length| length.least > 0);
        let is_certain = matches!(how, How::Once | How::Field) || some && how == How::Each;
        if is_certain {
            let count = match how {
                How::Each => Some(parts.len() - function - 1),
                How::Field => Some(parts.len() - function),
                _ => None,
            };
            self.record_certain_call(at, callee, count);
        }
        let calls = self.store_calls(times_called(own, how, length.as_ref()));
        let effect = self.both(effect, Effect { calls, ends: ends && is_certain });
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        let given = Input {
            args: shapes,
            result: &result,
            folded: folded.as_ref(),
            times: length.as_ref(),
        };
        effect.of(builtin.facts.shape(&given))
    }

    /// Resolves `apply` with a function that calls another one per item: that is its variant that takes a collection.
    fn resolve_apply(
        &self,
        builtin: &'static Builtin,
        calls: Callback,
        parts: &[Operand],
    ) -> (&'static Builtin, Callback) {
        let of_items = || {
            let (How::Once, [head, _, _]) = (calls.how, parts) else { return None };
            let OperandKind::Const(index) = head.kind() else { return None };
            let Value::Builtin(id) = self.program.consts.get(index as usize)? else { return None };
            let How::Args(name) = id.builtin().facts.calls_of(2)?.how else { return None };
            let of_items = registry::find(name)?.builtin();
            Some((of_items, Callback { function: 1, how: How::Each, ..calls }))
        };
        of_items().unwrap_or((builtin, calls))
    }

    /// Returns the result of a builtin that reads fields by name, and records the reads.
    fn field_read(&mut self, at: u32, builtin: &'static Builtin, parts: &[Operand]) -> Shape {
        let (mut few, mut many) = ([Shape::UNKNOWN; FEW], Vec::new());
        let shapes = self.shapes(parts, &mut few, &mut many);
        let (mut reads, mut asked, mut compared) = (Vec::new(), None, Vec::new());
        let shape = match (builtin.facts.reads, shapes) {
            (
                FieldsRead::Value | FieldsRead::Field,
                [map, Shape::Known(Value::Keyword(key) | Value::Str(key))],
            ) => {
                asked = (builtin.facts.reads == FieldsRead::Field).then(|| key.to_string());
                // The key of a list is checked as a position.
                if !is_position(builtin.facts.reads, map, shapes[1]) {
                    reads.push(map.read_field(key));
                }
                None
            }
            (FieldsRead::Path, [map, Shape::Items(path)]) => {
                let mut shape = (*map).clone();
                for step in &**path {
                    shape = match step {
                        Shape::Known(Value::Keyword(key) | Value::Str(key)) => {
                            let read = shape.read_field(key);
                            let next = read.shape.clone();
                            reads.push(read);
                            next
                        }
                        step => gives::item_at(&shape, step),
                    };
                }
                Some(shape)
            }
            (FieldsRead::Fields, [map, Shape::Items(keys)]) => {
                for key in &**keys {
                    if let Shape::Known(Value::Keyword(key) | Value::Str(key)) = key {
                        reads.push(map.read_field(key));
                    }
                }
                None
            }
            (FieldsRead::Matched, [Shape::Map(fields), items]) => {
                let item = items.item();
                for (key, expected) in &fields.fields {
                    let read = item.read_field(key);
                    // A set has the values that a field may have.
                    let expected = match expected {
                        Shape::List(values) => values.0.clone(),
                        one => one.clone(),
                    };
                    compared.push((read.shape.clone(), expected));
                    reads.push(read);
                }
                None
            }
            _ => None,
        };
        let shape = shape.unwrap_or_else(|| builtin.facts.shape(&Input::alone(shapes)));
        self.reads.asked.extend(asked);
        // A literal may be there to show what the builtin does with it.
        let is_literal = builtin.facts.reads != FieldsRead::Matched
            && parts.first().is_some_and(|it| matches!(it.kind(), OperandKind::Const(_)));
        reads.retain(|read| !(is_literal && read.is_impossible()));
        for read in reads {
            self.record_read(at, read);
        }
        for (found, expected) in compared {
            self.compare(at, &found, &expected);
        }
        shape
    }

    /// Reports a call whose number of arguments the function does not take.
    pub(super) fn check_arity(&mut self, at: u32, callee: Callee, count: usize) {
        if let Callee::Lambda(lambda) = callee
            && let Some(lambda) = self.program.lambdas.get(lambda as usize)
            && lambda.arity(count as u32).is_none()
        {
            self.problem(at, ptc_values::wrong_arity_of(lambda, count));
        }
    }

    /// Checks a function that a builtin calls. The failure is certain only if there is at least one call.
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
            if length.is_some_and(|length| length.least > 0) {
                self.problem(at, problem);
            } else {
                self.warn(at, problem);
            }
        }
    }
}

/// Returns the number of items that a function is called for.
fn items_of(how: How, function: usize, args: &[&Shape]) -> Option<Length> {
    match how {
        How::Once | How::Field => Some(Length::exactly(1)),
        How::Last => args.last()?.length(),
        How::Pairs | How::Thunks => None,
        How::Each | How::Indexed => {
            let lengths = args.get(function + 1..)?;
            match lengths {
                [only] => only.length(),
                several => {
                    // The shortest list decides, and any known length is an upper bound.
                    let known = several.iter().filter_map(|shape| shape.length());
                    known.min_by_key(|length| length.most.unwrap_or(u64::MAX)).map(|it| it.up_to())
                }
            }
        }
        How::Fold => args.last()?.length().map(|length| length.up_to()),
        How::Args(_) => {
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
        How::Tried => Some(Length::exactly(1).up_to()),
        How::Over => args.get(function.checked_sub(1)?)?.length().map(|length| length.up_to()),
        How::Max => {
            let most = match args.last()? {
                Shape::Known(options) => options.get("max").and_then(Value::as_int),
                options => match options.field_of("max") {
                    Shape::Known(most) => most.as_int(),
                    _ => None,
                },
            };
            Some(Length::exactly(u64::try_from(most?).unwrap_or(0)).up_to())
        }
    }
}

/// Returns the arguments that a function is called with; `None` if unknown.
fn given(how: How, function: usize, args: &[&Shape]) -> Option<Vec<Shape>> {
    match how {
        How::Each => Some(args.get(function + 1..)?.iter().map(|shape| shape.item()).collect()),
        How::Indexed => Some(vec![Shape::Kinds(Kinds::INT), args.get(1)?.item()]),
        How::Fold => Some(vec![Shape::ANY, args.last()?.item()]),
        How::Last => Some(vec![args.last()?.item()]),
        How::Pairs => Some(vec![args.last()?.item(), args.last()?.item()]),
        How::Count => Some(Vec::new()),
        How::Vals => Some(vec![gives::value_of(args.first()?)]),
        How::Keys => Some(vec![gives::key_of(args.first()?)]),
        How::Args(_) => {
            let items = args.get(function + 1..)?.iter().map(|item| (*item).clone());
            Some(vec![items.reduce(|a, b| a.or(&b)).unwrap_or(Shape::ANY)])
        }
        How::Entries => {
            let map = args.get(2)?;
            Some(vec![Shape::ANY, gives::key_of(map), gives::value_of(map)])
        }
        How::Field => {
            let value = match args {
                [map, Shape::Known(Value::Keyword(key) | Value::Str(key)), ..] => map.field_of(key),
                _ => Shape::ANY,
            };
            let more = args.get(3..)?.iter().map(|more| (*more).clone());
            Some(std::iter::once(value).chain(more).collect())
        }
        How::Over => Some(vec![args.get(function.checked_sub(1)?)?.item()]),
        How::Tried => Some(Vec::new()),
        How::Once | How::Thunks | How::Max => None,
    }
}

/// Returns the read of a field that a builtin changes by a function, such as `update`.
fn changed_field(how: How, args: &[&Shape]) -> Option<FieldRead> {
    match (how, args) {
        (How::Field, [map, Shape::Known(Value::Keyword(key)), ..]) => Some(map.read_field(key)),
        _ => None,
    }
}

/// Returns the calls of tools by a function that a builtin calls once for each of so many items.
fn times_called(own: Calls, how: How, length: Option<&Length>) -> Calls {
    match (how, length) {
        (How::Once | How::Field, _) => own,
        (_, Some(length)) => match (length.collection(), length.most) {
            (Some(of), _) => own.for_each(&of),
            (None, Some(most)) => own.times(most),
            (None, None) => own.unbounded(),
        },
        (_, None) => own.unbounded(),
    }
}

//! Labels: sets of marks.

use std::sync::Arc;

use arcstr::ArcStr;
use ptc_values::code::Span;

/// A name of a label with the place that it comes from, such as `untrusted` from the tool `inbox`.
#[derive(Debug, Clone)]
pub struct Mark {
    pub name: ArcStr,
    pub origin: ArcStr,
    /// Whether every way to the value has it.
    pub certain: bool,
    /// One way from the source to the value; the last form is first.
    pub trail: Trail,
}

/// The forms that a value came through.
pub type Trail = Option<Arc<Step>>;

/// A form that a value came through.
#[derive(Debug)]
pub struct Step {
    /// The text of the program.
    pub source: Arc<str>,
    pub span: Span,
    /// The number of forms with this one.
    pub(super) length: u32,
    pub before: Trail,
}

/// The forms of a trail that are kept. The first ones tell where a value comes from.
const MOST_STEPS: u32 = 24;

impl PartialEq for Mark {
    /// Trails are examples, so they do not count.
    fn eq(&self, other: &Mark) -> bool {
        self.is_like(other) && self.certain == other.certain
    }
}

impl Mark {
    pub fn new(name: ArcStr, origin: ArcStr) -> Mark {
        Mark { name, origin, certain: true, trail: None }
    }

    fn is_like(&self, other: &Mark) -> bool {
        self.name == other.name && self.origin == other.origin
    }

    /// Returns the forms from the source to the value.
    pub fn steps(&self) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut next = self.trail.as_deref();
        while let Some(step) = next {
            steps.push(step);
            next = step.before.as_deref();
        }
        steps.reverse();
        steps
    }
}

/// A set of marks, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Label(Vec<Mark>);

impl PartialEq for Label {
    fn eq(&self, other: &Label) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|mark| other.0.contains(mark))
    }
}

impl FromIterator<Mark> for Label {
    fn from_iter<I: IntoIterator<Item = Mark>>(marks: I) -> Label {
        let mut label = Label::default();
        marks.into_iter().for_each(|mark| label.insert(&mark));
        label
    }
}

impl Label {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Mark> {
        self.0.iter()
    }

    /// Returns the first mark of a name.
    pub fn named(&self, name: &str) -> Option<&Mark> {
        self.0.iter().find(|mark| mark.name == name)
    }

    fn insert(&mut self, mark: &Mark) {
        match self.0.iter_mut().find(|it| it.is_like(mark)) {
            Some(found) => found.certain |= mark.certain,
            None => self.0.push(mark.clone()),
        }
    }

    /// Adds the marks of another value that this one depends on.
    pub fn add(&mut self, other: &Label) {
        other.0.iter().for_each(|mark| self.insert(mark));
    }

    /// Returns the label of a value that is one of two: a mark is certain if both have it for certain.
    #[must_use]
    pub fn or(&self, other: &Label) -> Label {
        let certain =
            |label: &Label, mark: &Mark| label.0.iter().any(|it| it.is_like(mark) && it.certain);
        let mut both = self.clone();
        both.add(other);
        for mark in &mut both.0 {
            mark.certain = certain(self, mark) && certain(other, mark);
        }
        both
    }

    /// Returns the same marks, none of them certain.
    #[must_use]
    pub fn perhaps(mut self) -> Label {
        self.0.iter_mut().for_each(|mark| mark.certain = false);
        self
    }

    /// Adds a form to the trails.
    pub fn pass(&mut self, source: &Arc<str>, span: Span) {
        for mark in &mut self.0 {
            let length = mark.trail.as_ref().map_or(0, |step| step.length);
            let is_same = |step: &Arc<Step>| step.span == span && Arc::ptr_eq(&step.source, source);
            let is_last = mark.trail.as_ref().is_some_and(is_same);
            if length < MOST_STEPS && !is_last {
                let before = mark.trail.take();
                let step = Step { source: source.clone(), span, length: length + 1, before };
                mark.trail = Some(Arc::new(step));
            }
        }
    }
}

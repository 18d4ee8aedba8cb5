//! The flows of kept state as JSON.
//!
//! Marks, the forms of trails, and labels are in tables, since many values share them. A form has its text alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use arcstr::ArcStr;
use hashbrown::HashMap;
use ptc_values::code::Span;
use ptc_values::{Program, Value};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::flow::{Flow, Held, Key, Parts, Site};
use super::kept::Kept;
use super::label::{Label, Mark, Step, Trail};
use super::reading::Reading;
use super::sources::Sources;
use crate::registry;
use crate::registry::Registered;

/// The most bytes of the text of a form.
const MOST_FORM: usize = 400;

/// A program of a snapshot, as flows refer to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OldProgram {
    Number(usize),
    /// The function of the library that it is.
    Own(String),
    /// No value has a function of it.
    Gone(()),
}

#[derive(Serialize, Deserialize, Default)]
struct Text {
    sources: Stated,
    programs: Vec<OldProgram>,
    /// A text, the number of forms with it, and the form before.
    forms: Vec<(String, u32, Option<usize>)>,
    /// A name, an origin, whether it is certain, and the last form.
    marks: Vec<(String, String, bool, Option<usize>)>,
    labels: Vec<Vec<usize>>,
    captures: Vec<(Place, Vec<FlowText>)>,
    cells: Vec<(Place, FlowText)>,
    made: Vec<(Place, FlowText)>,
    globals: Vec<(u32, FlowText)>,
    memory: FlowText,
    payload: FlowText,
    inputs: Vec<(String, FlowText)>,
    history: [FlowText; 3],
    conversation: usize,
    unknown: usize,
    /// The labels of what the author has read and of what the programs have, and the trusted text.
    read: (usize, usize, String),
}

/// The labels that the host stated.
#[derive(Serialize, Deserialize, Default)]
struct Stated {
    tools: Vec<(String, String)>,
    inputs: Vec<(String, String)>,
    payload: Vec<String>,
    conversation: Vec<String>,
}

type Place = (u32, u32);

#[derive(Serialize, Deserialize, Default)]
struct FlowText {
    #[serde(default, skip_serializing_if = "is_none")]
    label: usize,
    #[serde(default, skip_serializing_if = "is_none")]
    names: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<(KeyText, FlowText)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<Box<FlowText>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held: Vec<HeldText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    constant: Option<ConstantText>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    never: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_list: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(label: &usize) -> bool {
    *label == 0
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum KeyText {
    At(i64),
    Name(String),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum HeldText {
    Lambda(Place),
    Builtin(String),
    Cell(Place),
    Made(Place),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum ConstantText {
    Int(i64),
    Text(String),
    Keyword { keyword: String },
    Path(Vec<ConstantText>),
}

/// Writes flows and a reading. `program` says how the snapshot names a program.
pub fn write(
    sources: &Sources,
    kept: &Kept,
    reading: &Reading,
    program: impl Fn(&Arc<Program>) -> OldProgram,
) -> Json {
    let mut to = Writer::default();
    to.label(&Label::default());
    let at = |site: &Site| (site.program, site.at);
    let mut text = Text {
        sources: Stated::of(sources),
        programs: kept.programs.iter().map(program).collect(),
        captures: kept
            .captures
            .iter()
            .map(|(site, all)| (at(site), all.iter().map(|flow| to.flow(flow)).collect()))
            .collect(),
        cells: kept.cells.iter().map(|(site, flow)| (at(site), to.flow(flow))).collect(),
        made: kept.made.iter().map(|(site, flow)| (at(site), to.flow(flow))).collect(),
        globals: kept.globals.iter().map(|(number, flow)| (*number, to.flow(flow))).collect(),
        memory: to.flow(&kept.memory),
        payload: to.flow(&kept.payload),
        inputs: kept.inputs.iter().map(|(key, flow)| (key.to_string(), to.flow(flow))).collect(),
        history: kept.history.each_ref().map(|flow| to.flow(flow)),
        conversation: to.label(&kept.conversation),
        unknown: to.label(&kept.unknown),
        read: (to.label(&reading.label), to.label(&reading.met), reading.trusted().to_owned()),
        ..Text::default()
    };
    (text.forms, text.marks, text.labels) = (to.forms, to.marks, to.labels);
    serde_json::to_value(&text).unwrap_or_default()
}

/// Reads flows and a reading. `program` finds a program. Returns `None` if the text is damaged, or if it knows less of
/// where values come from than `sources` states.
pub fn read(
    json: &Json,
    sources: &Sources,
    program: impl Fn(&OldProgram) -> Option<Arc<Program>>,
) -> Option<(Kept, Reading)> {
    let text = Text::deserialize(json).ok()?;
    if !text.sources.covers(&Stated::of(sources)) {
        return None;
    }
    let from = Reader::of(&text)?;
    let at = |(program, at): Place| Site { program, at };
    let flow = |(place, flow): &(Place, FlowText)| Some((at(*place), from.flow(flow)?));
    let flows =
        |all: &Vec<FlowText>| all.iter().map(|it| from.flow(it)).collect::<Option<Vec<_>>>();
    let [first, second, third] = &text.history;
    let captures = text.captures.iter().map(|(place, all)| Some((at(*place), flows(all)?)));
    let globals = text.globals.iter().map(|(number, flow)| Some((*number, from.flow(flow)?)));
    let inputs = text.inputs.iter().map(|(key, flow)| Some((key.into(), from.flow(flow)?)));
    let kept = Kept {
        // The functions of a program that is gone are in no value.
        programs: text.programs.iter().map(|it| program(it).unwrap_or_default()).collect(),
        captures: captures.collect::<Option<_>>()?,
        cells: text.cells.iter().map(flow).collect::<Option<_>>()?,
        made: text.made.iter().map(flow).collect::<Option<_>>()?,
        globals: globals.collect::<Option<_>>()?,
        memory: from.flow(&text.memory)?,
        payload: from.flow(&text.payload)?,
        inputs: inputs.collect::<Option<BTreeMap<ArcStr, Flow>>>()?,
        history: [from.flow(first)?, from.flow(second)?, from.flow(third)?],
        conversation: from.label(text.conversation)?,
        unknown: from.label(text.unknown)?,
    };
    let (label, met, trusted) = &text.read;
    Some((kept, Reading::new(from.label(*label)?, from.label(*met)?, trusted)))
}

impl Stated {
    fn of(sources: &Sources) -> Stated {
        let pairs = |all: &[(ArcStr, ArcStr)]| {
            all.iter().map(|(key, label)| (key.to_string(), label.to_string())).collect()
        };
        let texts = |all: &[ArcStr]| all.iter().map(ArcStr::to_string).collect();
        Stated {
            tools: pairs(&sources.tools),
            inputs: pairs(&sources.inputs),
            payload: texts(&sources.payload),
            conversation: texts(&sources.conversation),
        }
    }

    fn covers(&self, other: &Stated) -> bool {
        let pairs = |all: &[(String, String)], of: &[(String, String)]| {
            of.iter().all(|it| all.contains(it))
        };
        let texts = |all: &[String], of: &[String]| of.iter().all(|it| all.contains(it));
        pairs(&self.tools, &other.tools)
            && pairs(&self.inputs, &other.inputs)
            && texts(&self.payload, &other.payload)
            && texts(&self.conversation, &other.conversation)
    }
}

#[derive(Default)]
struct Writer {
    forms: Vec<(String, u32, Option<usize>)>,
    marks: Vec<(String, String, bool, Option<usize>)>,
    labels: Vec<Vec<usize>>,
    /// The numbers of forms, by their addresses.
    known_forms: HashMap<usize, usize>,
    known_marks: HashMap<(ArcStr, ArcStr, bool, Option<usize>), usize>,
    known_labels: HashMap<Vec<usize>, usize>,
}

impl Writer {
    fn trail(&mut self, trail: &Trail) -> Option<usize> {
        let mut open = Vec::new();
        let (mut next, mut before) = (trail.as_ref(), None);
        while let Some(step) = next {
            if let Some(number) = self.known_forms.get(&Arc::as_ptr(step).addr()) {
                before = Some(*number);
                break;
            }
            open.push(step);
            next = step.before.as_ref();
        }
        for step in open.into_iter().rev() {
            let number = self.forms.len();
            self.forms.push((form(step), step.length, before));
            self.known_forms.insert(Arc::as_ptr(step).addr(), number);
            before = Some(number);
        }
        before
    }

    fn label(&mut self, label: &Label) -> usize {
        let marks: Vec<usize> = label.iter().map(|mark| self.mark(mark)).collect();
        if let Some(number) = self.known_labels.get(&marks) {
            return *number;
        }
        self.labels.push(marks.clone());
        self.known_labels.insert(marks, self.labels.len() - 1);
        self.labels.len() - 1
    }

    fn mark(&mut self, mark: &Mark) -> usize {
        let last = self.trail(&mark.trail);
        let key = (mark.name.clone(), mark.origin.clone(), mark.certain, last);
        if let Some(number) = self.known_marks.get(&key) {
            return *number;
        }
        self.marks.push((mark.name.to_string(), mark.origin.to_string(), mark.certain, last));
        self.known_marks.insert(key, self.marks.len() - 1);
        self.marks.len() - 1
    }

    /// Goes down the few levels of parts that a flow has.
    fn flow(&mut self, flow: &Flow) -> FlowText {
        let fields = flow.parts.as_ref().map(|parts| {
            let fields = parts.fields.iter();
            let fields = fields.map(|(key, part)| {
                let key = match key {
                    Key::Name(name) => KeyText::Name(name.to_string()),
                    Key::At(at) => KeyText::At(*at),
                };
                (key, self.flow(part))
            });
            fields.collect()
        });
        let rest = flow.parts.as_ref().and_then(|parts| parts.rest.as_ref());
        FlowText {
            label: self.label(&flow.label),
            names: self.label(&flow.names),
            fields,
            rest: rest.map(|rest| Box::new(self.flow(rest))),
            held: flow.held.iter().map(HeldText::of).collect(),
            constant: flow.constant.as_ref().and_then(ConstantText::of),
            never: flow.never,
            is_list: flow.is_list,
        }
    }
}

/// Returns the text of a form, up to a limit.
fn form(step: &Step) -> String {
    let (start, end) = (step.span.start as usize, step.span.end as usize);
    let text = step.source.get(start..end).unwrap_or_default();
    text.get(..text.floor_char_boundary(MOST_FORM)).unwrap_or_default().to_owned()
}

impl HeldText {
    fn of(held: &Held) -> HeldText {
        match held {
            Held::Lambda(site) => HeldText::Lambda((site.program, site.at)),
            Held::Builtin(id) => HeldText::Builtin(id.builtin().name.to_owned()),
            Held::Cell(site) => HeldText::Cell((site.program, site.at)),
            Held::Made(site) => HeldText::Made((site.program, site.at)),
        }
    }

    fn read(&self) -> Option<Held> {
        let site = |(program, at): &Place| Site { program: *program, at: *at };
        Some(match self {
            HeldText::Lambda(place) => Held::Lambda(site(place)),
            HeldText::Builtin(name) => Held::Builtin(registry::find(name)?),
            HeldText::Cell(place) => Held::Cell(site(place)),
            HeldText::Made(place) => Held::Made(site(place)),
        })
    }
}

impl ConstantText {
    fn of(value: &Value) -> Option<ConstantText> {
        Some(match value {
            Value::Int(at) => ConstantText::Int(*at),
            Value::Str(text) => ConstantText::Text(text.to_string()),
            Value::Keyword(name) => ConstantText::Keyword { keyword: name.to_string() },
            Value::Vector(items) => {
                ConstantText::Path(items.iter().map(ConstantText::of).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    fn read(&self) -> Value {
        match self {
            ConstantText::Int(at) => Value::Int(*at),
            ConstantText::Text(text) => Value::str(text),
            ConstantText::Keyword { keyword } => Value::keyword(keyword),
            ConstantText::Path(items) => {
                Value::vector(items.iter().map(ConstantText::read).collect::<Vec<_>>())
            }
        }
    }
}

struct Reader {
    labels: Vec<Label>,
}

impl Reader {
    fn of(text: &Text) -> Option<Reader> {
        let mut forms: Vec<Arc<Step>> = Vec::new();
        for (source, length, before) in &text.forms {
            let before = before.map(|at| forms.get(at).cloned().ok_or(())).transpose().ok()?;
            let (span, source) = (Span::new(0, source.len()), source.as_str().into());
            forms.push(Arc::new(Step { source, span, length: *length, before }));
        }
        let mut marks = Vec::new();
        for (name, origin, certain, last) in &text.marks {
            let trail = last.map(|at| forms.get(at).cloned().ok_or(())).transpose().ok()?;
            let (name, origin) = (name.into(), origin.into());
            marks.push(Mark { name, origin, certain: *certain, trail });
        }
        let labels = text
            .labels
            .iter()
            .map(|label| label.iter().map(|at| marks.get(*at).cloned()).collect::<Option<Label>>());
        Some(Reader { labels: labels.collect::<Option<_>>()? })
    }

    fn label(&self, number: usize) -> Option<Label> {
        self.labels.get(number).cloned()
    }

    fn flow(&self, text: &FlowText) -> Option<Flow> {
        let rest = text.rest.as_ref().map(|rest| self.flow(rest).ok_or(())).transpose().ok()?;
        let mut fields = Vec::new();
        for (key, part) in text.fields.iter().flatten() {
            let key = match key {
                KeyText::Name(name) => Key::Name(name.into()),
                KeyText::At(at) => Key::At(*at),
            };
            fields.push((key, self.flow(part)?));
        }
        Some(Flow {
            label: self.label(text.label)?,
            names: self.label(text.names)?,
            parts: text.fields.is_some().then(|| Arc::new(Parts { fields, rest })),
            held: text.held.iter().map(HeldText::read).collect::<Option<_>>()?,
            constant: text.constant.as_ref().map(ConstantText::read),
            never: text.never,
            is_list: text.is_list,
        })
    }
}

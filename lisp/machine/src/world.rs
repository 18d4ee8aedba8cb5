//! The state that the programs of a session share.

use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use arcstr::ArcStr;
use ptc_signatures::Field;

use super::alive::Alive;
use super::flow_place::StepChoice;
use ptc_facts::flows::Kept;
use ptc_facts::globals::Globals;
use ptc_facts::payload::Payload;
use ptc_facts::tool::ToolDecl;
use ptc_values::random::Random;
use ptc_values::{HiddenTexts, Map, Value};

/// The state that programs find and leave. A session lends a copy to a machine, and keeps the copy that it gets back.
#[derive(Debug, Clone)]
pub struct World {
    pub ctx: Arc<Map>,
    /// The declared types of the mission's data.
    pub input: Option<Arc<[Field]>>,
    pub memory: Arc<Map>,
    pub payload: Option<Payload>,
    pub globals: Globals,
    /// The values of earlier programs, the latest first.
    pub history: [Value; 3],
    pub tools: Arc<[ToolDecl]>,
    /// The remaining budget, for programs that ask.
    pub budget: Arc<Map>,
    /// The messages of the conversation.
    pub conversation: Arc<[Value]>,
    /// The steps that the run starts at and skips; `None` for a run of all steps.
    pub steps: Option<Arc<StepChoice>>,
    /// The generator of the program.
    pub random: Random,
    /// Whether values may be there whose use calls functions, such as lazy sequences.
    pub lazy_aware: bool,
    /// The live lazy sequences of kept programs; none before the first program that can make one.
    pub lazies: OnceLock<Arc<Mutex<Alive>>>,
    /// The bytes allocated since live bytes were last counted. They carry over from program to program, so many small
    /// ones still reach the limit.
    pub uncounted: u64,
    /// The hidden values of the results of tools.
    pub hidden: HiddenTexts,
    /// The tools that functions of kept programs can call.
    pub kept_tools: Vec<ArcStr>,
    /// The flows of this state, if the host uses labels.
    pub flows: Option<Arc<Kept>>,
}

/// The empty map, which most worlds begin with.
pub static NOTHING: LazyLock<Arc<Map>> = LazyLock::new(Arc::default);

impl World {
    /// Makes the world of the first program.
    pub fn new(ctx: Arc<Map>, tools: Arc<[ToolDecl]>) -> World {
        World {
            ctx,
            input: None,
            memory: NOTHING.clone(),
            payload: None,
            globals: Globals::default(),
            history: [Value::Nil, Value::Nil, Value::Nil],
            tools,
            budget: NOTHING.clone(),
            conversation: Arc::default(),
            steps: None,
            random: Random::of_program(0, 0),
            lazy_aware: false,
            lazies: OnceLock::new(),
            uncounted: 0,
            hidden: HiddenTexts::default(),
            kept_tools: Vec::new(),
            flows: None,
        }
    }

    /// Returns the values that earlier programs gave and defined.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.history.iter().chain(self.globals.values.iter().flatten())
    }

    pub(super) fn keep_tool(&mut self, tool: &ArcStr) {
        if !self.kept_tools.contains(tool) {
            self.kept_tools.push(tool.clone());
        }
    }
}

//! What programs may do, decided on their report before anything runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ptc_lisp::{Code, Diagnostic, Effect, Report};

/// A check of the library's user; what it gives back as an error is why the program is refused.
type Check = dyn Fn(&Report) -> Result<(), String> + Send + Sync;

/// What programs of an agent may do. The default allows everything.
///
/// It is held against the report of a program, which is true of every run of it. So a tool whose
/// calls have no bound is refused where a most is set, also if a run would make few of them.
///
/// ```
/// use ptc_subagent::{Ask, Policy};
///
/// let policy = Policy::default()
///     .with_max_calls("search", 20)
///     .with_ask(Ask::Writes)
///     .with_check(|report| match report.always_ends {
///         true => Ok(()),
///         false => Err("every program must return or fail".into()),
///     });
/// # let _ = policy;
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Policy {
    /// The effects that tools may have; none is all of them.
    pub effects: Option<Vec<Effect>>,
    /// The most calls of a tool that one program may make, by its name.
    pub max_calls: BTreeMap<String, u64>,
    /// The most that the calls of one program may cost, in the unit of the tools' costs.
    pub max_cost: Option<f64>,
    /// Whom to ask before a program runs.
    pub ask: Ask,
    check: Option<Arc<Check>>,
}

/// Before which programs somebody is asked, by [`Mission::ask_with`](crate::Mission::ask_with).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ask {
    /// Before none.
    #[default]
    Never,
    /// Before those that can call a tool which writes.
    Writes,
    /// Before all.
    Always,
}

impl Policy {
    /// Allows only tools that read.
    #[must_use]
    pub fn read_only(mut self) -> Policy {
        self.effects = Some(vec![Effect::Read]);
        self
    }

    /// Sets the most calls of a tool.
    #[must_use]
    pub fn with_max_calls(mut self, tool: impl Into<String>, calls: u64) -> Policy {
        self.max_calls.insert(tool.into(), calls);
        self
    }

    /// Sets the most that the calls of a program may cost.
    #[must_use]
    pub fn with_max_cost(mut self, cost: f64) -> Policy {
        self.max_cost = Some(cost);
        self
    }

    /// Sets before which programs somebody is asked.
    #[must_use]
    pub fn with_ask(mut self, ask: Ask) -> Policy {
        self.ask = ask;
        self
    }

    /// Sets a check of one's own; its error is why a program is refused, and the model reads it.
    #[must_use]
    pub fn with_check(
        mut self,
        check: impl Fn(&Report) -> Result<(), String> + Send + Sync + 'static,
    ) -> Policy {
        self.check = Some(Arc::new(check));
        self
    }

    /// Says why a program is refused, for every reason there is; nothing if it may run.
    pub fn refusals(&self, report: &Report) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let refuse = |message: String| {
            Diagnostic::new(Code::Policy, format!("the policy of this mission: {message}"))
        };
        for tool in &report.tools {
            if self.effects.as_ref().is_some_and(|effects| !effects.contains(&tool.effect)) {
                let effect = tool.effect.as_str();
                let message =
                    format!("no tool may be called that is `{effect}`, as `{}` is", tool.name);
                found.push(refuse(message).with_help("do it without this tool"));
            }
            if let Some(most) = self.max_calls.get(&tool.name)
                && tool.times.at_most().is_none_or(|times| times > *most)
            {
                let message = format!(
                    "`{}` may be called {most} times by a program, and this one can call it {}",
                    tool.name, tool.times
                );
                let help = format!(
                    "call it for a number of items that is known before, such as `(take {most} …)`"
                );
                found.push(refuse(message).with_help(help));
            }
        }
        if let (Some(most), Some(cost)) = (self.max_cost, report.worst_cost())
            && cost > most
        {
            let message =
                format!("calls may cost {most}, and those of this program can cost {cost}");
            found.push(refuse(message).with_help("make fewer calls, for a known number of items"));
        }
        if let Some(Err(why)) = self.check.as_ref().map(|check| check(report)) {
            found.push(refuse(why));
        }
        found
    }

    /// Whether somebody is to be asked before the program runs.
    pub fn asks(&self, report: &Report) -> bool {
        match self.ask {
            Ask::Never => false,
            Ask::Writes => report.can_write(),
            Ask::Always => true,
        }
    }

    /// Why a program does not run that somebody was to be asked about.
    pub(crate) fn not_approved(asked: bool) -> Diagnostic {
        let (message, help) = if asked {
            ("the person who was asked did not allow this program", "do it in another way, or fail")
        } else {
            (
                "somebody has to be asked before this program, and nobody is there",
                "do it in another way, or fail",
            )
        };
        Diagnostic::new(Code::Policy, message).with_help(help)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("effects", &self.effects)
            .field("max_calls", &self.max_calls)
            .field("max_cost", &self.max_cost)
            .field("ask", &self.ask)
            .field("check", &self.check.is_some())
            .finish()
    }
}

//! Policies: rules for programs, which are checked on a program's report before it runs.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use ptc_lisp::{Code, Diagnostic, Effect, Report, ToolDecl, Value};

use serde::{Deserialize, Serialize};

use crate::call_pattern::CallPattern;
use crate::labels::{OnLabel, Takes, ToolArgument};

/// A check that the library's user supplies. Its error is the reason for refusing the program.
type Check = dyn Fn(&Report) -> Result<(), String> + Send + Sync;

/// A policy for the programs of an agent. The default allows everything.
///
/// A policy is checked against the report of a program, which holds for every run of that program.
/// So a tool with a maximum of calls is refused where the number of its calls has no bound. This
/// applies even if a run would make only a few of them.
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
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "the keys of a policy")]
#[non_exhaustive]
pub struct Policy {
    /// The effects that tools may have. `None` allows every effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Vec<Effect>>,
    /// The maximum number of calls that one program may make, by tool name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub max_calls: BTreeMap<String, u64>,
    /// The maximum cost of the calls of one program, in the unit of the tools' costs.
    #[serde(skip_serializing_if = "has_no_bound")]
    pub max_cost: Option<f64>,
    /// The programs that need an approval before they run.
    pub ask: Ask,
    /// The calls of tools with [`confirm`](crate::tool::ToolDef::confirm) that need no yes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub yes: Vec<CallPattern>,
    /// The consequence of an untrusted value that reaches a tool that writes. Labels are computed only if a rule for them is
    /// there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub untrusted_to: Option<OnLabel>,
    /// The same for secret values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_to: Option<OnLabel>,
    /// The same for labels with names of their own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub labels_to: BTreeMap<String, OnLabel>,
    /// The values that single arguments may have.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<ToolArgument, Takes>,
    /// Whether the rules also hold for the tests that decide whether a call is made.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// The labels in quarantine: the model is told the kind and the size of such values, and reads none of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantine: Vec<String>,
    #[serde(skip)]
    check: Option<Arc<Check>>,
}

/// The programs that need an approval by [`Mission::ask_with`](crate::Mission::ask_with).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ask {
    /// No program.
    #[default]
    Never,
    /// Programs that can call a tool that writes.
    Writes,
    /// Every program.
    Always,
}

/// JSON has no number for a cost without a bound.
#[expect(clippy::ref_option, reason = "serde asks for a reference")]
fn has_no_bound(max_cost: &Option<f64>) -> bool {
    max_cost.is_none_or(|it| !it.is_finite())
}

impl Policy {
    /// Returns whether it allows everything, apart from a custom check.
    pub(crate) fn is_open(&self) -> bool {
        let Policy { effects, max_calls, max_cost, ask, yes, .. } = self;
        let is_open = effects.is_none() && max_calls.is_empty() && has_no_bound(max_cost);
        is_open && *ask == Ask::Never && yes.is_empty() && !self.has_labels() && !self.control
    }

    /// Returns whether it has rules for labels, so that they are computed.
    pub(crate) fn has_labels(&self) -> bool {
        self.untrusted_to.is_some()
            || self.secret_to.is_some()
            || !self.labels_to.is_empty()
            || !self.arguments.is_empty()
            || !self.quarantine.is_empty()
    }

    /// Returns whether a label of a call may need a yes.
    pub(crate) fn may_ask_about_labels(&self) -> bool {
        let rules = self.untrusted_to.iter().chain(&self.secret_to).chain(self.labels_to.values());
        rules.into_iter().any(|it| *it == OnLabel::Ask)
            || self.arguments.values().any(|it| *it == Takes::Trusted)
    }

    /// Allows only tools that read.
    #[must_use]
    pub fn read_only(mut self) -> Policy {
        self.effects = Some(vec![Effect::Read]);
        self
    }

    /// Sets the maximum number of calls of a tool.
    #[must_use]
    pub fn with_max_calls(mut self, tool: impl Into<String>, calls: u64) -> Policy {
        self.max_calls.insert(tool.into(), calls);
        self
    }

    /// Sets the maximum cost of the calls of a program.
    #[must_use]
    pub fn with_max_cost(mut self, cost: f64) -> Policy {
        self.max_cost = Some(cost);
        self
    }

    /// Sets the programs that need an approval.
    #[must_use]
    pub fn with_ask(mut self, ask: Ask) -> Policy {
        self.ask = ask;
        self
    }

    /// Adds calls that need no yes, although their tool has [`confirm`](crate::tool::ToolDef::confirm).
    #[must_use]
    pub fn with_yes(mut self, calls: CallPattern) -> Policy {
        self.yes.push(calls);
        self
    }

    /// Sets what follows when an untrusted value reaches a tool that writes.
    #[must_use]
    pub fn with_untrusted_to(mut self, action: OnLabel) -> Policy {
        self.untrusted_to = Some(action);
        self
    }

    /// Sets the values that an argument of a tool may have.
    #[must_use]
    pub fn with_argument(
        mut self,
        tool: impl Into<String>,
        argument: impl Into<String>,
        takes: Takes,
    ) -> Policy {
        let argument = ToolArgument { tool: tool.into(), argument: argument.into() };
        self.arguments.insert(argument, takes);
        self
    }

    /// Puts a label into quarantine.
    #[must_use]
    pub fn with_quarantine(mut self, label: impl Into<String>) -> Policy {
        self.quarantine.push(label.into());
        self
    }

    /// Sets a custom check. Its error is the reason for refusing a program, and the model reads it.
    #[must_use]
    pub fn with_check(
        mut self,
        check: impl Fn(&Report) -> Result<(), String> + Send + Sync + 'static,
    ) -> Policy {
        self.check = Some(Arc::new(check));
        self
    }

    /// Returns whether a program may call the tool at all.
    pub fn allows(&self, tool: &ToolDecl) -> bool {
        let has_effect = self.effects.as_ref().is_none_or(|all| all.contains(&tool.effect));
        let has_calls = self.max_calls.get(&tool.name) != Some(&0);
        let is_payable = self.max_cost.is_none_or(|most| tool.cost.is_none_or(|it| it <= most));
        has_effect && has_calls && is_payable
    }

    /// Returns every reason for refusing a program. The list is empty if the program may run.
    pub fn refusals(&self, report: &Report) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let refuse = |message: String| {
            Diagnostic::new(Code::Policy, format!("the policy of this mission: {message}"))
        };
        for tool in &report.tools {
            if self.effects.as_ref().is_some_and(|effects| !effects.contains(&tool.effect)) {
                let effect = tool.effect.as_str();
                let message = format!(
                    "tools that are `{effect}` are not allowed, and `{}` is one",
                    tool.name
                );
                found.push(refuse(message).with_help("do it without this tool"));
            }
            if let Some(most) = self.max_calls.get(&tool.name)
                && tool.times.at_most().is_none_or(|times| times > *most)
            {
                let message = format!(
                    "a program may call `{}` at most {most} times, and this one can call it {}",
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
            let message = format!(
                "the calls of a program may cost at most {most}, and this program's can cost {cost}"
            );
            found.push(refuse(message).with_help("make fewer calls, for a known number of items"));
        }
        if let Some(Err(why)) = self.check.as_ref().map(|check| check(report)) {
            found.push(refuse(why));
        }
        found
    }

    /// Returns whether the policy may refuse calls together that it allows alone.
    pub(crate) fn bounds_calls(&self) -> bool {
        !self.max_calls.is_empty() || self.max_cost.is_some() || self.check.is_some()
    }

    /// Returns whether the program needs an approval before it runs.
    pub fn asks(&self, report: &Report) -> bool {
        match self.ask {
            Ask::Never => false,
            Ask::Writes => report.can_write(),
            Ask::Always => true,
        }
    }

    /// Returns whether a call needs no yes.
    pub(crate) fn says_yes(&self, tool: &str, args: &Value) -> bool {
        self.yes.iter().any(|pattern| pattern.matches(tool, args))
    }

    /// Returns the diagnostic for a program that a person did not allow. The reason may be empty.
    pub(crate) fn refused_by_person(reason: &str) -> Diagnostic {
        let why = if reason.is_empty() { String::new() } else { format!(": {reason}") };
        let message = format!("the person who was asked did not allow this program{why}");
        Diagnostic::new(Code::Policy, message).with_help("do it in another way, or fail")
    }

    /// Returns the diagnostic for a program that nobody can allow.
    pub(crate) fn not_approved() -> Diagnostic {
        let message = "this program needs an approval, and nobody can give it";
        Diagnostic::new(Code::Policy, message).with_help("do it in another way, or fail")
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("effects", &self.effects)
            .field("max_calls", &self.max_calls)
            .field("max_cost", &self.max_cost)
            .field("ask", &self.ask)
            .field("yes", &self.yes)
            .field("untrusted_to", &self.untrusted_to)
            .field("secret_to", &self.secret_to)
            .field("labels_to", &self.labels_to)
            .field("arguments", &self.arguments)
            .field("control", &self.control)
            .field("quarantine", &self.quarantine)
            .field("check", &self.check.is_some())
            .finish()
    }
}

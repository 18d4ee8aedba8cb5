//! Expands `flow/sequence`, `flow/parallel` and `flow/loop`, which run agents over the payload.
//!
//! A vector of literal names becomes one call for each agent, so admission counts them. A name that is computed becomes
//! a call by name. Anything else in the vector is a function without arguments.

use super::analyzer::Analyzer;
use ptc_reader::{FormId, FormKind};
use ptc_values::code::Span;

impl Analyzer<'_> {
    pub(super) fn flow_sequence(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let agents = self.agents_of("flow/sequence", args, span)?;
        let Some(runs) = self.runs_of(agents) else {
            let run = self.run_by_name(span);
            let all = self.call_core(&"mapv", &[run, agents], span);
            return Ok(self.call_core(&"last", &[all], span));
        };
        Ok(self.do_of(&runs, span))
    }

    pub(super) fn flow_parallel(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let agents = self.agents_of("flow/parallel", args, span)?;
        let Some(runs) = self.runs_of(agents) else {
            let run = self.run_by_name(span);
            return Ok(self.call_core(&"pmap", &[run, agents], span));
        };
        let thunks = self.thunks_of(&runs);
        Ok(self.call_core(&"pcalls", &thunks, span))
    }

    pub(super) fn flow_loop(&mut self, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let [agents, options] = args else {
            return self.refuse(
                span,
                "`flow/loop` takes agents and a limit of passes",
                "write `(flow/loop [:writer :critic] {:max 5})`",
            );
        };
        let agents = self.agents_of("flow/loop", &[*agents], span)?;
        let most = self.loop_limit(*options)?;
        let pass = match self.runs_of(agents) {
            Some(runs) => {
                let thunks = self.thunks_of(&runs);
                self.call_core(&"ptc/loop-pass", &thunks, span)
            }
            None => {
                let run = self.run_by_name(span);
                self.call_core(&"ptc/loop-pass-over", &[run, agents], span)
            }
        };
        let pass = self.thunk(&[pass], span);
        Ok(self.call_core(&"ptc/loop-passes", &[most, pass], span))
    }

    /// Returns the only argument, which gives agents.
    fn agents_of(&mut self, head: &str, args: &[FormId], span: Span) -> Result<FormId, ()> {
        let is_name = |form: &FormId| {
            matches!(self.form(*form).kind, FormKind::Str(_) | FormKind::Keyword(_))
        };
        match args {
            [agents] if !is_name(agents) => Ok(*agents),
            _ => {
                let help = format!("write `({head} [:writer :critic])`");
                self.refuse(span, &format!("`{head}` takes a vector of agents"), &help)
            }
        }
    }

    /// Returns the number of passes: the value under `:max` in a literal map, or a check of any other form.
    fn loop_limit(&mut self, options: FormId) -> Result<FormId, ()> {
        let span = self.span(options);
        let kids = self.forms.kids(options).to_vec();
        let is_max = |form: &FormId| match self.form(*form).kind {
            FormKind::Keyword(key) | FormKind::Str(key) => self.forms.text(key) == "max",
            _ => false,
        };
        match (self.form(options).kind, kids.as_slice()) {
            (FormKind::Map, [key, most]) if is_max(key) => {
                if matches!(self.form(*most).kind, FormKind::Int(0..)) {
                    return Ok(*most);
                }
            }
            (FormKind::Map, _) => {
                return self.refuse(
                    span,
                    "the options of `flow/loop` are `{:max n}`",
                    "write `(flow/loop [:writer :critic] {:max 5})`",
                );
            }
            _ => {}
        }
        Ok(self.call_core(&"ptc/loop-limit", &[options], span))
    }

    /// Returns the calls of a literal vector of agents and functions; none for another form.
    fn runs_of(&mut self, agents: FormId) -> Option<Vec<FormId>> {
        if !matches!(self.form(agents).kind, FormKind::Vector) {
            return None;
        }
        let items = self.forms.kids(agents).to_vec();
        Some(items.into_iter().map(|item| self.run_of(item)).collect())
    }

    fn run_of(&mut self, agent: FormId) -> FormId {
        let span = self.span(agent);
        let name = match self.form(agent).kind {
            FormKind::Keyword(name) | FormKind::Str(name) => self.forms.text(name).to_owned(),
            FormKind::Symbol(name) => match self.forms.text(name).strip_prefix("tool/") {
                Some(name) => name.to_owned(),
                None => return self.call_form(&[agent], span),
            },
            _ => return self.call_form(&[agent], span),
        };
        let name = self.forms.text_leaf(&name, span);
        self.call_of_agent(name, span)
    }

    fn call_of_agent(&mut self, name: FormId, span: Span) -> FormId {
        let input = self.call_core(&"ptc/agent-input", &[name], span);
        self.call_core(&"call", &[name, input], span)
    }

    /// Makes a function that runs an agent by its name, or calls a function.
    fn run_by_name(&mut self, span: Span) -> FormId {
        let agent = self.fresh_symbol(span);
        let is_function = self.call_core(&"fn?", &[agent], span);
        let called = self.call_form(&[agent], span);
        let name = self.call_core(&"ptc/agent-name", &[agent], span);
        let by_name = self.call_of_agent(name, span);
        let run = self.call_core(&"if", &[is_function, called, by_name], span);
        self.fn_of(&[agent], run, span)
    }

    fn thunks_of(&mut self, runs: &[FormId]) -> Vec<FormId> {
        runs.iter().map(|run| self.thunk(&[*run], self.span(*run))).collect()
    }
}

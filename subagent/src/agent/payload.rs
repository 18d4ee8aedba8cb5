//! The payload of an agent: its start, its checks, and the parts that its runs may read and write.

use ptc_signatures::Type;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::data::Data;
use crate::error::{Error, ErrorKind};
use crate::payload::{Contract, EndCheck, Grants, Scope, StartCheck, payload_of_session};

/// The payload of an agent: the table `[payload]` of its file.
///
/// ```
/// use ptc_subagent::payload::{EndCheck, StartCheck};
/// use ptc_subagent::provider::Scripted;
/// use ptc_subagent::{Agent, Mission, PayloadDef};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ptc_subagent::Error> {
/// let payload = PayloadDef::new()
///     .with_start(json!({"findings": []}))?
///     .with_signature("{findings [:string][1..]}")?
///     .with_check_start(StartCheck::Warn)
///     .with_check_end(EndCheck::Retry, 2)
///     .with_writes(["findings:add"])?;
/// let agent = Agent::new("Find a mistake.").with_payload(payload);
///
/// let program = "(payload/push [:findings] \"a typo\") (return \"done\")";
/// let provider = Scripted::new([format!("```clojure\n{program}\n```")]);
/// let report = Mission::new(&agent, json!({})).run(&provider).await?;
/// assert_eq!(report.payload.unwrap(), json!({"findings": ["a typo"]}));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PayloadDef {
    start: Data,
    contract: Option<Contract>,
    scope: Scope,
    reads: Grants,
    writes: Grants,
}

impl Default for PayloadDef {
    fn default() -> PayloadDef {
        PayloadDef::new()
    }
}

impl PayloadDef {
    /// Returns the payload of a session, with a value and the rules of the definition.
    pub(crate) fn for_session(&self, value: Data) -> ptc_lisp::Payload {
        let payload = payload_of_session(value, self.writes().clone());
        match self.contract() {
            Some(contract) => payload.with_signature(contract.signature().clone()),
            None => payload,
        }
    }

    /// Makes an empty payload, which every run of the agent may read and change.
    pub fn new() -> PayloadDef {
        PayloadDef {
            start: Data::made(ptc_lisp::Value::map([])),
            contract: None,
            scope: Scope::root(),
            reads: Grants::all(),
            writes: Grants::all(),
        }
    }

    /// Sets the payload at the start of a run that receives none from its caller, its mission or an earlier run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if serde cannot write the value as JSON, or if an integer exceeds 64 bits.
    pub fn with_start(mut self, start: impl Serialize) -> Result<PayloadDef, Error> {
        // A definition on record keeps the start as JSON with integers of 64 bits.
        let start = Data::written(&start).and_then(|start| start.to_json().map(|_| start));
        self.start = start.map_err(|error| {
            Error::new(ErrorKind::Agent, format!("the payload at the start: {}", error.message()))
        })?;
        Ok(self)
    }

    /// Sets the signature, a type such as `{summary :string[1..], score :float[0..100]}`. It is checked at the start
    /// and at the end of a run.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a type.
    pub fn with_signature(self, text: &str) -> Result<PayloadDef, Error> {
        let signature: Type = text.parse().map_err(|error: ptc_signatures::Error| {
            let message = format!("the signature of the payload does not parse: {error}");
            Error::new(ErrorKind::Agent, message).with_help(format!("it is `{text}`"))
        })?;
        Ok(self.with_contract(Contract::new(signature)))
    }

    /// Sets the signature with its checks, such as that of a validation template ([`Contract::from_template`]).
    #[must_use]
    pub fn with_contract(mut self, contract: Contract) -> PayloadDef {
        self.contract = Some(contract);
        self
    }

    /// Sets the effect of a payload that does not fit the signature at the start. Without a signature, nothing is
    /// checked.
    #[must_use]
    pub fn with_check_start(mut self, check: StartCheck) -> PayloadDef {
        self.contract = self.contract.map(|contract| contract.with_start(check));
        self
    }

    /// Sets the effect of a payload that does not fit the signature at the end, and the maximum number of retries.
    #[must_use]
    pub fn with_check_end(mut self, check: EndCheck, retries: u32) -> PayloadDef {
        self.contract = self.contract.map(|contract| contract.with_end(check, retries));
        self
    }

    /// Sets the path of the part of the caller's payload that is the payload of this agent.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] if the text is not a path.
    pub fn with_scope(mut self, scope: &str) -> Result<PayloadDef, Error> {
        self.scope = scope.parse().map_err(|error: crate::payload::PathError| {
            Error::new(ErrorKind::Agent, format!("the scope of the payload: {error}"))
        })?;
        Ok(self)
    }

    /// Sets the parts that the agent sees of the payload of its caller. Paths begin at the scope.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] for the first text that is not a grant.
    pub fn with_reads<T: AsRef<str>>(
        mut self,
        reads: impl IntoIterator<Item = T>,
    ) -> Result<PayloadDef, Error> {
        self.reads = grants(reads)?;
        Ok(self)
    }

    /// Sets the parts that programs of the agent and its sub-agents may change. Paths begin at the scope.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Agent`] for the first text that is not a grant.
    pub fn with_writes<T: AsRef<str>>(
        mut self,
        writes: impl IntoIterator<Item = T>,
    ) -> Result<PayloadDef, Error> {
        self.writes = grants(writes)?;
        Ok(self)
    }

    /// Returns the payload at the start of a run that receives none.
    pub fn start(&self) -> &Data {
        &self.start
    }

    /// Returns the signature with its checks.
    pub fn contract(&self) -> Option<&Contract> {
        self.contract.as_ref()
    }

    /// Returns the path of the part of the caller's payload.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Returns the grants to read.
    pub fn reads(&self) -> &Grants {
        &self.reads
    }

    /// Returns the grants to write.
    pub fn writes(&self) -> &Grants {
        &self.writes
    }
}

fn grants<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Grants, Error> {
    Grants::parse(texts).map_err(|error| Error::new(ErrorKind::Agent, error.to_string()))
}

/// The payload as an agent file and a record have it. Keys are left out at their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the keys of a payload")]
pub(super) struct PayloadTable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check_start: Option<StartCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check_end: Option<EndCheck>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retries: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reads: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    writes: Option<Vec<String>>,
}

/// A key of the table `[payload]` with a value that is not one.
pub(super) struct PayloadFault {
    pub(super) key: &'static str,
    /// The text at fault.
    pub(super) value: String,
    pub(super) error: Error,
}

impl PayloadTable {
    pub(super) fn of(payload: &PayloadDef) -> PayloadTable {
        let all = Grants::all();
        let texts = |grants: &Grants| (*grants != all).then(|| grants.texts());
        let contract = payload.contract.as_ref();
        let is_empty = payload.start == *PayloadDef::new().start();
        PayloadTable {
            start: (!is_empty).then(|| payload.start.to_json().unwrap_or_default()),
            signature: contract.map(|it| it.signature().to_string()),
            check_start: contract.map(Contract::start_check).filter(|it| *it != StartCheck::Fail),
            check_end: contract.map(Contract::end_check).filter(|it| *it != EndCheck::Retry),
            retries: contract
                .filter(|it| it.end_check() == EndCheck::Retry)
                .map(Contract::retries)
                .filter(|retries| *retries != crate::payload::DEFAULT_RETRIES),
            scope: (payload.scope != Scope::root()).then(|| payload.scope.to_string()),
            reads: texts(&payload.reads),
            writes: texts(&payload.writes),
        }
    }

    pub(super) fn payload(self) -> Result<PayloadDef, PayloadFault> {
        let fault = |key: &'static str, value: &str| {
            let value = value.to_owned();
            move |error: Error| PayloadFault { key, value, error }
        };
        let mut payload = PayloadDef::new();
        if let Some(start) = self.start {
            payload = payload.with_start(start).map_err(fault("payload.start", ""))?;
        }
        match &self.signature {
            Some(text) => {
                payload = payload.with_signature(text).map_err(fault("payload.signature", text))?;
            }
            None if self.check_start.is_some()
                || self.check_end.is_some()
                || self.retries.is_some() =>
            {
                let message = "a payload is checked against its `signature`, which is absent";
                let error = Error::new(ErrorKind::Agent, message);
                return Err(fault("payload", "")(error));
            }
            None => {}
        }
        if let Some(StartCheck::Unknown(word)) = self.check_start {
            return Err(fault("payload.check_start", word.as_str())(not_one_of(StartCheck::ALL)));
        }
        if let Some(EndCheck::Unknown(word)) = self.check_end {
            return Err(fault("payload.check_end", word.as_str())(not_one_of(EndCheck::ALL)));
        }
        if let Some(check) = self.check_start {
            payload = payload.with_check_start(check);
        }
        let end = self.check_end.unwrap_or(EndCheck::Retry);
        if end != EndCheck::Retry && self.retries.is_some() {
            let error =
                Error::new(ErrorKind::Agent, "`retries` belongs to `check_end = \"retry\"`");
            return Err(fault("payload.retries", "")(error));
        }
        let retries = self.retries.unwrap_or(crate::payload::DEFAULT_RETRIES);
        payload = payload.with_check_end(end, retries);
        if let Some(scope) = &self.scope {
            payload = payload.with_scope(scope).map_err(fault("payload.scope", scope))?;
        }
        if let Some(reads) = &self.reads {
            payload = payload.with_reads(reads).map_err(fault("payload.reads", ""))?;
        }
        if let Some(writes) = &self.writes {
            payload = payload.with_writes(writes).map_err(fault("payload.writes", ""))?;
        }
        Ok(payload)
    }
}

fn not_one_of(words: &[impl ToString]) -> Error {
    let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.to_string())).collect();
    Error::new(ErrorKind::Agent, format!("expected one of {}", words.join(", ")))
}

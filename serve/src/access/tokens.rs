//! The file of tokens: persons, their roles and their budgets.
//!
//! ```toml
//! [roles.finance]
//! pay = "run"
//! "*" = "view"
//!
//! [tokens.ada]
//! hash = "9f86…"
//! roles = ["finance"]
//! agents = { report = "edit" }
//! owns = ["memo"]
//! budget.run = { cost = 0.50 }
//! budget.day = { runs = 100, cost = 5 }
//! ```
//!
//! The file has hashes of tokens alone. People edit it, so a new token is added to its text, and the rest stays as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ptc_signatures::shown::escape;
use ptc_subagent::{Error, ErrorKind};
use serde::Deserialize;

use super::budget::Budget;
use super::level::{Grants, Level, Person, Rules};
use super::secret::Secret;

/// The file of tokens.
#[derive(Clone, Debug)]
pub struct TokenFile {
    path: PathBuf,
}

/// A new token.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewToken {
    /// The name of the person.
    pub name: String,
    /// The level for the agents, or the name of a role of the file.
    pub role: String,
    /// The agents of the level; all of them if there are none. A role has its agents in the file.
    pub agents: Vec<String>,
}

/// What the file says about a token, without its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenInfo {
    /// The name of the person.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// The levels of this person alone, by agent; `*` names all agents.
    pub agents: BTreeMap<String, Level>,
    /// The agents that the person owns.
    pub owns: Vec<String>,
}

/// The content of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokens {
    pub(super) rules: Rules,
    /// The persons by the hashes of their tokens.
    pub(super) names: Vec<(blake3::Hash, String)>,
    pub(super) budgets: BTreeMap<String, Budget>,
}

/// The longest name of a person, in characters. Names are in records and lists.
const MAX_NAME: usize = 64;

impl NewToken {
    /// Creates the request for a token of a person with a level for all agents, or with a role.
    pub fn new(name: impl Into<String>, role: impl Into<String>) -> NewToken {
        NewToken { name: name.into(), role: role.into(), agents: Vec::new() }
    }
}

impl TokenFile {
    /// Names the file. It need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> TokenFile {
        TokenFile { path: path.into() }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a token, and returns its text. The file keeps only its hash, so nobody can read the text again.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the name is taken or malformed, if there is no such role, or if the file is malformed or
    /// cannot be written.
    pub fn add(&self, new: &NewToken) -> Result<String, Error> {
        let NewToken { name, role, agents } = new;
        if !is_name(name) {
            let message = format!("`{}` is not a name", escape(name));
            return Err(Error::new(ErrorKind::Server, message)
                .with_help("take letters, digits and `-`, `_`, `.`, `@`; at most 64 of them"));
        }
        let secret = Secret::generate().ok_or_else(|| {
            Error::new(ErrorKind::Server, "the operating system has no random bits")
        })?;
        self.change(|text, tokens| {
            if tokens.rules.persons.contains_key(name) {
                let message = format!("there is a token `{name}` already");
                return Err(Error::new(ErrorKind::Server, message)
                    .with_help("remove it first: `ptc token remove NAME`"));
            }
            let mut block = format!("[tokens.{}]\nhash = \"{}\"\n", quoted(name), secret.hash());
            // Writing to a string never fails.
            let _ = match (Level::of(role), tokens.rules.roles.contains_key(role)) {
                (_, true) if !agents.is_empty() => {
                    let message = format!("the role `{role}` has its agents in the file");
                    return Err(Error::new(ErrorKind::Server, message)
                        .with_help("leave out `--agent`, or give a level as `--role`"));
                }
                (_, true) => writeln!(block, "roles = [{}]", quoted(role)),
                (Some(level), false) => {
                    let all = [String::from("*")];
                    let agents = if agents.is_empty() { &all[..] } else { agents };
                    let grants: Vec<String> =
                        agents.iter().map(|it| format!("{} = \"{level}\"", quoted(it))).collect();
                    writeln!(block, "agents = {{ {} }}", grants.join(", "))
                }
                (None, false) => {
                    let levels = Level::ALL.map(Level::as_str).join(", ");
                    let roles: Vec<&str> = tokens.rules.roles.keys().map(String::as_str).collect();
                    let message = format!("there is no role `{}`", escape(role));
                    let help = match roles.as_slice() {
                        [] => format!("take a level: {levels}; or add `[roles.NAME]` to the file"),
                        roles => format!("take {}, or a level: {levels}", roles.join(", ")),
                    };
                    return Err(Error::new(ErrorKind::Server, message).with_help(help));
                }
            };
            let gap = if text.is_empty() || text.ends_with("\n\n") { "" } else { "\n" };
            let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            Ok(format!("{text}{end}{gap}{block}"))
        })?;
        Ok(secret.text().to_owned())
    }

    /// Removes a token. Requests with it are refused from then on, also by a server that runs.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if there is no such token, or if the file is malformed or cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        self.change(|text, tokens| {
            if !tokens.rules.persons.contains_key(name) {
                let message = format!("there is no token `{}`", escape(name));
                return Err(Error::new(ErrorKind::Server, message)
                    .with_help("`ptc token list` lists all tokens"));
            }
            Ok(without(text, name))
        })?;
        if self.read()?.rules.persons.contains_key(name) {
            let message = format!("the token `{name}` is not written as a table of its own");
            return Err(self.wrong(&message).with_help("remove it from the file by hand"));
        }
        Ok(())
    }

    /// Lists the tokens by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Server`] if the file is malformed or cannot be read.
    pub fn list(&self) -> Result<Vec<TokenInfo>, Error> {
        let persons = self.read()?.rules.persons.into_iter();
        let info = |(name, it): (String, Person)| TokenInfo {
            name,
            roles: it.roles.into_iter().collect(),
            agents: it.grants,
            owns: it.owns.into_iter().collect(),
        };
        Ok(persons.map(info).collect())
    }

    /// Reads the file. A missing one has no tokens.
    pub(super) fn read(&self) -> Result<Tokens, Error> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => {
                read.map_err(|error| self.wrong(&format!("cannot read the tokens: {error}")))?
            }
        };
        self.parse(&text)
    }

    fn parse(&self, text: &str) -> Result<Tokens, Error> {
        parse(text).map_err(|what| self.wrong(&format!("malformed file of tokens: {what}")))
    }

    /// Replaces the text of the file by another one, which must be a file of tokens too.
    fn change(
        &self,
        change: impl FnOnce(&str, &Tokens) -> Result<String, Error>,
    ) -> Result<(), Error> {
        // A second process that changes the file fails here, and loses nothing.
        let mut name = self.path.as_os_str().to_os_string();
        name.push("-new");
        let new = PathBuf::from(name);
        let failed = |error: io::Error| {
            let error = self.wrong(&format!("cannot write the tokens: {error}"));
            error.with_help(format!("if no other process changes them, remove {}", new.display()))
        };
        if let Some(folder) = self.path.parent().filter(|it| !it.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = fs::File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new).map_err(failed)?;
        let changed = || -> Result<(), Error> {
            let text = match fs::read_to_string(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
                read => read.map_err(failed)?,
            };
            let text = change(&text, &self.parse(&text)?)?;
            self.parse(&text)?;
            file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
            fs::rename(&new, &self.path).map_err(failed)
        };
        let changed = changed();
        if changed.is_err() {
            drop(fs::remove_file(&new));
        }
        changed
    }

    fn wrong(&self, what: &str) -> Error {
        Error::new(ErrorKind::Server, what).in_file(&self.path)
    }
}

impl Tokens {
    /// Returns the person of a token.
    pub(super) fn person(&self, token: blake3::Hash) -> Option<&str> {
        // Every entry is compared, so the time tells nothing about the place of a match.
        let mut found = None;
        for (hash, name) in &self.names {
            if *hash == token {
                found = Some(name.as_str());
            }
        }
        found
    }
}

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    #[serde(default)]
    roles: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    tokens: BTreeMap<String, TokenForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenForm {
    hash: String,
    #[serde(default)]
    roles: BTreeSet<String>,
    #[serde(default)]
    agents: BTreeMap<String, String>,
    #[serde(default)]
    owns: BTreeSet<String>,
    #[serde(default)]
    budget: Budget,
}

fn parse(text: &str) -> Result<Tokens, String> {
    let form: Form = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut tokens = Tokens::default();
    for (name, levels) in form.roles {
        if Level::of(&name).is_some() {
            return Err(format!("the role `{name}` has the name of a level"));
        }
        tokens.rules.roles.insert(name, grants(levels)?);
    }
    for (name, it) in form.tokens {
        if !is_name(&name) {
            return Err(format!("`{name}` is not a name of a token"));
        }
        if let Some(role) = it.roles.iter().find(|it| !tokens.rules.roles.contains_key(*it)) {
            return Err(format!("the token `{name}` has the role `{role}`, which is not defined"));
        }
        let hash = blake3::Hash::from_hex(&it.hash)
            .map_err(|_| format!("`hash` of the token `{name}` is not 64 hexadecimal digits"))?;
        if tokens.names.iter().any(|(other, _)| *other == hash) {
            return Err(format!("the token `{name}` has the hash of another one"));
        }
        tokens.names.push((hash, name.clone()));
        tokens.budgets.insert(name.clone(), it.budget);
        let person = Person { roles: it.roles, grants: grants(it.agents)?, owns: it.owns };
        tokens.rules.persons.insert(name, person);
    }
    Ok(tokens)
}

fn grants(levels: BTreeMap<String, String>) -> Result<Grants, String> {
    let grant = |(agent, word): (String, String)| match Level::of(&word) {
        Some(level) => Ok((agent, level)),
        None => {
            let levels = Level::ALL.map(Level::as_str).join(", ");
            Err(format!("`{word}` for `{agent}` is not a level: {levels}"))
        }
    };
    levels.into_iter().map(grant).collect()
}

fn is_name(text: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.@".contains(it);
    !text.is_empty() && text.len() <= MAX_NAME && text.chars().all(is_plain)
}

/// Returns a text as a string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// Returns the text without the table of a token, with its comments and tables below it.
fn without(text: &str, name: &str) -> String {
    let heads = [name.to_owned(), quoted(name), format!("'{name}'")];
    let is_of_token = |line: &str| {
        let head = line.trim_start().strip_prefix('[').and_then(|it| it.split(']').next());
        let head = head.map(str::trim).and_then(|it| it.strip_prefix("tokens."));
        head.is_some_and(|it| {
            heads.iter().any(|name| {
                it.strip_prefix(name.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    };
    let (mut kept, mut is_inside) = (String::new(), false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('[') {
            is_inside = is_of_token(line);
        }
        if !is_inside {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, TokenFile) {
        let folder = tempfile::tempdir().expect("makes a folder");
        let path = folder.path().join("in/tokens.toml");
        (folder, TokenFile::new(path))
    }

    fn said(error: &Error) -> String {
        let help = error.help().map(|it| format!("; {it}")).unwrap_or_default();
        format!("{}{help}", error.message())
    }

    #[test]
    fn a_token_is_added_found_and_removed() {
        let (_folder, file) = file();
        let ada = file.add(&NewToken::new("ada", "run")).expect("adds");
        let mut new = NewToken::new("bob@example.org", "edit");
        new.agents = vec!["pay".to_owned(), "a \"b\"".to_owned()];
        let bob = file.add(&new).expect("adds");
        let text = fs::read_to_string(file.path()).expect("reads");
        assert!(!text.contains(&ada) && !text.contains(&bob), "{text}");
        let tokens = file.read().expect("reads");
        let person = |token: &str| tokens.person(blake3::hash(token.as_bytes()));
        let found = [&ada, &bob, "guess", ""].map(person);
        assert_eq!(found, [Some("ada"), Some("bob@example.org"), None, None]);
        let levels = |name: &str| ["pay", "a \"b\"", "x"].map(|it| tokens.rules.level(name, it));
        assert_eq!(levels("ada"), [Some(Level::Run); 3]);
        let edit = Some(Level::Edit);
        assert_eq!(levels("bob@example.org"), [edit, edit, None]);
        file.remove("ada").expect("removes");
        let names: Vec<String> =
            file.list().expect("lists").into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["bob@example.org"]);
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_folder, file) = file();
        file.add(&NewToken::new("ada", "view")).expect("adds");
        let mode = fs::metadata(file.path()).expect("is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    /// M144: comments of the file stay.
    #[test]
    fn the_rest_of_the_file_stays() {
        let (_folder, file) = file();
        fs::create_dir_all(file.path().parent().expect("has one")).expect("makes");
        let mine = "# Ours.\n[roles.finance]\npay = \"run\" # may pay\n\n";
        fs::write(file.path(), mine).expect("writes");
        file.add(&NewToken::new("ada", "finance")).expect("adds");
        file.add(&NewToken::new("ada.b", "view")).expect("adds");
        let before = fs::read_to_string(file.path()).expect("reads");
        file.add(&NewToken::new("cyd", "view")).expect("adds");
        fs::write(
            file.path(),
            fs::read_to_string(file.path()).expect("reads") + "[tokens.cyd.budget.run]\ncost = 1\n",
        )
        .expect("writes");
        assert_eq!(
            file.read().expect("reads").budgets["cyd"].run.cost,
            ptc_subagent::provider::Cost::from_dollars(1.0)
        );
        file.remove("cyd").expect("removes");
        let text = fs::read_to_string(file.path()).expect("reads");
        assert_eq!(text.trim_end(), before.trim_end());
        assert!(text.starts_with(mine), "{text}");
        file.remove("ada").expect("removes");
        let left: Vec<String> = file.list().expect("lists").into_iter().map(|it| it.name).collect();
        assert_eq!(left, ["ada.b"]);
    }

    #[test]
    fn wrong_tokens_are_refused() {
        let (_folder, file) = file();
        file.add(&NewToken::new("ada", "run")).expect("adds");
        let refused = |new: NewToken| said(&file.add(&new).expect_err("is refused"));
        assert_eq!(
            refused(NewToken::new("ada", "run")),
            "there is a token `ada` already; remove it first: `ptc token remove NAME`"
        );
        assert_eq!(
            refused(NewToken::new("bob", "boss")),
            "there is no role `boss`; take a level: view, run, edit, delete; or add `[roles.NAME]` to the file"
        );
        let long = "x".repeat(65);
        for name in ["", "a b", "a\nb", "é", &long] {
            assert!(refused(NewToken::new(name, "run")).contains("is not a name"), "{name}");
        }
        assert_eq!(
            said(&file.remove("eve").expect_err("is refused")),
            "there is no token `eve`; `ptc token list` lists all tokens"
        );
        // What fails leaves no file behind that would refuse the next change.
        file.add(&NewToken::new("bob", "run")).expect("adds");
    }

    /// M144: a grant is of one person or of one role, and has a level.
    #[test]
    fn malformed_files_are_refused() {
        let hash = "0".repeat(64);
        let check = |text: &str, expected: &str| {
            let error = parse(&text.replace("HASH", &hash)).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        };
        check("[tokens.ada]\nhash = \"00\"", "is not 64 hexadecimal digits");
        check("[tokens.ada]\nhash = \"HASH\"\nroles = [\"x\"]", "which is not defined");
        check("[tokens.ada]\nhash = \"HASH\"\nagents.pay = \"all\"", "is not a level: view, run");
        check("[tokens.ada]\nhash = \"HASH\"\nlevel = 3", "unknown field `level`");
        check("[tokens.ada]\nhash = \"HASH\"\n[tokens.b]\nhash = \"HASH\"", "of another one");
        check("[roles.run]\npay = \"run\"", "has the name of a level");
        check("[tokens.\"a b\"]\nhash = \"HASH\"", "`a b` is not a name");
        check("[token.ada]", "unknown field `token`");
        check("[tokens.ada]\nhash = \"HASH\"\nbudget.week = 3", "unknown field `week`");
    }
}

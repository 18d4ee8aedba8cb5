//! Tools that are programs: JSON arguments on stdin, a JSON result on stdout.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::processes::{self, Processes};
use super::{CallContext, Tool, ToolError, ToolErrorKind, ToolNeeds, ToolPlace, output};
use crate::error::cut;
use crate::provider::BoxFuture;
use crate::secrets::Secrets;

/// A tool that is a program of its own.
///
/// It starts in `folder` with a clean environment: `PATH`, `HOME`, `LANG`, `TMPDIR`, the variables
/// named in `env`, `PTC_IDEMPOTENCY_KEY`, and `PTC_CALL`, which marks the processes of the call. A named variable that holds a key, a token, a secret or
/// a password by its name is replaced by its name in results and errors, in every usual encoding. When the call is dropped, by a time limit for one,
/// the program is killed with everything it has started: its process group, and on Linux its descendants and all
/// processes with its `PTC_CALL`, whatever group or session they are in.
#[derive(Clone, Debug)]
pub struct CommandTool {
    command: Vec<String>,
    folder: PathBuf,
    env: Vec<String>,
}

impl CommandTool {
    /// Makes a tool of a program and its arguments.
    pub fn new<T: Into<String>>(
        command: impl IntoIterator<Item = T>,
        folder: impl Into<PathBuf>,
    ) -> CommandTool {
        let folder: PathBuf = folder.into();
        let here = folder.as_os_str().is_empty();
        CommandTool {
            command: command.into_iter().map(Into::into).collect(),
            folder: if here { PathBuf::from(".") } else { folder },
            env: Vec::new(),
        }
    }

    /// Lets these variables of our own environment through.
    #[must_use]
    pub fn with_env<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> CommandTool {
        self.env = names.into_iter().map(Into::into).collect();
        self
    }

    async fn run(&self, args: Value, cx: &CallContext) -> Result<Value, ToolError> {
        let Some((program, arguments)) = self.command.split_first() else {
            return Err(ToolError::new(ToolErrorKind::Missing, "has no command"));
        };
        let mark = processes::new_mark();
        let mut command = self.prepare(program, arguments, cx);
        command.env(processes::MARK, &mark);
        let mut child = command.spawn().map_err(|error| {
            let (folder, why) = (self.folder.display(), what_is_missing(&error, &self.folder));
            let message = format!("cannot start `{program}` in {folder}: {why}");
            ToolError::new(ToolErrorKind::Missing, message)
        })?;
        let mut processes = Processes::new(child.id(), mark);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut stdin) = stdin {
                // A tool that needs no arguments may close its end early.
                drop(stdin.write_all(args.to_string().as_bytes()).await);
            }
            Ok(())
        };
        let ((), stdout, stderr) =
            tokio::try_join!(write, read_bounded(stdout, cx.max_output), read_end(stderr))?;
        // Only now: while the program is not waited for, its number cannot name another one.
        let status = child.wait().await.map_err(|error| broken(&error))?;
        processes.ended();
        let (secrets, stderr) = (self.secrets(), String::from_utf8_lossy(&stderr));
        if !status.success() {
            return Err(ToolError::failed(exited(status, &secrets.clean(&stderr))));
        }
        parse(&String::from_utf8_lossy(&stdout), &secrets)
    }

    /// Returns the secrets that the program was given: what it prints goes to a model and on record.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        for name in &self.env {
            if let Some(value) = std::env::var_os(name) {
                secrets.add_variable(name, &value.to_string_lossy());
            }
        }
        secrets
    }

    /// Returns the path of a program: where a relative one starts from depends on the platform.
    fn absolute(&self, program: &str) -> PathBuf {
        let path = self.folder.join(program);
        std::path::absolute(&path).unwrap_or(path)
    }

    fn prepare(&self, program: &str, arguments: &[String], cx: &CallContext) -> Command {
        // A path is meant from the tool's folder; a bare name is looked up in PATH.
        let is_path = Path::new(program).components().count() > 1;
        let mut command =
            if is_path { Command::new(self.absolute(program)) } else { Command::new(program) };
        command.args(arguments).env_clear().current_dir(&self.folder);
        let passed = ["PATH", "HOME", "LANG", "TMPDIR"].into_iter();
        for name in passed.chain(self.env.iter().map(String::as_str)) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("PTC_IDEMPOTENCY_KEY", &cx.idempotency_key);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.kill_on_drop(true);
        #[cfg(unix)]
        command.process_group(0);
        command
    }
}

impl Tool for CommandTool {
    fn call<'a>(
        &'a self,
        args: Value,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Value, ToolError>> {
        Box::pin(self.run(args, cx))
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        Some(ToolPlace::Command { command: &self.command, folder: &self.folder })
    }

    fn needs(&self) -> ToolNeeds {
        ToolNeeds { passed_variables: self.env.clone(), ..ToolNeeds::default() }
    }
}

async fn read_bounded(
    stream: Option<impl AsyncRead + Unpin>,
    max: usize,
) -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut stream = stream.take(max as u64 + 1);
        stream.read_to_end(&mut bytes).await.map_err(|error| broken(&error))?;
    }
    if bytes.len() > max {
        return Err(ToolError::new(
            ToolErrorKind::TooLarge,
            format!("printed more than its `max_output` of {max} bytes and was stopped"),
        ));
    }
    Ok(bytes)
}

/// How much of what a program said is shown, in bytes: what it says last says best why it failed.
const MAX_STDERR: usize = 4096;

/// How much of it is kept: a secret that is cut off is not found, and must not be shown.
const KEPT_STDERR: usize = 64 * 1024;

/// Reads everything and keeps the end.
async fn read_end(stream: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, ToolError> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return Ok(kept) };
    let mut buffer = [0; 4096];
    loop {
        let n = stream.read(&mut buffer).await.map_err(|error| broken(&error))?;
        if n == 0 {
            return Ok(kept);
        }
        kept.extend_from_slice(&buffer[..n]);
        if kept.len() > 2 * KEPT_STDERR {
            kept.drain(..kept.len() - KEPT_STDERR);
        }
    }
}

fn parse(stdout: &str, secrets: &Secrets) -> Result<Value, ToolError> {
    if stdout.trim().is_empty() {
        let message = "printed nothing; a result is JSON on stdout, `null` at least";
        return Err(ToolError::new(ToolErrorKind::Output, message));
    }
    output::read(stdout, secrets).map_err(|error| {
        let message = format!("printed no JSON ({error}): {}", cut(&secrets.clean(stdout), 200));
        ToolError::new(ToolErrorKind::Output, message)
    })
}

fn exited(status: ExitStatus, stderr: &str) -> String {
    let how = match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => "was killed by a signal".to_string(),
    };
    let said = stderr.trim();
    if said.is_empty() {
        return format!("{how} and said nothing on stderr");
    }
    let start = said.len().saturating_sub(MAX_STDERR);
    match (start..said.len()).find_map(|at| said.get(at..)) {
        Some(end) if start > 0 => format!("{how}: …{end}"),
        _ => format!("{how}: {said}"),
    }
}

fn what_is_missing(error: &std::io::Error, folder: &Path) -> String {
    if !folder.is_dir() {
        return "there is no such folder".to_string();
    }
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such program".to_string(),
        std::io::ErrorKind::PermissionDenied => "it may not be run".to_string(),
        _ => error.to_string(),
    }
}

#[cold]
fn broken(error: &std::io::Error) -> ToolError {
    ToolError::failed(format!("the connection to it broke: {error}"))
}

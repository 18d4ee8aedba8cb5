//! Tools that are programs: JSON arguments on stdin, a JSON result on stdout.

use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::processes::{self, Processes};
use super::{CallContext, Tool, ToolNeeds, ToolPlace, decode, output};
use crate::data::Data;
use crate::provider::BoxFuture;
use crate::record::{ToolError, ToolErrorKind};
use crate::secrets::Secrets;

/// A tool that is a separate program.
///
/// The program starts in `folder` with a clean environment. It gets `PATH`, `HOME`, `LANG`, `TMPDIR`, the variables
/// named in `env`, `PTC_IDEMPOTENCY_KEY`, and `PTC_CALL`, which marks the processes of the call. On Windows it also gets
/// the variables of the system that programs need to start.
///
/// Results and errors show the name of a named variable instead of its value if the name suggests a key, a token, a
/// secret or a password. Every usual encoding of the value is replaced too.
///
/// Dropping a call, for example at its time limit, kills the program and every process that it started. These are the
/// processes of its group. On Linux they are also its descendants and all processes with its `PTC_CALL`, in any group
/// or session.
#[derive(Clone, Debug)]
pub struct CommandTool {
    command: Vec<String>,
    folder: PathBuf,
    env: Vec<String>,
    context: Option<ContextIn>,
}

/// How a program gets the host context, as JSON. Without one, it gets `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContextIn {
    /// In this environment variable.
    Variable(String),
    /// On stdin, in a line behind the arguments.
    Stdin,
}

impl CommandTool {
    /// Creates a tool from a program and its arguments.
    pub fn new<T: Into<String>>(
        command: impl IntoIterator<Item = T>,
        folder: impl Into<PathBuf>,
    ) -> CommandTool {
        let folder: PathBuf = folder.into();
        let is_unset = folder.as_os_str().is_empty();
        CommandTool {
            command: command.into_iter().map(Into::into).collect(),
            folder: if is_unset { PathBuf::from(".") } else { folder },
            env: Vec::new(),
            context: None,
        }
    }

    /// Sets the environment variables that the program inherits.
    #[must_use]
    pub fn with_env<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> CommandTool {
        self.env = names.into_iter().map(Into::into).collect();
        self
    }

    /// Passes the [host context](CallContext::context) to the program.
    #[must_use]
    pub fn with_context(mut self, context: ContextIn) -> CommandTool {
        self.context = Some(context);
        self
    }

    async fn run(&self, args: Data, cx: &CallContext) -> Result<Data, ToolError> {
        let mark = processes::new_mark();
        let mut command = prepare(&self.command, &self.folder)?;
        for name in &self.env {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        let mut input = args.to_string();
        match &self.context {
            Some(ContextIn::Variable(name)) => {
                command.env(name, cx.context().to_string());
            }
            Some(ContextIn::Stdin) => input = format!("{input}\n{}\n", cx.context()),
            None => {}
        }
        command.env("PTC_IDEMPOTENCY_KEY", &cx.idempotency_key);
        command.env(processes::MARK, &mark);
        let mut child = spawn(&mut command, &self.command, &self.folder)?;
        let mut processes = Processes::new(child.id(), mark);
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let write = async {
            if let Some(mut stdin) = stdin {
                // A tool that needs no arguments may close its stdin early.
                drop(stdin.write_all(input.as_bytes()).await);
            }
            Ok(())
        };
        let ((), stdout, stderr) =
            tokio::try_join!(write, read_bounded(stdout, cx.max_output), read_end(stderr))?;
        // Not earlier: until the program is waited for, no other process can get its id.
        let status = child.wait().await.map_err(|error| broken_pipe(&error))?;
        processes.release();
        let (secrets, stderr) = (self.secrets(), decode::said(&stderr, ""));
        if !status.success() {
            let said = secrets.end(&stderr, MAX_STDERR, stderr.len() >= KEPT_STDERR);
            return Err(ToolError::failed(exit_message(status, &said)));
        }
        let stdout = decode::decoded(&stdout, "").map_err(|why| {
            ToolError::new(ToolErrorKind::Output, format!("printed no text: {why}"))
        })?;
        parse(&stdout, &secrets)
    }

    /// Returns the secrets that the program receives. Its output goes to a model and into the record.
    fn secrets(&self) -> Secrets {
        let mut secrets = Secrets::default();
        for name in &self.env {
            if let Some(value) = std::env::var_os(name) {
                secrets.add_variable(name, &value.to_string_lossy());
            }
        }
        secrets
    }
}

impl Tool for CommandTool {
    fn call<'a>(
        &'a self,
        args: Data,
        cx: &'a CallContext,
    ) -> BoxFuture<'a, Result<Data, ToolError>> {
        Box::pin(self.run(args, cx))
    }

    fn place(&self) -> Option<ToolPlace<'_>> {
        Some(ToolPlace::Command { command: &self.command, folder: &self.folder })
    }

    fn needs(&self) -> ToolNeeds {
        ToolNeeds { passed_variables: self.env.clone(), ..ToolNeeds::default() }
    }
}

/// The environment variables that every program gets.
const VARIABLES: &[&str] = if cfg!(windows) {
    // Programs of Windows need most of them to start, to find others, and to write temporary files.
    &[
        "PATH",
        "PATHEXT",
        "ComSpec",
        "SystemDrive",
        "SystemRoot",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "TEMP",
        "TMP",
        "HOME",
        "LANG",
    ]
} else {
    &["PATH", "HOME", "LANG", "TMPDIR"]
};

/// Prepares a program that starts in a folder with a clean environment and leads its own process group.
///
/// # Errors
///
/// [`ToolErrorKind::Missing`] if the command has no program.
pub(super) fn prepare(command: &[String], folder: &Path) -> Result<Command, ToolError> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(ToolError::new(ToolErrorKind::Missing, "has no command"));
    };
    // A path starts from the tool's folder; a bare name is looked up in `PATH`.
    let is_path = Path::new(program).components().count() > 1;
    let mut command =
        if is_path { Command::new(absolute(folder, program)) } else { Command::new(program) };
    command.args(arguments).env_clear().current_dir(folder);
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    Ok(command)
}

/// Starts a prepared program. `command` and `folder` name it in errors.
pub(super) fn spawn(
    prepared: &mut Command,
    command: &[String],
    folder: &Path,
) -> Result<Child, ToolError> {
    prepared.spawn().map_err(|error| {
        let program = command.first().map_or("", String::as_str);
        let why = start_failure(&error, folder);
        let message = format!("cannot start `{program}` in {}: {why}", folder.display());
        ToolError::new(ToolErrorKind::Missing, message)
    })
}

/// Returns an absolute path, because platforms resolve a relative path from different folders.
fn absolute(folder: &Path, program: &str) -> PathBuf {
    let path = folder.join(program);
    std::path::absolute(&path).unwrap_or(path)
}

async fn read_bounded(
    stream: Option<impl AsyncRead + Unpin>,
    max: usize,
) -> Result<Vec<u8>, ToolError> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut stream = stream.take(max as u64 + 1);
        stream.read_to_end(&mut bytes).await.map_err(|error| broken_pipe(&error))?;
    }
    if bytes.len() > max {
        return Err(ToolError::new(
            ToolErrorKind::TooLarge,
            format!("printed more than its `max_output` of {max} bytes and was stopped"),
        ));
    }
    Ok(bytes)
}

/// The maximum size of the error output that a message shows, in bytes. The end of the output explains a failure best.
const MAX_STDERR: usize = 4096;

/// The size of the error output that is kept, in bytes. It exceeds `MAX_STDERR`, because a secret that is cut off
/// cannot be found and replaced.
const KEPT_STDERR: usize = 64 * 1024;

/// Reads the whole stream and keeps its end.
async fn read_end(stream: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, ToolError> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else { return Ok(kept) };
    let mut buffer = [0; 4096];
    loop {
        let n = stream.read(&mut buffer).await.map_err(|error| broken_pipe(&error))?;
        if n == 0 {
            return Ok(kept);
        }
        kept.extend_from_slice(&buffer[..n]);
        if kept.len() > 2 * KEPT_STDERR {
            kept.drain(..kept.len() - KEPT_STDERR);
        }
    }
}

fn parse(stdout: &str, secrets: &Secrets) -> Result<Data, ToolError> {
    if stdout.trim().is_empty() {
        let message = "printed nothing; print a JSON result to stdout, such as `null`";
        return Err(ToolError::new(ToolErrorKind::Output, message));
    }
    output::read(stdout, secrets).map_err(|error| {
        let message =
            format!("did not print JSON ({error}): {}", secrets.cut_with_length(stdout, 200));
        ToolError::new(ToolErrorKind::Output, message)
    })
}

fn exit_message(status: ExitStatus, said: &str) -> String {
    let how = match status.code() {
        Some(code) => format!("exited with code {code}"),
        None => "was killed by a signal".to_string(),
    };
    if said.is_empty() {
        return format!("{how}, with no output on stderr");
    }
    format!("{how}: {said}")
}

fn start_failure(error: &std::io::Error, folder: &Path) -> String {
    if !folder.is_dir() {
        return "there is no such folder".to_string();
    }
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such program".to_string(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        _ => error.to_string(),
    }
}

#[cold]
fn broken_pipe(error: &std::io::Error) -> ToolError {
    ToolError::failed(format!("the pipe to it broke: {error}"))
}

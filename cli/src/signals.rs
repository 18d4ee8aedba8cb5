//! The signals that end a command: Ctrl-C, the request to terminate, and the end of the terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::task::Poll;

use crate::report;

/// Makes a write beyond the largest file that the system permits an error. By default, its signal kills the process
/// without a word. Programs of tools get the default.
pub(crate) fn survive_large_files() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kind = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
        if let Ok(runtime) = runtime {
            let _guard = runtime.enter();
            // The handler stays when its listener is dropped.
            drop(signal(kind));
        }
    }
}

/// Waits for a signal that ends a run: Ctrl-C, or one that ends the process.
pub(crate) async fn interrupted() {
    Listener::start(true).next().await;
}

/// Listens for signals that end the process: to terminate, or that the terminal was closed. On Windows these are
/// Ctrl-Break, and the end of the console, of the session or of the system. It hears a signal from its start on.
#[cfg(unix)]
struct Listener(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Listener {
    /// Starts to listen, to Ctrl-C also if `hears_interrupt`. Needs a runtime. A signal that cannot be heard ends the
    /// process by itself.
    fn start(hears_interrupt: bool) -> Listener {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = hears_interrupt.then(SignalKind::interrupt);
        // A command behind `nohup` survives its terminal.
        let hangup = (!is_hangup_ignored()).then(SignalKind::hangup);
        let kinds = [interrupt, Some(SignalKind::terminate()), hangup];
        Listener(kinds.into_iter().flatten().filter_map(|kind| signal(kind).ok()).collect())
    }

    /// Waits for the next signal.
    async fn next(&mut self) {
        std::future::poll_fn(|cx| {
            let heard = self.0.iter_mut().any(|signal| signal.poll_recv(cx).is_ready());
            if heard { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// Listens for signals that end the process.
#[cfg(not(unix))]
struct Listener {
    hears_interrupt: bool,
}

#[cfg(not(unix))]
impl Listener {
    fn start(hears_interrupt: bool) -> Listener {
        Listener { hears_interrupt }
    }

    async fn next(&mut self) {
        let interrupt = async {
            if !self.hears_interrupt || tokio::signal::ctrl_c().await.is_err() {
                nothing().await;
            }
        };
        tokio::select! {
            () = interrupt => {}
            () = ended() => {}
        }
    }
}

#[cfg(not(unix))]
async fn ended() {
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_break, ctrl_close, ctrl_logoff, ctrl_shutdown};
        match (ctrl_break(), ctrl_close(), ctrl_logoff(), ctrl_shutdown()) {
            (Ok(mut stop), Ok(mut close), Ok(mut leave), Ok(mut end)) => tokio::select! {
                _ = stop.recv() => {}
                _ = close.recv() => {}
                _ = leave.recv() => {}
                _ = end.recv() => {}
            },
            _ => nothing().await,
        }
    }
    #[cfg(not(windows))]
    nothing().await;
}

/// Waits for ever. Without a handler, a signal ends the process by itself.
#[cfg(not(unix))]
async fn nothing() {
    std::future::pending::<()>().await;
}

/// Returns whether the process was started so that it ignores the end of its terminal. Without `unsafe` code, only Linux
/// tells; other systems always give false.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    // A handler of ours would change the answer, so the first one stays.
    static IS_IGNORED: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
        mask.is_some_and(|mask| mask & 1 == 1)
    });
    *IS_IGNORED
}

/// A session of lines, such as that of `ptc repl`. A signal that ends the process ends what runs first, and leaves the
/// terminal as it was found.
pub(crate) struct Session(Arc<State>);

struct State {
    is_running: AtomicBool,
    has_ended: AtomicBool,
    #[cfg(unix)]
    terminal: Option<rustix::termios::Termios>,
}

impl Session {
    /// Starts to listen. On a terminal, Ctrl-C is for the line or the program, and ends no session.
    pub(crate) fn start(is_terminal: bool) -> Session {
        let state = Arc::new(State {
            is_running: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
            #[cfg(unix)]
            terminal: rustix::termios::tcgetattr(std::io::stdin()).ok(),
        });
        let shared = Arc::clone(&state);
        // The line editor blocks its thread, so the listener has one of its own.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            // A signal that comes before the thread runs must count too.
            let mut signals = {
                let _guard = runtime.enter();
                Listener::start(!is_terminal)
            };
            std::thread::spawn(move || {
                runtime.block_on(async {
                    loop {
                        signals.next().await;
                        shared.has_ended.store(true, Ordering::SeqCst);
                        if !shared.is_running.load(Ordering::SeqCst) {
                            shared.end();
                        }
                    }
                });
            });
        }
        Session(state)
    }

    /// Does work that ends by itself at a signal. Also returns whether a signal has ended the session.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> (T, bool) {
        self.0.is_running.store(true, Ordering::SeqCst);
        let result = work();
        self.0.is_running.store(false, Ordering::SeqCst);
        (result, self.0.has_ended.load(Ordering::SeqCst))
    }
}

impl State {
    /// Ends the process between two lines: nobody may be writing the next one.
    fn end(&self) -> ! {
        #[cfg(unix)]
        if let Some(terminal) = &self.terminal {
            // The terminal may have gone.
            let now = rustix::termios::OptionalActions::Now;
            let _ = rustix::termios::tcsetattr(std::io::stdin(), now, terminal);
        }
        std::process::exit(i32::from(report::LIMIT))
    }
}

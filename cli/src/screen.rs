//! Standard error, written by its own thread once a run is shown.
//!
//! So a run waits neither for a stopped terminal nor for a pipe without a reader.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::figures::{clock, plural};
use crate::queue::{PATIENCE, Queue};
use crate::terminal;

/// The capacity of the queue, in bytes. Text that does not fit is left out, and a note counts it.
const MAX_QUEUED: usize = 16 << 20;
/// The interval at which the live line is drawn.
const TICK: Duration = Duration::from_millis(70);
/// The number of bytes in one write. A reader that takes a chunk has not gone away.
const CHUNK: usize = 4096;

/// The screen of the process, once it is started.
static SCREEN: OnceLock<Screen> = OnceLock::new();

/// The text and the activity to show, shared with the thread that draws them.
pub(crate) struct Screen {
    queue: Arc<Queue<Item>>,
    now: Arc<Mutex<Activity>>,
    is_live: bool,
    /// The number of texts left out since the last note about them.
    left_out: AtomicU64,
}

/// The kind of live display below the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Live {
    /// No live display.
    Nothing,
    /// A line with the current activity.
    Line,
    /// A progress bar of this length.
    Bar(u64),
}

/// The current activity. Only the newest one is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    /// The turn that it belongs to; empty if there is none.
    place: String,
    /// The description; if it is empty, no live line is drawn.
    description: String,
    /// The end of the reply that streams in. It replaces the description once it is not empty.
    reply: Tail,
    /// The time at which the activity, or its reply, began.
    since: Instant,
    /// The position of the progress bar.
    position: u64,
}

impl Activity {
    /// Makes an activity that begins now.
    pub(crate) fn new(place: String, description: String) -> Activity {
        Activity { place, description, reply: Tail::default(), since: Instant::now(), position: 0 }
    }

    /// Adds a part of a streamed reply.
    pub(crate) fn push_reply(&mut self, part: &str) {
        let was_silent = self.reply.text.is_empty();
        self.reply.push(part);
        if was_silent && !self.reply.text.is_empty() {
            self.since = Instant::now();
        }
    }

    /// Makes an activity without a description, for which no live line is drawn.
    pub(crate) fn idle() -> Activity {
        Activity::new(String::new(), String::new())
    }

    /// Moves the progress bar and changes the description.
    pub(crate) fn set_progress(&mut self, position: u64, description: String) {
        (self.position, self.description) = (position, description);
    }
}

enum Item {
    /// Text above the live line.
    Text(String),
    /// Hides the live line until the next activity.
    Clear,
    /// Hides the live line and shows a text. Sends to `cleared`, then waits until `done` is closed.
    Hold { text: String, cleared: Sender<()>, done: Receiver<()> },
}

impl Screen {
    /// Starts the thread that draws, unless the process has a screen already. There is a live line only if stderr is a
    /// terminal. An activity `now` with a description is drawn at once.
    pub(crate) fn start(live: Live, now: Activity) -> &'static Screen {
        SCREEN.get_or_init(|| {
            let live = if io::stderr().is_terminal() { live } else { Live::Nothing };
            let is_live = !matches!(live, Live::Nothing);
            let queue = Arc::new(Queue::new(MAX_QUEUED));
            let now = Arc::new(Mutex::new(now));
            let (items, shown) = (Arc::clone(&queue), Arc::clone(&now));
            // If the thread cannot start, nothing is shown; the command still runs.
            drop(
                std::thread::Builder::new()
                    .name("screen".to_owned())
                    .spawn(move || draw_loop(&items, &shown, live)),
            );
            Screen { queue, now, is_live, left_out: AtomicU64::new(0) }
        })
    }

    /// Returns whether there is a live line.
    pub(crate) fn is_live(&self) -> bool {
        self.is_live
    }

    /// Queues text and returns at once.
    pub(crate) fn print(&self, text: &str) {
        let push = |text: String| {
            let bytes = text.len();
            self.queue.push(Item::Text(text), bytes).is_ok()
        };
        let left_out = self.left_out.load(Ordering::Relaxed);
        let is_full = left_out > 0 && !push(omitted(left_out));
        if left_out > 0 && !is_full {
            self.left_out.fetch_sub(left_out, Ordering::Relaxed);
        }
        if is_full || !push(text.to_owned()) {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Changes the current activity and returns at once.
    pub(crate) fn update(&self, change: impl FnOnce(&mut Activity)) {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Hides the live line and waits until all text is written, unless the reader is stuck.
    pub(crate) fn finish(&self) {
        self.update(|activity| activity.description.clear());
        drop(self.queue.push(Item::Clear, 0));
        self.queue.wait_until_drained();
    }

    /// Shows a text and hides the live line until the guard is dropped, so that others can use the terminal.
    pub(crate) fn hold(&self, text: &str) -> LiveLineGuard {
        let ((cleared, is_cleared), (release, done)) = (channel(), channel());
        let hold = Item::Hold { text: text.to_owned(), cleared, done };
        drop(self.queue.push(hold, text.len()));
        LiveLineGuard { is_cleared, _release: release }
    }
}

/// A guard that keeps the live line hidden.
pub(crate) struct LiveLineGuard {
    is_cleared: Receiver<()>,
    _release: Sender<()>,
}

impl LiveLineGuard {
    /// Waits until the live line is hidden, for at most [`PATIENCE`].
    pub(crate) fn wait(&self) {
        // A timeout means that the terminal is stopped, so no live line is drawn over the text.
        let _ = self.is_cleared.recv_timeout(PATIENCE);
    }
}

/// Writes to stderr and waits until the text is written. If there is a screen, the text follows all queued text.
pub(crate) fn say(text: &str) {
    if let Some(screen) = SCREEN.get() {
        screen.print(text);
        screen.queue.wait_until_drained();
    } else {
        // If stderr is closed, nobody reads the text.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }
}

/// Draws items and the current activity until the process ends.
fn draw_loop(items: &Queue<Item>, now: &Mutex<Activity>, live: Live) {
    let bar = bar(live);
    // Whether the live line is on the screen.
    let mut is_drawn = false;
    let draw_now = |is_drawn: &mut bool| {
        let now = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(bar) = bar.as_ref().filter(|_| !now.description.is_empty()) else { return };
        if !std::mem::replace(is_drawn, true) && bar.is_finished() {
            bar.reset();
        }
        draw(bar, &now);
    };
    draw_now(&mut is_drawn);
    loop {
        match items.next(bar.as_ref().map(|_| TICK)) {
            Some(Item::Text(text)) => match &bar {
                Some(bar) if is_drawn => bar.suspend(|| write(items, &text)),
                _ => write(items, &text),
            },
            Some(Item::Clear) => {
                if let Some(bar) = bar.as_ref().filter(|_| is_drawn) {
                    bar.finish_and_clear();
                    is_drawn = false;
                }
            }
            Some(Item::Hold { text, cleared, done }) => {
                let hold = || {
                    write(items, &text);
                    let _ = cleared.send(());
                    // Returns when the guard is dropped.
                    let _ = done.recv();
                };
                match &bar {
                    Some(bar) if is_drawn => bar.suspend(hold),
                    _ => hold(),
                }
            }
            None => draw_now(&mut is_drawn),
        }
    }
}

/// Writes text in chunks, so that the queue can tell a slow reader from a stuck one.
fn write(items: &Queue<Item>, text: &str) {
    let mut stderr = io::stderr().lock();
    for chunk in text.as_bytes().chunks(CHUNK) {
        if stderr.write_all(chunk).is_err() {
            return;
        }
        items.record_progress();
    }
}

fn draw(bar: &ProgressBar, now: &Activity) {
    let place = if now.place.is_empty() { String::new() } else { format!("{}: ", now.place) };
    let what = if now.reply.text.is_empty() {
        now.description.clone()
    } else {
        let size = terminal_size::terminal_size_of(io::stderr());
        let width = size.map_or(80, |(width, _)| usize::from(width.0));
        // The spinner, the time and blanks take 12 columns.
        fit_end(&now.reply.text, width.saturating_sub(place.chars().count() + 12))
    };
    bar.set_elapsed(now.since.elapsed());
    bar.set_position(now.position);
    bar.set_message(format!("{place}{what}"));
    bar.tick();
}

/// Returns the end of a text that fits into this number of columns.
fn fit_end(text: &str, columns: usize) -> String {
    let mut left = columns;
    for (at, c) in text.char_indices().rev() {
        // Letters from U+1100 on may take two columns.
        let wide = if c < '\u{1100}' { 1 } else { 2 };
        if wide > left {
            return format!("…{}", text.get(at + c.len_utf8()..).unwrap_or_default());
        }
        left -= wide;
    }
    text.to_owned()
}

/// The end of the newest line of a text that arrives in parts. The work is linear in the length of the parts.
#[derive(Clone, Debug, Default)]
struct Tail {
    /// The end of the line so far, cleaned: no character in it moves the cursor.
    text: String,
    /// Whether the line is complete, so that the next character begins another one.
    is_complete: bool,
}

impl Tail {
    /// The number of characters that are kept. The text is cut to it once it exceeds 8 bytes for each of them.
    const MAX: usize = 400;

    fn push(&mut self, part: &str) {
        for (at, line) in part.split('\n').enumerate() {
            self.is_complete |= at > 0;
            // A blank line does not replace the line before it, and neither does an indentation.
            let line = if self.is_complete { line.trim() } else { line };
            if line.is_empty() {
                continue;
            }
            if std::mem::take(&mut self.is_complete) {
                self.text.clear();
            }
            self.text.push_str(&terminal::clean(last_chars(line, Self::MAX)));
            if self.text.len() > 8 * Self::MAX {
                self.text = last_chars(&self.text, Self::MAX).to_owned();
            }
        }
    }
}

/// Returns the note about texts that were left out.
fn omitted(count: u64) -> String {
    format!("… {} left out: the reader was too slow\n", plural(count, "message"))
}

/// Returns the last `count` characters of a text.
fn last_chars(text: &str, count: usize) -> &str {
    let start = text.char_indices().rev().nth(count.saturating_sub(1));
    text.get(start.map_or(0, |(at, _)| at)..).unwrap_or_default()
}

fn bar(live: Live) -> Option<ProgressBar> {
    let target = || ProgressDrawTarget::stderr_with_hz(15);
    let (bar, template, coloured) = match live {
        Live::Nothing => return None,
        // The time is that of the current activity.
        Live::Line => (
            ProgressBar::with_draw_target(None, target()),
            "{spinner} {time:>4} {wide_msg}",
            "{spinner:.cyan} {time:>4} {wide_msg}",
        ),
        Live::Bar(all) => (
            ProgressBar::with_draw_target(Some(all), target()),
            "{spinner} {bar:30} {pos}/{len} · {msg} · {time}, {left} left",
            "{spinner:.cyan} {bar:30.cyan} {pos}/{len} · {msg} · {time}, {left} left",
        ),
    };
    let template = if terminal::is_coloured() { coloured } else { template };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(with_times(style));
    }
    Some(bar)
}

/// Adds the keys `time`, for the elapsed time, and `left`, for the remaining time, to a template.
fn with_times(style: ProgressStyle) -> ProgressStyle {
    // If a time cannot be written, the bar is drawn without it.
    let time = |state: &ProgressState, to: &mut dyn std::fmt::Write| {
        let _ = to.write_str(&clock(state.elapsed()));
    };
    let left = |state: &ProgressState, to: &mut dyn std::fmt::Write| {
        let _ = to.write_str(&clock(state.eta()));
    };
    style.with_key("time", time).with_key("left", left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_text() {
        for (text, columns, expected) in
            [("abc", 5, "abc"), ("abc", 2, "…bc"), ("a漢字", 3, "…字"), ("", 0, ""), ("ab", 0, "…")]
        {
            assert_eq!(fit_end(text, columns), expected, "{text} in {columns}");
        }
    }

    fn check(parts: &[&str], expected: &str) {
        let mut tail = Tail::default();
        for part in parts {
            tail.push(part);
        }
        assert_eq!(last_chars(&tail.text, Tail::MAX), expected, "{parts:?}");
    }

    #[test]
    fn the_newest_line_of_a_reply() {
        check(&[], "");
        check(&["\n \n"], "");
        check(&["one ", "two"], "one two");
        check(&["one\ntwo"], "two");
        // An empty line does not replace the line before it.
        check(&["one\n"], "one");
        check(&["one\n", "\r\n  \n"], "one");
        check(&["one\n", "  ", "  two "], "two");
        check(&["one\n", "two", " three\n", "\n"], "two three");
        check(&["a\u{1b}[31m\u{202e}"], "a\\u001b[31m\\u202e");
        let long = "é".repeat(100_000);
        check(&[&long, "end"], &format!("{}end", "é".repeat(Tail::MAX - 3)));
        let pieces = vec!["0123456789"; 100_000];
        check(&pieces, &"0123456789".repeat(Tail::MAX / 10));
    }
}

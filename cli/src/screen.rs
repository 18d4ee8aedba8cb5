//! Standard error, written by a thread of its own once there is something to watch: a run waits neither for a
//! terminal that is stopped nor for a pipe that nobody reads.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::figures::clock;
use crate::queue::{PATIENCE, Queue};
use crate::report;

/// The most text that waits for a slow reader; what is more is left out, which is said.
const MAX_WAITING: usize = 16 << 20;
/// How often the live line is drawn.
const TICK: Duration = Duration::from_millis(70);
/// How much is written at a time: a reader that takes this much has not gone away.
const PIECE: usize = 4096;

/// The one screen of the process, if it has one.
static SCREEN: OnceLock<Screen> = OnceLock::new();

/// What is shown, and the way to the thread that shows it.
pub(crate) struct Screen {
    queue: Arc<Queue<Item>>,
    now: Arc<Mutex<Now>>,
    is_live: bool,
    /// How many texts found no room since the last note of it.
    left_out: AtomicU64,
}

/// What is drawn below the text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Live {
    /// Nothing.
    Nothing,
    /// A line about what is going on.
    Line,
    /// A bar that gets this long.
    Bar(u64),
}

/// What is going on now. Only the newest is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Now {
    /// Where: the turn.
    place: String,
    /// What.
    what: String,
    /// The reply that comes, which is shown once there is some.
    reply: Tail,
    /// When it began.
    since: Instant,
    /// How long the bar is.
    position: u64,
}

impl Now {
    /// Something begins.
    pub(crate) fn new(place: String, what: String) -> Now {
        Now { place, what, reply: Tail::default(), since: Instant::now(), position: 0 }
    }

    /// A further part of a reply is there.
    pub(crate) fn hears(&mut self, part: &str) {
        let was_silent = self.reply.text.is_empty();
        self.reply.push(part);
        if was_silent && !self.reply.text.is_empty() {
            self.since = Instant::now();
        }
    }

    /// Nothing is going on yet.
    pub(crate) fn nothing() -> Now {
        Now::new(String::new(), String::new())
    }

    /// The bar has got on.
    pub(crate) fn is_at(&mut self, position: u64, what: String) {
        (self.position, self.what) = (position, what);
    }
}

enum Item {
    /// Text above the live line.
    Text(String),
    /// The live line goes away until something is going on again.
    Clear,
    /// It goes away until somebody else is done with the terminal, who begins with this text.
    Hold { text: String, cleared: Sender<()>, done: Receiver<()> },
}

impl Screen {
    /// Has a thread show what comes, with a live line if stderr is a terminal. If something is going on `now`, that is
    /// drawn first.
    pub(crate) fn start(live: Live, now: Now) -> &'static Screen {
        SCREEN.get_or_init(|| {
            let live = if io::stderr().is_terminal() { live } else { Live::Nothing };
            let is_live = !matches!(live, Live::Nothing);
            let queue = Arc::new(Queue::new(MAX_WAITING));
            let now = Arc::new(Mutex::new(now));
            let (items, shown) = (Arc::clone(&queue), Arc::clone(&now));
            // Without the thread nothing is shown, which is no reason not to run.
            drop(
                std::thread::Builder::new()
                    .name("screen".to_owned())
                    .spawn(move || show(&items, &shown, live)),
            );
            Screen { queue, now, is_live, left_out: AtomicU64::new(0) }
        })
    }

    /// Whether there is a live line.
    pub(crate) fn is_live(&self) -> bool {
        self.is_live
    }

    /// Shows text; returns at once.
    pub(crate) fn text(&self, text: &str) {
        let push = |text: String| {
            let bytes = text.len();
            self.queue.push(Item::Text(text), bytes).is_ok()
        };
        let left_out = self.left_out.load(Ordering::Relaxed);
        let is_full = left_out > 0 && !push(format!("… {left_out} left out: nobody read\n"));
        if left_out > 0 && !is_full {
            self.left_out.fetch_sub(left_out, Ordering::Relaxed);
        }
        if is_full || !push(text.to_owned()) {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Changes what is going on; returns at once.
    pub(crate) fn now(&self, change: impl FnOnce(&mut Now)) {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes the live line away and waits until all text is there, unless nobody reads it.
    pub(crate) fn finish(&self) {
        self.now(|now| now.what.clear());
        drop(self.queue.push(Item::Clear, 0));
        self.queue.drained();
    }

    /// Takes the live line away while the terminal is somebody else's, who begins with some text.
    pub(crate) fn hold(&self, text: &str) -> Held {
        let ((cleared, is_cleared), (release, done)) = (channel(), channel());
        let hold = Item::Hold { text: text.to_owned(), cleared, done };
        drop(self.queue.push(hold, text.len()));
        Held { is_cleared, _release: release }
    }
}

/// The live line is away as long as this is there.
pub(crate) struct Held {
    is_cleared: Receiver<()>,
    _release: Sender<()>,
}

impl Held {
    /// Waits until the live line is away, unless the terminal is stopped.
    pub(crate) fn wait(&self) {
        // Then there is no live line that could be in the way.
        let _ = self.is_cleared.recv_timeout(PATIENCE);
    }
}

/// Writes to stderr and waits for it: through the screen if there is one, behind what is on its way.
pub(crate) fn say(text: &str) {
    if let Some(screen) = SCREEN.get() {
        screen.text(text);
        screen.queue.drained();
    } else {
        // Where nobody can be told anything, nothing is lost.
        drop(io::stderr().lock().write_all(text.as_bytes()));
    }
}

/// Shows items and what is going on until the process ends.
fn show(items: &Queue<Item>, now: &Mutex<Now>, live: Live) {
    let bar = bar(live);
    // Whether the live line is on the screen.
    let mut is_drawn = false;
    let draw_now = |is_drawn: &mut bool| {
        let now = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(bar) = bar.as_ref().filter(|_| !now.what.is_empty()) else { return };
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
                    // Ends when the other side is dropped.
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

/// Writes text in pieces, so that a slow reader is told from one that has gone.
fn write(items: &Queue<Item>, text: &str) {
    let mut stderr = io::stderr().lock();
    for piece in text.as_bytes().chunks(PIECE) {
        if stderr.write_all(piece).is_err() {
            return;
        }
        items.step();
    }
}

fn draw(bar: &ProgressBar, now: &Now) {
    let place = if now.place.is_empty() { String::new() } else { format!("{}: ", now.place) };
    let what = if now.reply.text.is_empty() {
        now.what.clone()
    } else {
        let size = terminal_size::terminal_size_of(io::stderr());
        let width = size.map_or(80, |(width, _)| usize::from(width.0));
        // Before it there are the mark that turns, the time, and blanks.
        end_of(&now.reply.text, width.saturating_sub(place.chars().count() + 12))
    };
    bar.set_elapsed(now.since.elapsed());
    bar.set_position(now.position);
    bar.set_message(format!("{place}{what}"));
    bar.tick();
}

/// The end of a text that fits into so many columns.
fn end_of(text: &str, columns: usize) -> String {
    let mut left = columns;
    for (at, c) in text.char_indices().rev() {
        // From here on letters may be as wide as two.
        let wide = if c < '\u{1100}' { 1 } else { 2 };
        if wide > left {
            return format!("…{}", text.get(at + c.len_utf8()..).unwrap_or_default());
        }
        left -= wide;
    }
    text.to_owned()
}

/// The end of the newest line of a text that comes in parts, for as much work as the parts are long.
#[derive(Clone, Debug, Default)]
struct Tail {
    /// What there is of the line, with nothing in it that moves a cursor.
    text: String,
    /// Whether the next character begins another line.
    is_over: bool,
}

impl Tail {
    /// The most characters that are kept. Up to twice as many are there for a while.
    const MAX: usize = 400;

    fn push(&mut self, part: &str) {
        for (at, line) in part.split('\n').enumerate() {
            self.is_over |= at > 0;
            // Blank lines do not take the place of the one before them, and neither does an indentation.
            let line = if self.is_over { line.trim() } else { line };
            if line.is_empty() {
                continue;
            }
            if std::mem::take(&mut self.is_over) {
                self.text.clear();
            }
            self.text.push_str(&report::clean(last(line, Self::MAX)));
            if self.text.len() > 8 * Self::MAX {
                self.text = last(&self.text, Self::MAX).to_owned();
            }
        }
    }
}

/// The last characters of a text.
fn last(text: &str, count: usize) -> &str {
    let start = text.char_indices().rev().nth(count.saturating_sub(1));
    text.get(start.map_or(0, |(at, _)| at)..).unwrap_or_default()
}

fn bar(live: Live) -> Option<ProgressBar> {
    let target = || ProgressDrawTarget::stderr_with_hz(15);
    let (bar, template, coloured) = match live {
        Live::Nothing => return None,
        // The time is that of what is going on now.
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
    let template = if report::is_coloured() { coloured } else { template };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(with_times(style));
    }
    Some(bar)
}

/// Lets a template have the time that was taken as `time`, and the time that is left as `left`.
fn with_times(style: ProgressStyle) -> ProgressStyle {
    // A bar is drawn without a time that cannot be written.
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
            assert_eq!(end_of(text, columns), expected, "{text} in {columns}");
        }
    }

    fn check(parts: &[&str], expected: &str) {
        let mut tail = Tail::default();
        for part in parts {
            tail.push(part);
        }
        assert_eq!(last(&tail.text, Tail::MAX), expected, "{parts:?}");
    }

    #[test]
    fn the_newest_line_of_a_reply() {
        check(&[], "");
        check(&["\n \n"], "");
        check(&["one ", "two"], "one two");
        check(&["one\ntwo"], "two");
        // Until there is something in a line, the one before it is the newest.
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

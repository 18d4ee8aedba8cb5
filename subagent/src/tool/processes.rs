//! The processes of one call: a program and everything that it started.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The variable that marks the processes of a call; they inherit it from one another.
pub(super) const MARK: &str = "PTC_CALL";

/// Returns a mark that no other call has.
pub(super) fn new_mark() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// Kills a program and everything that it started when it is dropped.
///
/// Those are the processes of its group, and on Linux also those that have left the group: its descendants, and
/// all processes that inherited its mark. A process that has both cleared its environment and lost its parent is
/// not found.
pub(super) struct Processes {
    id: Option<u32>,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux shows environments")
    )]
    mark: String,
}

impl Processes {
    /// Takes over the program with this id, which leads a group of its own.
    pub(super) fn new(id: Option<u32>, mark: String) -> Processes {
        Processes { id, mark }
    }

    /// The program has ended by itself: what it left running goes on.
    pub(super) fn ended(&mut self) {
        self.id = None;
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.id.and_then(|it| rustix::process::Pid::from_raw(it.cast_signed())) {
            use rustix::process::{Signal, kill_process_group};
            // While its members still have their parents.
            #[cfg(target_os = "linux")]
            linux::kill_all(id, &self.mark);
            // It may have ended by itself.
            let _ = kill_process_group(id, Signal::KILL);
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs::{self, File};
    use std::io::Read as _;
    use std::os::fd::OwnedFd;

    use rustix::io::Errno;
    use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

    use super::MARK;

    /// How often is looked again: a process may start another one while it is killed.
    const ROUNDS: usize = 10;

    /// More of an environment is not read.
    const MAX_ENVIRON: u64 = 1 << 20;

    /// Kills the descendants of a process, and all processes with a mark.
    pub(super) fn kill_all(root: Pid, mark: &str) {
        let mark = format!("{MARK}={mark}");
        let mut known = BTreeSet::from([root.as_raw_nonzero().get()]);
        for _ in 0..ROUNDS {
            let found = find(&known, &mark);
            if found.is_empty() {
                return;
            }
            known.extend(found.keys());
            let is_ours = |id: i32| has_mark(id, &mark) || has_parent_in(id, &known);
            // Each is held before any is killed, and looked at again: an id may name another process by now.
            let held: Vec<Process> =
                found.into_values().flatten().filter(|it| is_ours(it.id)).collect();
            held.iter().for_each(Process::kill);
        }
    }

    /// Returns processes that are not known yet: those with the mark, and the descendants of known ones.
    fn find(known: &BTreeSet<i32>, mark: &str) -> BTreeMap<i32, Option<Process>> {
        let names = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = names.filter_map(|it| it.file_name().to_str()?.parse().ok());
        let mut rest: Vec<i32> = ids.filter(|id| !known.contains(id)).collect();
        let mut ours = known.clone();
        let mut found = BTreeMap::new();
        rest.retain(|id| {
            let is_marked = has_mark(*id, mark);
            if is_marked {
                ours.insert(*id);
                found.insert(*id, Process::hold(*id));
            }
            !is_marked
        });
        loop {
            let before = rest.len();
            rest.retain(|id| {
                let is_below = has_parent_in(*id, &ours);
                if is_below {
                    ours.insert(*id);
                    found.insert(*id, Process::hold(*id));
                }
                !is_below
            });
            if rest.len() == before {
                return found;
            }
        }
    }

    fn has_mark(id: i32, mark: &str) -> bool {
        let mut environ = Vec::new();
        let read = File::open(format!("/proc/{id}/environ"))
            .and_then(|it| it.take(MAX_ENVIRON).read_to_end(&mut environ));
        read.is_ok() && environ.split(|it| *it == 0).any(|it| it == mark.as_bytes())
    }

    fn has_parent_in(id: i32, ids: &BTreeSet<i32>) -> bool {
        let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
        // The name of the program is in parentheses and may have any characters; state and parent follow.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        parent.and_then(|it| it.parse().ok()).is_some_and(|it: i32| ids.contains(&it))
    }

    /// A process that its id names for as long as this is held; by its id alone on systems that cannot do that.
    struct Process {
        id: i32,
        handle: Option<OwnedFd>,
    }

    impl Process {
        fn hold(id: i32) -> Option<Process> {
            match pidfd_open(Pid::from_raw(id)?, PidfdFlags::empty()) {
                Ok(handle) => Some(Process { id, handle: Some(handle) }),
                Err(Errno::NOSYS) => Some(Process { id, handle: None }),
                Err(_) => None,
            }
        }

        fn kill(&self) {
            // It may have ended by itself.
            let _ = match (&self.handle, Pid::from_raw(self.id)) {
                (Some(handle), _) => pidfd_send_signal(handle, Signal::KILL),
                (None, Some(id)) => kill_process(id, Signal::KILL),
                (None, None) => Ok(()),
            };
        }
    }
}

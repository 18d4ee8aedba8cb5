//! The processes of one call: a program and all processes that it started.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The variable that marks the processes of a call. Child processes inherit it.
pub(super) const MARK: &str = "PTC_CALL";

/// Returns a unique mark for a call.
pub(super) fn new_mark() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// A guard that kills a program and all processes that it started when it is dropped.
///
/// It kills the processes of the program's group. On Linux it also kills those that have left the group: descendants,
/// and processes that inherited the mark. It misses a process that has both cleared its environment and lost its
/// parent. Windows has no groups: there it kills the program and its descendants, and misses those without a parent.
pub(super) struct Processes {
    id: Option<u32>,
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "only Linux shows environments")
    )]
    mark: String,
}

impl Processes {
    /// Creates the guard of the program with this id, which leads its own process group.
    pub(super) fn new(id: Option<u32>, mark: String) -> Processes {
        Processes { id, mark }
    }

    /// Releases the processes after the program has ended. Those that it left behind keep running.
    pub(super) fn release(&mut self) {
        self.id = None;
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.id.and_then(|it| rustix::process::Pid::from_raw(it.cast_signed())) {
            use rustix::process::{Signal, kill_process_group};
            // First, while its members still have their parents.
            #[cfg(target_os = "linux")]
            linux::kill_all(id, &self.mark);
            // The group may have ended already.
            let _ = kill_process_group(id, Signal::KILL);
        }
        #[cfg(windows)]
        if let Some(id) = self.id {
            windows::kill_tree(id);
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::path::PathBuf;
    use std::process::{Command, Stdio};

    /// Kills a program and its descendants.
    pub(super) fn kill_tree(root: u32) {
        // Not a program of that name in another folder of `PATH`.
        let system = std::env::var_os("SystemRoot").unwrap_or_else(|| r"C:\Windows".into());
        let program = PathBuf::from(system).join("System32").join("taskkill.exe");
        let mut command = Command::new(program);
        command.args(["/F", "/T", "/PID"]).arg(root.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // The program may have ended already; without `taskkill` it is killed alone, when its handle is dropped.
        drop(command.status());
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

    /// The maximum number of searches. A process may start another one while it is being killed.
    const ROUNDS: usize = 10;

    /// The maximum size of an environment that is read, in bytes.
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
            // Open all handles before the first kill, then check again: by now an id may name another process.
            let opened: Vec<Process> =
                found.into_values().flatten().filter(|it| is_ours(it.id)).collect();
            opened.iter().for_each(Process::kill);
        }
    }

    /// Returns the processes that are not known yet: those with the mark, and descendants of known ones.
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
                found.insert(*id, Process::open(*id));
            }
            !is_marked
        });
        loop {
            let before = rest.len();
            rest.retain(|id| {
                let is_descendant = has_parent_in(*id, &ours);
                if is_descendant {
                    ours.insert(*id);
                    found.insert(*id, Process::open(*id));
                }
                !is_descendant
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
        // The name of the program is in parentheses and may contain any character. State and parent follow it.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        parent.and_then(|it| it.parse().ok()).is_some_and(|it: i32| ids.contains(&it))
    }

    /// A process. The handle pins its id to this process; systems without handles use the id alone.
    struct Process {
        id: i32,
        handle: Option<OwnedFd>,
    }

    impl Process {
        fn open(id: i32) -> Option<Process> {
            match pidfd_open(Pid::from_raw(id)?, PidfdFlags::empty()) {
                Ok(handle) => Some(Process { id, handle: Some(handle) }),
                Err(Errno::NOSYS) => Some(Process { id, handle: None }),
                Err(_) => None,
            }
        }

        fn kill(&self) {
            // The process may have ended already.
            let _ = match (&self.handle, Pid::from_raw(self.id)) {
                (Some(handle), _) => pidfd_send_signal(handle, Signal::KILL),
                (None, Some(id)) => kill_process(id, Signal::KILL),
                (None, None) => Ok(()),
            };
        }
    }
}

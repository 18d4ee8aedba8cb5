//! A Restate server on loopback, workers behind one address, and the runs on them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Folder, Output};

/// The time after which something that is waited for counts as lost.
const PATIENCE: Duration = Duration::from_secs(90);

/// The ports of a server.
struct Ports {
    ingress: u16,
    admin: u16,
    node: u16,
}

/// A server and its workers, whose agents are in a folder.
pub(crate) struct Cluster {
    pub(crate) folder: Folder,
    program: PathBuf,
    /// Settings of the server for its calls of workers, as lines of its file.
    settings: &'static str,
    ports: Ports,
    server: Mutex<Child>,
    workers: Vec<Mutex<(Child, SocketAddr)>>,
    balancer: Balancer,
}

/// Gives connections to workers in turn, and passes over those that do not listen.
struct Balancer {
    address: SocketAddr,
    workers: Arc<Mutex<Vec<SocketAddr>>>,
    wire: Arc<Wire>,
}

/// The wire between the server and the workers.
#[derive(Default)]
struct Wire {
    /// Whether everything that is sent is lost, and nobody hears of it.
    is_cut: AtomicBool,
    connections: AtomicI64,
    /// The number of messages until one is held up; nothing is below zero.
    fuse: AtomicI64,
    /// Whether a message is held up.
    is_held: Mutex<bool>,
    released: Condvar,
}

impl Cluster {
    /// Starts a server and workers. Returns `None`, and says why, on a machine without a server.
    pub(crate) fn start(workers: usize, write: impl FnOnce(&Folder)) -> Option<Cluster> {
        Cluster::start_with("", workers, write)
    }

    /// Starts a server with more settings for its calls of workers, and workers.
    pub(crate) fn start_with(
        settings: &'static str,
        workers: usize,
        write: impl FnOnce(&Folder),
    ) -> Option<Cluster> {
        let Some(program) = std::env::var_os("PTC_RESTATE_SERVER").map(PathBuf::from) else {
            eprintln!("skipped: PTC_RESTATE_SERVER names no server; `.ci/restate` fetches one");
            return None;
        };
        let folder = Folder::new();
        write(&folder);
        let [ingress, admin, node] = free_ports();
        let ports = Ports { ingress, admin, node };
        let server = start_server(&program, settings, &folder.path("server"), &ports);
        let server = Mutex::new(server);
        let balancer = Balancer::start();
        let none = Vec::new();
        let mut cluster =
            Cluster { folder, program, settings, ports, server, workers: none, balancer };
        for _ in 0..workers {
            let worker = cluster.start_worker(&[]);
            cluster.workers.push(Mutex::new(worker));
        }
        cluster.tell_balancer();
        cluster.wait_for("the server", || cluster.request(admin, "GET", "/health", None).is_some());
        let uri = format!("http://{}", cluster.balancer.address);
        let body = json!({"uri": uri, "force": true});
        cluster.wait_for("the registration", || {
            cluster.request(admin, "POST", "/deployments", Some(&body)).is_some()
        });
        Some(cluster)
    }

    /// Kills a worker and starts another one in its place.
    pub(crate) fn kill_worker(&self, number: usize) {
        let mut worker = lock(&self.workers[number]);
        kill(&mut worker.0);
        *worker = self.start_worker(&[]);
        drop(worker);
        self.tell_balancer();
    }

    /// Holds up the message of a number between the server and the workers, from now on.
    pub(crate) fn hold_message(&self, number: i64) {
        self.balancer.wire.fuse.store(number, Ordering::SeqCst);
    }

    /// Returns whether a message is held up.
    pub(crate) fn is_held(&self) -> bool {
        *lock(&self.balancer.wire.is_held)
    }

    /// Lets the message go that is held up, and holds up no other one.
    pub(crate) fn release_message(&self) {
        self.balancer.wire.fuse.store(0, Ordering::SeqCst);
        *lock(&self.balancer.wire.is_held) = false;
        self.balancer.wire.released.notify_all();
    }

    /// Returns the number of connections between the server and the workers so far.
    pub(crate) fn connections(&self) -> i64 {
        self.balancer.wire.connections.load(Ordering::SeqCst)
    }

    /// Loses everything that the server and the workers send to each other, or ends that.
    pub(crate) fn cut_wire(&self, is_cut: bool) {
        self.balancer.wire.is_cut.store(is_cut, Ordering::SeqCst);
    }

    /// Starts the workers again that have died.
    pub(crate) fn revive_workers(&self) {
        for number in 0..self.workers.len() {
            let died = lock(&self.workers[number]).0.try_wait().is_ok_and(|it| it.is_some());
            if died {
                self.kill_worker(number);
            }
        }
    }

    /// Starts the server again if it has died.
    pub(crate) fn revive_server(&self) {
        if lock(&self.server).try_wait().is_ok_and(|it| it.is_some()) {
            self.kill_server();
        }
    }

    /// Returns the process of the server.
    pub(crate) fn server_process(&self) -> u32 {
        lock(&self.server).id()
    }

    /// Returns the processes of the workers.
    pub(crate) fn worker_processes(&self) -> Vec<u32> {
        self.workers.iter().map(|it| lock(it).0.id()).collect()
    }

    /// Adds a worker as a deployment of its own, which is the newest version of the services. Its id is null if the
    /// server does not take it.
    pub(crate) fn add_deployment(&self, options: &[&str]) -> Deployment {
        let (child, address) = self.start_worker(options);
        let body = json!({"uri": format!("http://{address}")});
        let answer = self.request(self.ports.admin, "POST", "/deployments", Some(&body));
        let id = answer.map(|it| it["id"].clone()).unwrap_or_default();
        Deployment { child, id }
    }

    /// Changes the state of a record, as an administrator does.
    pub(crate) fn change_state(&self, key: &str, change: impl Fn(&str) -> String) {
        let query = format!(
            "SELECT key, value_utf8 FROM state WHERE service_name = 'PtcRecord' AND service_key = '{key}'"
        );
        let mut state = serde_json::Map::new();
        for row in self.query(&query) {
            let (name, value) = (row["key"].as_str(), row["value_utf8"].as_str());
            let value = change(value.unwrap_or_default());
            state.insert(name.unwrap_or_default().to_owned(), json!(value.as_bytes()));
        }
        let body = json!({"object_key": key, "new_state": state});
        let changed =
            self.request(self.ports.admin, "POST", "/services/PtcRecord/state", Some(&body));
        assert!(changed.is_some(), "the state of {key} is not changed");
    }

    /// Returns the number of the worker that is a process.
    pub(crate) fn number_of(&self, process: &str) -> usize {
        let is_it = |it: &Mutex<(Child, SocketAddr)>| lock(it).0.id().to_string() == process;
        self.workers.iter().position(is_it).unwrap_or_else(|| panic!("no worker is {process}"))
    }

    /// Kills the server and starts it again with its data.
    pub(crate) fn kill_server(&self) {
        let mut server = lock(&self.server);
        kill(&mut server);
        let data = self.folder.path("server");
        *server = start_server(&self.program, self.settings, &data, &self.ports);
    }

    /// Sends a signal to a worker.
    pub(crate) fn signal_worker(&self, number: usize, signal: &str) {
        let id = lock(&self.workers[number]).0.id().to_string();
        let done = Command::new("kill").args([signal, &id]).status().expect("runs");
        assert!(done.success());
    }

    /// Starts a run. Returns its id.
    pub(crate) fn run(&self, agent: &str, input: &Value) -> String {
        static STARTS: AtomicI64 = AtomicI64::new(0);
        let body = json!({"agent": agent, "input": input});
        let key = format!("idempotency-key: {}\r\n", STARTS.fetch_add(1, Ordering::SeqCst));
        let (mut run, start) = (None, ("POST", "/PtcRuns/start"));
        // A server that was killed a moment ago refuses requests, and one that was not heard may have started the run.
        self.wait_for("the start of a run", || {
            run = self.request_with(&key, self.ports.ingress, start, Some(&body));
            run.is_some()
        });
        run.expect("has started")["run"].as_str().expect("is a text").to_owned()
    }

    /// Runs `ptc` with the server.
    pub(crate) fn ptc(&self, args: &[&str]) -> Output {
        let ingress = format!("http://127.0.0.1:{}", self.ports.ingress);
        let admin = format!("http://127.0.0.1:{}", self.ports.admin);
        let server = ["--restate", &ingress, "--restate-admin", &admin];
        self.folder.ptc(&[args, &server].concat())
    }

    /// Returns the record of a run.
    pub(crate) fn show(&self, run: &str) -> Value {
        let output = self.ptc(&["show", run, "--json"]);
        serde_json::from_str(&output.stdout).unwrap_or(Value::Null)
    }

    /// Waits until a run has a status. Returns its record.
    pub(crate) fn wait_until(&self, run: &str, status: &str) -> Value {
        let mut record = Value::Null;
        self.wait_for(&format!("run {run} as {status}"), || {
            record = self.show(run);
            record["status"] == status
        });
        record
    }

    /// Waits for the end of a run by the workflow itself. Returns the event that ended it.
    pub(crate) fn attach(&self, run: &str) -> Value {
        let path = format!("/restate/workflow/PtcRun/{run}/attach");
        let mut end = None;
        self.wait_for(&format!("the end of run {run}"), || {
            end = self.request(self.ports.ingress, "GET", &path, None);
            end.is_some()
        });
        end.expect("has ended")
    }

    /// Asks the administration for rows.
    pub(crate) fn query(&self, query: &str) -> Vec<Value> {
        let body = json!({"query": query});
        let answer = self.request(self.ports.admin, "POST", "/query", Some(&body));
        let rows = answer.map(|it| it["rows"].as_array().cloned().unwrap_or_default());
        rows.unwrap_or_default()
    }

    /// Returns the lines of a file of the folder.
    pub(crate) fn lines(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Waits for the tools of workers that were killed: they end by themselves, and write before that. Only Linux tells which
    /// processes are there.
    pub(crate) fn wait_for_tools(&self) {
        let folder = std::fs::canonicalize(self.folder.path(".")).expect("is there");
        let is_tool = |process: &Path| {
            let words = std::fs::read(process.join("cmdline")).unwrap_or_default();
            let is_here = std::fs::read_link(process.join("cwd")).is_ok_and(|it| it == folder);
            is_here && words.split(|it| *it == 0).any(|word| word == b"append.sh")
        };
        self.wait_for("the end of the tools", || {
            let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
            !processes.into_iter().any(|it| is_tool(&it.path()))
        });
    }

    /// Checks that a replay of the record without the server, the model and the tools is exact.
    pub(crate) fn assert_replays(&self, run: &str) {
        let replayed = self.ptc(&["replay", run]);
        assert_eq!(replayed.code, Some(0), "{}{}", replayed.stdout, replayed.stderr);
    }

    pub(crate) fn wait_for(&self, what: &str, mut is_there: impl FnMut() -> bool) {
        let start = Instant::now();
        while !is_there() {
            if start.elapsed() > PATIENCE {
                let log = |name: &str| {
                    let lines = self.lines(name);
                    lines[lines.len().saturating_sub(30)..].join("\n")
                };
                let names = self.query("SELECT i.target, i.status, i.last_failure FROM sys_invocation i WHERE i.status <> 'completed'");
                eprintln!("{names:?}");
                panic!("{what} does not come\n{}\n{}", log("server.log"), log("worker.log"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Sends a request of HTTP/1.1. Returns the JSON of an answer that is a success.
    fn request(&self, port: u16, method: &str, path: &str, body: Option<&Value>) -> Option<Value> {
        self.request_with("", port, (method, path), body)
    }

    fn request_with(
        &self,
        more: &str,
        port: u16,
        (method, path): (&str, &str),
        body: Option<&Value>,
    ) -> Option<Value> {
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(2)).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        let (body, kind) = match body {
            Some(body) => (body.to_string(), "content-type: application/json\r\n"),
            None => (String::new(), ""),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\
             accept: application/json\r\n{more}{kind}content-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1)?;
        if !status.starts_with('2') {
            return None;
        }
        let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if chunked { joined(body)? } else { body.to_owned() };
        if body.is_empty() { Some(Value::Null) } else { serde_json::from_str(&body).ok() }
    }

    fn start_worker(&self, options: &[&str]) -> (Child, SocketAddr) {
        let log = append(&self.folder.path("worker.log"));
        let mut command = self
            .folder
            .command(&[&["restate", "serve", ".", "--listen", "127.0.0.1:0"], options].concat());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let mut lines = BufReader::new(child.stderr.take().expect("is piped")).lines();
        let mut address = None;
        for line in lines.by_ref().map_while(Result::ok) {
            if let Some(url) = line.strip_prefix("listening at http://") {
                address = url.parse().ok();
                break;
            }
        }
        std::thread::spawn(move || {
            let mut log = log;
            for line in lines.map_while(Result::ok) {
                drop(writeln!(log, "{line}"));
            }
        });
        (child, address.expect("the worker listens"))
    }

    fn tell_balancer(&self) {
        let all = self.workers.iter().map(|it| lock(it).1).collect();
        *lock(&self.balancer.workers) = all;
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for worker in &self.workers {
            kill(&mut lock(worker).0);
        }
        kill(&mut lock(&self.server));
    }
}

/// A worker with a deployment of its own.
pub(crate) struct Deployment {
    child: Child,
    pub(crate) id: Value,
}

impl Drop for Deployment {
    fn drop(&mut self) {
        kill(&mut self.child);
    }
}

impl Balancer {
    fn start() -> Balancer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("listens");
        let address = listener.local_addr().expect("has an address");
        let workers: Arc<Mutex<Vec<SocketAddr>>> = Arc::default();
        let all = Arc::clone(&workers);
        let wire = Arc::new(Wire::default());
        let used = Arc::clone(&wire);
        std::thread::spawn(move || {
            let mut next = 0;
            for from in listener.incoming().map_while(Result::ok) {
                used.connections.fetch_add(1, Ordering::SeqCst);
                let workers = lock(&all).clone();
                let to = (0..workers.len()).find_map(|_| {
                    next += 1;
                    let worker = workers[next % workers.len()];
                    TcpStream::connect_timeout(&worker, Duration::from_millis(500)).ok()
                });
                if let Some(to) = to {
                    relay(&from, &to, &used);
                    relay(&to, &from, &used);
                }
            }
        });
        Balancer { address, workers, wire }
    }
}

/// Passes on everything that arrives.
fn relay(from: &TcpStream, to: &TcpStream, wire: &Arc<Wire>) {
    let (mut from, mut to) = (from.try_clone().expect("clones"), to.try_clone().expect("clones"));
    // Without it each step waits 40 ms for an acknowledgement.
    to.set_nodelay(true).expect("sets an option");
    let wire = Arc::clone(wire);
    std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        // Either side may break off.
        while let Some(count) = from.read(&mut bytes).ok().filter(|count| *count > 0) {
            wire.pass();
            if !wire.is_cut.load(Ordering::SeqCst) && to.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
        drop(to.shutdown(Shutdown::Both));
        drop(from.shutdown(Shutdown::Both));
    });
}

impl Wire {
    /// Counts a message, and waits if it is to be held up.
    fn pass(&self) {
        if self.fuse.load(Ordering::SeqCst) > 0 && self.fuse.fetch_sub(1, Ordering::SeqCst) == 1 {
            *lock(&self.is_held) = true;
        }
        // Others wait too: nothing goes through until the processes are killed.
        let held = lock(&self.is_held);
        let wait = self.released.wait_while(held, |is_held| *is_held);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

fn start_server(program: &Path, settings: &str, data: &Path, ports: &Ports) -> Child {
    std::fs::create_dir_all(data).expect("makes a folder");
    let Ports { ingress, admin, node } = ports;
    let config = format!(
        "default-num-partitions = 2\ndisable-telemetry = true\nlisten-mode = \"tcp\"\nbind-ip = \"127.0.0.1\"\n\
         bind-port = {node}\nlog-filter = \"warn\"\nlog-disable-ansi-codes = true\n\
         rocksdb-total-memory-size = \"128 MiB\"\n\
         [default-retry-policy]\ninitial-interval = \"50ms\"\nmax-interval = \"500ms\"\nmax-attempts = \"unlimited\"\n\
         [worker.invoker]\nhttp2-keep-alive-interval = \"2s\"\nhttp2-keep-alive-timeout = \"2s\"\n{settings}\
         [ingress]\nbind-port = {ingress}\n[admin]\nbind-port = {admin}\n"
    );
    std::fs::write(data.join("config.toml"), config).expect("writes");
    let log = append(&data.with_file_name("server.log"));
    Command::new(program)
        .args(["--no-logo", "--node-name", "test", "--base-dir"])
        .arg(data)
        .arg("--config-file")
        .arg(data.join("config.toml"))
        .current_dir(data)
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("clones"))
        .stderr(log)
        .spawn()
        .expect("starts")
}

/// Returns the body of an answer in chunks.
fn joined(mut chunks: &str) -> Option<String> {
    let mut body = String::new();
    loop {
        let (size, rest) = chunks.split_once("\r\n")?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.push_str(rest.get(..size)?);
        chunks = rest.get(size + 2..)?;
    }
}

fn free_ports<const N: usize>() -> [u16; N] {
    let all: [TcpListener; N] =
        std::array::from_fn(|_| TcpListener::bind("127.0.0.1:0").expect("listens"));
    all.map(|it| it.local_addr().expect("has an address").port())
}

fn append(path: &Path) -> std::fs::File {
    std::fs::File::options().create(true).append(true).open(path).expect("opens")
}

fn kill(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

pub(crate) fn lock<T>(it: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

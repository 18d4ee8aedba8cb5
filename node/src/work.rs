//! Work on the threads of the package that a thread of Node waits for, and its calls of JavaScript.

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use napi::bindgen_prelude::{FnArgs, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi::{Env, Result, Status};
use napi_derive::napi;
use serde::Deserialize;
use tokio::sync::{Notify, oneshot};

use crate::error::{plain, plain_error};
use crate::runtime::runtime;

/// The longest wait for the work of a thread of Node that ends.
const END: Duration = Duration::from_secs(1);

/// The kind of a message, the work, a number, and a text.
type Arguments = FnArgs<(&'static str, u32, u32, String)>;

/// Calls the one function of a thread of Node that takes messages. It does not keep the thread alive.
type Dispatch = ThreadsafeFunction<Message, (), Arguments, Status, false, true>;

struct Message {
    kind: &'static str,
    work: u32,
    number: u32,
    text: String,
}

/// A thread of Node: its function for messages, and its work.
#[napi]
pub struct Port(Arc<Shared>);

struct Shared {
    dispatch: Dispatch,
    works: Mutex<BTreeMap<u32, Arc<Work>>>,
    ended: Condvar,
}

#[napi]
impl Port {
    /// Opens the port of the thread that calls it. All of its work ends with the thread.
    #[napi(constructor)]
    pub fn new(
        env: Env,
        dispatch: Function<'_, FnArgs<(String, u32, u32, String)>, ()>,
    ) -> Result<Port> {
        let dispatch = dispatch
            .build_threadsafe_function::<Message>()
            .callee_handled::<false>()
            .weak::<true>()
            .build_callback(|call| {
                let Message { kind, work, number, text } = call.value;
                Ok(FnArgs::from((kind, work, number, text)))
            })?;
        let shared =
            Arc::new(Shared { dispatch, works: Mutex::default(), ended: Condvar::default() });
        env.add_env_cleanup_hook(Arc::clone(&shared), |shared| shared.end())?;
        Ok(Port(shared))
    }

    /// Starts work. A message `done` with its text, or `threw` with an error, ends it.
    ///
    /// # Errors
    ///
    /// The reason that there are no threads.
    pub(crate) fn start<F>(&self, id: u32, work: impl FnOnce(Arc<Work>) -> F) -> Result<Handle>
    where
        F: Future<Output = std::result::Result<String, String>> + Send + 'static,
    {
        let runtime = runtime()?;
        let started = Arc::new(Work {
            port: Arc::clone(&self.0),
            id,
            stop: Notify::new(),
            calls: Mutex::default(),
            made: Mutex::default(),
        });
        self.0.works().insert(id, Arc::clone(&started));
        let future = work(Arc::clone(&started));
        let ending = Ending { work: Arc::clone(&started), end: None };
        runtime.spawn(WORK.scope(Arc::clone(&started), ending.after(future)));
        Ok(Handle(started))
    }

    /// Starts work that blocks its thread.
    ///
    /// # Errors
    ///
    /// The reason that there are no threads.
    pub(crate) fn start_blocking(
        &self,
        id: u32,
        work: impl FnOnce(&Work) -> std::result::Result<String, String> + Send + 'static,
    ) -> Result<Handle> {
        self.start(id, |handle| async move {
            let done = tokio::task::spawn_blocking(move || work(&handle)).await;
            done.unwrap_or_else(|_| Err(plain("a thread broke down")))
        })
    }
}

impl Shared {
    fn works(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<Work>>> {
        self.works.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, kind: &'static str, work: u32, number: u32, text: String) -> bool {
        let message = Message { kind, work, number, text };
        self.dispatch.call(message, ThreadsafeFunctionCallMode::NonBlocking) == Status::Ok
    }

    /// Ends all work and waits for it, so that runs end on record.
    fn end(&self) {
        let works = self.works();
        for work in works.values() {
            work.stop.notify_one();
        }
        drop(self.ended.wait_timeout_while(works, END, |works| !works.is_empty()));
    }
}

tokio::task_local! {
    static WORK: Arc<Work>;
}

/// Work in progress.
pub(crate) struct Work {
    port: Arc<Shared>,
    id: u32,
    stop: Notify,
    calls: Mutex<Calls>,
    /// An object that the work made, until JavaScript takes it.
    made: Mutex<Option<Box<dyn Any + Send>>>,
}

#[derive(Default)]
struct Calls {
    last: u32,
    waiting: HashMap<u32, oneshot::Sender<std::result::Result<String, Fault>>>,
}

/// The failure of a call of JavaScript.
#[derive(Debug, Deserialize)]
pub(crate) struct Fault {
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) advice: Option<String>,
    /// The seconds to wait before the next attempt.
    pub(crate) retry_after: Option<f64>,
    #[serde(default)]
    pub(crate) permanent: bool,
}

impl Fault {
    fn of(message: &str) -> Fault {
        Fault {
            message: message.to_owned(),
            help: None,
            advice: None,
            retry_after: None,
            permanent: false,
        }
    }
}

impl Work {
    /// The work that calls this function.
    pub(crate) fn current() -> Option<Arc<Work>> {
        WORK.try_with(Arc::clone).ok()
    }

    /// Waits until the work must stop.
    pub(crate) async fn stopped(&self) {
        self.stop.notified().await;
    }

    /// Tells the thread of Node that there are events.
    pub(crate) fn tell(&self) {
        // A thread that ends needs no news.
        self.port.send("event", self.id, 0, String::new());
    }

    /// Keeps an object that the work made.
    pub(crate) fn keep(&self, made: impl Any + Send) {
        *self.made.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(made));
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls a function of JavaScript on the event loop. Dropping the future aborts its signal.
    ///
    /// # Errors
    ///
    /// The failure that an exception is.
    async fn call(
        self: Arc<Work>,
        function: u32,
        context: &str,
        arguments: &str,
    ) -> std::result::Result<String, Fault> {
        let (sender, receiver) = oneshot::channel();
        let call = {
            let mut calls = self.calls();
            calls.last = calls.last.wrapping_add(1);
            let last = calls.last;
            calls.waiting.insert(last, sender);
            last
        };
        let _cancel = Cancel { work: &self, call };
        // JSON has no raw line breaks.
        let text = format!("{function}\n{context}\n{arguments}");
        if !self.port.send("call", self.id, call, text) {
            return Err(Fault::of("the thread of Node has ended"));
        }
        receiver.await.unwrap_or_else(|_| Err(Fault::of("was cancelled")))
    }
}

/// Calls a function of JavaScript by its number, for the work of this task. The context is data of the host, or empty.
///
/// # Errors
///
/// The failure that an exception is.
pub(crate) async fn call(
    function: u32,
    context: &str,
    arguments: &str,
) -> std::result::Result<String, Fault> {
    match Work::current() {
        Some(work) => work.call(function, context, arguments).await,
        None => Err(Fault::of("was called outside of a program")),
    }
}

/// Tells JavaScript that nobody waits for a call.
struct Cancel<'w> {
    work: &'w Work,
    call: u32,
}

impl Drop for Cancel<'_> {
    fn drop(&mut self) {
        if self.work.calls().waiting.remove(&self.call).is_some() {
            self.work.port.send("cancel", self.work.id, self.call, String::new());
        }
    }
}

/// Tells the end of work, also if it panicked.
struct Ending {
    work: Arc<Work>,
    end: Option<std::result::Result<String, String>>,
}

impl Ending {
    async fn after(mut self, work: impl Future<Output = std::result::Result<String, String>>) {
        self.end = Some(work.await);
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        let (kind, text) = match self.end.take() {
            Some(Ok(text)) => ("done", text),
            Some(Err(error)) => ("threw", error),
            None => ("threw", plain("a thread broke down")),
        };
        let port = &self.work.port;
        port.send(kind, self.work.id, 0, text);
        port.works().remove(&self.work.id);
        port.ended.notify_all();
    }
}

/// Work in progress, for the JavaScript half.
#[napi]
pub struct Handle(Arc<Work>);

#[napi]
impl Handle {
    /// Ends the work early.
    #[napi]
    pub fn cancel(&self) {
        self.0.stop.notify_one();
    }

    /// Gives the result of a call.
    #[napi]
    pub fn answer(&self, call: u32, text: String) {
        self.settle(call, Ok(text));
    }

    /// Gives the failure of a call.
    #[napi]
    pub fn fail(&self, call: u32, fault: String) {
        let fault = serde_json::from_str(&fault).unwrap_or_else(|_| Fault::of("failed"));
        self.settle(call, Err(fault));
    }
}

impl Handle {
    fn settle(&self, call: u32, outcome: std::result::Result<String, Fault>) {
        let sender = self.0.calls().waiting.remove(&call);
        if let Some(sender) = sender {
            // Nobody waits for a cancelled call.
            let _ = sender.send(outcome);
        }
    }

    /// Takes the object that the work made.
    ///
    /// # Errors
    ///
    /// There is no such object.
    pub(crate) fn take<T: Any>(&self) -> Result<T> {
        let made = self.0.made.lock().unwrap_or_else(PoisonError::into_inner).take();
        let made = made.and_then(|it| it.downcast::<T>().ok());
        made.map(|it| *it).ok_or_else(|| plain_error("the work made nothing"))
    }
}

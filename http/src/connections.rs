//! Connections. The one that has waited for longest makes room for a new one.

use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::{Body, Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use super::places::{MAX_HEADERS, Places};

/// The pause after a connection that could not be accepted: the process may have no place for another.
const PAUSE: Duration = Duration::from_millis(100);

/// A connection of a client.
pub struct Connection {
    pub(super) places: Arc<Places>,
    /// The address of the client.
    peer: IpAddr,
    /// Its number among those that wait, which changes each time.
    number: Mutex<u64>,
    /// Told when the connection makes room for another.
    ends: Arc<Notify>,
}

impl Connection {
    fn new(places: &Arc<Places>, peer: IpAddr) -> Arc<Connection> {
        let (places, ends) = (Arc::clone(places), Arc::default());
        let connection = Arc::new(Connection { places, peer, number: Mutex::default(), ends });
        connection.wait();
        connection
    }

    /// Returns the address of the client.
    pub fn peer(&self) -> IpAddr {
        self.peer
    }

    /// Begins to wait.
    fn wait(&self) {
        let mut waiting = self.places.connections.lock();
        let number = waiting.next;
        waiting.next += 1;
        waiting.all.insert(number, Arc::clone(&self.ends));
        *self.number.lock().unwrap_or_else(PoisonError::into_inner) = number;
        if waiting.all.len() > self.places.max_waiting {
            waiting.make_room();
        }
    }

    /// Ends to wait. Returns whether the connection still had its place.
    fn leave(&self) -> bool {
        let mut waiting = self.places.connections.lock();
        let number = *self.number.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.all.remove(&number).is_some()
    }

    /// Works until the result is dropped, and then waits again. Returns `None` if the connection has made room for another.
    pub(super) fn work(self: &Arc<Connection>) -> Option<Working> {
        self.leave().then(|| Working(Arc::clone(self)))
    }
}

/// A connection that works. It waits again when this is dropped.
pub(super) struct Working(Arc<Connection>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.wait();
    }
}

/// Leaves the queue at the end of a connection.
struct Open(Arc<Connection>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Accepts connections for ever, and answers their requests.
pub async fn accept<S, F, B>(listener: &TcpListener, places: &Arc<Places>, answer: S)
where
    S: Fn(Request<Incoming>, Arc<Connection>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response<B>> + Send + 'static,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                let connection = Connection::new(places, peer.ip());
                tokio::spawn(serve(stream, connection, answer.clone()));
            }
            Err(_) => {
                places.connections.make_room();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Serves one connection until it ends or makes room for another.
async fn serve<S, F, B>(stream: TcpStream, connection: Arc<Connection>, answer: S)
where
    S: Fn(Request<Incoming>, Arc<Connection>) -> F + Send + Sync + 'static,
    F: Future<Output = Response<B>> + Send + 'static,
    B: Body<Data = Bytes, Error = Infallible> + Send + 'static,
{
    let ends = Arc::clone(&connection.ends);
    // Its drop comes after that of the requests below.
    let open = Open(connection);
    let service = service_fn(|request: Request<Incoming>| {
        let answered = answer(request, Arc::clone(&open.0));
        async move { Ok::<_, Infallible>(answered.await) }
    });
    let patience = open.0.places.patience;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience).max_buf_size(MAX_HEADERS);
    tokio::select! {
        // The client may have gone.
        ended = http.serve_connection(TokioIo::new(stream), service) => drop(ended),
        () = ends.notified() => {}
    }
}

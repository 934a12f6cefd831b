//! The door: only so many connections at once, only a part of them from one address, and none that says nothing for long or
//! never comes to an end with what it asks.

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// How long is waited for the other end.
#[derive(Clone, Copy)]
struct Patience {
    /// A connection on which nothing goes to and fro for so long is closed. Pages that listen get a sign of life more often.
    silent: Duration,
    /// So long may be asked before there is an answer. A byte now and then is no request; an answer itself takes less.
    asking: Duration,
}

const PATIENCE: Patience = Patience { silent: Duration::from_secs(75), asking: Duration::from_secs(90) };

/// So many files the server keeps for what it writes down, whoever is connected.
const OWN_FILES: u64 = 128;

/// Lets connections in.
pub struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
    taken: Arc<Taken>,
    /// How many places one address may take.
    each: usize,
    patience: Patience,
}

/// How many places each address takes.
#[derive(Default)]
struct Taken(Mutex<HashMap<IpAddr, usize>>);

/// Who is at the other end: what counts as one address.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// A connection.
pub struct Visitor {
    stream: TcpStream,
    silent: Pin<Box<Sleep>>,
    /// As long as it has asked something and heard nothing.
    asking: Option<Pin<Box<Sleep>>>,
    patience: Patience,
    _place: Place,
}

/// A place behind the door, free again when this goes.
struct Place {
    taken: Arc<Taken>,
    address: IpAddr,
    _one: Option<OwnedSemaphorePermit>,
}

impl Taken {
    /// Takes one more for an address, unless it has so many.
    fn take(&self, address: IpAddr, most: usize) -> bool {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(address).or_default();
        let has_room = *count < most;
        if has_room {
            *count += 1;
        }
        has_room
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

impl Entrance {
    /// A door with so many places behind it, or as many as there are files for. Whoever stands `behind_one` address, as all
    /// do behind a proxy, may take them all; otherwise one address has a quarter.
    pub fn new(listener: TcpListener, places: usize, behind_one: bool) -> Self {
        // Where it is not known how many files there are, the system says so when there is none left.
        let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
        let files = usize::try_from(files.saturating_sub(OWN_FILES)).unwrap_or(usize::MAX);
        let places = places.min(files.max(1));
        let each = if behind_one { places } else { places.div_ceil(4) };
        let (taken, patience) = (Arc::default(), PATIENCE);
        Self { listener, places: Arc::new(Semaphore::new(places)), taken, each, patience }
    }
}

impl Listener for Entrance {
    type Io = Visitor;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Visitor, SocketAddr) {
        let one = self.places.clone().acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    let address = home_of(peer.ip());
                    // Whoever has his share is sent away at once, and nobody waits behind him.
                    if !self.taken.take(address, self.each) {
                        continue;
                    }
                    let place = Place { taken: self.taken.clone(), address, _one: one };
                    return (Visitor::new(stream, self.patience, place), peer);
                }
                // No file handle is left, or the other end has gone: soon it may be otherwise.
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// What counts as one address: of the longer ones everybody has as many as he likes, but one network.
fn home_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(long) => IpAddr::V6((long.to_bits() >> 64 << 64).into()),
        short @ IpAddr::V4(_) => short,
    }
}

impl Connected<IncomingStream<'_, Entrance>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Self {
        Self(home_of(stream.remote_addr().ip()))
    }
}

impl Visitor {
    fn new(stream: TcpStream, patience: Patience, place: Place) -> Self {
        // Small answers should not wait for more to come.
        let _ = stream.set_nodelay(true);
        let silent = Box::pin(sleep(patience.silent));
        Self { stream, silent, asking: None, patience, _place: place }
    }

    /// Something was said.
    fn heard(&mut self) {
        self.silent.as_mut().reset(Instant::now() + self.patience.silent);
    }
}

impl AsyncRead for Visitor {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let visitor = self.get_mut();
        let too_late = |limit: Pin<&mut Sleep>, cx: &mut Context<'_>| limit.poll(cx).is_ready();
        if visitor.asking.as_mut().is_some_and(|asking| too_late(asking.as_mut(), cx)) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        match Pin::new(&mut visitor.stream).poll_read(cx, buf) {
            Poll::Ready(read) => {
                visitor.heard();
                let limit = visitor.patience.asking;
                visitor.asking.get_or_insert_with(|| Box::pin(sleep(limit)));
                Poll::Ready(read)
            }
            Poll::Pending if too_late(visitor.silent.as_mut(), cx) => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncWrite for Visitor {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let visitor = self.get_mut();
        match Pin::new(&mut visitor.stream).poll_write(cx, buf) {
            Poll::Ready(written) => {
                visitor.heard();
                visitor.asking = None;
                Poll::Ready(written)
            }
            // Who asks and does not read has his place no longer than who says nothing.
            Poll::Pending if visitor.silent.as_mut().poll(cx).is_ready() => {
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::{Read, Write};
    use std::net::TcpStream as Caller;

    use tokio::runtime::Runtime;

    use super::*;

    async fn reads(visitor: &mut Visitor) -> io::Result<()> {
        let mut byte = [0];
        let mut buf = ReadBuf::new(&mut byte);
        poll_fn(|cx| Pin::new(&mut *visitor).poll_read(cx, &mut buf)).await
    }

    async fn door(each: usize, patience: Patience) -> (Entrance, SocketAddr) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        (Entrance { each, patience, ..Entrance::new(listener, 8, false) }, address)
    }

    #[test]
    fn one_address_has_its_share() {
        Runtime::new().unwrap().block_on(async {
            let (mut door, address) = door(2, PATIENCE).await;
            let mut ends = Vec::new();
            for _ in 0..3 {
                ends.push(Caller::connect(address).unwrap());
            }
            let (first, _) = door.accept().await;
            let (_second, _) = door.accept().await;
            let third = tokio::spawn(async move { (door.accept().await, door) });
            let sent_away = ends[2].read(&mut [0]);
            assert!(matches!(sent_away, Ok(0) | Err(_)), "the third is closed");
            drop(first);
            let _fourth = Caller::connect(address).unwrap();
            assert_eq!(third.await.unwrap().0.1.ip(), address.ip(), "there is room again");
        });
    }

    #[test]
    fn a_byte_now_and_then_is_no_request() {
        let patience = Patience { silent: Duration::from_secs(600), asking: Duration::from_millis(40) };
        Runtime::new().unwrap().block_on(async {
            let (mut door, address) = door(8, patience).await;
            let mut end = Caller::connect(address).unwrap();
            let (mut visitor, _) = door.accept().await;
            // An answer in time ends the waiting; what is asked after it has time of its own.
            end.write_all(b"G").unwrap();
            reads(&mut visitor).await.unwrap();
            assert!(visitor.asking.is_some());
            poll_fn(|cx| Pin::new(&mut visitor).poll_write(cx, b"A")).await.unwrap();
            assert!(visitor.asking.is_none());
            let dribbles = std::thread::spawn(move || {
                while end.write_all(b"x").is_ok() {
                    std::thread::sleep(Duration::from_millis(5));
                }
            });
            let error = loop {
                if let Err(error) = reads(&mut visitor).await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(visitor);
            dribbles.join().unwrap();
        });
    }

    #[test]
    fn who_asks_and_does_not_read_is_not_waited_for() {
        let patience = Patience { silent: Duration::from_millis(40), asking: Duration::from_secs(600) };
        Runtime::new().unwrap().block_on(async {
            let (mut door, address) = door(8, patience).await;
            let end = Caller::connect(address).unwrap();
            let (mut visitor, _) = door.accept().await;
            let much = vec![b'x'; 1 << 16];
            let error = loop {
                if let Err(error) = poll_fn(|cx| Pin::new(&mut visitor).poll_write(cx, &much)).await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(end);
        });
    }

    #[test]
    fn a_network_of_long_addresses_is_one() {
        let home = |text: &str| home_of(text.parse().unwrap());
        assert_eq!(home("2001:db8::1"), home("2001:db8::ffff:1"));
        assert_ne!(home("2001:db8:0:1::1"), home("2001:db8::1"));
        assert_eq!(home("::ffff:10.0.0.1"), home("10.0.0.1"));
        assert_ne!(home("10.0.0.1"), home("10.0.0.2"));
    }
}

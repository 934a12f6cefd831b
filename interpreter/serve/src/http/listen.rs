//! The door: only so many connections at once, and none that says nothing for long.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep};

/// A connection on which nothing goes to and fro for so long is closed. Pages that listen get a sign of life more often.
const SILENT: Duration = Duration::from_secs(75);

/// Lets connections in.
pub struct Entrance {
    listener: TcpListener,
    places: Arc<Semaphore>,
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// A connection.
pub struct Visitor {
    stream: TcpStream,
    silent: Pin<Box<Sleep>>,
    _place: Option<OwnedSemaphorePermit>,
}

impl Entrance {
    /// A door with so many places behind it.
    pub fn new(listener: TcpListener, places: usize) -> Self {
        Self { listener, places: Arc::new(Semaphore::new(places)) }
    }
}

impl Listener for Entrance {
    type Io = Visitor;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Visitor, SocketAddr) {
        let place = self.places.clone().acquire_owned().await.ok();
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    // Small answers should not wait for more to come.
                    let _ = stream.set_nodelay(true);
                    let silent = Box::pin(sleep(SILENT));
                    return (Visitor { stream, silent, _place: place }, peer);
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

impl Connected<IncomingStream<'_, Entrance>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Self {
        Self(*stream.remote_addr())
    }
}

impl Visitor {
    /// Something was said.
    fn heard(&mut self) {
        self.silent.as_mut().reset(Instant::now() + SILENT);
    }
}

impl AsyncRead for Visitor {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let visitor = self.get_mut();
        match Pin::new(&mut visitor.stream).poll_read(cx, buf) {
            Poll::Ready(read) => {
                visitor.heard();
                Poll::Ready(read)
            }
            Poll::Pending => match visitor.silent.as_mut().poll(cx) {
                Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
                Poll::Pending => Poll::Pending,
            },
        }
    }
}

impl AsyncWrite for Visitor {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let visitor = self.get_mut();
        let written = Pin::new(&mut visitor.stream).poll_write(cx, buf);
        if written.is_ready() {
            visitor.heard();
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

//! Threads that may wait, and cores to work on: requests may come by the thousand, the machine has a few cores.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::problem::Problem;

/// As many may work at once as there are cores, and a few who wait for the disk.
#[derive(Clone)]
pub struct Cores(Arc<Semaphore>);

impl Cores {
    /// Those of this machine.
    pub fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self(Arc::new(Semaphore::new(cores + 2)))
    }

    /// Those for work that takes long: all but one, so that whoever asks for less does not wait for it.
    pub fn for_long_work() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self(Arc::new(Semaphore::new(cores.saturating_sub(1).max(1))))
    }

    /// Works on a thread that may wait, as soon as there is a core. Whoever gives up waiting for the answer does not end the
    /// work: its core is free when it is done, not before.
    ///
    /// # Errors
    /// If the work panics, or the server stops.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let core = self.0.clone().acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _core = core;
            work()
        });
        done.await.map_err(|error| Problem::internal(error.to_string()))
    }
}

/// Does what takes no core and has to be waited for, such as a file or another thread's answer, on a thread that may wait:
/// those that answer requests must not.
///
/// # Errors
/// What it answers, or if it panics.
pub async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Problem::internal(error.to_string()))?
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn work_that_nobody_waits_for_keeps_its_core() {
        tokio::runtime::Runtime::new().unwrap().block_on(given_up());
    }

    async fn given_up() {
        let cores = Cores(Arc::new(Semaphore::new(1)));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (end, may_end) = mpsc::channel();
        let asked = tokio::spawn({
            let cores = cores.clone();
            async move { cores.work(move || (begun.send(()), may_end.recv())).await.is_ok() }
        });
        has_begun.await.unwrap();
        asked.abort();
        assert!(asked.await.unwrap_err().is_cancelled());
        assert_eq!(cores.0.available_permits(), 0, "the work goes on");
        end.send(()).unwrap();
        assert_eq!(cores.work(|| 7).await.unwrap(), 7, "it is done");
    }
}

//! All cores at once, for what somebody waits for.

use std::sync::LazyLock;

/// The stack of each thread: rules come from strangers, and may be deep.
pub const DEEP: usize = 64 << 20;

/// Does work that is spread over threads with deep stacks. They stand by from the first time on.
pub fn on_all<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: LazyLock<Option<rayon::ThreadPool>> =
        LazyLock::new(|| rayon::ThreadPoolBuilder::new().stack_size(DEEP).build().ok());
    match &*POOL {
        Some(pool) => pool.install(work),
        // No thread can be had: the one that asks does the work.
        None => work(),
    }
}

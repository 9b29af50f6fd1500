//! Several commits at a time: most of what one costs is waiting for the disk, and it takes many at once.

use std::sync::Mutex;

/// Commits under way at a time: beyond, the disk gains nothing.
const AT_A_TIME: usize = 8;

/// Does `commit` for each, and gives what came of them in their order. After a failure no other begins; which
/// error is told is the one of the first that failed in that order.
///
/// # Errors
/// That of a commit.
pub fn in_parallel<T: Send, R: Send, E: Send>(
    work: Vec<T>,
    commit: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    in_parallel_at_most(AT_A_TIME, work, commit)
}

/// The same, so many at a time.
///
/// # Errors
/// That of a commit.
pub fn in_parallel_at_most<T: Send, R: Send, E: Send>(
    at_a_time: usize,
    work: Vec<T>,
    commit: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    if work.len() < 2 {
        return work.into_iter().map(commit).collect();
    }
    let workers = work.len().min(at_a_time);
    let queue = Mutex::new(work.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().ok().and_then(|mut queue| queue.next());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((at, item)) = next() {
                    let result = commit(item);
                    let failed = result.is_err();
                    if let Ok(mut done) = done.lock() {
                        done.push((at, result));
                    }
                    if failed && let Ok(mut queue) = queue.lock() {
                        queue.by_ref().for_each(drop);
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

//! Who is told when a connection can be moved on: one task after the other, and between them none.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};

/// Hears that a connection can be moved on, and tells the task that listens.
#[derive(Debug, Default)]
pub(super) struct Ear(Mutex<Heard>);

#[derive(Debug, Default)]
struct Heard {
    listener: Option<Waker>,
    /// Something was heard while nobody listened.
    is_missed: bool,
}

impl Ear {
    /// From now on this task listens, until it was told once. Whether something was missed since anybody did.
    pub(super) fn listen(&self, waker: &Waker) -> bool {
        let mut heard = self.heard();
        heard.listener.get_or_insert_with(|| waker.clone()).clone_from(waker);
        std::mem::take(&mut heard.is_missed)
    }

    /// From now on nobody listens.
    pub(super) fn stop(&self) {
        *self.heard() = Heard::default();
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Ear {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        let mut heard = self.heard();
        let listener = heard.listener.take();
        heard.is_missed |= listener.is_none();
        // Not under the lock: who is woken may be gone at once, and the line with it.
        drop(heard);
        listener.into_iter().for_each(Waker::wake);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[derive(Default)]
    struct Task(AtomicUsize);

    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn who_listens_is_told_once_and_what_nobody_heard_is_told_to_the_next() {
        let (ear, task) = (Arc::new(Ear::default()), Arc::new(Task::default()));
        let (sound, listener) = (Waker::from(Arc::clone(&ear)), Waker::from(Arc::clone(&task)));
        let told = || task.0.load(Ordering::Relaxed);
        assert!(!ear.listen(&listener));
        sound.wake_by_ref();
        assert_eq!(told(), 1);
        sound.wake_by_ref();
        assert_eq!(told(), 1);
        assert!(ear.listen(&listener));
        assert!(!ear.listen(&listener));
        ear.stop();
        sound.wake_by_ref();
        assert_eq!(told(), 1);
        assert!(ear.listen(&listener));
    }

    #[test]
    fn of_two_tasks_the_later_one_is_told() {
        let (ear, first) = (Arc::new(Ear::default()), Arc::new(Task::default()));
        let second = Arc::new(Task::default());
        ear.listen(&Waker::from(Arc::clone(&first)));
        ear.listen(&Waker::from(Arc::clone(&second)));
        Waker::from(Arc::clone(&ear)).wake();
        assert_eq!((first.0.load(Ordering::Relaxed), second.0.load(Ordering::Relaxed)), (0, 1));
    }
}

//! A server that is told to end.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fdna_http::ConnectionLimits;

use crate::common::{Running, kept, read_all, until};

/// Asks on one connection after the other as long as it is answered; opens another when it is told that one ends.
/// Returns how many answers there were, and what failed on a connection that had been answered before: one that is
/// still waiting to be accepted when the server ends may be reset.
fn ask_on(address: std::net::SocketAddr, is_over: &AtomicBool) -> (usize, Vec<String>) {
    let (mut answers, mut failures) = (0, Vec::new());
    while let Ok(mut stream) = TcpStream::connect(address) {
        let mut is_kept = false;
        loop {
            if is_over.load(Ordering::Relaxed) {
                return (answers, failures);
            }
            let mut buffer = [0; 1024];
            let read = stream.write_all(kept("/").as_bytes()).and_then(|()| stream.read(&mut buffer));
            let reply = read.map(|n| String::from_utf8_lossy(&buffer[..n]).into_owned());
            match reply {
                Ok(reply) if reply.ends_with("done") => {
                    answers += 1;
                    is_kept = true;
                    if reply.contains("connection: close") {
                        break;
                    }
                }
                other => {
                    failures.extend(is_kept.then(|| format!("{other:?}")));
                    break;
                }
            }
        }
    }
    (answers, failures)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_request_on_a_kept_connection_fails_at_a_shutdown() {
    let mut running = Running::start(ConnectionLimits::default()).await;
    let (address, is_over) = (running.address, Arc::new(AtomicBool::new(false)));
    let asking: Vec<_> = (0..4)
        .map(|_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || ask_on(address, &is_over))
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(200)).await;
    running.stop();
    tokio::time::timeout(Duration::from_secs(5), running.task).await.unwrap().unwrap();
    is_over.store(true, Ordering::Relaxed);
    for thread in asking {
        let (answers, failures) = thread.join().unwrap();
        assert!(answers > 10, "{answers}");
        assert_eq!(failures, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_being_answered_is_finished_and_nothing_new_is_taken() {
    let mut running = Running::start(ConnectionLimits::default()).await;
    let slow = running.sent(kept("/slow"));
    until("it is accepted", || running.counts.accepted.get() == 1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    running.stop();
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(TcpStream::connect(running.address).is_err());
    assert!(read_all(slow).ends_with("slow"));
    tokio::time::timeout(Duration::from_secs(2), running.task).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_ends_although_a_client_does_not() {
    let limits = ConnectionLimits { drain_grace: Duration::from_millis(100), ..ConnectionLimits::default() };
    let limits = ConnectionLimits { drain: Duration::from_millis(300), ..limits };
    let mut running = Running::start(limits).await;
    let _standing_still = running.sent(kept("/large"));
    until("it is accepted", || running.counts.accepted.get() == 1).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    running.stop();
    tokio::time::timeout(Duration::from_secs(2), running.task).await.unwrap().unwrap();
    assert!(begun.elapsed() >= Duration::from_millis(390), "{:?}", begun.elapsed());
}

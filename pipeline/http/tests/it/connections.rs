//! Too many connections, and clients that are slow.

use std::io::Read as _;
use std::time::{Duration, Instant};

use fdna_http::ConnectionLimits;

use crate::common::{LARGE, Running, kept, read_all, until};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_beyond_the_cap_is_told_so_while_all_are_at_work() {
    let running =
        Running::start(ConnectionLimits { max_connections: 2, ..ConnectionLimits::default() }).await;
    let busy = [running.sent(kept("/slow")), running.sent(kept("/slow"))];
    until("both are accepted", || running.counts.accepted.get() == 2).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let begun = Instant::now();
    let refused = running.ask("/");
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains(r#""code":"overloaded""#) && refused.contains("retry-after: 1"), "{refused}");
    for mut stream in busy {
        let mut buffer = [0; 1024];
        let n = stream.read(&mut buffer).unwrap();
        assert!(buffer[..n].ends_with(b"slow"), "{}", String::from_utf8_lossy(&buffer[..n]));
    }
    assert_eq!(running.counts.refused.get(), 1);
    assert!(running.ask("/").ends_with("done"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_make_room_the_oldest_first() {
    let running =
        Running::start(ConnectionLimits { max_connections: 3, ..ConnectionLimits::default() }).await;
    let mut idle = Vec::new();
    for _ in 0..3 {
        let mut stream = running.sent(kept("/"));
        assert!(stream.read(&mut [0; 1024]).unwrap() > 0);
        idle.push(stream);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(running.ask("/").ends_with("done"));
    assert_eq!(idle[0].read(&mut [0; 16]).unwrap(), 0);
    until("one was evicted", || running.counts.evicted.get() == 1).await;
    assert_eq!(running.counts.refused.get(), 0);
    until("two are left", || running.counts.open.get() == 2).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_loses_the_connection() {
    let limits =
        ConnectionLimits { write_timeout: Duration::from_millis(400), ..ConnectionLimits::default() };
    let running = Running::start(limits).await;
    let standing_still = running.sent(kept("/large"));
    until("it lapsed", || running.counts.write_timeouts.get() == 1).await;
    until("it is closed", || running.counts.open.get() == 0).await;
    assert!(read_all(standing_still).len() < LARGE);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_slowly_gets_all_of_it() {
    let limits =
        ConnectionLimits { write_timeout: Duration::from_millis(400), ..ConnectionLimits::default() };
    let limits = ConnectionLimits { idle_timeout: Duration::from_millis(300), ..limits };
    let running = Running::start(limits).await;
    let mut slow = running.sent(kept("/large"));
    let (mut read, mut buffer, begun) = (0, vec![0; 2 << 20], Instant::now());
    while read < LARGE {
        let n = slow.read(&mut buffer).unwrap();
        assert!(n > 0, "closed after {read} bytes");
        read += n;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(begun.elapsed() > Duration::from_millis(300), "too fast to show anything");
    assert_eq!(running.counts.write_timeouts.get(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_way_to_lapse_is_counted_apart() {
    let limits =
        ConnectionLimits { header_timeout: Duration::from_millis(100), ..ConnectionLimits::default() };
    let limits = ConnectionLimits { idle_timeout: Duration::from_millis(200), ..limits };
    let running = Running::start(limits).await;
    let silent = running.sent("");
    let idle = running.sent(kept("/"));
    assert_eq!(read_all(silent), "");
    assert!(read_all(idle).ends_with("done"));
    until("both are gone", || running.counts.open.get() == 0).await;
    until("one sent nothing", || running.counts.header_timeouts.get() == 1).await;
    until("one asked no more", || running.counts.idle_timeouts.get() == 1).await;
}

/// HTTP/2 has a window of its own: a client that opens none holds the answer, whatever its socket would take.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_http_2_client_that_opens_no_window_loses_the_connection() {
    let limits =
        ConnectionLimits { write_timeout: Duration::from_millis(400), ..ConnectionLimits::default() };
    let running = Running::start(limits).await;
    let settings = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0";
    let headers = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01a";
    let request = [&b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"[..], settings, headers].concat();
    let begun = Instant::now();
    let reply = read_all(running.sent(&request));
    assert!(!reply.is_empty() && !reply.contains("done"), "{reply:?}");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    until("its request is over", || running.counts.in_flight() == 0).await;
    until("it lapsed", || running.counts.write_timeouts.get() == 1).await;
}

//! Clients that take their answers, but too slowly.

use std::io::Read as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use bytes::Bytes;
use fdna_http::ConnectionLimits;
use http_body_util::{BodyExt as _, Empty};
use hyper::Request;
use hyper::client::conn::http2::{SendRequest, handshake};
use hyper_util::rt::{TokioExecutor, TokioIo};

use crate::common::{LARGE, Running, kept, until};

/// Any byte in a minute is enough, were it not for the rate: 16 MiB a second, in windows of 400 ms.
fn limits() -> ConnectionLimits {
    ConnectionLimits {
        write_timeout: Duration::from_secs(60),
        idle_timeout: Duration::from_secs(60),
        min_rate: 16 << 20,
        rate_window: Duration::from_millis(400),
        ..ConnectionLimits::default()
    }
}

/// Reads so many bytes every 20 ms until the end; returns how many there were.
fn read_at(mut stream: TcpStream, bytes: usize) -> usize {
    let (mut read, mut buffer) = (0, vec![0; bytes]);
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        read += n;
        if read >= LARGE {
            break;
        }
        std::thread::park_timeout(Duration::from_millis(20));
    }
    read
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_stands_still_and_reads_too_slowly_loses_the_connection() {
    let running = Running::start(limits()).await;
    let (begun, stream) = (Instant::now(), running.sent(kept("/large")));
    let read = tokio::task::spawn_blocking(move || read_at(stream, 64 << 10)).await.unwrap();
    // At 3 MB/s all of it would take ten seconds.
    assert!(read < LARGE, "{read} bytes in {:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    until("its request is over", || running.counts.in_flight() == 0).await;
    until("it was too slow", || running.counts.slow_clients.get() == 1).await;
    assert_eq!(running.counts.write_timeouts.get(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_at_the_least_rate_gets_all_of_it() {
    let limits = ConnectionLimits { min_rate: 1 << 20, ..limits() };
    let running = Running::start(limits).await;
    let (begun, stream) = (Instant::now(), running.sent(kept("/large")));
    let read = tokio::task::spawn_blocking(move || read_at(stream, 512 << 10)).await.unwrap();
    assert!(read >= LARGE, "{read} bytes in {:?}", begun.elapsed());
    assert!(begun.elapsed() > Duration::from_millis(900), "too fast to show anything: {:?}", begun.elapsed());
    assert_eq!(running.counts.slow_clients.get(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_leave_for_others_when_there_is_no_room() {
    let limits =
        ConnectionLimits { max_connections: 2, rate_window: Duration::from_millis(1500), ..limits() };
    let running = Running::start(limits).await;
    let slow = [(); 2].map(|()| {
        let stream = running.sent(kept("/large"));
        tokio::task::spawn_blocking(move || read_at(stream, 64 << 10))
    });
    until("both are being answered", || running.counts.in_flight() == 2).await;
    // Refused until the clients have been slow for a sixth of the window, and answered long before its end.
    until("there is room", || running.ask("/").ends_with("done")).await;
    until("one of them was evicted", || running.counts.evicted.get() == 1).await;
    for reading in slow {
        assert!(reading.await.unwrap() < LARGE);
    }
}

async fn http2(running: &Running) -> SendRequest<Empty<Bytes>> {
    let stream = tokio::net::TcpStream::connect(running.address).await.unwrap();
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

fn get(path: &str) -> Request<Empty<Bytes>> {
    Request::get(format!("http://a{path}")).body(Empty::new()).unwrap()
}

/// Asks for small things until the connection is gone; returns for how long it was answered.
async fn answered_for(sender: &mut SendRequest<Empty<Bytes>>, at_most: Duration) -> Duration {
    let begun = Instant::now();
    while begun.elapsed() < at_most {
        let Ok(reply) = sender.send_request(get("/")).await else { break };
        if reply.into_body().collect().await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_http_2_answer_that_stands_still_is_not_kept_alive_by_others_beside_it() {
    let running = Running::start(limits()).await;
    let mut sender = http2(&running).await;
    let standing_still = sender.send_request(get("/large")).await.unwrap();
    let lived = answered_for(&mut sender, Duration::from_secs(5)).await;
    assert!(lived < Duration::from_secs(3), "{lived:?}");
    drop(standing_still);
    until("its requests are over", || running.counts.in_flight() == 0).await;
    until("it was too slow", || running.counts.slow_clients.get() == 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_http_2_connection_whose_answers_are_taken_is_kept() {
    let running = Running::start(ConnectionLimits { min_rate: 1 << 20, ..limits() }).await;
    let mut sender = http2(&running).await;
    let large = sender.send_request(get("/large")).await.unwrap();
    let reading = tokio::spawn(async move {
        let (mut body, mut read, mut frames) = (large.into_body(), 0, 0_u32);
        while let Some(frame) = body.frame().await {
            read += frame.unwrap().into_data().map_or(0, |data| data.len());
            frames += 1;
            // Slow, and so that all of it takes not much longer than the small answers below.
            if frames.is_multiple_of(2) {
                tokio::time::sleep(Duration::from_micros(500)).await;
            }
        }
        read
    });
    let lived = answered_for(&mut sender, Duration::from_millis(1500)).await;
    assert!(lived >= Duration::from_millis(1500), "{lived:?}");
    assert_eq!(reading.await.unwrap(), LARGE);
    assert_eq!(running.counts.slow_clients.get(), 0);
}

//! Connections that are served on threads of the server's own.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use fdna_http::Limits;

use crate::common::{Running, kept, read_all, until};

/// Which thread answers on this connection.
fn thread(stream: &TcpStream) -> usize {
    let (mut writer, mut reader) = (stream, BufReader::new(stream));
    writer.write_all(kept("/thread").as_bytes()).unwrap();
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
    }
    let mut number = [0];
    reader.read_exact(&mut number).unwrap();
    String::from_utf8_lossy(&number).parse().unwrap()
}

fn count(streams: &[TcpStream]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    streams.iter().for_each(|stream| *counts.entry(thread(stream)).or_default() += 1);
    counts
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_connection_goes_to_the_thread_with_the_fewest_and_stays_there() {
    let running = Running::start_over(Limits::default(), 3).await;
    let mut streams: Vec<TcpStream> = (0..12).map(|_| running.sent("")).collect();
    let all = BTreeMap::from([(0, 4), (1, 4), (2, 4)]);
    assert_eq!(count(&streams), all);
    assert_eq!(count(&streams), all);
    // Three of one thread leave, and the next three come to it.
    let mut left = 0;
    streams.retain(|stream| {
        let stays = left == 3 || thread(stream) != 1;
        left += usize::from(!stays);
        stays
    });
    until("three have left", || running.counts.open.get() == 9).await;
    // What is left of a connection's task after it was counted.
    tokio::time::sleep(Duration::from_millis(50)).await;
    streams.extend((0..3).map(|_| running.sent("")));
    assert_eq!(count(&streams), all);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_lets_every_thread_finish_its_requests() {
    let mut running = Running::start_over(Limits::default(), 2).await;
    let slow: Vec<TcpStream> = (0..6).map(|_| running.sent(kept("/slow"))).collect();
    until("all are at work", || running.counts.in_flight() == 6).await;
    running.stop();
    for stream in slow {
        let answer = read_all(stream);
        assert!(answer.ends_with("\r\n\r\nslow") && answer.contains("connection: close"), "{answer}");
    }
    tokio::time::timeout(Duration::from_secs(5), running.task).await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_ends_the_threads_although_a_client_does_not() {
    let limits = Limits {
        farewell: Duration::from_millis(50),
        drain: Duration::from_millis(100),
        ..Limits::default()
    };
    let mut running = Running::start_over(limits, 2).await;
    let _unread = running.sent(kept("/large"));
    until("it is at work", || running.counts.in_flight() == 1).await;
    let began = Instant::now();
    running.stop();
    tokio::time::timeout(Duration::from_secs(5), running.task).await.unwrap().unwrap();
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

//! Streams of what publications changed, over sockets: a server that is killed and another that goes on, snapshots published while
//! nobody listens, rollbacks, snapshots that are gone, limits and the end.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fdna_lake::{Lake, LakeWriter, SnapshotDraft, SnapshotManifest};
use fdna_server::{CatalogLake, LakeSource, Options, RouteCatalog, SnapshotSource, serve_catalog};
use serde_json::{Value, json};

use crate::common::{Running, clock};
use crate::lake::{commit, now};
use crate::snapshot::{fighter, table, tables};

const STREAM: &str = "/v1/mma/changes/stream";

#[derive(Debug, Clone, PartialEq)]
struct SentEvent {
    id: String,
    name: String,
    data: Value,
}

/// A client of a stream. Each event is a chunk: lines that are no fields are lengths of chunks.
struct Listener(BufReader<TcpStream>);

impl Listener {
    fn connect(address: SocketAddr, path: &str, headers: &str) -> Self {
        let mut socket = TcpStream::connect(address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: a\r\n{headers}\r\n").unwrap();
        Self(BufReader::new(socket))
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.read_line(&mut line).unwrap();
        (read > 0).then(|| line.trim_end().to_owned())
    }

    fn head(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line().filter(|line| !line.is_empty())).collect()
    }

    /// The next event; `None` at the end of the stream.
    fn event(&mut self) -> Option<SentEvent> {
        let (mut id, mut name) = (String::new(), String::new());
        loop {
            let line = self.line()?;
            if line == "0" {
                return None;
            }
            match line.split_once(": ") {
                Some(("id", value)) => id = value.to_owned(),
                Some(("event", value)) => name = value.to_owned(),
                Some(("data", value)) => {
                    return Some(SentEvent { id, name, data: serde_json::from_str(value).unwrap() });
                }
                _ => {}
            }
        }
    }

    fn events(&mut self, count: usize) -> Vec<SentEvent> {
        (0..count).map(|_| self.event().unwrap()).collect()
    }
}

/// A lake, and a server of it.
struct Bench {
    _folder: tempfile::TempDir,
    lake: Lake,
    writer: LakeWriter,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let lake = Lake::open(folder.path().join("lake"));
        let writer = lake.writer("test", now()).unwrap();
        Self { _folder: folder, lake, writer }
    }

    /// Publishes a snapshot with these corrections, by the day of each.
    fn publish(&self, mark: &str, days: &[u32]) -> SnapshotManifest {
        let snapshot = self.commit(mark, days);
        self.writer.set_current(&snapshot.id, now()).unwrap();
        snapshot
    }

    fn commit(&self, mark: &str, days: &[u32]) -> SnapshotManifest {
        let correction = |day: &u32| {
            json!({"kind": "fighter", "entity_id": fighter("fa").to_string(), "field": "reach_in", "change": "changed",
                "old": "70", "new": format!("{day}"), "replaced_by": "c", "replaced_at": format!("2025-02-{day:02}T00:00:00Z")})
        };
        let mut tables = tables(mark);
        tables.corrections = table("corrections", days.iter().map(correction).collect());
        commit(&self.writer, tables)
    }

    async fn serve(&self) -> Running {
        let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(self.lake.clone()));
        Running::start(source, |options| options.limits.drain_grace = Duration::from_millis(10)).await
    }
}

async fn stop(mut running: Running) {
    let begun = Instant::now();
    running.stop.take().unwrap().send(()).unwrap();
    (&mut running.task).await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "stopping took {:?}", begun.elapsed());
}

/// Off the threads of the server.
async fn listening<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

fn resume(address: SocketAddr, id: &str) -> Listener {
    Listener::connect(address, STREAM, &format!("Last-Event-ID: {id}\r\n"))
}

/// Name, and what it is about: the new value of a change, the count of a snapshot.
fn shown(events: &[SentEvent]) -> Vec<String> {
    let one = |event: &SentEvent| match event.name.as_str() {
        "change" => format!("change to {}", event.data["new"].as_str().unwrap_or("null")),
        "snapshot" => format!("snapshot {}", event.data["changes"]),
        name => format!("{name} {}", event.data["reason"].as_str().unwrap()),
    };
    events.iter().map(one).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_resumes_after_a_restart_has_every_row_once() {
    let bench = Bench::new();
    let first = bench.publish("first", &[1]);
    let running = bench.serve().await;
    let address = running.address;
    let (mut client, head, begin) = listening(move || {
        let mut client = Listener::connect(address, STREAM, "Accept-Encoding: gzip\r\n");
        let (head, begin) = (client.head(), client.event().unwrap());
        (client, head, begin)
    })
    .await;
    for header in ["content-type: text/event-stream", "cache-control: no-store", "x-accel-buffering: no"] {
        assert!(head.iter().any(|line| line == header), "{header} in {head:?}");
    }
    assert!(!head.iter().any(|line| line.starts_with("content-encoding")), "{head:?}");
    assert_eq!((begin.name.as_str(), &begin.data["snapshot_id"]), ("snapshot", &json!(first.id.as_str())));
    assert_eq!(
        (&begin.data["changes"], &begin.data["published_at"]),
        (&Value::Null, &json!("2025-06-15T15:06:40+00:00"))
    );

    // Names change with every snapshot here: that is no change.
    bench.publish("second", &[1, 5, 7]);
    let (live, list) = listening(move || {
        let live = client.events(3);
        let mut all = Listener::connect(address, "/v1/mma/changes?since=2025-02-02", "Connection: close\r\n");
        all.head();
        let body: Value = serde_json::from_str(&all.line().unwrap()).unwrap();
        (live, (body, client))
    })
    .await;
    let (list, mut client) = list;
    assert_eq!(shown(&live), ["change to 5", "change to 7", "snapshot 2"]);
    assert_eq!(json!([live[0].data, live[1].data]), list["data"]);

    // The end comes with the server's, and what is published meanwhile when the client is back.
    stop(running).await;
    assert_eq!(listening(move || client.event()).await, None);
    bench.publish("third", &[1, 3, 5, 7]);
    bench.publish("fourth", &[1, 3, 5, 7, 9]);
    let running = bench.serve().await;
    let (address, ids) = (running.address, live.iter().map(|event| event.id.clone()).collect::<Vec<_>>());
    let rest = listening(move || resume(address, &ids[0]).events(6)).await;
    assert_eq!(
        shown(&rest),
        ["change to 7", "snapshot 2", "change to 3", "snapshot 1", "change to 9", "snapshot 1"]
    );
    assert_eq!(rest[..2], live[1..]);
    let behind = rest.clone();
    listening(move || {
        for (place, event) in behind.iter().enumerate() {
            let left = &behind[place + 1..];
            assert_eq!(resume(address, &event.id).events(left.len()), left);
        }
    })
    .await;
    stop(running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn going_back_and_forth_gives_no_id_to_two_rows() {
    let bench = Bench::new();
    let first = bench.publish("m", &[1]);
    let begun = bench.serve().await;
    let address = begun.address;
    let mut client = listening(move || Listener::connect(address, STREAM, "")).await;
    let begin = {
        let (event, back) = listening(move || (client.event().unwrap(), client)).await;
        client = back;
        event
    };
    let second = bench.publish("m", &[1, 5]);
    bench.writer.roll_back(&first.id, "me", "wrong").unwrap();
    let third = bench.publish("m", &[1, 6]);
    bench.writer.set_current(&second.id, now()).unwrap();
    let live = listening(move || client.events(7)).await;
    assert_eq!(
        shown(&live),
        ["change to 5", "snapshot 1", "snapshot 0", "change to 6", "snapshot 1", "change to 5", "snapshot 1"]
    );
    let ids: BTreeMap<&str, &SentEvent> = live.iter().map(|event| (event.id.as_str(), event)).collect();
    assert_eq!(ids.len(), live.len());
    assert_eq!(
        (&live[4].data["snapshot_id"], &live[6].data["snapshot_id"]),
        (&json!(third.id.as_str()), &json!(second.id.as_str()))
    );
    let whole = listening(move || resume(address, &begin.id).events(7)).await;
    assert_eq!(whole, live);
    stop(begun).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_told_is_said_and_never_guessed() {
    let bench = Bench::new();
    let snapshots = [bench.publish("a", &[1]), bench.publish("b", &[1, 2]), bench.publish("c", &[1, 2, 3])];
    let running = bench.serve().await;
    let address = running.address;
    let at = |snapshot: &SnapshotManifest| {
        let log = bench.lake.publications().unwrap();
        let entry = &log.history.iter().find(|one| one.snapshot == snapshot.id).unwrap().entry;
        format!("{}-{}", snapshot.id, &entry[..16])
    };
    let [first, second, third] = [0, 1, 2].map(|place| at(&snapshots[place]));
    let unknown = format!("{}-{}:end", snapshots[0].id, "0".repeat(16));
    let never = format!("{third}:9");
    let asked = [unknown.clone(), never.clone(), format!("{third}:1")];
    let sent = listening(move || asked.map(|id| resume(address, &id).event().unwrap())).await;
    assert_eq!(shown(&sent), ["reset snapshot_not_kept", "reset event_not_known", "snapshot 1"]);
    assert_eq!((&sent[0].id, &sent[1].data["last_event_id"]), (&format!("{third}:end"), &json!(never)));

    // All but the current one leave the lake: what the second brought, and the third, cannot be told any more.
    assert_eq!(bench.writer.gc(0).unwrap().snapshots.len(), 2);
    let restarted = bench.serve().await;
    let address = restarted.address;
    let asked = [format!("{first}:end"), format!("{second}:end"), format!("{third}:end")];
    let mut clients = listening(move || asked.map(|id| resume(address, &id))).await;
    bench.publish("d", &[1, 2, 3, 4]);
    let sent = listening(move || {
        let [a, b, c] = &mut clients;
        [a.events(3), b.events(3), c.events(2)]
    })
    .await;
    let after = ["reset snapshot_not_kept", "change to 4", "snapshot 1"];
    assert_eq!([shown(&sent[0]), shown(&sent[1])], [after, after]);
    assert_eq!(shown(&sent[2]), after[1..]);
    stop(running).await;
    stop(restarted).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_that_are_none_are_refused_and_streams_are_counted() {
    let bench = Bench::new();
    let only = bench.publish("a", &[1]);
    let running = bench.serve().await;
    running.ready().await;
    let address = running.address;
    let status = |listener: &mut Listener| listener.head()[0].split(' ').nth(1).unwrap().to_owned();
    listening(move || {
        let id = format!("{}:1", only.id);
        for (path, headers) in [
            (STREAM.to_owned(), format!("Last-Event-ID: {id}\r\n")),
            (format!("{STREAM}?last_event_id={id}"), String::new()),
            (format!("{STREAM}?since=2025-01-01"), String::new()),
        ] {
            let mut refused = Listener::connect(address, &path, &format!("{headers}Connection: close\r\n"));
            let head = refused.head();
            assert!(head[0].contains(" 400 "), "{path}: {head:?}");
            let body: Value = serde_json::from_str(&refused.line().unwrap()).unwrap();
            assert_eq!(body["error"]["code"], "invalid_parameter", "{body}");
        }
        let of =
            |client: &str| Listener::connect(address, STREAM, &format!("X-Gateway-Client: {client}\r\n"));
        let mut open: Vec<Listener> = (0..16).map(|_| of("acme")).collect();
        open.iter_mut().for_each(|stream| assert_eq!(status(stream), "200"));
        let head = of("acme").head();
        assert!(head[0].contains(" 503 ") && head.iter().any(|line| line == "retry-after: 30"), "{head:?}");
        assert_eq!(status(&mut of("other")), "200");
        let metrics = |name: &str| {
            let mut page = Listener::connect(address, "/metrics", "Connection: close\r\n");
            let lines: Vec<String> = std::iter::from_fn(|| page.line()).collect();
            let line = lines.iter().find(|line| line.starts_with(name)).unwrap();
            line.rsplit(' ').next().unwrap().to_owned()
        };
        assert_eq!(metrics("fightdna_change_streams_busy_total "), "1");
        drop(open);
        let begun = Instant::now();
        while metrics("fightdna_change_streams ") != "0" && begun.elapsed() < Duration::from_secs(5) {
            std::thread::yield_now();
        }
        assert_eq!(metrics("fightdna_change_streams "), "0");
    })
    .await;
    stop(running).await;
}

/// A snapshot of the catalog with corrections of these days.
fn catalog_snapshot(writer: &LakeWriter, days: &[u32]) -> SnapshotManifest {
    let correction = |day: &u32| {
        json!({"facts_table": "nhl_boxes", "row_key": "a / 1", "column_name": "w", "old": "3", "new": format!("{day}"),
            "old_first_seen_at": "2024-01-01T00:00:00Z", "old_last_seen_at": "2024-01-01T00:00:00Z",
            "replaced_at": format!("2025-02-{day:02}T00:00:00Z"), "replaced_by": "c"})
    };
    let corrections = table("nhl_corrections", days.iter().map(correction).collect());
    let draft = SnapshotDraft {
        tables: vec![("nhl_corrections".to_owned(), corrections.into())],
        contract_version: fdna_schemas::CONTRACT_VERSION.to_owned(),
        licences: Vec::new(),
        definition_versions: vec![],
        inputs: vec![],
        captures: vec![],
        synthetic: true,
        facts_until: None,
        known_at: None,
    };
    writer.commit_snapshot(draft).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_catalog_sends_corrections_of_a_sport_oldest_first() {
    let bench = Bench::new();
    let publish = |days: &[u32]| {
        let id = catalog_snapshot(&bench.writer, days).id;
        bench.writer.set_current(&id, now()).unwrap();
    };
    publish(&[1]);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let source: Arc<dyn SnapshotSource> = Arc::new(LakeSource::new(bench.lake.clone()));
    let mut options = Options { poll: Duration::from_millis(5), ..Options::new(source, clock()) };
    options.catalog = Some(CatalogLake::new(bench.lake.clone()));
    options.limits.drain_grace = Duration::from_millis(10);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = serve_catalog(listener, options, RouteCatalog::get().unwrap(), async {
        let _ = stopped.await;
    });
    let serving = tokio::spawn(serving);
    let path = "/v1/changes/stream?sport=nhl";
    let (mut client, begin) = listening(move || {
        let mut client = Listener::connect(address, path, "");
        let begin = client.event().unwrap();
        (client, begin)
    })
    .await;
    publish(&[1, 9, 4]);
    let asked = format!("{path}&last_event_id={}", begin.id);
    let (live, again, heads) = listening(move || {
        let live = client.events(3);
        let again = Listener::connect(address, &asked, "").events(3);
        let others = ["/changes/stream?sport=nba", "/changes/stream?sport=golf", "/changes/stream"];
        let heads =
            others.map(|path| Listener::connect(address, path, "Connection: close\r\n").head()[0].clone());
        (live, again, heads)
    })
    .await;
    assert_eq!(shown(&live), ["change to 4", "change to 9", "snapshot 2"]);
    assert_eq!(live, again);
    let statuses = heads.map(|head| head.split(' ').nth(1).unwrap().to_owned());
    assert_eq!(statuses, ["503", "400", "400"]);
    let begun = Instant::now();
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5), "stopping took {:?}", begun.elapsed());
}

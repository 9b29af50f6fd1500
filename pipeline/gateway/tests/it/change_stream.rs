//! A canonical host whose stream of changes is written by tests.

use std::sync::{Arc, Mutex};

use crate::upstream::{Behaviour, Host, ok};

#[derive(Clone)]
struct Event {
    id: String,
    event: &'static str,
    data: String,
}

/// A host with a stream of changes. It ends each response, as a host that is drained does, so that a gateway asks again.
pub(crate) struct StreamHost {
    pub(crate) host: Host,
    events: Arc<Mutex<Vec<Event>>>,
}

impl StreamHost {
    /// A host whose current snapshot is `s0`.
    pub(crate) async fn start() -> Self {
        let events = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&events);
        let host = Host::start(move |head| {
            let is_stream = head.contains("/changes/stream");
            if is_stream { Behaviour::SendAndClose(respond(head, &shared.lock().unwrap())) } else { ok("{}") }
        })
        .await;
        let started = Self { host, events };
        started.publish("s0", 0);
        started
    }

    /// A publication with so many changes.
    pub(crate) fn publish(&self, snapshot: &str, changes: usize) {
        let mut events = self.events.lock().unwrap();
        events.extend((1..=changes).map(|number| Event {
            id: format!("{snapshot}:{number}"),
            event: "change",
            data: format!("{{\"number\":{number},\"name\":\"Błach\"}}"),
        }));
        let data = format!("{{\"snapshot_id\":\"{snapshot}\",\"changes\":{changes}}}");
        events.push(Event { id: format!("{snapshot}:end"), event: "snapshot", data });
    }

    /// Forgets all that was published before the last publication.
    pub(crate) fn collect_garbage(&self) {
        let mut events = self.events.lock().unwrap();
        let last = events.pop().unwrap();
        *events = vec![last];
    }

    /// Values of `Last-Event-ID` of the requests for the stream.
    pub(crate) fn positions(&self) -> Vec<Option<String>> {
        let heads = self.host.heads().into_iter().filter(|head| head.contains("/changes/stream"));
        heads.map(|head| last_event_id(&head).map(str::to_owned)).collect()
    }
}

fn last_event_id(head: &str) -> Option<&str> {
    head.lines().find_map(|line| line.strip_prefix("last-event-id: "))
}

fn respond(head: &str, events: &[Event]) -> Vec<u8> {
    let current = events.last().unwrap().clone();
    let sent = match last_event_id(head) {
        None => vec![current],
        Some(id) => match events.iter().position(|event| event.id == id) {
            Some(index) => events[index + 1..].to_vec(),
            None => {
                let data = format!("{{\"reason\":\"snapshot_not_kept\",\"last_event_id\":\"{id}\"}}");
                vec![Event { id: current.id, event: "reset", data }]
            }
        },
    };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-store\r\nconnection: close\r\n\r\n";
    let begin = format!("{head}retry: 5000\n\n: heartbeat\n\n");
    let text = |Event { id, event, data }: &Event| format!("id: {id}\nevent: {event}\ndata: {data}\n\n");
    sent.iter().map(text).fold(begin, |all, event| all + &event).into_bytes()
}

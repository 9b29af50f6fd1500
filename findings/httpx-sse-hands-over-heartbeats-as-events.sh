#!/usr/bin/env bash
# Once an event had an id, httpx-sse 0.4.3 hands over an event with the data "" for each comment that a server sends to keep the
# connection alive (`: heartbeat` and an empty line), as also for a block of `id`, `event` or `retry` alone. The HTML standard (9.2.6)
# says that a block without data is dispatched to nobody; sseclient-py 1.9.0 and requests-sse 0.5.3 hand over none. "" is no JSON, so
# that a program which parses each event stops at the first heartbeat. sseclient-py in turn forgets the id: the event after such a
# block has the id None, by the standard "7".
#
# Needs python3 (3.10 or later) with venv, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 httpx-sse==0.4.3 requests==2.32.5 requests-sse==0.5.3 \
    sseclient-py==1.9.0

cat > read.py <<'PY'
import http.server, threading

STREAM = b": heartbeat\n\nretry: 5000\n\nid: 7\n\n: heartbeat\n\nevent: change\n\ndata: {}\n\n: heartbeat\n\n"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(STREAM)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"

import httpx, httpx_sse, requests, requests_sse, sseclient

with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
    for event in source.iter_sse():
        print("httpx-sse:", event.event, repr(event.id), repr(event.data))
for event in sseclient.SSEClient(requests.get(url, stream=True)).events():
    print("sseclient-py:", event.event, repr(event.id), repr(event.data))
with requests_sse.EventSource(url) as source:
    event = next(iter(source))
    print("requests-sse:", event.type, repr(event.last_event_id), repr(event.data))
PY
timeout 60 venv/bin/python -W ignore read.py 2>/dev/null | tee seen.txt
cat > expected.txt <<'TXT'
httpx-sse: message '' ''
httpx-sse: message '7' ''
httpx-sse: message '7' ''
httpx-sse: change '7' ''
httpx-sse: message '7' '{}'
httpx-sse: message '7' ''
sseclient-py: message None '{}'
requests-sse: message '7' '{}'
TXT
diff expected.txt seen.txt
echo "as described"

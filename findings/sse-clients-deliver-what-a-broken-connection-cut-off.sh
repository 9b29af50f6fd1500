#!/usr/bin/env bash
# An event of a stream of server-sent events ends with an empty line; what stands behind the last one when the connection ends is to
# be discarded (HTML standard, 9.2.6). Of four Python clients two do not:
#   sseclient-py 1.9.0         hands it over as an event, with its id: a client that resumes behind this id never sees the rest
#   aiohttp-sse-client2 0.3.0  keeps it, connects again, and puts it before the data of the first event of the new connection
#   httpx-sse 0.4.3, requests-sse 0.5.3  discard it
# Who stores `Last-Event-ID` with the first loses an event for each connection that breaks within one; with the second an event has
# the data of two.
#
# Needs python3 (3.10 or later) with venv, and the Python registry. Prints what it saw; fails if that has changed.
set -euo pipefail
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check httpx==0.28.1 httpx-sse==0.4.3 requests==2.32.5 requests-sse==0.5.3 \
    sseclient-py==1.9.0 aiohttp-sse-client2==0.3.0

cat > read.py <<'PY'
import asyncio, datetime, http.server, sys, threading

# Three lines of an event, of which the connection ends before the third and before the empty line.
FIRST = b'id: 1\ndata: {"bout": 1}\n\nid: 2\ndata: {"bout": 2,\n'
SECOND = b'id: 2\ndata: {"bout": 2,\ndata: "round": 3}\n\n'


class Handler(http.server.BaseHTTPRequestHandler):
    answers = [FIRST, SECOND]

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write(self.answers.pop(0) if self.answers else b"")

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
name = sys.argv[1]


def show(identity, data):
    print(f"{name}: {identity} {data!r}", flush=True)


def with_httpx_sse():
    import httpx, httpx_sse
    with httpx.Client() as client, httpx_sse.connect_sse(client, "GET", url) as source:
        for event in source.iter_sse():
            show(event.id, event.data)


def with_sseclient_py():
    import requests, sseclient
    for event in sseclient.SSEClient(requests.get(url, stream=True)).events():
        show(event.id, event.data)


def with_requests_sse():
    import requests_sse
    with requests_sse.EventSource(url, reconnection_time=datetime.timedelta(0)) as source:
        for event in source:
            show(event.last_event_id, event.data)
            if not Handler.answers:
                return


async def with_aiohttp_sse_client2():
    from aiohttp_sse_client2.client import EventSource
    async with EventSource(url, reconnection_time=datetime.timedelta(0)) as source:
        async for event in source:
            show(event.last_event_id, event.data)
            if not Handler.answers:
                return

{"httpx-sse": with_httpx_sse, "sseclient-py": with_sseclient_py, "requests-sse": with_requests_sse,
 "aiohttp-sse-client2": lambda: asyncio.run(with_aiohttp_sse_client2())}[name]()
PY
for name in httpx-sse sseclient-py requests-sse aiohttp-sse-client2; do
    timeout 60 venv/bin/python -W ignore read.py "$name" 2>/dev/null | tee -a seen.txt
done
cat > expected.txt <<'TXT'
httpx-sse: 1 '{"bout": 1}'
sseclient-py: 1 '{"bout": 1}'
sseclient-py: 2 '{"bout": 2,'
requests-sse: 1 '{"bout": 1}'
requests-sse: 2 '{"bout": 2,\n"round": 3}'
aiohttp-sse-client2: 1 '{"bout": 1}'
aiohttp-sse-client2: 2 '{"bout": 2,\n{"bout": 2,\n"round": 3}'
TXT
diff expected.txt seen.txt
echo "as described"

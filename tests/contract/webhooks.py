"""Webhooks from outside: the program as gateway and as command line, killed again and again, and the reference library of the
Standard Webhooks specification as the judge of signatures.

    python3 tests/contract/webhooks.py PROGRAM
"""

import contextlib
import http.server
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

import standardwebhooks

CHANGES = 60
# The gateway is killed at these requests: before they are answered, and after.
KILLED_BEFORE, KILLED_AFTER = {5, 23}, {11, 30}


class Host:
    """A canonical host, with a stream of changes of publications that the test makes."""

    def __init__(self):
        self.events = []
        self.publish("s0", 0)
        self.server = serve(self.respond)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def publish(self, snapshot, changes):
        rows = [(f"{snapshot}:{n}", "change", {"n": n, "name": "Błach"}) for n in range(1, changes + 1)]
        self.events += [*rows, (f"{snapshot}:end", "snapshot", {"snapshot_id": snapshot, "changes": changes})]

    def respond(self, request):
        if "/changes/stream" not in request.path:
            return request.reply(200, b"{}")
        ids, last = [event[0] for event in self.events], request.headers.get("Last-Event-ID")
        sent = self.events[ids.index(last) + 1 :] if last in ids else self.events[-1:]
        lines = [f"id: {i}\nevent: {e}\ndata: {json.dumps(d, ensure_ascii=False)}\n\n" for i, e, d in sent]
        request.reply(200, ("retry: 5000\n\n" + "".join(lines)).encode(), "text/event-stream")


class Receiver:
    """Verifies what it is sent, and keeps it."""

    def __init__(self):
        self.secrets, self.received, self.status = [], [], 204
        self.before = self.after = lambda count: None
        self.server = serve(self.respond)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"

    def respond(self, request):
        body = request.rfile.read(int(request.headers["Content-Length"]))
        headers = dict(request.headers)
        for secret in self.secrets:
            standardwebhooks.Webhook(secret).verify(body, headers)
        count = len(self.received) + 1
        self.received.append((headers["webhook-id"], json.loads(body), headers["webhook-signature"]))
        self.before(count)
        with contextlib.suppress(OSError):
            request.reply(self.status, b"")
        self.after(count)

    def ids(self):
        return [received[0] for received in self.received]

    def wait(self, holds, what):
        # Five minutes: the machine may be busy with other checks.
        for _ in range(6000):
            if holds():
                return
            time.sleep(0.05)
        raise SystemExit(f"{what}: {self.ids()}")


def serve(respond):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            respond(self)

        do_POST = do_GET

        def reply(self, status, body, kind="application/json"):
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.wfile.flush()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Gateway:
    """The gateway, started again when it was killed. Its receivers are on this machine."""

    def __init__(self, program, store, host, log):
        options = ["--webhook-allow-http", "--webhook-allow-private", "--webhook-timeout", "10s"]
        retries = ["--webhook-retries", "100ms,200ms,300ms"]
        self.command = [program, "gateway", "--keys", store, "--upstream", host.url, "--listen", "127.0.0.1:0"]
        self.command += [*options, *retries]
        self.log, self.starts = log, 0
        self.start()

    def start(self):
        self.starts += 1
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=self.log)

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.start()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(30) == 0, self.process.returncode


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        store, log = str(pathlib.Path(folder, "keys.db")), pathlib.Path(folder, "log")
        base = [program, "--json"]

        def run(*arguments, code=0):
            done = subprocess.run([*base, *arguments], capture_output=True, text=True)
            assert done.returncode == code, (arguments, done.returncode, done.stderr)
            return json.loads(done.stdout) if done.stdout else json.loads(done.stderr)

        def webhooks(*arguments, code=0):
            return run("webhooks", "--keys", store, "--by", "contract", *arguments, code=code)

        run("keys", "--keys", store, "--by", "contract", "issue", "--account", "acme", "--plan", "pro")
        host, receiver = Host(), Receiver()
        allow = ["--webhook-allow-http", "--webhook-allow-private"]
        refused = webhooks("add", "--account", "acme", "--url", receiver.url, code=2)
        assert "not https" in refused["error"]["message"], refused
        added = webhooks("add", "--account", "acme", "--url", receiver.url, *allow)
        number, secret = str(added["id"]), added["secret"]
        receiver.secrets = [secret]
        assert webhooks("test", number, *allow)["delivered"]
        assert receiver.received[0][1]["type"] == "ping" and receiver.received[0][0].startswith("ping_")
        receiver.received.clear()
        webhooks("replay", number, "--from", "s0:end")

        with open(log, "w") as errors:
            gateway = Gateway(program, store, host, errors)
            receiver.before = lambda count: gateway.kill() if count in KILLED_BEFORE else None
            receiver.after = lambda count: gateway.kill() if count in KILLED_AFTER else None
            host.publish("s1", CHANGES)
            began = time.monotonic()
            receiver.wait(lambda: f"s1:{CHANGES}" in receiver.ids(), "not all changes are delivered")
            elapsed = time.monotonic() - began
            wanted = [f"s1:{n}" for n in range(1, CHANGES + 1)]
            in_order = [one for one, before in zip(receiver.ids(), [None, *receiver.ids()]) if one != before]
            assert in_order == wanted, in_order
            again = len(receiver.ids()) - len(wanted)
            kills = gateway.starts - 1
            assert kills == len(KILLED_BEFORE | KILLED_AFTER) and again <= kills, (kills, again)
            print(f"{CHANGES} changes in order, {kills} times killed, {again} sent once more, {elapsed:.1f} s")

            receiver.before = receiver.after = lambda count: None
            rotated = webhooks("rotate-secret", number, "--overlap-hours", "1")
            assert rotated["secret"] != secret
            # Each of the two verifies by itself.
            receiver.secrets = [secret, rotated["secret"]]
            time.sleep(3)
            host.publish("s2", 2)
            receiver.wait(lambda: "s2:2" in receiver.ids(), "nothing after the rotation")
            assert len(receiver.received[-1][2].split(" ")) == 2

            receiver.status = 500
            host.publish("s3", 2)
            state = lambda: webhooks("list", "--account", "acme")[0]
            receiver.wait(lambda: state()["state"] == "disabled", "never disabled")
            letters = webhooks("dead-letters", number)
            assert [(one["message_id"], one["attempts"]) for one in letters] == [("s3:1", 4)], letters
            assert json.loads(letters[0]["body"])["data"]["n"] == 1
            receiver.status = 200
            webhooks("enable", number)
            receiver.wait(lambda: "s3:2" in receiver.ids(), "nothing after it was enabled")
            assert receiver.ids()[-2:] == ["s3:1", "s3:2"] and webhooks("dead-letters", number) == []
            webhooks("replay", number, "--from", "s2:1")
            receiver.wait(lambda: receiver.ids()[-3:] == ["s2:2", "s3:1", "s3:2"], "nothing replayed")
            webhooks("replay", number, "--from", "nonsense", code=2)
            webhooks("remove", number)
            webhooks("enable", number, code=2)
            gateway.stop()
        actions = [one["action"] for one in run("keys", "--keys", store, "log")]
        assert actions[-1] == "webhook-remove" and "webhook-rotate" in actions, actions
        told = log.read_text()
        secrets = [one.removeprefix("whsec_") for one in (secret, rotated["secret"])]
        assert "whsec_" not in told and not any(one in told for one in secrets)
        assert receiver.url not in told
        deliveries = re.findall(r'"outcome":"delivered"', told)
        assert len(deliveries) >= CHANGES, len(deliveries)
    print("webhooks hold")


main(sys.argv[1])

"""Every route of the catalog through the gateway: under each prefix, for each plan and without a key, compressed and not.

    python3 tests/contract/catalog_gateway.py PROGRAM SERVER    SERVER is the address of a `fightdna serve --catalog`
"""

import collections
import contextlib
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

PREFIXES = ["", "/v1", "/api"]
# What browsers send; an answer is compressed by the first that the server prefers.
BROWSER = {"Accept-Encoding": "gzip, deflate, br, zstd"}
GZIP = {"Accept-Encoding": "gzip"}


def asked(url, headers):
    """Status, headers, and the body where this program can read it."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            status, told, body = answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        status, told, body = error.code, error.headers, error.read()
    encoding = told.get("Content-Encoding")
    if encoding == "gzip":
        body = gzip.decompress(body)
    return status, told, json.loads(body) if encoding in (None, "gzip") else None


def key(program, store, plan):
    """A key with requests to spare."""
    issue = ["keys", "--keys", store, "--by", "contract", "issue", "--product", "catalog", "--account", plan, "--plan", plan]
    spare = ["--per-minute", "1000000", "--per-month", "100000000"]
    told = subprocess.run([program, *issue, *spare], capture_output=True, text=True, check=True).stdout
    return re.search(r"fdk_\w+", told).group()


@contextlib.contextmanager
def gateway(program, server):
    """A gateway before the server, with a key of a plan that has the narrow listing and one that has the full one."""
    with tempfile.TemporaryDirectory() as folder:
        store, plans = pathlib.Path(folder, "keys.db"), pathlib.Path(folder, "plans.toml")
        plans.write_text('[enterprise]\ncatalog = "full"\n')
        keys = {"narrow": key(program, store, "scale"), "full": key(program, store, "enterprise")}
        command = [program, "gateway", "--product", "catalog", "--upstream", server, "--keys", store, "--plans", plans]
        running = subprocess.Popen([*map(str, command), "--max-refusals-per-minute", "0", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        try:
            yield re.search(r"http://[^/]*", running.stdout.readline()).group(), keys
        finally:
            running.terminate()
            running.wait()


def check(program, server, paths):
    """Counts of the answers by key. `paths` are the templates of the routes with what to ask them."""
    listing = asked(f"{server}/sports", {})[2]["data"]
    routes = [route for sport in listing["sports"] for group in sport["groups"] for route in group["routes"]]
    assert len(routes) == listing["totals"]["routes"], listing["totals"]
    counts = collections.Counter()
    with gateway(program, server) as (url, keys):
        for route in routes:
            path = paths[route["path"]]
            direct = asked(server + path, {})
            for prefix in PREFIXES:
                address = url + prefix + path
                status, _, body = asked(address, GZIP)
                assert (status, body["error"]["code"]) == (401, "unauthorized"), (address, status, body)
                for name, secret in keys.items():
                    status, told, body = asked(address, {"X-API-Key": secret, **GZIP})
                    counts[f"{name} {status}"] += 1
                    if name == "narrow" and not route["in_narrow_listing"]:
                        assert (status, body["error"]["code"]) == (403, "plan_required"), (address, status, body)
                        continue
                    assert status == direct[0], (address, status, direct[0])
                    assert body.get("data") == direct[2].get("data"), address
                    assert body.get("error", {}).get("code") == direct[2].get("error", {}).get("code"), address
                    plain = asked(address, {"X-API-Key": secret, "Accept-Encoding": "identity"})
                    assert plain[1].get("Content-Encoding") is None and plain[2].get("data") == body.get("data"), address
                    by_query = asked(f"{address}{'&' if '?' in address else '?'}key={secret}", BROWSER)
                    assert by_query[0] == status, (address, by_query[0])
        for name, secret in keys.items():
            shown = asked(f"{url}/sports", {"X-API-Key": secret})[2]["data"]
            shown = {r["path"] for sport in shown["sports"] for group in sport["groups"] for r in group["routes"]}
            assert shown == {r["path"] for r in routes if name == "full" or r["in_narrow_listing"]}, name
            counts[f"{name} listed"] = len(shown)
    return dict(counts)


if __name__ == "__main__":
    program, server = sys.argv[1:]
    given = asked(f"{server}/sports", {})[2]["data"]["sports"]
    given = [route for sport in given for group in sport["groups"] for route in group["routes"]]
    print(check(program, server, {r["path"]: r.get("example") or re.sub(r":\w+", "x", r["path"]) for r in given}))

"""The seven tools against the HTTP API of the same lake: the same numbers, the same errors, and nothing beyond their bounds.

    check.py PROGRAM LAKE FOLDER
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import httpx2
import jsonschema
from hostile import HANGING, HOSTILE
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from started import KEY, Api, catalog_lake, current, request, run, started, tools_over_http, two_snapshots

NAMES = ["search", "fighter_as_of", "matchup", "leaders", "card", "explain", "sql"]
MAX_BYTES = 64_000
METRIC = "sig_landed_per_min"


def over_http(url: str, mode: str) -> Client:
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}, timeout=60)
    return Client(streamable_http_client(url, http_client=http), mode=mode)


async def given(client: Client, tool: str, **arguments) -> dict:
    """What a tool gives; the client has held it against the tool's output schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, (tool, arguments, result.content)
    text = result.content[0].text
    assert json.loads(text) == result.structured_content, tool
    assert len(text.encode()) <= MAX_BYTES, (tool, arguments, len(text))
    return result.structured_content


async def refused(client: Client, tool: str, **arguments) -> dict:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, (tool, arguments, result.content[0].text[:300])
    return json.loads(result.content[0].text)["error"]


async def check_list(client: Client):
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == NAMES, tools
    for tool in tools:
        assert tool.title and len(tool.description) > 200, tool.name
        hints = tool.annotations
        assert (hints.read_only_hint, hints.idempotent_hint, hints.destructive_hint, hints.open_world_hint) == (True, True, False, False)
        for schema in (tool.input_schema, tool.output_schema):
            jsonschema.Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False, tool.name
    assert "HOUSE_DERIVED" in client.instructions and "odds" in client.instructions


async def check_numbers(client: Client, api: Api):
    """What the API answers, as it is."""
    leaders = await given(client, "leaders", metric=METRIC, active="all", limit=3)
    expected = api.data(f"/v1/mma/dna/query?metric={METRIC}&active=all&limit=3")
    assert leaders["data"] == expected and len(expected) == 3, expected
    first, second = (row["fighter"] for row in expected[:2])
    for row in leaders["data"]:
        metric = row["metric"]
        assert metric["value"] is not None and metric["interval"] and metric["sample"] and metric["as_of"] and metric["definition_version"]

    dna = await given(client, "fighter_as_of", fighter=first["id"], metrics=[METRIC], fields=["value", "interval", "sample"])
    assert dna["data"] == api.data(f"/v1/mma/fighters/{first['id']}/dna?metrics={METRIC}&fields=value,interval,sample")
    whole = await given(client, "fighter_as_of", fighter=first["id"])
    expected = api.data(f"/v1/mma/fighters/{first['id']}/dna")
    assert [metric["value"] for metric in whole["data"]["metrics"]] == [metric["value"] for metric in expected["metrics"]], "no list is cut"
    assert (await given(client, "fighter_as_of", fighter=first["slug_id"]))["data"] == whole["data"]
    assert (await given(client, "fighter_as_of", fighter=first["name"]))["data"] == whole["data"]
    day = expected["valid_from"]
    past = await given(client, "fighter_as_of", fighter=first["id"], as_of=day, families=["striking_offence"], include=["provenance"])
    assert past["data"] == api.data(f"/v1/mma/fighters/{first['id']}/dna?as_of={day}&families=striking_offence&include=provenance")

    matchup = await given(client, "matchup", fighter_a=first["id"], fighter_b=second["id"], as_of=day)
    expected = api.get(f"/v1/mma/matchups/{first['id']}/{second['id']}/dna?as_of={day}")["data"]
    given_metrics = matchup["data"].pop("metrics")
    assert given_metrics == expected.pop("metrics")[: len(given_metrics)] and len(given_metrics) > 20
    if "cut" not in matchup:
        assert matchup["data"] == expected

    found = await given(client, "search", q=first["name"])
    assert found["data"] == api.data(f"/v1/mma/search?q={first['name'].replace(' ', '+')}&kind=fighter,event&limit=10")
    assert found["data"][0]["record"]["id"] == first["id"], found["data"][0]

    card = await given(client, "card", event="latest")
    event = api.data("/v1/mma/events?status=recent&has_bouts=true&limit=1")[0]["id"]
    assert card["data"] == api.data(f"/v1/mma/events/{event}/card") == (await given(client, "card", event=event))["data"]
    return first


async def check_explain(client: Client, api: Api, fighter: dict):
    answer = await given(client, "explain", table="dna_versions", key=fighter["name"], column=METRIC)
    why, metric, day = answer["data"], answer["metric"], answer["metric"]["as_of"]
    query = urlencode({"key": fighter["name"], "column": METRIC})
    assert why == api.data(f"/v1/mma/snapshots/current/tables/dna_versions/explain?{query}"), why
    expected = api.data(f"/v1/mma/fighters/{fighter['id']}/dna?metrics={METRIC}&include=provenance&as_of={day}")["metrics"][0]
    assert metric == {**expected, "as_of": day}, metric
    others = [name for name in why["cells"] if name not in why["key"] and not name.startswith(f"{METRIC}__")]
    assert not others, others
    assert why["cells"][f"{METRIC}__value"] == expected["value"] and why["key"]["fighter_id"] == fighter["id"]
    fact = (await given(client, "explain", table="fighters", key=fighter["id"], column="name"))["data"]
    assert fact["cells"]["name"] == fighter["name"] and fact["links"], fact
    error = await refused(client, "explain", table="fighters", key="nobody at all", column="name")
    assert error["code"] == "not_found" and "no row" in error["message"], error


async def check_sql(client: Client, api: Api):
    rows = await given(client, "sql", query="SELECT fighter_id, name FROM fighters ORDER BY name, fighter_id", limit=3)
    assert rows["meta"]["count"] == 3 and rows["meta"]["is_complete"] is False, rows
    names = [row["name"] for row in rows["data"]]
    assert names == sorted(names), names
    one = await given(client, "sql", query="SELECT count(*) AS n, NULL AS unknown FROM events;")
    assert one["meta"]["is_complete"] is True and one["data"][0]["unknown"] is None, one
    counts = {table["name"]: table["rows"] for table in api.data("/v1/mma/snapshots/current/tables")}
    assert one["data"][0]["n"] == counts["events"], (one, counts["events"])
    # A column of 3 KB for each row: the list is cut, and says so.
    long = await given(client, "sql", query="SELECT repeat('x', 3000) AS text FROM range(1000)", limit=1000)
    assert long["cut"]["lists"][0]["list"] == "data" and len(long["data"]) == long["cut"]["lists"][0]["given"] < 22


async def check_hostile(client: Client):
    """Everything but a SELECT over the tables is refused by its sentence."""
    hanging = asyncio.create_task(refused(client, "sql", query=HANGING))
    for query, why in HOSTILE:
        error = await refused(client, "sql", query=query)
        assert error["code"] == "invalid_parameter" and why in error["message"], (query, error)
    error = await hanging
    assert error["code"] == "invalid_parameter" and "took longer than 15 s" in error["message"], error


async def check_errors(client: Client, api: Api, fighter: dict):
    """The code and the sentence of the API."""
    other = "00000000-0000-4000-8000-000000000000"
    cases = [
        ("fighter_as_of", {"fighter": other}, f"/v1/mma/fighters/{other}/dna"),
        ("fighter_as_of", {"fighter": fighter["id"], "as_of": "1950-01-01"}, f"/v1/mma/fighters/{fighter['id']}/dna?as_of=1950-01-01"),
        ("fighter_as_of", {"fighter": fighter["id"], "as_of": "soon"}, f"/v1/mma/fighters/{fighter['id']}/dna?as_of=soon"),
        ("fighter_as_of", {"fighter": fighter["id"], "odds": "yes"}, f"/v1/mma/fighters/{fighter['id']}/dna?odds=yes"),
        ("leaders", {"metric": "nonsense"}, "/v1/mma/dna/query?metric=nonsense"),
        ("leaders", {"metric": METRIC, "limit": 999}, f"/v1/mma/dna/query?metric={METRIC}&limit=999"),
        ("matchup", {"fighter_a": fighter["id"], "fighter_b": other}, f"/v1/mma/matchups/{fighter['id']}/{other}/dna"),
        ("card", {"event": other}, f"/v1/mma/events/{other}/card"),
        ("search", {"q": "x", "snapshot": "0" * 32}, "/v1/mma/search?q=x&snapshot=" + "0" * 32),
    ]
    for tool, arguments, path in cases:
        error, expected = await refused(client, tool, **arguments), api.get(path)
        told = (error["status"], error["code"], error["message"])
        assert told == (expected["status"], expected["error"]["code"], expected["error"]["message"]), (tool, arguments, told, expected)
    error = await refused(client, "fighter_as_of", fighter="nobody of this name")
    assert error["code"] == "not_found" and "nobody of this name" in error["message"], error
    for tool, arguments in (("sql", {"query": "SELECT 1", "settings": "x"}), ("card", {}), ("explain", {"table": "fighters"})):
        assert (await refused(client, tool, **arguments))["code"] == "invalid_parameter", tool


async def check_bounds(client: Client, api: Api):
    everybody = {"metric": METRIC, "active": "all", "min_confidence": "insufficient", "limit": 250}
    cut = await given(client, "leaders", **everybody)
    expected = api.data("/v1/mma/dna/query?" + "&".join(f"{name}={value}" for name, value in everybody.items()))
    [lists] = cut["cut"]["lists"]
    assert (lists["list"], lists["given"], lists["total"]) == ("data", len(cut["data"]), len(expected)), cut["cut"]
    assert cut["data"] == expected[: len(cut["data"])] and "cursor" in cut["cut"]["how_to_go_on"]


async def check_catalog(client: Client, lake: str):
    found = (await given(client, "search", q="aland"))["catalog"]
    assert "nfl" in found["sports_without_search"] and found["found"], found
    rows = await given(client, "sql", lake="catalog", query="SELECT count(*) AS n FROM soccer_matches")
    assert rows["data"] == [{"n": 28}] and rows["meta"]["snapshot_id"] == current(lake), rows


def check_http(url: str):
    """Who is answered over HTTP."""
    ask = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    wire = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    allowed = {**wire, "Authorization": f"Bearer {KEY}"}

    def status(method="POST", body=ask, **headers):
        return request(url, method, body, **headers)[0]

    code, headers, body = request(url, "POST", ask, **allowed)
    assert code == 200 and headers["Content-Type"] == "application/json" and "Mcp-Session-Id" not in headers, headers
    assert len(json.loads(body)["result"]["tools"]) == len(NAMES)
    for wrong in ({}, {"Authorization": "Bearer another-key-of-nobody"}, {"Authorization": KEY}):
        code, headers, body = request(url, "POST", ask, **wire, **wrong)
        assert code == 401 and headers["WWW-Authenticate"].startswith("Bearer"), (wrong, code)
        assert json.loads(body)["error"]["code"] == "unauthorized"
    assert status(**allowed, Origin="https://evil.example") == 403
    assert status(**allowed, Origin="null") == 403
    assert status(**allowed, Origin="https://app.example") == 200
    assert status(**allowed, Host="evil.example") == 403
    assert status("GET", None, **allowed) == 405 and status("DELETE", None, **allowed) == 405
    assert status(body=b" " * 300_000 + ask, **allowed) == 413
    assert status(body=b"{", **allowed) in (400, 415), "no JSON"
    assert request(url + "/other", "POST", ask, **allowed)[0] == 404


def check_stdout(program: str, lake: str):
    """Nothing but the protocol on standard output, and an end when standard input ends."""
    version = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": version},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "sql", "arguments": {"query": "SELECT 1 AS one"}}},
    ]
    process = subprocess.Popen([program, "mcp", "--lake", lake], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "RUST_LOG": "info"})
    process.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.stdin.close()
    rest, log = process.stdout.read(), process.stderr.read()
    assert process.wait() == 0 and rest == "" and "serving a new snapshot" in log, (rest, log)
    assert answers[1]["result"]["structuredContent"]["data"] == [{"one": 1}], answers


async def check_following(program: str, work: Path):
    """A new snapshot is served without a restart, and not by a server of another one."""
    lake, runs = two_snapshots(work)
    run(program, *runs[0])
    first = current(lake)

    async def served(client: Client) -> str:
        return (await given(client, "sql", query="SELECT 1 AS one"))["meta"]["snapshot_id"]

    with tools_over_http(program, lake, work) as url, tools_over_http(program, lake, work, "--snapshot", first) as pinned_url:
        async with over_http(url, "auto") as client, over_http(pinned_url, "auto") as pinned:
            assert await served(client) == await served(pinned) == first
            run(program, *runs[1])
            assert current(lake) != first
            for _ in range(600):
                if await served(client) == current(lake):
                    break
                await asyncio.sleep(0.1)
            assert await served(client) == current(lake) and await served(pinned) == first


async def check_client(client: Client, api: Api):
    await check_list(client)
    fighter = await check_numbers(client, api)
    await check_errors(client, api, fighter)
    await check_explain(client, api, fighter)
    await check_sql(client, api)


async def main(program: str, lake: str, work: Path):
    catalog = catalog_lake(program, work)
    with started(program, "serve", "--lake", lake) as origin:
        api = Api(origin)
        print("-- over standard input and output")
        command = StdioServerParameters(command=program, args=["mcp", "--lake", lake])
        async with Client(command, read_timeout_seconds=60) as client:
            await check_client(client, api)
        check_stdout(program, lake)
        print("-- over HTTP")
        options = ["--catalog-lake", catalog, "--allow-origin", "https://app.example:443"]
        with tools_over_http(program, lake, work, *options) as url:
            check_http(url)
            for mode in ("auto", "legacy"):
                async with over_http(url, mode) as client:
                    print(f"   protocol {client.protocol_version}")
                    await check_list(client)
                    fighter = await check_numbers(client, api)
            async with over_http(url, "auto") as client:
                await asyncio.gather(check_hostile(client), check_errors(client, api, fighter), check_bounds(client, api), check_catalog(client, catalog))
    print("-- new snapshots")
    await check_following(program, work)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
    print("seven tools: the numbers and errors of the API, within their bounds")

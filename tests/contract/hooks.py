"""What schemathesis cannot know from the document: ids that exist, and bounds between two parameters.

The document stays what it is: the parameters below are only drawn from real ids as well as from their pattern.
"""

import os

import requests
import schemathesis

BASE = os.environ["FIGHTDNA_URL"]


def data(path):
    return requests.get(f"{BASE}/v1/mma/{path}", timeout=20).json().get("data")


def known():
    """Ids of fought cards, of the next ones, of one with rows in the ledger, and of whatever else has ids."""
    ids = {"event": [], "bout": [], "fighter": [], "article": [], "snapshot": []}
    events = data("events?status=recent&limit=2") + data("events?status=upcoming&limit=2")
    watched = (one for one in data("events?limit=1000") if data(f"events/{one['id']}/intelligence"))
    events += [event for event in [next(watched, None)] if event]
    for event in events:
        ids["event"] += [event["id"], event["statsdb_id"], event["feed_event_id"]]
        for bout in data(f"events/{event['id']}/card")["bouts"][:4]:
            ids["bout"] += [bout["id"], bout["statsdb_id"]]
            ids["fighter"] += [bout[side]["id"] for side in ("fighter_a", "fighter_b")]
    ids["fighter"] += [data(f"fighters/{ids['fighter'][0]}")["slug_id"]]
    ids["article"] = [article["slug"] for article in data("news") or []]
    ids["snapshot"] = [snapshot["id"] for snapshot in data("snapshots")][:1]
    return {kind: [one for one in of if one] for kind, of in ids.items()}


def kind_of(operation, parameter):
    """Whose id a parameter is, if it is one."""
    name = parameter["name"]
    if name in ("slug", "snapshot"):
        return {"slug": "article", "snapshot": "snapshot"}[name]
    if name.endswith("_id"):
        return name.removesuffix("_id")
    if parameter["in"] != "path":
        return None
    named = operation["operationId"].split("_")[0]
    return {"event": "event", "card": "event", "bout": "bout", "snapshot": "snapshot"}.get(named, "fighter")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    ids = known()
    assert ids["event"] and ids["bout"] and ids["fighter"], "nothing is served"
    for item in raw_schema["paths"].values():
        for parameter in item["get"]["parameters"]:
            of = ids.get(kind_of(item["get"], parameter))
            # Every other id is of the other fighter of a bout.
            of = {"fighterA": of and of[::2], "fighterB": of and of[1::2]}.get(parameter["name"], of)
            if of:
                parameter["schema"] = {"anyOf": [{"type": "string", "enum": of}, parameter["schema"]]}
                parameter["example"] = of[0]
            elif parameter["name"] == "ids":
                parameter["example"] = [one for one in ids["fighter"] if len(one) == 36][:3]


@schemathesis.hook
def filter_query(context, query):
    """A head of more than 16 KiB is refused while it is read, before anything could answer it: 431 without a body, as
    the document says. The tests of the server ask for that over a socket; here it is no question to the contract."""
    return len(str(query)) < 12_000


@schemathesis.hook
def filter_path_parameters(context, path_parameters):
    """Nobody is compared with himself."""
    path_parameters = path_parameters or {}
    one, other = path_parameters.get("fighterA"), path_parameters.get("fighterB")
    return one is None or one != other


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes of what fits each parameter what fits all of them together."""
    query = case.query
    if not query or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A cursor is the `next_cursor` of an answer to the same query: none can be made up.
    query.pop("cursor", None)
    # The lower bound is not above the upper one.
    for low, high in (("min", "max"), ("from", "to")):
        if low in query and high in query and query[low] > query[high]:
            query[low], query[high] = query[high], query[low]


@schemathesis.check
def documented_code(context, response, case):
    """An error has one of the codes that the document gives this operation and status."""
    if response.status_code < 400 or response.status_code == 405 or case.method == "HEAD":
        return
    responses = case.operation.definition.raw["responses"]
    codes = responses.get(str(response.status_code), {}).get("x-error-codes", [])
    code = response.json()["error"]["code"]
    assert code in codes, f"`{code}` is not documented for {response.status_code}"

"""A client in another language, generated from the document, used against a running server.

    FIGHTDNA_URL=http://… python client.py FOLDER     FOLDER holds the generated package `fight_data_client`
"""

import datetime
import os
import sys
import uuid

sys.path.insert(0, sys.argv[1])

from fight_data_client import AuthenticatedClient, Client  # noqa: E402
from fight_data_client.api.core import card, event, events, fighter, fighters, results, search  # noqa: E402
from fight_data_client.api.data import changes, snapshot, snapshots  # noqa: E402
from fight_data_client.api.fight_dna import dna_metrics, dna_query, fighter_dna, fighter_position_profile  # noqa: E402
from fight_data_client.api.matchup_dna import matchup_dna  # noqa: E402
from fight_data_client.api.media import fighters_media  # noqa: E402
from fight_data_client.models import (  # noqa: E402
    ErrorBody,
    ErrorCode,
    EventsStatus,
    FighterInclude,
    CardInclude,
    FoundFighter,
    MetricStatus,
    PlanName,
    Status,
)

BASE = os.environ["FIGHTDNA_URL"]

# As it comes from the generator, which writes a list as several parameters.
client = Client(base_url=BASE, timeout=20)

# A list, with its meta and typed fields.
listed = events.sync(client=client, status=EventsStatus.RECENT, limit=2)
assert listed.ok is True and listed.meta.count == 2 <= listed.meta.total, listed.meta
newest = listed.data[0]
assert isinstance(newest.id, uuid.UUID) and isinstance(newest.event_date, datetime.date)
assert newest.card_status is Status.COMPLETED
assert newest.updated_at is None or newest.updated_at.utcoffset() == datetime.timedelta(0)

# One of them, by our id and by the source's.
assert event.sync(str(newest.id), client=client).data == newest
named = next(one for one in events.sync(client=client, limit=1000).data if one.statsdb_id)
assert event.sync(named.statsdb_id, client=client).data == named

# A card with statistics, which says the plan that it needs.
fought = events.sync(client=client, status=EventsStatus.RECENT, limit=30).data
cards = (card.sync(str(one.id), client=client, include=[CardInclude.STATS]) for one in fought)
shown = next(one for one in cards if any(bout.round_stats for bout in one.data.bouts))
day = shown.data.event.event_date
assert shown.meta.access_tier is PlanName.PRO and shown.meta.bouts == len(shown.data.bouts)
main = next(bout for bout in shown.data.bouts if bout.round_stats)
a, b = main.fighter_a, main.fighter_b
assert {row.fighter_id for row in main.round_stats} == {a.id, b.id}
assert sum(row.sig_landed for row in main.round_stats if row.fighter_id == a.id) == (
    main.stat_totals.additional_properties[str(a.id)].sig_landed
)
assert main.result.winner_id in (a.id, b.id, None)

# A fighter with what was asked beside him, and nothing that was not.
whole = fighter.sync(str(a.id), client=client, include=list(FighterInclude), history_limit=1)
assert len(whole.data.history) == 1 and whole.data.history[0].event.event_date >= day
assert not fighter.sync(str(a.id), client=client).data.history

# Derived values say what they rest on.
dna = fighter_dna.sync(str(a.id), client=client, as_of=day)
assert dna.data.as_of == day and dna.data.last_bout_date < day
catalogue = dna_metrics.sync(client=client)
assert [one.metric for one in dna.data.metrics] == [one.metric for one in catalogue.data.metrics]
for one in dna.data.metrics:
    assert (one.value is not None) == (one.status is MetricStatus.OK), one
    assert one.is_official is False and one.sample.eligible_bouts == dna.data.eligible_bouts

# Two beside each other; the mirror is the other way round.
there = matchup_dna.sync(str(a.id), str(b.id), client=client).data
back = matchup_dna.sync(str(b.id), str(a.id), client=client).data
assert [one.gap for one in there.metrics] == [one.gap and -one.gap for one in back.metrics]

# Pages by cursor.
first = dna_query.sync(client=client, metric=dna_query.DnaQueryMetric("sig_landed_per_min"), limit=2)
second = dna_query.sync(
    client=client,
    metric=dna_query.DnaQueryMetric("sig_landed_per_min"),
    limit=2,
    cursor=first.meta.next_cursor,
)
assert [one.metric.value for one in first.data + second.data] == sorted(
    (one.metric.value for one in first.data + second.data), reverse=True
)

# Lists of ids, search by kind, changes since an instant, snapshots.
media = fighters_media.sync(client=client, ids=[a.id, b.id])
assert set(media.data.media.additional_properties) == {str(a.id), str(b.id)}
found = search.sync(client=client, q=a.name)
assert isinstance(found.data[0], FoundFighter) and found.data[0].record.name == a.name
since = datetime.datetime(2000, 1, 1, tzinfo=datetime.timezone.utc)
assert changes.sync(client=client, since=since, limit=1).data[0].at >= since
current = next(one for one in snapshots.sync(client=client).data if one.is_current)
assert snapshot.sync(current.id, client=client).data.tables
assert results.sync(client=client, snapshot=current.id, limit=1).data[0].result.method
assert fighters.sync(client=client, q=a.name, limit=1).data[0].name == a.name


# Errors are typed too: unknown, too early, refused, unavailable.
def refused(response, status, code):
    assert response.status_code == status and isinstance(response.parsed, ErrorBody), response
    assert response.parsed.ok is False and response.parsed.error.code is code, response.parsed
    return response.parsed.error


refused(event.sync_detailed("nobody", client=client), 404, ErrorCode.NOT_FOUND)
early = fighter_dna.sync_detailed(str(a.id), client=client, as_of=datetime.date(1990, 1, 1))
assert refused(early, 404, ErrorCode.DNA_NOT_AVAILABLE).details.reason == "before_first_version"
bounds = refused(events.sync_detailed(client=client, limit=0), 400, ErrorCode.INVALID_PARAMETER)
assert bounds.details.parameter == "limit"
licensed = fighter_position_profile.sync_detailed(str(a.id), client=client)
refused(licensed, 503, ErrorCode.POSITION_PROFILE_NOT_AVAILABLE)
assert licensed.parsed.error.details.reason == "no_licensed_source" and "Retry-After" not in licensed.headers

# Both ways to send a key are understood; the canonical host asks for none.
for header, prefix in (("Authorization", "Bearer"), ("X-API-Key", "")):
    keyed = AuthenticatedClient(base_url=BASE, token="none", auth_header_name=header, prefix=prefix)
    assert events.sync(client=keyed, limit=1).ok

print("a generated client reads lists, cards, fighters, derived values, pages and errors")

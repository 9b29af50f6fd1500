// The same with openapi-fetch, which writes a list as several parameters, and types from openapi-typescript:
//     FIGHTDNA_URL=http://… node client.js

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

const base = process.env.FIGHTDNA_URL;
assert.ok(base, "FIGHTDNA_URL");
const client = createClient<paths>({ baseUrl: base });

// A list, with its meta and typed fields, and its second page by cursor.
const listed = await client.GET("/v1/mma/events", { params: { query: { status: "recent", limit: 2 } } });
assert.ok(listed.data, JSON.stringify(listed.error));
assert.equal(listed.data.data.length, 2);
const newest = listed.data.data[0];
assert.equal(newest.card_status, "completed");
const cursor = listed.data.meta.next_cursor;
assert.ok(cursor);
const next = await client.GET("/v1/mma/events", { params: { query: { status: "recent", limit: 2, cursor } } });
assert.ok(next.data && next.data.data.every((event) => !listed.data.data.some((one) => one.id === event.id)));

// A list of words and one of ids, of which the default is one parameter for each value.
const card = await client.GET("/v1/mma/events/{id}/card", {
  params: { path: { id: newest.id }, query: { include: ["results", "stats"] } },
});
assert.ok(card.data, JSON.stringify(card.error));
assert.equal(card.data.meta.access_tier, "pro");
const { fighter_a: a, fighter_b: b } = card.data.data.bouts[0];
const media = await client.GET("/v1/mma/fighters/media", { params: { query: { ids: [a.id, b.id] } } });
assert.deepEqual(Object.keys(media.data?.data.media ?? {}).sort(), [a.id, b.id].sort());
const asked = new URL(media.response.url).searchParams.getAll("ids");
assert.equal(asked.length, 2, "openapi-fetch repeats a list's parameter by default");

// A composite, and derived values that say what they rest on.
const whole = await client.GET("/v1/mma/fighters/{id}", {
  params: { path: { id: a.id }, query: { include: ["history", "next", "ranking"], history_limit: 1 } },
});
assert.ok(whole.data && Array.isArray(whole.data.data.history));
const day = card.data.data.event.event_date;
const dna = await client.GET("/v1/mma/fighters/{id}/dna", { params: { path: { id: a.id }, query: { as_of: day } } });
if (dna.data) {
  assert.ok(dna.data.data.metrics.every((metric) => metric.is_official === false));
} else {
  assert.equal(dna.error.error.code, "dna_not_available");
}

// Errors are typed, say what may have been meant, and where to read on.
const lost = await client.GET("/v1/mma/events/{id}", { params: { path: { id: "nobody" } } });
assert.equal(lost.response.status, 404);
assert.equal(lost.error?.error.details?.id, "nobody");
assert.equal(lost.error?.error.docs, "/docs#event");
// @ts-expect-error: no such status
const wrong = await client.GET("/v1/mma/events", { params: { query: { status: "recents" } } });
assert.deepEqual(wrong.error?.error.details?.did_you_mean, ["recent"]);

console.log("openapi-fetch reads lists, pages, cards, images, derived values and errors");

//! What the document says in words.

use serde_json::{Value, json};

use crate::{Operation, Parameter};

/// The document as a whole.
pub(super) const ABOUT: &str = "Every operation is GET (HEAD and OPTIONS go with it) and read-only. A success is `{ok: true, data, meta}`, \
a failure `{ok: false, error, meta}`; both are `application/json`.

- **Nulls are statements.** A field of the contract is always present; what is not known is `null`, never a zero, an empty text or a guess. \
What a source does not give at all is 503 with a code `*_not_available`.
- **Parameters are checked.** An unknown or malformed query parameter is 400 and named, never ignored. Lists are comma-separated (`ids=a,b`) or repeated (`ids=a&ids=b`); any other parameter is given once.
- **Ids.** `{id}` takes our UUID, a statsdb id, a feed id, and of a fighter a `slug_id`; nothing else. An id that was merged away answers as what it became; one that is several entities' is 404, and `details.candidates` names them.
- **Times.** Dates are `YYYY-MM-DD`; instants are RFC 3339 in UTC with the offset `+00:00`, with as many decimals of a second as are known.
- **Lists** are pages of `limit` rows. `meta.total` counts all that match, `meta.next_cursor` (null on the last page) is the `cursor` of the next one, and `Link: <…>; rel=\"next\"` is its address. A cursor is of its own query and snapshot; who names `snapshot` from the first page on is not disturbed by a new one.
- **As of a date.** `as_of=D` is what was known before D began, wherever it stands: a bout, a snapshot of rankings or a row of the ledger on D is the future. What stood on D is asked by other names (`on`, `at`). With `snapshot=` an answer as of a date never changes.
- **Derived values are not official statistics.** Each carries its sample, provenance, confidence, date and definition version.
- **Plans.** `x-minimum-plan` of an operation, and `x-plan-of-parameters` of a parameter, name the plan that the gateway asks for; \
`meta.access_tier` says which one an answer needs. `x-origin` says where data come from: SOURCE_FACT, HOUSE_DERIVED, LICENSED, EDITORIAL, MEDIA or THIRD_PARTY_LINK. \
`x-ground` says what an answer is made from: the contract alone, a snapshot, the fight-week ledger, or the list of snapshots.
- **Errors.** `error.message` says what is wrong and what is allowed, `error.docs` where to read on, and `details.did_you_mean` what may have been meant. `x-error-codes` of a response lists the codes that can stand in it; `ErrorCode` lists them all. Any other method than GET, HEAD and OPTIONS is 405 `method_not_allowed` with `Allow`. A head of more than 16 KiB is 431 without a body.
- **Beside the operations** both hosts have `/docs` (this page), `/openapi.json` (this document), `/healthz` and `/readyz`, without a key; `/` leads to `/docs`.";

/// Feature groups.
pub(super) fn tags() -> Value {
    json!([
        {"name": "Core", "description": "Events, cards, fighters, bouts, results, rankings, search, counts."},
        {"name": "Fight DNA", "description": "Fighter intelligence, derived in house: not official statistics."},
        {"name": "Matchup DNA", "description": "Two fighters beside each other: no picks, no odds, no probability of winning."},
        {"name": "Fight Week", "description": "The fight-week ledger: what was known when."},
        {"name": "Media", "description": "Images with licence and attribution, which must be rendered; identifiers of official videos."},
        {"name": "Editorial", "description": "The newsroom's articles, and stories of outlets."},
        {"name": "Data", "description": "Snapshots, changes between them, and what they cover."},
        {"name": "Account", "description": "At the gateway: what an account may ask and has asked."},
    ])
}

/// What an operation is, in words.
pub(super) struct Prose {
    pub(super) tag: &'static str,
    pub(super) summary: &'static str,
    more: &'static str,
}

impl Prose {
    /// Markdown.
    pub(super) fn text(&self, operation: &Operation) -> String {
        let plan =
            format!("Minimum plan: **{}**. Origin: **{}**.", operation.plan.name(), operation.origin.name());
        if self.more.is_empty() { plan } else { format!("{}\n\n{plan}", self.more) }
    }
}

/// An operation's.
pub(super) fn of(name: &str) -> Prose {
    let (tag, summary, more) = match name {
        "index" => ("Core", "Index", "What this API is, and where its routes are."),
        "events" => {
            ("Core", "List events", "Newest first; of those to come (`status=upcoming`) the next first.")
        }
        "event" => ("Core", "Get an event", ""),
        "card" => (
            "Core",
            "Get an event's card",
            "Bouts with fighters and results, the main event first. Media and results are always on; `include=stats` adds round statistics and needs pro.",
        ),
        "event_articles" => ("Editorial", "List articles about an event", "Published ones, newest first."),
        "fighter_articles" => ("Editorial", "List articles about a fighter", "Published ones, newest first."),
        "news" => ("Editorial", "List articles", "Published ones, newest first."),
        "article" => ("Editorial", "Get an article", "With its text, as Markdown."),
        "wire" => (
            "Editorial",
            "List stories of outlets",
            "Newest first: headline, link, outlet and time. A story that several outlets tell is one.",
        ),
        "fighters" => ("Core", "List fighters", "By name."),
        "fighters_media" => (
            "Media",
            "Look up primary images",
            "One key for each id that is asked for; null where no image may be shown. `attribution_text` must be rendered.",
        ),
        "fighter" => (
            "Core",
            "Get a fighter",
            "Includes add fields and never change the others; media is always on. `include=stats` needs pro.",
        ),
        "fighter_history" => ("Core", "List a fighter's bouts", "Those that were fought, newest first."),
        "fighter_record" => (
            "Core",
            "Get a fighter's record",
            "The record that a source states, with its day, and the record counted from the bouts that are held: both as of a date, neither in place of the other.",
        ),
        "fighter_stats" => (
            "Core",
            "Get a fighter's statistics",
            "What a source states for display only, and sums over round statistics: plain, of all bouts to this day. Values as of a date are Fight DNA.",
        ),
        "bout" => ("Core", "Get a bout", "With deductions, weights and short notices that sources tell."),
        "bout_stats" => ("Core", "Get a bout's round statistics", "Both fighters, every round."),
        "results" => ("Core", "List results", "Newest first; dates are inclusive."),
        "rankings" => (
            "Core",
            "Get rankings",
            "By division: the newest snapshot, the newest before `as_of`, or the one that stood `on` a day.",
        ),
        "search" => (
            "Core",
            "Search",
            "Fighters, events, bouts and articles in one list, the best first. Accents are folded, small typing errors forgiven.",
        ),
        "counts" => (
            "Core",
            "Count what is held",
            "Rows of each table, first and last date, and round statistics by year.",
        ),
        "dna_metrics" => (
            "Fight DNA",
            "List metrics",
            "Every metric: its meaning, formula, prior, and how well it predicts.",
        ),
        "dna_query" => (
            "Fight DNA",
            "Find fighters by a metric",
            "Fighters active on the asked day, the best first, unless `active` and `sort` say otherwise. Pages go on by `meta.next_cursor`.",
        ),
        "fighters_dna" => (
            "Fight DNA",
            "Get the Fight DNA of several fighters",
            "Each in the order asked: what it is alone, or the error that says why there is none.",
        ),
        "fighter_dna_series" => (
            "Fight DNA",
            "Get a metric of a fighter over time",
            "Version after version, the oldest first: value, raw value, interval, sample and confidence.",
        ),
        "event_matchups" => (
            "Matchup DNA",
            "Compare the fighters of a card",
            "Every bout of an event in one answer: bodies, insights and earlier meetings, or the error that says why there are none. `href` leads to the whole matchup.",
        ),
        "dna_validity" => (
            "Fight DNA",
            "Get the measurements of all metrics",
            "How well each predicts bouts after those that it was fitted on.",
        ),
        "fighter_dna" => {
            ("Fight DNA", "Get a fighter's Fight DNA", "Every metric of the version that holds on a date.")
        }
        "fighter_splits" => (
            "Fight DNA",
            "Get a fighter's splits",
            "By stance of the opponent, class, length, title and result. A filter names the dimension; several show several; none shows all.",
        ),
        "fighter_round_profile" => (
            "Fight DNA",
            "Get a fighter's round profile",
            "What the fighter does round by round, and how the pace falls.",
        ),
        "fighter_finish_profile" => {
            ("Fight DNA", "Get a fighter's finish profile", "How and when the fighter's bouts end.")
        }
        "fighter_position_profile" => (
            "Fight DNA",
            "Get a fighter's position profile",
            "Needs a licensed source, and there is none: 503 for every fighter.",
        ),
        "matchup_dna" => (
            "Matchup DNA",
            "Compare two fighters",
            "Differences of published values, and insights that pass every gate.",
        ),
        "bout_ledger" => (
            "Fight Week",
            "List a bout's rows of the ledger",
            "Oldest first; of more than `limit` the newest, and older ones by `cursor`.",
        ),
        "event_intelligence" => (
            "Fight Week",
            "Get what is known of an event's bouts",
            "The newest row of each bout, or the one that was the newest at a time; the main event first, and what changed since the checkpoint before.",
        ),
        "videos" => ("Media", "List videos", "Newest first."),
        "fighter_videos" => ("Media", "List videos of a fighter", "Newest first."),
        "bout_videos" => ("Media", "List videos of a bout", "Newest first."),
        "event_videos" => (
            "Media",
            "Get an event's videos",
            "Oldest first, and the same grouped by type in the order of a fight week.",
        ),
        "snapshots" => ("Data", "List snapshots", "Published ones, newest first."),
        "snapshot" => ("Data", "Get a snapshot", "What it was made of, and its tables."),
        "changes" => (
            "Data",
            "List changes",
            "Additions and corrections, oldest first. Pages go on by `meta.next_cursor`.",
        ),
        "coverage" => ("Data", "Get the coverage", "Sources, years and fields: what of them is known."),
        _ => ("", "", ""),
    };
    Prose { tag, summary, more }
}

/// A path parameter.
pub(super) fn path_parameter(operation: &str) -> &'static str {
    match operation {
        "article" => "`slug` of the article.",
        "snapshot" => "Id of the snapshot.",
        name if name.starts_with("fighter") || name == "matchup_dna" => {
            "UUID, statsdb id, feed id, or `slug_id` of the fighter."
        }
        name if name.starts_with("bout") => "UUID, statsdb id or feed id of the bout.",
        _ => "UUID, statsdb id or feed id of the event.",
    }
}

/// A query parameter that allows what is said.
pub(super) fn query_parameter(operation: &str, parameter: &Parameter, allows: &str) -> String {
    let about = match (operation, parameter.name) {
        (_, "snapshot") => "Id of the snapshot to answer from; without it, the current one.",
        (_, "at") => "Rows that held at this instant or before; of a date, its last.",
        (_, "known_at") => "Rows that were written down at this instant or before; of a date, its last.",
        ("rankings", "on") => "The newest snapshot of this date or before.",
        ("event_matchups", "as_of") => {
            "What was known before this date began; without it, before the day of the event."
        }
        (_, "as_of") => "What was known before this date began; without it, the latest.",
        ("events", "status") => "`upcoming`: announced, scheduled or in progress; `recent`: completed.",
        (_, "date") => "Events of this date.",
        (_, "limit") => "Rows at most.",
        (_, "offset") => {
            "Rows to leave out before the first. `cursor` goes on by itself; give one of the two."
        }
        (_, "history_limit") => "Bouts of `history` at most.",
        ("fighter_dna", "include") => "`provenance` adds the bouts that each metric rests on.",
        (_, "include") => "What to add.",
        ("search", "q") => "Words to find.",
        (_, "q") => "Part of the name.",
        ("dna_query", "active") => {
            "Whether the fighter is active on the asked day: a bout in the 36 months before; `all` for everybody."
        }
        (_, "active") => "Whether the fighter is active: a bout in 36 months.",
        (_, "ids") => "UUIDs of fighters.",
        (_, "division") => "One division.",
        (_, "tag") => "Articles with this tag.",
        (_, "outlet") => "Stories of this outlet, in any case.",
        (_, "fighter_id") => "About this fighter, by any id. An id that no fighter has is 404.",
        (_, "event_id") => "About this event: any id of it. One that none has is 404.",
        (_, "bout_id") => "About this bout: any id of it. One that none has is 404.",
        (_, "type") => "Videos of this type.",
        ("fighter_dna_series", "from") => "First day on which a version begins; not after `to`.",
        ("fighter_dna_series", "to") => "Last day on which a version begins; not before `from`.",
        (_, "from") => "First date; not after `to`.",
        (_, "to") => "Last date; not before `from`.",
        (_, "method") => "Results of this method.",
        ("results", "weight_class") => "Bouts of this class.",
        ("events", "promotion") => "Events of this promotion.",
        ("results", "promotion") => "Bouts at events of this promotion.",
        ("dna_query", "weight_class") => "Fighters of these classes.",
        ("dna_query", "sex") => "Fighters of men's or women's classes; those without a class are of neither.",
        ("dna_query", "stance") => "Fighters of this stance.",
        ("dna_query" | "fighter_dna_series", "metric") => "Metric to look at.",
        (_, "metrics") => "Metrics to show; all without it.",
        (_, "fields") => "Fields to show of each metric, beside its name; all without it.",
        (_, "families") => "Families of metrics to show; all without it.",
        (_, "min") => "Smallest number; not above `max`.",
        (_, "max") => "Largest number; not below `min`.",
        (_, "on") => "What `min` and `max` bound.",
        (_, "min_confidence") => "Least confidence.",
        (_, "min_bouts") => "Fewest bouts that carry the metric.",
        (_, "sort") => "Order; a minus is from the largest. By `raw` the smallest samples lead.",
        (_, "cursor") => "`meta.next_cursor` of the page before: of the same query on the same snapshot.",
        (_, "since") => "Changes at this instant or after; of a date, from its first.",
        (_, "kind") => "Kinds to find.",
        (_, "checkpoint") => "Rows of this checkpoint.",
        ("fighter_splits", "distinguishable") => {
            "Of `true`, only metrics whose difference from the overall value is distinguishable; of `false`, only the others. Splits without any are left out."
        }
        ("fighter_splits", "metric") => "Metrics to show.",
        ("fighter_splits", "family") => "Families of metrics to show.",
        ("fighter_splits", _) => "Splits of this dimension, with these keys.",
        _ => "",
    };
    let allows = match (operation, parameter.name) {
        (_, "snapshot") => "32 lower-case hex digits".to_owned(),
        (_, "cursor") => "24 lower-case hex digits".to_owned(),
        ("dna_query" | "fighter_dna_series", "metric") => {
            "the name of a metric of `/v1/mma/dna/metrics`".to_owned()
        }
        _ => allows.to_owned(),
    };
    format!("{about} Allowed: {allows}.").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::all_operations;

    #[test]
    fn every_operation_and_parameter_is_said_in_words() {
        for operation in all_operations() {
            let prose = of(operation.name);
            assert!(!prose.tag.is_empty() && !prose.summary.is_empty(), "{}", operation.name);
            assert!(tags().as_array().unwrap().iter().any(|tag| tag["name"] == prose.tag), "{}", prose.tag);
            for parameter in operation.parameters() {
                let about = query_parameter(operation.name, parameter, &parameter.kind.allows());
                assert!(!about.starts_with("Allowed"), "{} {}", operation.name, parameter.name);
            }
        }
    }
}

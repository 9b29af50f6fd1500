//! What every operation is asked: with each parameter, and what must be refused.

use fdna_api::{Operation, all_operations};

use crate::openapi::app::Ids;

/// The table whose file is asked for.
pub(crate) const TABLE: &str = "events.parquet";

/// The operation whose answer has no end.
pub(crate) const STREAM: &str = "changes_stream";

/// Query strings of an operation beside the empty one, in which `F`, `E` and `B` stand for ids.
fn queries(name: &str) -> &'static [&'static str] {
    match name {
        "events" => {
            &["status=upcoming&limit=2", "status=recent&date=2025-10-25", "from=2025-01-01&to=2025-12-31"]
        }
        "fighters_dna" => {
            &["ids=F&families=control", "ids=F,00000000-0000-4000-8000-000000000000&as_of=1990-01-01"]
        }
        "fighter_dna_series" => &["metric=sig_landed_per_min&limit=2", "metric=slpm"],
        "event_matchups" => &["as_of=1990-01-01"],
        "event_intelligence" => &["as_of=2025-11-02", "at=2025-11-02T00:00:00Z&known_at=2020-01-01"],
        "card" => &["include=stats", "include=media,results"],
        "fighters" => &["q=urk&active=true", "offset=1000"],
        "fighters_media" => &["ids=F", "ids=F,00000000-0000-4000-8000-000000000000"],
        "fighter" => &["include=media,ranking,next,history,stats", "include=history&history_limit=1"],
        "fighter_history" => &["limit=1&offset=1"],
        "results" => &["method=submission&limit=3", "fighter_id=F&event_id=E", "fighter_id=nobody"],
        "rankings" => &["division=LIGHTWEIGHT", "as_of=1990-01-01", "on=1990-01-01"],
        "champions" => &["as_of=1990-01-01", "weight_class=LIGHTWEIGHT", "promotion=PRIDE", "promotion=none"],
        "news" => &["tag=none", "limit=1"],
        "wire" | "videos" => &["fighter_id=F", "event_id=E", "limit=1&offset=1"],
        "search" => &["q=urkwunp", "q=sample", "q=the+road&kind=article,bout", "q=zzzzzzzzzz"],
        "dna_query" => &[
            "metric=sig_landed_per_min",
            "metric=sig_accuracy&on=percentile&min=10&max=90.5&limit=3&stance=ORTHODOX",
            "metric=house_rating&as_of=2023-01-01&sort=-value&min_bouts=3",
            "metric=nonsense",
        ],
        "fighter_dna" => &[
            "as_of=2023-01-01&include=provenance",
            "as_of=1990-01-01",
            "families=control",
            "metrics=td_defense",
            "fields=value,percentile",
        ],
        "fighter_splits" => &["opponent_stance=SOUTHPAW&metric=sig_landed_per_min", "as_of=1990-01-01"],
        "fighter_round_profile" | "fighter_finish_profile" | "matchup_dna" => {
            &["as_of=2025-06-01", "as_of=1990-01-01"]
        }
        "bout_ledger" => &[
            "limit=1",
            "checkpoint=ANNOUNCED",
            "as_of=2025-11-02",
            "at=2025-11-02T00:00:00Z",
            "known_at=2020-01-01",
        ],
        "event_videos" | "fighter_videos" | "bout_videos" => &["type=interview", "limit=1"],
        "snapshots" => &["limit=1&offset=5"],
        "explain_row" => &["key=F&column=name", "key=F&column=colour", "key=nobody"],
        "changes" => &["since=2025-11-01&limit=2", "since=2025-11-01T00:00:00%2B01:00", "cursor=0"],
        _ => &[],
    }
}

/// Every operation with the path of each question.
pub(crate) fn paths(ids: &Ids) -> Vec<(&'static str, String)> {
    all_operations().flat_map(|operation| of(operation, ids)).collect()
}

fn of(operation: &'static Operation, ids: &Ids) -> Vec<(&'static str, String)> {
    let mut paths = Vec::new();
    for path in filled(operation.path, ids) {
        let filled = |query: &str| {
            query
                .replace("=F", &format!("={}", first(&ids.fighters)))
                .replace("=E", &format!("={}", first(&ids.events)))
        };
        // Without a watcher there is no stream; what one has is tested with the server.
        if operation.name != STREAM {
            paths.push(path.clone());
        }
        paths.extend(queries(operation.name).iter().map(|query| format!("{path}?{}", filled(query))));
    }
    let example = filled(operation.path, ids).remove(0);
    paths.push(format!("{example}?colour=red"));
    if operation.path.contains('{') {
        paths.push(
            operation
                .path
                .replace("{id}", "nobody")
                .replace("{slug}", "none")
                .replace("{table}", "none")
                .replace("{fighterA}", "a"),
        );
        paths.push(format!("{}?colour=red", paths[paths.len() - 1]));
    }
    paths.into_iter().map(|path| (operation.name, path)).collect()
}

fn first(ids: &[String]) -> &str {
    ids.first().map_or("", String::as_str)
}

/// The paths of a template, one for each entity.
pub(crate) fn filled(template: &str, ids: &Ids) -> Vec<String> {
    let of = |place: &str, ids: &[String]| ids.iter().map(|id| template.replace(place, id)).collect();
    match template {
        t if t.contains("{fighterA}") => {
            let pair =
                |pair: &[String]| template.replace("{fighterA}", &pair[0]).replace("{fighterB}", &pair[1]);
            ids.fighters.chunks_exact(2).map(pair).collect()
        }
        t if t.contains("{slug}") && ids.slugs.is_empty() => vec![t.replace("{slug}", "none")],
        t if t.contains("{slug}") => of("{slug}", &ids.slugs),
        t if t.contains("{table}") => vec![t.replace("{id}", &ids.snapshot).replace("{table}", "fighters")],
        t if t.contains("{file}") => vec![t.replace("{id}", &ids.snapshot).replace("{file}", TABLE)],
        t if t.starts_with("/v1/mma/snapshots/") => of("{id}", std::slice::from_ref(&ids.snapshot)),
        t if t.starts_with("/v1/mma/events/") => of("{id}", &ids.events),
        t if t.starts_with("/v1/mma/bouts/") => of("{id}", &ids.bouts),
        t if t.contains("{id}") => of("{id}", &ids.fighters),
        _ => vec![template.to_owned()],
    }
}
